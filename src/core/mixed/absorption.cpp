#include "core/mixed/absorption.h"

#include "core/base/errors.h"
#include "core/graph/directed.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace optbn {

namespace {

class Absorption {
public:
  Absorption(const MixedNetwork &network, const MixedEvidence &evidence,
             const std::vector<char> &families, Watch &watch)
      : network_(network), evidence_(evidence), families_(families), watch_(watch),
        rank_(network.size()) {
    Graph parents;
    for (const NodeModel &model : network.nodes) {
      parents.push_back(model.discrete);
      parents.back().insert(parents.back().end(), model.continuous.begin(), model.continuous.end());
    }
    order_ = topological_order(parents);
    for (std::size_t i = 0; i < order_.size(); ++i)
      rank_[order_[i]] = i;
  }

  void require_memory(double limit) const;
  AbsorbedNetwork run();

private:
  bool known(Node v) const {
    return network_.discrete(v) ? evidence_.levels.observed(v) : !std::isnan(evidence_.values[v]);
  }
  std::vector<Node> unknown(const std::vector<Node> &nodes) const;
  std::size_t cell_of_known(const std::vector<Node> &nodes) const;
  double cells(const ConditionalNormal &normal) const {
    return cells_of(normal.discrete, network_.levels);
  }
  ConditionalNormal shape_of(Node v) const;
  LogFactor factor_of(Node v) const;
  void fill(ConditionalNormal &normal) const;
  ConditionalNormal joined_shape(const ConditionalNormal &x, const ConditionalNormal &y) const;
  void reverse(ConditionalNormal &x, ConditionalNormal &y, double value) const;
  void add_factor(LogFactor factor, std::int32_t table_of, AbsorbedNetwork &out) const;
  LogFactor density_of(const ConditionalNormal &normal, double value) const;
  template <class Reverse>
  void absorb_values(std::map<Node, ConditionalNormal> &normals, Reverse reverse_arc) const;

  const MixedNetwork &network_;
  const MixedEvidence &evidence_;
  const std::vector<char> &families_;
  Watch &watch_;
  std::vector<Node> order_;
  std::vector<std::size_t> rank_;
};

std::vector<Node> Absorption::unknown(const std::vector<Node> &nodes) const {
  std::vector<Node> left;
  for (const Node v : nodes)
    if (!known(v))
      left.push_back(v);
  return left;
}

// In a table over these nodes, the cell that the observed ones have, all others at level 0.
std::size_t Absorption::cell_of_known(const std::vector<Node> &nodes) const {
  std::size_t cell = 0, stride = 1;
  for (const Node v : nodes) {
    if (known(v))
      cell += stride * static_cast<std::size_t>(evidence_.levels.level(v));
    stride *= network_.levels[v];
  }
  return cell;
}

LogFactor Absorption::factor_of(Node v) const {
  const NodeModel &model = network_.nodes[v];
  std::vector<Node> family = {v};
  family.insert(family.end(), model.discrete.begin(), model.discrete.end());
  LogFactor factor{unknown(family), {}};
  CellWalk walk(factor.nodes, network_.levels);
  walk.follow(family, network_.levels, cell_of_known(family));
  for (std::size_t c = 0; c < walk.cells(); ++c, walk.next())
    factor.logs.push_back(std::log(model.table[walk.at(0)]));
  return factor;
}

// Without numbers. Parents in topological order.
ConditionalNormal Absorption::shape_of(Node v) const {
  ConditionalNormal normal;
  normal.node = v;
  normal.discrete = unknown(network_.nodes[v].discrete);
  normal.continuous = unknown(network_.nodes[v].continuous);
  std::sort(normal.continuous.begin(), normal.continuous.end(),
            [&](Node a, Node b) { return rank_[a] < rank_[b]; });
  return normal;
}

// Observed parents go into the intercept.
void Absorption::fill(ConditionalNormal &normal) const {
  const NodeModel &model = network_.nodes[normal.node];
  CellWalk walk(normal.discrete, network_.levels);
  walk.follow(model.discrete, network_.levels, cell_of_known(model.discrete));
  normal.numbers.assign(walk.cells() * normal.stride(), 0);
  double *numbers = normal.numbers.data();
  for (std::size_t c = 0; c < walk.cells(); ++c, walk.next(), numbers += normal.stride()) {
    const double *coefficients = network_.coefficients(normal.node, walk.at(0));
    numbers[0] = coefficients[0];
    for (std::size_t j = 0; j < model.continuous.size(); ++j) {
      const Node parent = model.continuous[j];
      if (known(parent)) {
        numbers[0] += coefficients[j + 1] * evidence_.values[parent];
        continue;
      }
      const auto at = std::find(normal.continuous.begin(), normal.continuous.end(), parent);
      numbers[1 + (at - normal.continuous.begin())] = coefficients[j + 1];
    }
    numbers[normal.stride() - 1] = std::sqrt(model.variance[walk.at(0)]);
  }
}

// The parents that y and x have after the reversal of the arc from x to y.
ConditionalNormal Absorption::joined_shape(const ConditionalNormal &x,
                                           const ConditionalNormal &y) const {
  ConditionalNormal joined;
  joined.discrete = y.discrete;
  for (const Node v : x.discrete)
    if (std::find(y.discrete.begin(), y.discrete.end(), v) == y.discrete.end())
      joined.discrete.push_back(v);
  joined.continuous = x.continuous;
  for (const Node v : y.continuous)
    if (v != x.node && std::find(x.continuous.begin(), x.continuous.end(), v) == x.continuous.end())
      joined.continuous.push_back(v);
  std::sort(joined.continuous.begin(), joined.continuous.end(),
            [&](Node a, Node b) { return rank_[a] < rank_[b]; });
  return joined;
}

// Where the slopes of a regression stand among the parents of another; that of x, which has none
// there, is not looked at.
std::vector<std::size_t> places(const ConditionalNormal &normal, const ConditionalNormal &joined) {
  std::vector<std::size_t> at;
  for (const Node v : normal.continuous)
    at.push_back(
        static_cast<std::size_t>(std::find(joined.continuous.begin(), joined.continuous.end(), v) -
                                 joined.continuous.begin()));
  return at;
}

// The x that y's regression has last becomes a child of y, whose value is known.
void Absorption::reverse(ConditionalNormal &x, ConditionalNormal &y, double value) const {
  ConditionalNormal new_y = joined_shape(x, y);
  new_y.node = y.node;
  CellWalk walk(new_y.discrete, network_.levels);
  walk.follow(y.discrete, network_.levels);
  walk.follow(x.discrete, network_.levels);
  const std::size_t parents = new_y.continuous.size(), stride = new_y.stride();
  const std::vector<std::size_t> place_of_x = places(x, new_y), place_of_y = places(y, new_y);
  new_y.numbers.resize(walk.cells() * stride);
  ConditionalNormal new_x = new_y;
  new_x.node = x.node;
  std::vector<double> c(parents), e(parents);
  for (std::size_t cell = 0; cell < walk.cells(); ++cell, walk.next()) {
    const double *of_y = y.numbers.data() + walk.at(0) * y.stride();
    const double *of_x = x.numbers.data() + walk.at(1) * x.stride();
    const double a = of_y[0], d = of_x[0], s = of_y[y.stride() - 1], t = of_x[x.stride() - 1];
    double b = 0;
    std::fill(c.begin(), c.end(), 0.0);
    std::fill(e.begin(), e.end(), 0.0);
    for (std::size_t j = 0; j < y.continuous.size(); ++j)
      (y.continuous[j] == x.node ? b : c[place_of_y[j]]) = of_y[j + 1];
    for (std::size_t j = 0; j < x.continuous.size(); ++j)
      e[place_of_x[j]] = of_x[j + 1];
    const double spread = std::hypot(s, b * t), own = s / spread,
                 gain = (b * t / spread) * (t / spread);
    double *y_numbers = new_y.numbers.data() + cell * stride;
    double *x_numbers = new_x.numbers.data() + cell * stride;
    y_numbers[0] = a + b * d;
    x_numbers[0] = own * own * d + gain * (value - a);
    for (std::size_t j = 0; j < parents; ++j) {
      y_numbers[j + 1] = c[j] + b * e[j];
      x_numbers[j + 1] = own * own * e[j] - gain * c[j];
    }
    y_numbers[stride - 1] = spread;
    x_numbers[stride - 1] = t * own;
    if (cell % kCellsPerPoll == kCellsPerPoll - 1)
      throw_if_stopped(watch_);
  }
  x = std::move(new_x);
  y = std::move(new_y);
}

LogFactor Absorption::density_of(const ConditionalNormal &normal, double value) const {
  LogFactor factor{normal.discrete, {}};
  for (std::size_t i = 0; i < normal.numbers.size(); i += 2) {
    const double spread = normal.numbers[i + 1], away = (value - normal.numbers[i]) / spread;
    factor.logs.push_back(-(kLogTwoPi + away * away) / 2 - std::log(spread));
  }
  return factor;
}

// The last unknown parent in order comes first: no other path leads from it to the child, so the
// reversal makes no cycle; and its new parents come before it still.
template <class Reverse>
void Absorption::absorb_values(std::map<Node, ConditionalNormal> &normals,
                               Reverse reverse_arc) const {
  for (const Node v : order_) {
    const auto found = normals.find(v);
    if (found == normals.end() || !known(v))
      continue;
    ConditionalNormal &child = found->second;
    while (!child.continuous.empty())
      reverse_arc(normals.at(child.continuous.back()), child);
    throw_if_stopped(watch_);
  }
}

void Absorption::require_memory(double limit) const {
  std::map<Node, ConditionalNormal> normals;
  double numbers = 0;
  const auto size = [&](const ConditionalNormal &normal) {
    return cells(normal) * static_cast<double>(normal.stride());
  };
  for (const Node v : order_)
    if (families_[v] && !network_.discrete(v))
      numbers += size(normals[v] = shape_of(v));
  double most = numbers;
  absorb_values(normals, [&](ConditionalNormal &x, ConditionalNormal &y) {
    numbers -= size(x) + size(y);
    const ConditionalNormal joined = joined_shape(x, y);
    most = std::max(most, numbers + size(x) + size(y) + 2 * size(joined));
    x.discrete = y.discrete = joined.discrete;
    x.continuous = y.continuous = joined.continuous;
    numbers += size(x) + size(y);
    if (most * sizeof(double) > limit)
      throw MemoryLimit(most * sizeof(double), limit);
  });
  if (most * sizeof(double) > limit)
    throw MemoryLimit(most * sizeof(double), limit);
}

void Absorption::add_factor(LogFactor factor, std::int32_t table_of, AbsorbedNetwork &out) const {
  if (factor.nodes.empty()) {
    out.log_constant += factor.logs[0];
    return;
  }
  out.factors.push_back(std::move(factor));
  out.table_of.push_back(table_of);
}

AbsorbedNetwork Absorption::run() {
  AbsorbedNetwork out;
  std::map<Node, ConditionalNormal> normals;
  for (const Node v : order_)
    if (families_[v]) {
      if (network_.discrete(v))
        add_factor(factor_of(v), known(v) ? AbsorbedNetwork::kNoTable : v, out);
      else
        fill(normals[v] = shape_of(v));
    }
  for (const auto &[node, likelihood] : evidence_.levels.likelihoods())
    if (families_[node]) {
      LogFactor factor{{node}, {}};
      for (const double weight : likelihood)
        factor.logs.push_back(std::log(weight));
      add_factor(std::move(factor), AbsorbedNetwork::kNoTable, out);
    }
  absorb_values(normals, [&](ConditionalNormal &x, ConditionalNormal &y) {
    reverse(x, y, evidence_.values[y.node]);
  });
  for (const Node v : order_)
    if (const auto at = normals.find(v); at != normals.end()) {
      if (known(v))
        add_factor(density_of(at->second, evidence_.values[v]), AbsorbedNetwork::kNoTable, out);
      else
        out.normals.push_back(std::move(at->second));
    }
  return out;
}

} // namespace

AbsorbedNetwork absorb(const MixedNetwork &network, const MixedEvidence &evidence,
                       const std::vector<char> &families, double memory_limit, Watch &watch) {
  Absorption absorption(network, evidence, families, watch);
  absorption.require_memory(memory_limit);
  return absorption.run();
}

} // namespace optbn
