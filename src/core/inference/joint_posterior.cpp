// Joint posteriors of nodes that lie in different cliques.
//
// The *summit* is the lowest clique at or above the top cliques of all nodes that are asked for.
// Below it, down to these, the levels of the nodes asked for have to be kept apart: the message of
// a clique there is made again as an array over its separator and the nodes that it *carries*,
// those of its own members and of what its children carry that are asked for. Such a message sums,
// over what is carried, to the one that collect() made. Divided by that, cell by cell, it says what
// is carried given the separator, and can be multiplied into a table that has taken in the plain
// message. At the summit, whose table is made a posterior along the path from the root, all but the
// nodes asked for is summed out. Where one clique holds them all, that is all there is to do.

#include "core/base/invariant.h"
#include "core/inference/queries.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace optbn {

namespace {

// What a clique says of the nodes that it carries given its separator.
struct Message {
  std::vector<Node> carried;
  std::size_t combinations = 1; // of their levels
  std::vector<double> cells;    // the separator fastest, then the carried nodes in order
};

class JointPosterior {
public:
  JointPosterior(Propagation &propagation, const Evidence &evidence, const std::vector<Node> &nodes,
                 Watch &watch)
      : propagation_(propagation), tree_(propagation.tree()), nodes_(nodes), watch_(watch),
        asked_(tree_.size(), false) {
    propagation_.pose(evidence, relevant_nodes(tree_, evidence, nodes));
    for (const Node v : nodes)
      asked_[v] = true;
    find_carriers();
    check_memory();
  }

  std::vector<double> solve() {
    for (const std::size_t clique : path_)
      propagation_.keep(clique);
    for (const auto &carrier : carriers_)
      propagation_.keep(carrier.first);
    if (propagation_.collect(Propagation::Reduction::sum, watch_) ==
        -std::numeric_limits<double>::infinity())
      throw ImpossibleEvidence();
    propagation_.distribute(path_, watch_);
    for (auto carrier = carriers_.rbegin(); carrier != carriers_.rend(); ++carrier)
      carry(carrier->first, carrier->second);
    return in_order_asked(carriers_.begin()->second);
  }

private:
  // The path from the root to the summit, and the cliques from the summit to the asked nodes' tops.
  void find_carriers() {
    const CliqueTree &tree = tree_.tree();
    std::size_t summit = tree.top[nodes_.front()];
    for (const Node v : nodes_)
      for (std::size_t other = tree.top[v]; other != summit;)
        (other > summit ? other : summit) = tree.cliques[std::max(other, summit)].parent;
    for (std::size_t clique = summit; clique > 0; clique = tree.cliques[clique].parent)
      path_.push_back(clique);
    path_.push_back(0);
    std::reverse(path_.begin(), path_.end());
    carriers_[summit];
    for (const Node v : nodes_)
      for (std::size_t clique = tree.top[v]; clique != summit; clique = tree.cliques[clique].parent)
        carriers_[clique];
    for (auto carrier = carriers_.rbegin(); carrier != carriers_.rend(); ++carrier)
      load(carrier->first, carrier->second);
  }

  void load(std::size_t clique_number, Message &message) const {
    const Clique &clique = tree_.tree().cliques[clique_number];
    for (std::size_t m = 0; m < clique.own; ++m)
      if (asked_[clique.members[m]])
        message.carried.push_back(clique.members[m]);
    for (const std::uint32_t child : clique.children)
      if (const auto carrier = carriers_.find(child); carrier != carriers_.end())
        message.carried.insert(message.carried.end(), carrier->second.carried.begin(),
                               carrier->second.carried.end());
  }

  void check_memory() const {
    double cells = 0;
    for (const auto &[clique, message] : carriers_) {
      double size = static_cast<double>(separator_cells(clique));
      for (const Node v : message.carried)
        size *= static_cast<double>(propagation_.extent(v));
      cells += size;
    }
    const double bytes = cells * sizeof(double);
    if (bytes > propagation_.memory_limit())
      throw MemoryLimit(bytes, propagation_.memory_limit());
  }

  // At the summit nothing is left of the separator.
  std::size_t separator_cells(std::size_t clique) const {
    return clique == path_.back() ? 1 : propagation_.plan(clique).separator_cells;
  }

  // The messages of the carrying children are there. One turn for every combination of what they
  // carry: the table given that combination is reduced to a part of the message.
  void carry(std::size_t clique_number, Message &message) {
    const CliquePlan &plan = propagation_.plan(clique_number);
    const std::vector<const Message *> loads = loads_of(clique_number);
    std::size_t turns = 1;
    for (const Message *load : loads)
      turns *= load ? load->combinations : 1;
    TableStrides strides;
    const std::size_t part = lay_part(clique_number, strides);
    message.cells.assign(part * turns, 0.0);
    message.combinations = message.cells.size() / separator_cells(clique_number);
    std::vector<double> cells(plan.block);
    for (std::size_t turn = 0; turn < turns; ++turn)
      for (std::size_t block = 0; block < plan.blocks(); ++block) {
        std::copy_n(propagation_.table(clique_number) + block * plan.block, plan.block,
                    cells.begin());
        multiply_loads(clique_number, loads, turn, block, cells.data());
        propagation_.passes().add(cells.data(), strides,
                                  message.cells.data() + turn * part + strides.start(block));
        propagation_.spend(plan.block, watch_);
      }
    if (!at_summit(clique_number))
      divide_by_plain_message(clique_number, message);
  }

  // By child what it carries, or null.
  std::vector<const Message *> loads_of(std::size_t clique) const {
    std::vector<const Message *> loads;
    for (const std::uint32_t child : tree_.tree().cliques[clique].children) {
      const auto carrier = carriers_.find(child);
      loads.push_back(carrier != carriers_.end() ? &carrier->second : nullptr);
    }
    return loads;
  }

  // How the part of a message that one turn makes lies over the clique's table: the separator, then
  // own members that are asked for. Returns its cells.
  std::size_t lay_part(std::size_t clique_number, TableStrides &strides) const {
    const Clique &clique = tree_.tree().cliques[clique_number];
    std::vector<std::size_t> stride(clique.members.size(), 0);
    std::size_t cells = 1;
    const auto add = [&](std::size_t member) {
      stride[member] = cells;
      cells *= propagation_.extent(clique.members[member]);
    };
    if (!at_summit(clique_number))
      for (std::size_t m = clique.own; m < clique.members.size(); ++m)
        add(m);
    for (std::size_t m = 0; m < clique.own; ++m)
      if (asked_[clique.members[m]])
        add(m);
    propagation_.plan(clique_number).lay(stride, strides);
    return cells;
  }

  void multiply_loads(std::size_t clique, const std::vector<const Message *> &loads,
                      std::size_t turn, std::size_t block, double *cells) const {
    const std::vector<std::uint32_t> &children = tree_.tree().cliques[clique].children;
    for (std::size_t c = 0; c < loads.size(); ++c) {
      if (!loads[c])
        continue;
      const std::size_t combination = turn % loads[c]->combinations;
      turn /= loads[c]->combinations;
      const TableStrides &strides = propagation_.plan(clique).children[c];
      const double *const given =
          loads[c]->cells.data() + combination * propagation_.plan(children[c]).separator_cells;
      propagation_.passes().multiply(cells, strides, given + strides.start(block));
    }
  }

  bool at_summit(std::size_t clique) const { return clique == path_.back(); }

  void divide_by_plain_message(std::size_t clique, Message &message) const {
    const std::size_t size = separator_cells(clique);
    const double *const plain = propagation_.message(clique);
    for (std::size_t i = 0; i < message.cells.size(); ++i) {
      const double sum = plain[i % size] * propagation_.mass(clique);
      message.cells[i] = sum > 0 ? message.cells[i] / sum : 0;
    }
  }

  // From the summit's order of the nodes to that of the query; observed nodes get back their
  // other levels, of probability 0.
  std::vector<double> in_order_asked(const Message &summit) const {
    std::vector<std::size_t> stride(tree_.size(), 0);
    std::size_t cells = 1, place = 0;
    for (const Node v : nodes_) {
      stride[v] = cells;
      cells *= tree_.levels(v);
      place += propagation_.level(v) * stride[v];
    }
    const double sum = std::accumulate(summit.cells.begin(), summit.cells.end(), 0.0);
    OPTBN_INVARIANT(about_equal(sum, 1), "the posterior of the nodes is 1 in all");
    std::vector<double> answer(cells, 0.0);
    std::vector<std::size_t> level(summit.carried.size(), 0);
    for (const double cell : summit.cells) {
      answer[place] = cell / sum;
      for (std::size_t i = 0; i < level.size(); ++i) {
        const Node v = summit.carried[i];
        place += stride[v];
        if (++level[i] < propagation_.extent(v))
          break;
        place -= stride[v] * level[i];
        level[i] = 0;
      }
    }
    return answer;
  }

  Propagation &propagation_;
  const JunctionTree &tree_;
  const std::vector<Node> &nodes_;
  Watch &watch_;
  std::vector<char> asked_; // by node
  std::vector<std::size_t> path_;
  std::map<std::size_t, Message> carriers_; // by clique: the summit first
};

} // namespace

std::vector<double> joint_posterior(Propagation &propagation, const Evidence &evidence,
                                    const std::vector<Node> &nodes, Watch &watch) {
  return JointPosterior(propagation, evidence, nodes, watch).solve();
}

} // namespace optbn
