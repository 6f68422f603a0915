#include "core/density/inference/log_odds_network.h"

#include "core/base/log_sum.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace optbn {

LogOddsNetwork::LogOddsNetwork(const CutsetNetwork &network, const UsualLevels &usual)
    : network_(network), items_(usual.items() + 1), leaves_(network.leaves.size()) {
  lay_ways(usual);
  cells_.assign(leaves_.size() * items_, {0, static_cast<std::uint32_t>(usual.variables())});
  std::size_t end = 1; // of the gains
  for (std::size_t i = 0; i < leaves_.size(); ++i)
    end = lay_cells(network.leaves[i], usual, cells_.data() + i * items_, end);
  gains_.assign(end, 0.0);
  std::vector<double> factors, below; // scratch
  bool zeros = false;
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    const std::vector<double> &tables = network.leaves[i].tables;
    factors.resize(tables.size());
    std::transform(tables.begin(), tables.end(), factors.begin(),
                   [](double p) { return p > 0 ? std::log(p) : 0; });
    zeros = zeros || std::find(tables.begin(), tables.end(), 0.0) != tables.end();
    leaves_[i].usual +=
        lay_gains(network.leaves[i], usual, factors, cells_.data() + i * items_, below, gains_);
  }
  if (!zeros)
    return;
  zeros_.assign(end, 0.0);
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    const std::vector<double> &tables = network.leaves[i].tables;
    factors.resize(tables.size());
    std::transform(tables.begin(), tables.end(), factors.begin(),
                   [](double p) { return p > 0 ? 0 : 1; });
    leaves_[i].zeros =
        lay_gains(network.leaves[i], usual, factors, cells_.data() + i * items_, below, zeros_);
  }
}

void LogOddsNetwork::lay_ways(const UsualLevels &usual) {
  std::vector<double> log_way(network_.places.size(), 0.0);
  for (std::size_t i = 0; i < network_.places.size(); ++i) {
    const CutsetNetwork::Place &place = network_.places[i];
    if (place.cut == CutsetNetwork::kLeaf)
      leaves_[place.first].usual = log_way[i];
    else
      for (std::size_t child = place.first; child < place.first + usual.levels(place.cut); ++child)
        log_way[child] = log_way[i] + std::log(network_.places[child].weight);
  }
}

std::size_t LogOddsNetwork::lay_cells(const TreeDensity &tree, const UsualLevels &usual,
                                      Cell *cells, std::size_t end) {
  for (const TreeDensity::Member &member : tree.members) {
    const bool root = member.parent == TreeDensity::kRoot;
    const std::size_t parent = root ? usual.variables() : tree.members[member.parent].variable;
    for (unsigned x = 0; x < member.levels; ++x)
      if (x != usual[member.variable]) {
        cells[usual.item(member.variable, x)] = {static_cast<std::uint32_t>(end),
                                                 static_cast<std::uint32_t>(parent)};
        end += tree.blocks(member);
      }
  }
  return end;
}

double LogOddsNetwork::lay_gains(const TreeDensity &tree, const UsualLevels &usual,
                                 const std::vector<double> &factors, const Cell *cells,
                                 std::vector<double> &below, std::vector<double> &gains) {
  double all_usual = 0;
  below.assign(usual.items(), 0.0);
  for (std::size_t m = tree.members.size(); m-- > 0;) {
    const TreeDensity::Member &member = tree.members[m];
    const bool root = member.parent == TreeDensity::kRoot;
    const auto blocks = static_cast<unsigned>(tree.blocks(member));
    const Node parent = root ? Node{0} : tree.members[member.parent].variable;
    const unsigned x0 = usual[member.variable], y0 = root ? 0 : usual[parent];
    const double *const factor = factors.data() + member.table;
    const double both_usual = factor[y0 * member.levels + x0];
    all_usual += both_usual;
    for (unsigned x = 0; x < member.levels; ++x) {
      if (x == x0)
        continue;
      const std::uint32_t item = usual.item(member.variable, x);
      for (unsigned y = 0; y < blocks; ++y)
        gains[cells[item].gains + y] =
            factor[y * member.levels + x] - factor[y * member.levels + x0] + below[item];
    }
    for (unsigned y = 0; y < blocks; ++y)
      if (y != y0)
        below[usual.item(parent, y)] += factor[y * member.levels + x0] - both_usual;
  }
  return all_usual;
}

template <bool kZeros>
double LogOddsNetwork::log_density(const Leaf &leaf, const Cell *cells, const CompleteRows &rows,
                                   std::size_t row) const {
  const std::uint16_t *const levels = rows.levels(row);
  const std::uint32_t *const end = rows.items_end(row);
  const auto place = [=](std::uint32_t item) {
    const Cell cell = cells[item];
    return cell.gains + std::uint32_t{levels[cell.parent]};
  };
  const double *const gains = gains_.data(), *const zero_gains = zeros_.data();
  double sum = leaf.usual, zeros = leaf.zeros;
  for (const std::uint32_t *item = rows.items(row); item != end; item += 4) {
    const std::uint32_t a = place(item[0]), b = place(item[1]), c = place(item[2]),
                        d = place(item[3]);
    sum += (gains[a] + gains[b]) + (gains[c] + gains[d]);
    if (kZeros)
      zeros += (zero_gains[a] + zero_gains[b]) + (zero_gains[c] + zero_gains[d]);
  }
  return kZeros && zeros > 0 ? kLogZero : sum;
}

void LogOddsNetwork::go(std::size_t index, std::uint16_t *rows, std::uint16_t *spare,
                        std::size_t count, const CompleteRows &data, double *answers) const {
  const CutsetNetwork::Place &place = network_.places[index];
  if (place.cut == CutsetNetwork::kLeaf) {
    const Leaf &leaf = leaves_[place.first];
    const Cell *const cells = cells_.data() + place.first * items_;
    for (std::size_t i = 0; i < count; ++i)
      answers[rows[i]] = zeros_.empty() ? log_density<false>(leaf, cells, data, rows[i])
                                        : log_density<true>(leaf, cells, data, rows[i]);
    return;
  }
  const std::uint16_t *const levels = data.column(place.cut);
  for (std::uint16_t level = 0; count > 0; ++level) {
    // Those of this level to the front, the others to the back; both are written, since branches
    // would be mispredicted.
    std::size_t found = 0;
    for (std::size_t i = 0; i < count; ++i) {
      spare[found] = spare[count - 1 - (i - found)] = rows[i];
      found += levels[rows[i]] == level;
    }
    go(place.first + level, spare, rows, found, data, answers);
    std::swap(rows, spare);
    rows += found;
    spare += found;
    count -= found;
  }
}

void LogOddsNetwork::log_densities(const CompleteRows &rows, Workspace &workspace,
                                   double *answers) const {
  workspace.order = rows.complete();
  workspace.spare.resize(rows.size());
  go(0, workspace.order.data(), workspace.spare.data(), workspace.order.size(), rows, answers);
}

} // namespace optbn
