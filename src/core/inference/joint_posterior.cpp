// Joint posteriors of query nodes that are in different cliques.
//
// The *common ancestor* is the lowest clique at or above the top cliques of all query nodes. Below
// it, down to these, the query nodes must not be summed out: the message of a clique there is
// computed again, as an array over its separator and the query nodes that it *carries*, those in
// its residual and those that its children carry. Such a message sums, over the carried nodes, to
// the plain one that collect() made. Divided by that, cell by cell, it is the conditional
// probability of the carried nodes given the separator, and can be multiplied into a table that
// already contains the plain message. At the common ancestor, whose table becomes a posterior along
// the path from the root, all but the query nodes are summed out. Where one clique contains all of
// them, only this step remains.

#include "core/base/invariant.h"
#include "core/inference/queries.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace optbn {

namespace {

// The conditional probabilities of the nodes that a clique carries given its separator.
struct CarriedMessage {
  std::vector<Node> carried;
  std::size_t combinations = 1; // of their levels
  std::vector<double> cells;    // the separator fastest, then the carried nodes in order
};

class JointPosterior {
public:
  JointPosterior(Propagation &propagation, const Evidence &evidence, const std::vector<Node> &nodes,
                 Watch &watch)
      : propagation_(propagation), tree_(propagation.tree()), nodes_(nodes), watch_(watch),
        is_query_(tree_.size(), false) {
    propagation_.set_evidence(evidence, relevant_nodes(tree_, evidence, nodes));
    for (const Node v : nodes)
      is_query_[v] = true;
    find_cliques();
    check_memory();
  }

  std::vector<double> solve() {
    for (const auto &entry : messages_)
      propagation_.store(entry.first);
    propagation_.store_if_they_fit(path_);
    if (propagation_.collect(Propagation::Reduction::sum, watch_) ==
        -std::numeric_limits<double>::infinity())
      throw ImpossibleEvidence();
    propagation_.distribute(path_, watch_);
    for (auto entry = messages_.rbegin(); entry != messages_.rend(); ++entry)
      compute_message(entry->first, entry->second);
    return in_query_order(messages_.begin()->second);
  }

private:
  // The path from the root to the common ancestor, and the cliques from there to the query nodes'
  // tops.
  void find_cliques() {
    const CliqueTree &tree = tree_.tree();
    std::size_t ancestor = tree.top[nodes_.front()];
    for (const Node v : nodes_)
      for (std::size_t other = tree.top[v]; other != ancestor;)
        (other > ancestor ? other : ancestor) = tree.cliques[std::max(other, ancestor)].parent;
    for (std::size_t clique = ancestor; clique > 0; clique = tree.cliques[clique].parent)
      path_.push_back(clique);
    path_.push_back(0);
    std::reverse(path_.begin(), path_.end());
    messages_[ancestor];
    for (const Node v : nodes_)
      for (std::size_t clique = tree.top[v]; clique != ancestor;
           clique = tree.cliques[clique].parent)
        messages_[clique];
    for (auto entry = messages_.rbegin(); entry != messages_.rend(); ++entry)
      list_carried(entry->first, entry->second);
  }

  void list_carried(std::size_t clique_number, CarriedMessage &message) const {
    const Clique &clique = tree_.tree().cliques[clique_number];
    for (std::size_t m = 0; m < clique.residual; ++m)
      if (is_query_[clique.members[m]])
        message.carried.push_back(clique.members[m]);
    for (const std::uint32_t child : clique.children)
      if (const auto entry = messages_.find(child); entry != messages_.end())
        message.carried.insert(message.carried.end(), entry->second.carried.begin(),
                               entry->second.carried.end());
  }

  void check_memory() const {
    double cells = 0;
    for (const auto &[clique, message] : messages_) {
      double size = static_cast<double>(separator_cells(clique));
      for (const Node v : message.carried)
        size *= static_cast<double>(propagation_.extent(v));
      cells += size;
    }
    const double bytes = cells * sizeof(double);
    if (bytes > propagation_.memory_limit())
      propagation_.throw_memory_limit(bytes);
  }

  // At the common ancestor the separator is summed out.
  std::size_t separator_cells(std::size_t clique) const {
    return clique == path_.back() ? 1 : propagation_.plan(clique).separator_cells;
  }

  // Computes the message of a clique from those of its children. For every combination of the
  // levels of the nodes that they carry, the table given that combination is reduced to a part of
  // the message.
  void compute_message(std::size_t clique_number, CarriedMessage &message) {
    const CliquePlan &plan = propagation_.plan(clique_number);
    const std::vector<const CarriedMessage *> children = child_messages(clique_number);
    std::size_t combinations = 1;
    for (const CarriedMessage *child : children)
      combinations *= child ? child->combinations : 1;
    TableStrides strides;
    const std::size_t part = set_part_strides(clique_number, strides);
    message.cells.assign(part * combinations, 0.0);
    message.combinations = message.cells.size() / separator_cells(clique_number);
    std::vector<double> cells(plan.block);
    for (std::size_t combination = 0; combination < combinations; ++combination)
      for (std::size_t block = 0; block < plan.blocks(); ++block) {
        std::copy_n(propagation_.table(clique_number) + block * plan.block, plan.block,
                    cells.begin());
        multiply_messages(clique_number, children, combination, block, cells.data());
        propagation_.passes().add(cells.data(), strides,
                                  message.cells.data() + combination * part + strides.start(block));
        propagation_.count_work(plan.block, watch_);
      }
    if (!is_common_ancestor(clique_number))
      divide_by_plain_message(clique_number, message);
  }

  // By child its message, or null.
  std::vector<const CarriedMessage *> child_messages(std::size_t clique) const {
    std::vector<const CarriedMessage *> messages;
    for (const std::uint32_t child : tree_.tree().cliques[clique].children) {
      const auto entry = messages_.find(child);
      messages.push_back(entry != messages_.end() ? &entry->second : nullptr);
    }
    return messages;
  }

  // Sets the strides, along the clique's table, of the part of a message for one combination: the
  // separator, then the query nodes in the residual. Returns the number of its cells.
  std::size_t set_part_strides(std::size_t clique_number, TableStrides &strides) const {
    const Clique &clique = tree_.tree().cliques[clique_number];
    std::vector<std::size_t> stride(clique.members.size(), 0);
    std::size_t cells = 1;
    const auto add = [&](std::size_t member) {
      stride[member] = cells;
      cells *= propagation_.extent(clique.members[member]);
    };
    if (!is_common_ancestor(clique_number))
      for (std::size_t m = clique.residual; m < clique.members.size(); ++m)
        add(m);
    for (std::size_t m = 0; m < clique.residual; ++m)
      if (is_query_[clique.members[m]])
        add(m);
    propagation_.plan(clique_number).set_strides(stride, strides);
    return cells;
  }

  void multiply_messages(std::size_t clique, const std::vector<const CarriedMessage *> &messages,
                         std::size_t combination, std::size_t block, double *cells) const {
    const std::vector<std::uint32_t> &children = tree_.tree().cliques[clique].children;
    for (std::size_t c = 0; c < messages.size(); ++c) {
      if (!messages[c])
        continue;
      const std::size_t of_child = combination % messages[c]->combinations;
      combination /= messages[c]->combinations;
      const TableStrides &strides = propagation_.plan(clique).children[c];
      const double *const given =
          messages[c]->cells.data() + of_child * propagation_.plan(children[c]).separator_cells;
      propagation_.passes().multiply(cells, strides, given + strides.start(block));
    }
  }

  bool is_common_ancestor(std::size_t clique) const { return clique == path_.back(); }

  void divide_by_plain_message(std::size_t clique, CarriedMessage &message) const {
    const std::size_t size = separator_cells(clique);
    const double *const plain = propagation_.message(clique);
    for (std::size_t i = 0; i < message.cells.size(); ++i) {
      const double sum = plain[i % size] * propagation_.mass(clique);
      message.cells[i] = sum > 0 ? message.cells[i] / sum : 0;
    }
  }

  // From the common ancestor's order of the nodes to that of the query; observed nodes get back
  // their other levels, of probability 0.
  std::vector<double> in_query_order(const CarriedMessage &joint) const {
    std::vector<std::size_t> stride(tree_.size(), 0);
    std::size_t cells = 1, next = 0;
    for (const Node v : nodes_) {
      stride[v] = cells;
      cells *= tree_.levels(v);
      next += propagation_.level(v) * stride[v];
    }
    const double sum = std::accumulate(joint.cells.begin(), joint.cells.end(), 0.0);
    OPTBN_INVARIANT(about_equal(sum, 1), "the posterior of the nodes sums to 1");
    std::vector<double> result(cells, 0.0);
    std::vector<std::size_t> level(joint.carried.size(), 0);
    for (const double cell : joint.cells) {
      result[next] = cell / sum;
      for (std::size_t i = 0; i < level.size(); ++i) {
        const Node v = joint.carried[i];
        next += stride[v];
        if (++level[i] < propagation_.extent(v))
          break;
        next -= stride[v] * level[i];
        level[i] = 0;
      }
    }
    return result;
  }

  Propagation &propagation_;
  const JunctionTree &tree_;
  const std::vector<Node> &nodes_;
  Watch &watch_;
  std::vector<char> is_query_; // by node
  std::vector<std::size_t> path_;
  std::map<std::size_t, CarriedMessage> messages_; // by clique: the common ancestor first
};

} // namespace

std::vector<double> joint_posterior(Propagation &propagation, const Evidence &evidence,
                                    const std::vector<Node> &nodes, Watch &watch) {
  return JointPosterior(propagation, evidence, nodes, watch).solve();
}

} // namespace optbn
