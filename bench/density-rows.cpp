// How fast mixtures of cutset networks give the log densities of complete rows, beside how fast the
// same rows can be read at all.
//
//   density-rows SECONDS NAME... < data, each set ended by a line "end"
//
// Rows are lines of comma-separated levels, repeated until their codes fill 128 MB, more than the
// caches. Networks have cuts on the most balanced of ten variables drawn, down to slices of a
// twentieth of the rows, and leaves with random trees whose tables are counted in the slice: speed
// does not depend on which trees they are. Figures are the best of the repeats in SECONDS, one
// thread: reading, in GB a second, one network, and 40 networks, a row of one of them counting
// once. See density-rows.sh.

#include "core/base/random.h"
#include "core/density/density_queries.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iostream>
#include <string>
#include <vector>

using namespace optbn;

namespace {

constexpr double kBytes = 128e6;

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// The shortest time that `work` takes, tried for some seconds.
template <class Work> double shortest(double seconds, Work work) {
  const double end = processor_seconds() + seconds;
  double best = 1e300;
  do {
    const double begin = processor_seconds();
    work();
    best = std::min(best, processor_seconds() - begin);
  } while (processor_seconds() < end);
  return best;
}

// What compilers cannot leave out.
volatile std::uint64_t sink;

// Adds up the codes as words, in as many sums as keep the memory busy.
void stream(const PartialRows &rows) {
  std::uint64_t sums[8] = {};
  for (const auto &column : rows.columns) {
    const std::size_t words = column.size() / 4;
    for (std::size_t i = 0; i + 8 <= words; i += 8) {
      std::uint64_t word[8];
      std::memcpy(word, column.data() + 4 * i, sizeof word);
      for (int k = 0; k < 8; ++k)
        sums[k] += word[k];
    }
  }
  sink = sums[0] + sums[1] + sums[2] + sums[3] + sums[4] + sums[5] + sums[6] + sums[7];
}

PartialRows read_rows() {
  PartialRows rows;
  std::string line;
  while (std::getline(std::cin, line) && line != "end") {
    rows.columns.resize((line.size() + 1) / 2);
    for (std::size_t v = 0; v < rows.columns.size(); ++v)
      rows.columns[v].push_back(static_cast<std::uint16_t>(line[2 * v] - '0'));
    ++rows.rows;
  }
  return rows;
}

PartialRows repeated(const PartialRows &rows) {
  PartialRows many;
  const double bytes = 2.0 * static_cast<double>(rows.rows * rows.columns.size());
  const auto times = static_cast<std::size_t>(kBytes / bytes) + 1;
  many.rows = rows.rows * times;
  for (const auto &column : rows.columns) {
    many.columns.emplace_back();
    many.columns.back().reserve(many.rows);
    for (std::size_t i = 0; i < times; ++i)
      many.columns.back().insert(many.columns.back().end(), column.begin(), column.end());
  }
  return many;
}

// ---- networks -----------------------------------------------------------------------------------

class NetworkMaker {
public:
  NetworkMaker(const PartialRows &rows, std::uint64_t seed) : rows_(rows), random_(seed) {}

  CutsetNetwork make() {
    std::vector<std::vector<std::uint32_t>> slices(1);
    std::vector<std::vector<Node>> scopes(1);
    for (std::uint32_t i = 0; i < rows_.rows; ++i)
      slices[0].push_back(i);
    for (Node v = 0; v < rows_.columns.size(); ++v)
      scopes[0].push_back(v);
    CutsetNetwork network;
    network.nodes.emplace_back();
    for (std::size_t i = 0; i < network.nodes.size(); ++i) {
      const Node cut = most_balanced(slices[i], scopes[i]);
      if (slices[i].size() < rows_.rows / 20 || share_of_ones(slices[i], cut) < 0.02 ||
          share_of_ones(slices[i], cut) > 0.98) {
        network.nodes[i].first = static_cast<std::uint32_t>(network.leaves.size());
        network.leaves.push_back(leaf(slices[i], scopes[i]));
        continue;
      }
      network.nodes[i].cut = cut;
      network.nodes[i].first = static_cast<std::uint32_t>(network.nodes.size());
      std::vector<Node> rest = scopes[i];
      rest.erase(std::find(rest.begin(), rest.end(), cut));
      for (std::uint16_t level = 0; level < 2; ++level) {
        std::vector<std::uint32_t> slice;
        for (const std::uint32_t row : slices[i])
          if (rows_.columns[cut][row] == level)
            slice.push_back(row);
        const double weight =
            (static_cast<double>(slice.size()) + 1) / (static_cast<double>(slices[i].size()) + 2);
        network.nodes.push_back({CutsetNetwork::kLeaf, 0, weight});
        slices.push_back(slice);
        scopes.push_back(rest);
      }
    }
    return network;
  }

private:
  Node most_balanced(const std::vector<std::uint32_t> &slice, const std::vector<Node> &scope) {
    Node best = 0;
    double least = 1e300;
    for (int i = 0; i < 10; ++i) {
      const Node v = scope[random_.below(static_cast<std::uint32_t>(scope.size()))];
      const double skew = std::abs(share_of_ones(slice, v) - 0.5);
      if (skew < least) {
        least = skew;
        best = v;
      }
    }
    return best;
  }

  double share_of_ones(const std::vector<std::uint32_t> &slice, Node v) const {
    double ones = 0;
    for (const std::uint32_t row : slice)
      ones += rows_.columns[v][row];
    return ones / static_cast<double>(slice.size());
  }

  TreeDensity leaf(const std::vector<std::uint32_t> &slice, std::vector<Node> scope) {
    random_.shuffle(scope);
    TreeDensity tree;
    for (const Node v : scope) {
      const auto nodes = static_cast<std::uint32_t>(tree.nodes.size());
      const std::uint32_t parent = nodes == 0 ? TreeDensity::kRoot : random_.below(nodes);
      const TreeDensity::TreeNode node = tree.nodes[tree.add(v, 2, parent)];
      double *const table = tree.tables.data() + node.table;
      const std::size_t blocks = nodes == 0 ? 1 : 2;
      std::fill(table, table + 2 * blocks, 1.0);
      for (const std::uint32_t row : slice)
        ++table[2 * (nodes == 0 ? 0 : rows_.columns[tree.nodes[parent].variable][row]) +
                rows_.columns[v][row]];
      for (std::size_t y = 0; y < blocks; ++y) {
        const double sum = table[2 * y] + table[2 * y + 1];
        table[2 * y] /= sum;
        table[2 * y + 1] /= sum;
      }
    }
    return tree;
  }

  const PartialRows &rows_;
  Random random_;
};

DensityMixture ensemble(const PartialRows &rows, unsigned components) {
  DensityMixture mixture;
  mixture.levels.assign(rows.columns.size(), 2);
  mixture.weights.assign(components, 1.0 / components);
  for (unsigned c = 0; c < components; ++c)
    mixture.components.push_back(NetworkMaker(rows, c + 1).make());
  return mixture;
}

// ---- figures ------------------------------------------------------------------------------------

void time_set(const std::string &name, const PartialRows &rows, double seconds) {
  const Host host;
  Watch watch(host);
  const PartialRows many = repeated(rows);
  const auto count = static_cast<double>(many.rows), few = static_cast<double>(rows.rows);
  const auto bytes = 2 * static_cast<double>(rows.columns.size());
  const double read = shortest(seconds, [&] { stream(many); }) / count;
  std::printf("| %-9s | %5zu | %6zu | %8.1f |", name.c_str(), rows.columns.size(), rows.rows,
              bytes / read / 1e9);
  for (const unsigned components : {1u, 40u}) {
    const DensityMixture mixture = ensemble(rows, components);
    double leaves = 0;
    for (const CutsetNetwork &component : mixture.components)
      leaves += static_cast<double>(component.leaves.size()) / components;
    // One network reads rows from memory, an ensemble those of the set.
    const double answer =
        components == 1
            ? shortest(seconds, [&] { log_densities(mixture, many, watch); }) / count
            : shortest(seconds, [&] { component_log_densities(mixture, rows, watch); }) / few;
    const double rate = components / answer;
    std::printf(" %6.0f | %10.2f | %6.1f | %5.2f |", leaves, rate / 1e6, rate * bytes / 1e9,
                rate * read);
    std::fflush(stdout);
  }
  std::printf("\n");
}

} // namespace

int main(int arguments, char **argument) {
  const double seconds = arguments > 1 ? std::atof(argument[1]) : 2;
  std::printf("| data      | width | rows   | reading  | leaves | M rows a s | GB a s | ratio "
              "| leaves | M rows a s | GB a s | ratio |\n"
              "|-----------|-------|--------|----------|--------|------------|--------|-------"
              "|--------|------------|--------|-------|\n");
  for (int i = 2; i < arguments; ++i)
    time_set(argument[i], read_rows(), seconds);
}
