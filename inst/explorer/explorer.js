// The page: a picture of the network, the node that was clicked, evidence and posteriors.
//
// `page` is what R wrote (R/explore.R): `title`, `certificate`, `nodes`, `arcs`, and `cliques` where
// posteriors are offered, otherwise a `note` that says why not.

"use strict";

const page = JSON.parse(document.getElementById("network").textContent);
const evidence = new Map(); // from nodes to observed levels
let selected = null;
let beliefs = null; // posteriors of all nodes, given the evidence
let priors = null;  // and without any

const answer = page.cliques && compileJunctionTree(
  page.nodes.map(node => node.levels.length),
  page.nodes.map((node, v) => ({ scope: [v, ...node.parents], table: node.table })),
  page.cliques.map(clique => clique.nodes), page.cliques.map(clique => clique.above)
);

const byId = id => document.getElementById(id);

// An element with attributes and children, which are elements or text.
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

const percent = p => (100 * p).toFixed(p > 0 && p < 0.001 || p < 1 && p > 0.999 ? 3 : 1) + " %";

// ---- evidence -----------------------------------------------------------------------------------

// A click on the level that a node has releases the node.
function observe(node, level) {
  const before = evidence.get(node);
  if (before === level) evidence.delete(node);
  else evidence.set(node, level);
  update();
}

function update() {
  const weights = new Map();
  for (const [node, level] of evidence) {
    weights.set(node, page.nodes[node].levels.map((label, l) => l === level ? 1 : 0));
  }
  const found = answer ? answer(weights) : null;
  beliefs = found && found.posteriors;
  showEvidence(found);
  showPosteriors();
  showNode();
  picture.redraw();
}

function showEvidence(found) {
  const place = byId("evidence");
  place.hidden = evidence.size === 0;
  if (place.hidden) return;
  const chips = [...evidence].map(([node, level]) => element(
    "button", { class: "chip", title: "Release", onclick: () => observe(node, level) },
    `${page.nodes[node].name} = ${page.nodes[node].levels[level]} \u00d7`
  ));
  const said = found === null ? "This evidence is impossible: its probability is 0." :
    `Probability of the evidence: ${Math.exp(found.logProbability).toPrecision(4)}`;
  const value = found === null ? "-Infinity" : found.logProbability;
  place.replaceChildren(
    element("h2", {}, "Evidence"), ...chips,
    element("button", { class: "link", id: "clear", onclick: () => { evidence.clear(); update(); } },
            "Clear all"),
    element("p", { id: "probability", "data-log": value }, said)
  );
}

// ---- posteriors ---------------------------------------------------------------------------------

// The levels of a node as bars, each a button that makes its level the evidence; the black line is
// the probability without any evidence.
function levelBars(v) {
  const node = page.nodes[v];
  return node.levels.map((label, level) => {
    const p = beliefs ? beliefs[v][level] : NaN;
    return element(
      "button", {
        class: "level", title: `${node.name} = ${label}`, "data-node": node.name,
        "data-level": label, "data-probability": p,
        "aria-pressed": evidence.get(v) === level, onclick: () => observe(v, level)
      },
      element("span", {}, label),
      element("span", { class: "track" },
              element("span", { class: "bar", style: `width: ${beliefs ? 100 * p : 0}%` }),
              ...(evidence.size ? [priorMark(priors[v][level])] : [])),
      element("span", {}, beliefs ? percent(p) : "\u2013")
    );
  });
}

const priorMark = p => element("span", { class: "prior", style: `left: calc(${100 * p}% - 1px)` });

function showPosteriors() {
  if (!answer) return;
  byId("cards").replaceChildren(...page.nodes.map((node, v) => element(
    "div", { class: evidence.has(v) ? "card observed" : "card" },
    element("h3", { onclick: () => select(v, true) }, node.name), ...levelBars(v)
  )));
}

// ---- the node that was clicked ------------------------------------------------------------------

function select(v, focus = false) {
  selected = v;
  picture.select(v, focus);
  showNode();
}

function links(nodes) {
  if (nodes.length === 0) return [element("span", { class: "quiet" }, "none")];
  return nodes.map(v => element("button", { class: "link", onclick: () => select(v, true) },
                                page.nodes[v].name));
}

function showNode() {
  const place = byId("node");
  if (selected === null) {
    place.replaceChildren(element("p", { class: "quiet" }, answer ?
      "Click a node for its local model, or a bar below to set evidence. Drag and zoom at will." :
      "Click a node for its parents, children and local model. Drag and zoom at will."));
    return;
  }
  const node = page.nodes[selected];
  const children = page.nodes.map((other, v) => v).filter(v =>
    page.nodes[v].parents.includes(selected));
  const neighbours = page.arcs.filter(arc => !arc.directed)
    .flatMap(arc => arc.from === selected ? [arc.to] : arc.to === selected ? [arc.from] : []);
  place.replaceChildren(
    element("h2", {}, node.name),
    element("p", {}, "Parents: ", ...links(node.parents)),
    element("p", {}, "Children: ", ...links(children)),
    ...(neighbours.length ? [element("p", {}, "Undirected: ", ...links(neighbours))] : []),
    ...localModel(node)
  );
}

function localModel(node) {
  const title = node.model ? [element("p", { class: "quiet" }, node.model)] : [];
  if (node.text) return [...title, element("pre", {}, node.text)];
  if (node.table) return [...title, probabilityTable(node)];
  return title;
}

// One row a configuration of the parents, one column a level. Rows that the evidence on the parents
// allows are marked.
const mostRows = 500;
function probabilityTable(node) {
  const parents = node.parents.map(v => page.nodes[v]);
  const count = node.table.length / node.levels.length;
  const head = element("tr", {}, ...parents.map(p => element("th", { class: "parent" }, p.name)),
                       ...node.levels.map(label => element("th", {}, label)));
  const rows = [];
  for (let j = 0; j < Math.min(count, mostRows); j++) {
    let rest = j;
    let possible = false;
    let excluded = false;
    const configuration = parents.map((parent, k) => {
      const level = rest % parent.levels.length;
      rest = Math.floor(rest / parent.levels.length);
      if (evidence.has(node.parents[k])) {
        possible = true;
        excluded = excluded || evidence.get(node.parents[k]) !== level;
      }
      return element("td", { class: "parent" }, parent.levels[level]);
    });
    const cells = node.levels.map((label, l) => {
      const p = node.table[j * node.levels.length + l];
      return element("td", { style: `background: rgba(0, 114, 178, ${0.5 * p})` }, p.toFixed(3));
    });
    rows.push(element("tr", { class: possible && !excluded ? "possible" : "" },
                      ...configuration, ...cells));
  }
  const more = count > mostRows ? [element("caption", {}, `The first ${mostRows} of ${count} rows`)] : [];
  return element("table", {}, ...more, head, ...rows);
}

// ---- the picture --------------------------------------------------------------------------------

// Nodes are boxes of the widget, which are dragged, zoomed and clicked; arcs are drawn here, along
// the ways that R has found past the boxes. Once an end of an arc was dragged, it runs straight.
const picture = (function () {
  const colours = { arc: "#4d4d4d", near: "#0072b2", whitelisted: "#0072b2", border: "#5b6b7a",
                    observed: "#d55e00", text: "#222" };
  const nodes = new vis.DataSet(page.nodes.map((node, v) => ({
    id: v, label: node.name, x: node.x, y: node.y, shape: "box", margin: 2,
    widthConstraint: { minimum: node.width - 4 }, heightConstraint: { minimum: node.height - 4 },
    font: { size: 0.46 * node.height, color: colours.text, face: "DejaVu Sans, sans-serif" },
    shapeProperties: { borderRadius: 6 }, borderWidth: 1,
    color: { border: colours.border, background: node.fill,
             highlight: { border: colours.near, background: node.fill },
             hover: { border: colours.near, background: node.fill } }
  })));
  const network = new vis.Network(byId("canvas"), { nodes, edges: new vis.DataSet([]) }, {
    physics: false, interaction: { hover: true, tooltipDelay: 0 }, nodes: { chosen: true }
  });

  network.fit({ maxZoomLevel: 1.5 });

  function line(context, points, dashed) {
    context.setLineDash(dashed ? [8, 4] : []);
    context.beginPath();
    points.forEach(([x, y], i) => i ? context.lineTo(x, y) : context.moveTo(x, y));
    context.stroke();
    context.setLineDash([]);
  }

  // Its point at the end of the way, its back towards the point before.
  function head(context, [x, y], angle) {
    const length = 11;
    context.beginPath();
    context.moveTo(x, y);
    for (const side of [-1, 1]) {
      context.lineTo(x - length * Math.cos(angle + side * 0.37),
                     y - length * Math.sin(angle + side * 0.37));
    }
    context.closePath();
    context.fill();
  }

  // From the middle of one box to the border of the other.
  function straightWay(arc, place) {
    const [a, b] = [place[arc.from], place[arc.to]];
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const box = page.nodes[arc.to];
    const share = Math.min(box.width / 2 / Math.abs(dx), box.height / 2 / Math.abs(dy), 1);
    return [[a.x, a.y], [b.x - share * dx, b.y - share * dy]];
  }

  const moved = (v, place) => Math.hypot(place[v].x - page.nodes[v].x, // the widget truncates
                                         place[v].y - page.nodes[v].y) > 2;

  network.on("beforeDrawing", context => {
    const place = network.getPositions();
    for (const arc of page.arcs) {
      const near = arc.from === selected || arc.to === selected;
      context.strokeStyle = context.fillStyle = near ? colours.near : colours[arc.kind] || colours.arc;
      context.lineWidth = near ? 2.5 : 1.3;
      const straight = moved(arc.from, place) || moved(arc.to, place);
      const way = straight ? straightWay(arc, place) : arc.way;
      const [from, to] = way.slice(-2);
      line(context, way, arc.kind === "whitelisted");
      if (arc.directed) {
        const tip = straight ? to : arc.tip;
        head(context, tip, Math.atan2(tip[1] - from[1], tip[0] - from[0]));
      }
    }
  });

  // At the foot of each box the posterior of its node, level by level from dark to light.
  network.on("afterDrawing", context => {
    const place = network.getPositions();
    page.nodes.forEach((node, v) => {
      const left = place[v].x - node.width / 2 + 5;
      const foot = place[v].y + node.height / 2;
      const width = node.width - 10;
      if (beliefs) {
        let from = left;
        beliefs[v].forEach((p, l) => {
          const share = node.levels.length > 1 ? l / (node.levels.length - 1) : 0;
          context.fillStyle = evidence.has(v) ? colours.observed :
            `hsl(207, ${80 - 30 * share}%, ${32 + 50 * share}%)`;
          context.fillRect(from, foot - 6, p * width, 4);
          from += p * width;
        });
      }
      if (evidence.has(v)) {
        const label = node.levels[evidence.get(v)];
        context.font = `bold ${0.4 * node.height}px "DejaVu Sans", sans-serif`;
        const wide = context.measureText(label).width + 10;
        const high = 0.52 * node.height;
        context.fillStyle = colours.observed;
        context.fillRect(place[v].x - wide / 2, foot + 1, wide, high);
        context.fillStyle = "#fff";
        context.textAlign = "center";
        context.textBaseline = "middle";
        context.fillText(label, place[v].x, foot + 1 + high / 2);
      }
    });
  });

  network.on("click", event => {
    if (event.nodes.length) select(event.nodes[0]);
  });

  return {
    network,
    redraw() {
      nodes.update(page.nodes.map((node, v) => ({
        id: v, borderWidth: evidence.has(v) ? 3 : 1,
        color: { border: evidence.has(v) ? colours.observed : colours.border }
      })));
      network.redraw();
    },
    select(v, focus) {
      network.selectNodes([v]);
      if (focus) network.focus(v, { animation: { duration: 300 }, scale: network.getScale() });
      network.redraw();
    }
  };
})();

// ---- the beginning ------------------------------------------------------------------------------

byId("title").textContent = page.title;
byId("certificate").textContent = page.certificate || "";
if (answer) {
  priors = answer(new Map()).posteriors;
  byId("note").textContent = "Click a level to observe it, again to release it. " +
    "Black lines: without evidence.";
} else {
  byId("note").textContent = page.note;
}
update();
