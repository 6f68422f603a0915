// LocalScore: how well a set of parents explains a node, for many (node, parents) families at once.
//
// A search needs the scores of thousands of families that share columns, so a score gets a
// FamilyBatch and may share work within it. It may also bound the scores of all supersets of a
// parent set; the enumeration of parent sets prunes by that bound and loses nothing. Natural logs,
// larger is better. A family without a score (a regression with too few rows) scores -infinity.
#pragma once

#include "core/base/host.h"
#include "core/data/dataset.h"
#include "core/score/local_structure/leaf.h"
#include "core/score/local_structure/tree_axis.h"

#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace optbn {

// Families with equally many parents: child[i] with members[i * parents ...], ascending.
struct FamilyBatch {
  unsigned parents = 0;
  std::vector<Node> child;
  std::vector<Node> members;

  std::size_t size() const { return child.size(); }
  const Node *parents_of(std::size_t i) const { return members.data() + i * parents; }
  void add(Node node, const Node *first) {
    child.push_back(node);
    members.insert(members.end(), first, first + parents);
  }
};

struct FamilyScores {
  std::vector<double> score;
  // At least the score of the same child with any strict superset of these parents.
  std::vector<double> superset_bound;
};

// A family, and its scores with each of some further parents.
struct Extensions {
  Node child = 0;
  std::vector<Node> parents, added; // both ascending, none in both
  std::vector<double> score;        // of the child with the parents and added[i]
};

// A family, and its scores without each of some of its parents.
struct Reductions {
  Node child = 0;
  std::vector<Node> parents, removed; // both ascending, the second among the first
  std::vector<double> score;          // of the child with the parents but removed[i]
};

// Runs body(i, worker) for every family of the batch, on threads if the work is worth starting
// them. `operations`: the cost of one extension, about.
void for_each_family(const std::vector<Extensions> &batch, double operations, Watch &watch,
                     const std::function<void(std::size_t i, unsigned worker)> &body);

// How the score of a table is bounded by the log-likelihood of finer ones (least_regret()).
enum class Regret { unknown, of_cells, of_configurations };

// What is known about a set of parents, and about the larger sets that a bound is for.
struct Occupation {
  double cells = 1; // joint levels: at least so many
  // [s]: the number of configurations such that in any larger set a part of each has s or more
  // levels of the child. For Regret::of_configurations.
  std::vector<double> with_values;
};

class LocalScore {
public:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  virtual ~LocalScore() = default;

  // Scores every family. When the watch stops, returns early with unspecified numbers.
  virtual void score(const FamilyBatch &batch, Watch &watch, FamilyScores &result) = 0;

  // The same up to rounding, in less time where possible.
  virtual std::vector<double> score_nearly(const FamilyBatch &batch, Watch &watch);

  // Scores every extension; equal to score() up to rounding. When the watch stops, returns early
  // with unspecified numbers.
  virtual void extend(std::vector<Extensions> &batch, Watch &watch);

  // Scores every reduction as score_nearly() does. When the watch stops, returns early with
  // unspecified numbers.
  virtual void reduce(std::vector<Reductions> &batch, Watch &watch);

  // Is extend() much faster than score() of the same families? If not, extend() and score_nearly()
  // give the same results as score(), to the last bit.
  virtual bool extends_fast() const { return false; }

  // Extends family i of a batch by added[j] alone, for every j in which[i].
  void extend_some(std::vector<Extensions> &batch,
                   const std::vector<std::vector<std::size_t>> &which, Watch &watch);

  // Scores by score_nearly() the reductions whose score is NaN.
  void reduce_others(std::vector<Reductions> &batch, Watch &watch);

  // Scores by score() the families of a batch whose score is NaN.
  void score_others(const FamilyBatch &batch, std::vector<double> &scores, Watch &watch);

  // What families of a batch share work by: equal parents, or equal sets of child and parents.
  enum class Sharing { parents, joint_sets };
  virtual Sharing sharing() const { return Sharing::parents; }

  // The rows that tell of this child, where these are not all; they live as long as the score.
  virtual const Dataset *rows_of(Node /*child*/) const { return nullptr; }

  // May `parent` be a parent of `child` at all?
  virtual bool admits(Node /*child*/, Node /*parent*/) const { return true; }

  // An upper bound, known without counting, on the score of these parents and of every superset.
  virtual double bound(Node /*child*/, const Node * /*parents*/, unsigned /*size*/) const {
    return kInfinity;
  }

  // A lower bound on how much the maximal log-likelihood of the child, in its rows, exceeds its
  // score, given parents with this occupation, or any of the larger sets.
  virtual Regret regret() const { return Regret::unknown; }
  virtual double least_regret(Node /*child*/, const Occupation & /*known*/) const {
    return -kInfinity;
  }

  // An upper bound on the gain in the score of `child` from `added` as one more parent of any
  // superset of `parents`, given the score of `added` with these parents.
  virtual bool bounds_gain() const { return false; }
  virtual double gain_bound(Node /*child*/, Node /*added*/, const Node * /*parents*/,
                            unsigned /*size*/, double /*score_of_added*/) const {
    return kInfinity;
  }
};

// The binnings of a continuous predictor: cuts[i] are the ascending cuts of the i-th binning. The
// bin of a value is the number of cuts that do not exceed it.
using BinCuts = std::vector<std::vector<double>>;

// What a structure adds to the scores of its nodes, whatever the data.
struct StructureWorth {
  std::vector<double> constant; // by node; empty: nothing is added
  double every = 0;             // of every arc, or:
  std::vector<double> single;   // of the arc from u to v, [v * number of nodes + u]
  std::vector<double> size;     // of so many parents; empty: nothing

  double of_arc(Node u, Node v) const {
    return single.empty() ? every : single[v * constant.size() + u];
  }
  double of_size(std::size_t parents) const { return size.empty() ? 0 : size[parents]; }
};

// The caller's choices; fields that a score does not use are ignored.
struct ScoreSettings {
  std::string label;                         // bnlearn's: "bde", "bic", "bge", "bic-cg", ...
  StructureWorth worth;                      // beforehand
  std::vector<std::vector<std::size_t>> set; // by node, rows in which it was set; empty: in none
  // The same of rows that are not in memory: by node those that are left, null where these are all.
  std::vector<std::shared_ptr<const Dataset>> left;
  double iss = 1;         // imaginary sample size of bde, bds, mbde, pred-loglik
  unsigned sizes = 5;     // bdla: how many imaginary sample sizes
  double k = 0;           // penalty per parameter of the information criteria
  double iss_mu = 1;      // bge: weight of the prior mean
  double iss_w = 0;       // bge: degrees of freedom of the Wishart prior
  std::vector<double> nu; // bge: prior mean, one number a column
  Dataset newdata;        // pred-loglik...: the new rows, the same columns

  // pcart and ft
  LeafPrior leaf;
  std::vector<Scale> scale;    // per column: how responses are standardised
  std::vector<Interval> range; // per column: where a continuous predictor lies
  unsigned max_splits = 3;     // halvings of a continuous predictor
  // Categorical predictors of more levels are cut in an order (level_order.h).
  unsigned max_levels = std::numeric_limits<unsigned>::max();
  std::vector<BinCuts> cuts; // ft: per column, how it may be cut into bins
  double memory_limit = std::numeric_limits<double>::infinity(); // bytes
};

// The score of that label on these data, which must outlive it. Throws std::invalid_argument for an
// unknown label; types of columns and ranges of settings are the caller's to check.
std::unique_ptr<LocalScore> make_score(const Dataset &data, const ScoreSettings &settings);

} // namespace optbn
