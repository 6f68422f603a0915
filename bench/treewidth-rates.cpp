// How fast the parts of k-tree search are: codes, informative scores, networks within a k-tree.
//
//   treewidth-rates SECONDS NAME... < texts of the instances (.jkl), each ended by a line "end"
//
// Every figure is the mean over some SECONDS of one processor's time, on 1000 uniform k-trees taken
// in turn. The I-score looks mutual information up in a table, so that random numbers serve for it
// as well as those of data. See treewidth-rates.sh.

#include "core/base/random.h"
#include "core/score/jkl.h"
#include "core/treewidth/codes/code_climb.h"
#include "core/treewidth/codes/dandelion.h"
#include "core/treewidth/codes/k_tree_sampling.h"
#include "core/treewidth/informative_score.h"
#include "core/treewidth/within/k_tree_dp.h"
#include "core/treewidth/within/sampled_orders.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <string>
#include <vector>

using namespace optbn;

namespace {

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Things a second, done by `work`, which returns how many a call does.
template <class Work> double rate(double seconds, Work work) {
  const double begin = processor_seconds();
  double done = 0, spent = 0;
  while (spent < seconds) {
    done += static_cast<double>(work());
    spent = processor_seconds() - begin;
  }
  return done / spent;
}

// What compilers cannot leave out.
volatile double sink;

std::vector<DandelionCode> uniform_codes(Node nodes, unsigned k) {
  Random random(1);
  std::vector<DandelionCode> codes;
  while (codes.size() < 1000)
    codes.push_back(random_code(nodes, k, random));
  return codes;
}

std::vector<KTree> decoded(const std::vector<DandelionCode> &codes) {
  std::vector<KTree> trees;
  for (const DandelionCode &code : codes)
    trees.push_back(decode(code));
  return trees;
}

// ---- codes: no instance is needed ---------------------------------------------------------------

void time_codes(Node nodes, unsigned k, double seconds) {
  const std::vector<DandelionCode> codes = uniform_codes(nodes, k);
  const std::vector<KTree> trees = decoded(codes);
  DandelionDecoder decoder(nodes, k);
  Random random(2);
  const double decodes = rate(seconds, [&] {
    for (const DandelionCode &code : codes)
      sink = decoder.decode(code).introduced.back();
    return codes.size();
  });
  const double encodes = rate(seconds, [&] {
    for (const KTree &tree : trees)
      sink = encode(tree).q.front();
    return trees.size();
  });
  const double draws = rate(seconds, [&] {
    for (int i = 0; i < 1000; ++i)
      sink = decoder.decode(random_code(nodes, k, random)).introduced.back();
    return 1000;
  });
  DistancePreferableSampler sampler(nodes, k, usual_bandwidth(nodes, k, random));
  const double distant = rate(seconds, [&] {
    for (int i = 0; i < 100; ++i)
      sink = decoder.decode(sampler.next(random)).introduced.back();
    return 100;
  });
  std::printf("| %5u | %u | %12.5f | %12.5f | %13.0f | %14.0f |\n", nodes, k, 1e3 / decodes,
              1e3 / encodes, draws, distant);
  std::fflush(stdout);
}

// ---- k-trees over the nodes of an instance ------------------------------------------------------

MutualInformation random_information(Node nodes) {
  MutualInformation information{nodes, std::vector<double>(std::size_t{nodes} * nodes, 0)};
  Random random(3);
  for (Node a = 0; a < nodes; ++a)
    for (Node b = 0; b < a; ++b)
      information.value[std::size_t{a} * nodes + b] =
          information.value[std::size_t{b} * nodes + a] = random.uniform();
  return information;
}

void time_trees(const std::string &name, const ParentSets &candidates, unsigned k, double seconds) {
  const Node nodes = candidates.size();
  const std::vector<DandelionCode> codes = uniform_codes(nodes, k);
  const std::vector<KTree> trees = decoded(codes);
  const SetTrie sets(candidates, k);
  const MutualInformation information = random_information(nodes);
  const Host host;
  Watch watch(host);
  Random random(4);

  DandelionDecoder decoder(nodes, k);
  InformativeScorer score(information, sets, k);
  const double drawn = rate(seconds, [&] {
    for (int i = 0; i < 1000; ++i)
      sink = score(decoder.decode(random_code(nodes, k, random))).value();
    return 1000;
  });
  std::size_t next = 0;
  const auto in_turn = [&](std::size_t size) { return next++ % size; };
  const KTreeValue value = [&](const KTree &tree) { return score(tree).value(); };
  const double climbed = rate(
      seconds, [&] { return hill_climb(codes[in_turn(codes.size())], value, watch).evaluations; });
  KTreeDp dp(candidates, sets, k);
  const double exact = rate(seconds, [&] {
    sink = dp.best(trees[in_turn(trees.size())], watch).score;
    return 1;
  });
  SampledOrders orders(candidates, sets, 100);
  const double sampled = rate(seconds, [&] {
    sink = orders.best(trees[in_turn(trees.size())], random, watch).score;
    return 1;
  });
  std::printf("| %-17s | %3u | %u | %15.0f | %17.0f | %9.4f | %9.4f |\n", name.c_str(), nodes, k,
              drawn, climbed, 1e3 / exact, 1e3 / sampled);
  std::fflush(stdout);
}

ParentSets read_instance() {
  std::string text, line;
  while (std::getline(std::cin, line) && line != "end")
    text += line + "\n";
  return read_jkl(text).sets;
}

} // namespace

int main(int arguments, char **argument) {
  const double seconds = arguments > 1 ? std::atof(argument[1]) : 2;
  std::printf("| nodes | k | decoding, ms | encoding, ms | uniform a s   | DPS a s        |\n"
              "|-------|---|--------------|--------------|---------------|----------------|\n");
  for (const Node nodes : {14, 31, 37, 200})
    for (const unsigned k : {2u, 4u, 6u})
      time_codes(nodes, k, seconds);
  std::printf("\n| instance          | n   | k | I-scores: drawn | I-scores: climbed | best, ms  "
              "| S2, ms    |\n"
              "|-------------------|-----|---|-----------------|-------------------|-----------|"
              "-----------|\n");
  for (int i = 2; i < arguments; ++i) {
    const ParentSets sets = read_instance();
    for (unsigned k = 2; k <= 6 && k + 2u <= sets.size(); ++k)
      time_trees(argument[i], sets, k, seconds);
  }
}
