#include "core/density/inference/log_odds_network.h"

#include "core/base/log_sum.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace optbn {

LogOddsNetwork::LogOddsNetwork(const CutsetNetwork &network, const ReferenceLevels &reference)
    : network_(network), indicators_(reference.indicators() + 1), leaves_(network.leaves.size()) {
  set_log_paths(reference);
  cells_.assign(leaves_.size() * indicators_,
                {0, static_cast<std::uint32_t>(reference.variables())});
  std::size_t end = 1; // number of gains
  for (std::size_t i = 0; i < leaves_.size(); ++i)
    end = index_cells(network.leaves[i], reference, cells_.data() + i * indicators_, end);
  gains_.assign(end, 0.0);
  std::vector<double> factors, from_children; // scratch
  bool zeros = false;
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    const std::vector<double> &tables = network.leaves[i].tables;
    factors.resize(tables.size());
    std::transform(tables.begin(), tables.end(), factors.begin(),
                   [](double p) { return p > 0 ? std::log(p) : 0; });
    zeros = zeros || std::find(tables.begin(), tables.end(), 0.0) != tables.end();
    leaves_[i].reference += compute_gains(network.leaves[i], reference, factors,
                                          cells_.data() + i * indicators_, from_children, gains_);
  }
  if (!zeros)
    return;
  zeros_.assign(end, 0.0);
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    const std::vector<double> &tables = network.leaves[i].tables;
    factors.resize(tables.size());
    std::transform(tables.begin(), tables.end(), factors.begin(),
                   [](double p) { return p > 0 ? 0 : 1; });
    leaves_[i].zeros = compute_gains(network.leaves[i], reference, factors,
                                     cells_.data() + i * indicators_, from_children, zeros_);
  }
}

void LogOddsNetwork::set_log_paths(const ReferenceLevels &reference) {
  std::vector<double> log_path(network_.nodes.size(), 0.0);
  for (std::size_t i = 0; i < network_.nodes.size(); ++i) {
    const CutsetNetwork::CutNode &node = network_.nodes[i];
    if (node.cut == CutsetNetwork::kLeaf)
      leaves_[node.first].reference = log_path[i];
    else
      for (std::size_t child = node.first; child < node.first + reference.levels(node.cut); ++child)
        log_path[child] = log_path[i] + std::log(network_.nodes[child].weight);
  }
}

std::size_t LogOddsNetwork::index_cells(const TreeDensity &tree, const ReferenceLevels &reference,
                                        Cell *cells, std::size_t end) {
  for (const TreeDensity::TreeNode &node : tree.nodes) {
    const bool root = node.parent == TreeDensity::kRoot;
    const std::size_t parent = root ? reference.variables() : tree.nodes[node.parent].variable;
    for (unsigned x = 0; x < node.levels; ++x)
      if (x != reference[node.variable]) {
        cells[reference.indicator(node.variable, x)] = {static_cast<std::uint32_t>(end),
                                                        static_cast<std::uint32_t>(parent)};
        end += tree.blocks(node);
      }
  }
  return end;
}

double LogOddsNetwork::compute_gains(const TreeDensity &tree, const ReferenceLevels &reference,
                                     const std::vector<double> &factors, const Cell *cells,
                                     std::vector<double> &from_children,
                                     std::vector<double> &gains) {
  double all_reference = 0;
  from_children.assign(reference.indicators(), 0.0);
  for (std::size_t m = tree.nodes.size(); m-- > 0;) {
    const TreeDensity::TreeNode &node = tree.nodes[m];
    const bool root = node.parent == TreeDensity::kRoot;
    const auto blocks = static_cast<unsigned>(tree.blocks(node));
    const Node parent = root ? Node{0} : tree.nodes[node.parent].variable;
    const unsigned x0 = reference[node.variable], y0 = root ? 0 : reference[parent];
    const double *const factor = factors.data() + node.table;
    const double both_reference = factor[y0 * node.levels + x0];
    all_reference += both_reference;
    for (unsigned x = 0; x < node.levels; ++x) {
      if (x == x0)
        continue;
      const std::uint32_t indicator = reference.indicator(node.variable, x);
      for (unsigned y = 0; y < blocks; ++y)
        gains[cells[indicator].gains + y] =
            factor[y * node.levels + x] - factor[y * node.levels + x0] + from_children[indicator];
    }
    for (unsigned y = 0; y < blocks; ++y)
      if (y != y0)
        from_children[reference.indicator(parent, y)] +=
            factor[y * node.levels + x0] - both_reference;
  }
  return all_reference;
}

template <bool kZeros>
double LogOddsNetwork::log_density(const Leaf &leaf, const Cell *cells, const CompleteRows &rows,
                                   std::size_t row) const {
  const std::uint16_t *const levels = rows.levels(row);
  const std::uint32_t *const end = rows.indicators_end(row);
  const auto gain_index = [=](std::uint32_t indicator) {
    const Cell cell = cells[indicator];
    return cell.gains + std::uint32_t{levels[cell.parent]};
  };
  const double *const gains = gains_.data(), *const zero_gains = zeros_.data();
  double sum = leaf.reference, zeros = leaf.zeros;
  for (const std::uint32_t *indicator = rows.indicators(row); indicator != end; indicator += 4) {
    const std::uint32_t a = gain_index(indicator[0]), b = gain_index(indicator[1]),
                        c = gain_index(indicator[2]), d = gain_index(indicator[3]);
    sum += (gains[a] + gains[b]) + (gains[c] + gains[d]);
    if (kZeros)
      zeros += (zero_gains[a] + zero_gains[b]) + (zero_gains[c] + zero_gains[d]);
  }
  return kZeros && zeros > 0 ? kLogZero : sum;
}

void LogOddsNetwork::descend(std::size_t index, std::uint16_t *rows, std::uint16_t *buffer,
                             std::size_t count, const CompleteRows &data, double *answers) const {
  const CutsetNetwork::CutNode &node = network_.nodes[index];
  if (node.cut == CutsetNetwork::kLeaf) {
    const Leaf &leaf = leaves_[node.first];
    const Cell *const cells = cells_.data() + node.first * indicators_;
    for (std::size_t i = 0; i < count; ++i)
      answers[rows[i]] = zeros_.empty() ? log_density<false>(leaf, cells, data, rows[i])
                                        : log_density<true>(leaf, cells, data, rows[i]);
    return;
  }
  const std::uint16_t *const levels = data.column(node.cut);
  for (std::uint16_t level = 0; count > 0; ++level) {
    // Rows of this level go to the front, the others to the back; both are written, since a branch
    // would be mispredicted.
    std::size_t found = 0;
    for (std::size_t i = 0; i < count; ++i) {
      buffer[found] = buffer[count - 1 - (i - found)] = rows[i];
      found += levels[rows[i]] == level;
    }
    descend(node.first + level, buffer, rows, found, data, answers);
    std::swap(rows, buffer);
    rows += found;
    buffer += found;
    count -= found;
  }
}

void LogOddsNetwork::log_densities(const CompleteRows &rows, Workspace &workspace,
                                   double *answers) const {
  workspace.order = rows.complete();
  workspace.buffer.resize(rows.size());
  descend(0, workspace.order.data(), workspace.buffer.data(), workspace.order.size(), rows,
          answers);
}

} // namespace optbn
