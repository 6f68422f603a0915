#include "r_k_tree.h"

#include "r_data.h"
#include "r_host.h"

#include "core/treewidth/codes/dandelion.h"
#include "core/treewidth/codes/k_tree_sampling.h"
#include "core/treewidth/informative_score.h"

#include <map>
#include <memory>

using namespace optbn;

Rcpp::List to_r(const KTree &tree) {
  const auto bags = static_cast<int>(tree.bags()), size = static_cast<int>(tree.bag_size());
  Rcpp::IntegerMatrix members(bags, size);
  Rcpp::IntegerVector parent(bags), introduced(bags);
  for (int i = 0; i < bags; ++i) {
    const auto bag = static_cast<std::size_t>(i);
    for (int j = 0; j < size; ++j)
      members(i, j) = tree.bag(bag)[j] + 1;
    parent[i] = static_cast<int>(tree.parent[bag]) + 1;
    introduced[i] = tree.introduced[bag] + 1;
  }
  return Rcpp::List::create(Rcpp::_["members"] = members, Rcpp::_["parent"] = parent,
                            Rcpp::_["introduced"] = introduced);
}

namespace {

// From list(nodes = how many, members, parent, introduced); bags may list their members in any
// order.
KTree as_k_tree(const Rcpp::List &from) {
  const Rcpp::IntegerMatrix members = from["members"];
  const Rcpp::IntegerVector parent = from["parent"], introduced = from["introduced"];
  KTree tree;
  tree.nodes = Rcpp::as<Node>(from["nodes"]);
  tree.k = static_cast<unsigned>(members.ncol() - 1);
  for (int i = 0; i < members.nrow(); ++i) {
    for (int j = 0; j < members.ncol(); ++j)
      tree.members.push_back(static_cast<Node>(members(i, j) - 1));
    std::sort(tree.members.end() - members.ncol(), tree.members.end());
    tree.parent.push_back(static_cast<std::uint32_t>(parent[i] - 1));
    tree.introduced.push_back(static_cast<Node>(introduced[i] - 1));
  }
  if (!tree.introduced.empty())
    tree.introduced[0] = tree.members[0];
  return tree;
}

// q and two columns of rows, as the papers write them.
DandelionCode as_dandelion_code(int nodes, const Rcpp::IntegerVector &q,
                                const Rcpp::IntegerMatrix &s) {
  DandelionCode code{static_cast<Node>(nodes), static_cast<unsigned>(q.size()), {}, {}};
  for (const int node : q)
    code.q.push_back(static_cast<Node>(node - 1));
  for (int i = 0; i < s.nrow(); ++i)
    code.rows.push_back({static_cast<Node>(s(i, 0)), static_cast<Node>(s(i, 1))});
  return code;
}

} // namespace

// `count` random k-trees; bandwidth: NULL for uniform ones, NA for the usual bandwidth.
// [[Rcpp::export(rng = false)]]
SEXP core_sample_k_trees(int nodes, int k, int count, SEXP bandwidth, const Rcpp::List &host) {
  return guarded([&] {
    const auto n = static_cast<Node>(nodes);
    const auto width = static_cast<unsigned>(k);
    const RHost r(host);
    Watch watch(r.host(), count);
    Random random(r.host().seed(0));
    std::unique_ptr<DistancePreferableSampler> sampler;
    if (!Rf_isNull(bandwidth)) {
      const double given = Rcpp::as<double>(bandwidth);
      sampler = std::make_unique<DistancePreferableSampler>(
          n, width, std::isnan(given) ? usual_bandwidth(n, width, random) : given);
    }
    DandelionDecoder decoder(n, width);
    Rcpp::List trees(count);
    for (int i = 0; i < count; ++i) {
      throw_if_stopped(watch);
      trees[i] =
          to_r(decoder.decode(sampler ? sampler->next(random) : random_code(n, width, random)));
      watch.advance(1);
    }
    return trees;
  });
}

// q ascending.
// [[Rcpp::export(rng = false)]]
SEXP core_decode_k_tree(int nodes, const Rcpp::IntegerVector &q, const Rcpp::IntegerMatrix &s) {
  return guarded([&] { return to_r(decode(as_dandelion_code(nodes, q, s))); });
}

// [[Rcpp::export(rng = false)]]
SEXP core_encode_k_tree(const Rcpp::List &tree) {
  return guarded([&] {
    const DandelionCode code = encode(as_k_tree(tree));
    const Rcpp::IntegerVector q(code.q.begin(), code.q.end());
    Rcpp::IntegerMatrix s(static_cast<int>(code.rows.size()), 2);
    for (int i = 0; i < s.nrow(); ++i) {
      s(i, 0) = code.rows[static_cast<std::size_t>(i)].parent;
      s(i, 1) = code.rows[static_cast<std::size_t>(i)].rank;
    }
    return Rcpp::List::create(Rcpp::_["Q"] = Rcpp::IntegerVector(q + 1), Rcpp::_["S"] = s);
  });
}

// The k-tree with the edges from[i], to[i]; where they form none, list(blocked): the nodes of which
// none can be removed.
// [[Rcpp::export(rng = false)]]
SEXP core_k_tree_of(int nodes, int k, const Rcpp::IntegerVector &from,
                    const Rcpp::IntegerVector &to) {
  return guarded([&] {
    std::vector<std::pair<Node, Node>> edges;
    for (R_xlen_t i = 0; i < from.size(); ++i)
      edges.emplace_back(static_cast<Node>(from[i] - 1), static_cast<Node>(to[i] - 1));
    try {
      return to_r(k_tree_of(static_cast<Node>(nodes), static_cast<unsigned>(k), edges));
    } catch (const NotKTree &e) {
      const Rcpp::IntegerVector blocked(e.blocked.begin(), e.blocked.end());
      return Rcpp::List::create(Rcpp::_["blocked"] = Rcpp::IntegerVector(blocked + 1));
    }
  });
}

// Are the components of a k_tree well formed?
// [[Rcpp::export(rng = false)]]
bool core_is_k_tree(const Rcpp::List &tree) { return well_formed(as_k_tree(tree)); }

// The symmetric matrix of all columns of the data that encode_data() makes.
// [[Rcpp::export(rng = false)]]
SEXP core_mutual_information(const Rcpp::List &encoded, const Rcpp::List &host) {
  return guarded([&] {
    const Dataset data = as_dataset(encoded);
    const RHost r(host);
    Watch watch(r.host());
    const MutualInformation table = mutual_information(data, watch);
    return Rcpp::NumericMatrix(table.nodes, table.nodes, table.value.begin());
  });
}

// One row a k-tree: S_mi, S_l, I-score. Nodes of the trees are those of `sets`.
// [[Rcpp::export(rng = false)]]
SEXP core_informative_scores(const Rcpp::List &trees, const Rcpp::NumericMatrix &information,
                             const Rcpp::List &sets, const Rcpp::List &host) {
  return guarded([&] {
    const ParentSets candidates = as_parent_sets(sets);
    std::vector<KTree> given;
    unsigned most = 0;
    for (const Rcpp::List tree : trees) {
      given.push_back(as_k_tree(tree));
      most = std::max(most, given.back().k);
    }
    const MutualInformation table{candidates.size(), {information.begin(), information.end()}};
    const SetTrie trie(candidates, most);
    std::map<unsigned, InformativeScorer> scorer; // by tree-width
    const RHost r(host);
    Watch watch(r.host(), static_cast<double>(given.size()));
    Rcpp::NumericMatrix scores(static_cast<int>(given.size()), 3);
    for (int i = 0; i < scores.nrow(); ++i) {
      throw_if_stopped(watch);
      const KTree &tree = given[static_cast<std::size_t>(i)];
      const auto entry = scorer.try_emplace(tree.k, table, trie, tree.k).first;
      const InformativeScore score = entry->second(tree);
      scores(i, 0) = score.information;
      scores(i, 1) = score.pseudo;
      scores(i, 2) = score.value();
      watch.advance(1);
    }
    return scores;
  });
}
