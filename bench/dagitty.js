// What dagitty says of graphs, by its own program without R:
//   node bench/dagitty.js dagitty-alg.js < questions > answers
// (the file is inst/js/dagitty-alg.js of its R package). A question is a line of JSON: `graph`, its
// text; `from`, `to` and `sets`, names. The answer has the `minimal` and `canonical` adjustment sets,
// which of the sets are `valid`, and the `text` of the graph as dagitty writes it.
const fs = require("fs");
const vm = require("vm");
vm.runInThisContext(fs.readFileSync(process.argv[2], "utf8"));
const { GraphParser, GraphAnalyzer } = DAGitty;

function names(nodes) {
  return nodes.map((node) => node.id).sort();
}

function answer(question) {
  const graph = GraphParser.parseGuess(question.graph);
  question.from.forEach((name) => graph.addSource(name));
  question.to.forEach((name) => graph.addTarget(name));
  return {
    text: graph.toString(),
    minimal: GraphAnalyzer.listMsasTotalEffect(graph).map(names),
    canonical: GraphAnalyzer.canonicalAdjustmentSet(graph).map(names),
    valid: question.sets.map((set) =>
      GraphAnalyzer.isAdjustmentSet(graph, set.map((name) => graph.getVertex(name)))),
  };
}

const lines = fs.readFileSync(0, "utf8").split("\n").filter((line) => line.length > 0);
for (const line of lines) console.log(JSON.stringify(answer(JSON.parse(line))));
