// Exact posteriors of a discrete network, in its junction tree (Jensen, Lauritzen and Olesen 1990).
//
// Nodes are numbers from 0. A table over a scope (an array of nodes) has its first node fastest.
// Each clique begins with the product of the tables that were put there. Evidence is a weight for
// each level of a node. Two rounds of messages, towards the root and back, make every clique the
// joint distribution of its nodes and the evidence. Messages upwards are divided by their sum, so
// that nothing underflows; the logarithms of these sums give the probability of the evidence.

"use strict";

// For each cell of a table over `clique`: the cell that it belongs to in a table over `scope`.
function cellMap(clique, scope, sizes) {
  const steps = clique.map(() => 0);
  let step = 1;
  for (const node of scope) {
    steps[clique.indexOf(node)] = step;
    step *= sizes[node];
  }
  const count = clique.reduce((product, node) => product * sizes[node], 1);
  const map = new Int32Array(count);
  const level = clique.map(() => 0);
  let at = 0;
  for (let cell = 0; cell < count; cell++) {
    map[cell] = at;
    for (let k = 0; k < clique.length; k++) { // the next cell: count on, the first node fastest
      at += steps[k];
      if (++level[k] < sizes[clique[k]]) break;
      at -= steps[k] * level[k];
      level[k] = 0;
    }
  }
  return map;
}

function multiply(cells, map, factor) {
  for (let i = 0; i < cells.length; i++) cells[i] *= factor[map[i]];
}

function sumOut(cells, map, count) {
  const sums = new Float64Array(count);
  for (let i = 0; i < cells.length; i++) sums[map[i]] += cells[i];
  return sums;
}

const total = values => values.reduce((sum, value) => sum + value, 0);

// `sizes`: levels of each node. `families`: for each node its scope (itself, then its parents) and
// its table. `cliques`: the nodes of each; `above`: the clique that each hangs on, always an
// earlier one; the first is the root.
// Value: a function of the evidence (a map from nodes to weights of their levels) that returns
// `posteriors`, by node, and `logProbability` of the evidence; null if the evidence is impossible.
function compileJunctionTree(sizes, families, cliques, above) {
  const cellsOf = scope => scope.reduce((product, node) => product * sizes[node], 1);
  const smallestWith = scope => cliques
    .map((clique, c) => c)
    .filter(c => scope.every(node => cliques[c].includes(node)))
    .reduce((best, c) => cellsOf(cliques[c]) < cellsOf(cliques[best]) ? c : best);

  const start = cliques.map(clique => new Float64Array(cellsOf(clique)).fill(1));
  for (const { scope, table } of families) {
    const c = smallestWith(scope);
    multiply(start[c], cellMap(cliques[c], scope, sizes), table);
  }
  const home = sizes.map((size, node) => {
    const clique = smallestWith([node]);
    return { clique, map: cellMap(cliques[clique], [node], sizes) };
  });
  const separators = cliques.map((clique, c) => {
    if (c === 0) return null;
    const scope = clique.filter(node => cliques[above[c]].includes(node));
    return { cells: cellsOf(scope), below: cellMap(clique, scope, sizes),
             above: cellMap(cliques[above[c]], scope, sizes) };
  });

  return function answer(evidence) {
    const belief = start.map(cells => cells.slice());
    for (const [node, weights] of evidence) {
      multiply(belief[home[node].clique], home[node].map, weights);
    }
    let logProbability = 0;
    const upwards = [];
    for (let c = cliques.length - 1; c > 0; c--) {
      const message = sumOut(belief[c], separators[c].below, separators[c].cells);
      const sum = total(message);
      if (!(sum > 0)) return null;
      logProbability += Math.log(sum);
      upwards[c] = message.map(value => value / sum);
      multiply(belief[above[c]], separators[c].above, upwards[c]);
    }
    const sum = total(belief[0]);
    if (!(sum > 0)) return null;
    logProbability += Math.log(sum);
    for (let c = 1; c < cliques.length; c++) {
      const message = sumOut(belief[above[c]], separators[c].above, separators[c].cells);
      const known = upwards[c]; // where it is 0 the clique is 0, too
      multiply(belief[c], separators[c].below,
               message.map((value, i) => known[i] > 0 ? value / known[i] : 0));
    }
    const posteriors = home.map(({ clique, map }, node) => {
      const sums = sumOut(belief[clique], map, sizes[node]);
      const all = total(sums);
      return sums.map(value => value / all);
    });
    return { posteriors, logProbability };
  };
}
