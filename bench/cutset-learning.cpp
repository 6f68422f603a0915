// How long structure learning takes by itself: Chow-Liu trees and cutset networks (dCSN).
//
//   cutset-learning SECONDS NAME... < rows of 0s and 1s between commas, each set ended by "end"
//
// Every figure is the mean over some SECONDS of one processor's time. Cutset networks are learned
// with the joint prior, all children larger than the least slice, and the weight of the prior and
// the least slice with which Di Mauro, Vergari & Esposito (2015) reached their figures, or 0.1 and
// 200. See cutset-learning.sh.

#include "core/density/cuts/cutset_learning.h"
#include "core/density/learn/chow_liu.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <map>
#include <string>

using namespace optbn;

namespace {

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Milliseconds that `work` takes.
template <class Work> double milliseconds(double seconds, Work work) {
  const double begin = processor_seconds();
  double times = 0, spent = 0;
  do {
    work();
    ++times;
    spent = processor_seconds() - begin;
  } while (spent < seconds);
  return 1e3 * spent / times;
}

struct Grid {
  double alpha, min_rows;
};
const std::map<std::string, Grid> kChosen = {
    {"nltcs", {.01, 200}},     {"msnbc", {.04, 200}},   {"plants", {.10, 200}},
    {"baudio", {.06, 400}},    {"jester", {.08, 300}},  {"bnetflix", {.10, 400}},
    {"accidents", {.08, 200}}, {"tretail", {.50, 500}}, {"pumsb_star", {.03, 200}},
    {"dna", {.30, 300}},       {"kosarek", {.50, 300}}, {"msweb", {.40, 500}},
    {"book", {.50, 400}},      {"tmovie", {.20, 300}},  {"cwebkb", {.30, 400}},
    {"cr52", {.50, 300}},      {"bbc", {.50, 500}},     {"ad", {.20, 200}}};

Dataset read_set() {
  Dataset data;
  std::string line;
  while (std::getline(std::cin, line) && line != "end") {
    std::size_t column = 0;
    for (const char c : line)
      if (c == '0' || c == '1') {
        if (data.rows == 0) {
          data.columns.emplace_back();
          data.columns.back().levels = 2;
        }
        data.columns.at(column++).codes.push_back(c == '1');
      }
    ++data.rows;
  }
  data.total = data.rows;
  return data;
}

// Mean by row, natural logarithm.
double log_likelihood(const CutsetNetwork &network, const Dataset &data) {
  const auto level = [&](Node v, std::size_t row) { return data.columns[v].codes[row]; };
  double sum = 0;
  for (std::size_t row = 0; row < data.rows; ++row) {
    std::uint32_t place = 0;
    while (network.nodes[place].cut != CutsetNetwork::kLeaf) {
      place = network.nodes[place].first + level(network.nodes[place].cut, row);
      sum += std::log(network.nodes[place].weight);
    }
    const TreeDensity &tree = network.leaves[network.nodes[place].first];
    for (const TreeDensity::TreeNode &node : tree.nodes) {
      const bool root = node.parent == TreeDensity::kRoot;
      const unsigned above = root ? 0 : level(tree.nodes[node.parent].variable, row);
      sum += std::log(tree.probability(node, level(node.variable, row), above));
    }
  }
  return sum / static_cast<double>(data.rows);
}

void time_set(const std::string &name, const Dataset &data, double seconds) {
  const Host host;
  Watch watch(host);
  Random random(1);
  const auto found = kChosen.find(name);
  const Grid grid = found == kChosen.end() ? Grid{.1, 200} : found->second;
  CutsetSettings settings;
  settings.smoothing = {Prior::joint, grid.alpha};
  settings.min_rows = grid.min_rows;

  const double laying = milliseconds(seconds, [&] { TrainingRows{data}; });
  const TrainingRows rows(data);
  const double tree =
      milliseconds(seconds, [&] { learn_chow_liu(rows, {}, settings.smoothing, watch); });
  CutsetNetwork screened, full;
  const double some = milliseconds(
      seconds, [&] { screened = learn_cutset(rows, {}, settings, nullptr, random, watch); });
  settings.screen = 0;
  const double all = milliseconds(
      seconds, [&] { full = learn_cutset(rows, {}, settings, nullptr, random, watch); });
  std::printf("| %-10s | %6zu | %4u | %9.3f | %9.4f | %4zu | %9.3f | %9.3f | %8.4f |\n",
              name.c_str(), data.rows, static_cast<unsigned>(data.size()), laying, tree,
              full.leaves.size() - 1, all, some,
              log_likelihood(screened, data) - log_likelihood(full, data));
  std::fflush(stdout);
}

} // namespace

int main(int arguments, char **argument) {
  const double seconds = arguments > 1 ? std::atof(argument[1]) : 1;
  std::printf("| set        | rows   | cols | rows, ms  | tree, ms  | cuts | dCSN, ms  | screened  "
              "| log-lik. |\n"
              "|------------|--------|------|-----------|-----------|------|-----------|-----------"
              "|----------|\n");
  for (int i = 2; i < arguments; ++i)
    time_set(argument[i], read_set(), seconds);
}
