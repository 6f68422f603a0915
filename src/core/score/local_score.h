// LocalScore: how well a set of parents explains a node, for many (node, parents) families at once.
//
// A search wants the scores of thousands of families that share columns, so a score is asked for a
// FamilyBatch and is free to share work inside it. It may also tell what no superset of a parent
// set can reach; parent_sets enumeration prunes by that and loses nothing. Natural logs, larger is
// better. Families whose score does not exist (a regression without enough rows) score -infinity.
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

// A family and what each of some further parents makes of it.
struct Extensions {
  Node child = 0;
  std::vector<Node> parents, added; // both ascending, none in both
  std::vector<double> score;        // of the child with the parents and added[i]
};

// A family and what becomes of it without each of some of its parents.
struct Reductions {
  Node child = 0;
  std::vector<Node> parents, removed; // both ascending, the second among the first
  std::vector<double> score;          // of the child with the parents but removed[i]
};

// Runs body(i, worker) for every family of the batch, on threads where that is worth their start:
// `operations` is about what one extension takes.
void for_each_family(const std::vector<Extensions> &batch, double operations, Watch &watch,
                     const std::function<void(std::size_t i, unsigned worker)> &body);

// What bounds a score of tables by the log-likelihood of finer ones (LocalScore::least_regret).
enum class Regret { unknown, of_cells, of_configurations };

// Of a set of parents, what is known of it and of larger sets in question.
struct Occupation {
  double cells = 1; // joint levels: at least so many
  // [s]: of so many configurations, in a configuration of any larger set, s levels of the child
  // or more occur. Where the regret is that of configurations.
  std::vector<double> with_values;
};

class LocalScore {
public:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  virtual ~LocalScore() = default;

  // Scores every family. When the watch stops, returns early with unspecified numbers.
  virtual void score(const FamilyBatch &batch, Watch &watch, FamilyScores &result) = 0;

  // The same up to rounding, where that is sooner done.
  virtual std::vector<double> score_nearly(const FamilyBatch &batch, Watch &watch);

  // Scores every extension; equal to score() up to rounding. When the watch stops, returns early
  // with unspecified numbers.
  virtual void extend(std::vector<Extensions> &batch, Watch &watch);

  // Scores every reduction as score_nearly() does. When the watch stops, returns early with
  // unspecified numbers.
  virtual void reduce(std::vector<Reductions> &batch, Watch &watch);

  // Is extend() much sooner done than score() of the same families? If not, and score_nearly() is
  // not either, both are equal to it to the last bit.
  virtual bool extends_fast() const { return false; }

  // Extends family i of a batch by added[j] alone, for every j in which[i].
  void extend_some(std::vector<Extensions> &batch,
                   const std::vector<std::vector<std::size_t>> &which, Watch &watch);

  // Scores those reductions by score_nearly() that are no numbers yet.
  void reduce_others(std::vector<Reductions> &batch, Watch &watch);

  // Scores those families of a batch by score() that are no numbers yet.
  void score_others(const FamilyBatch &batch, std::vector<double> &scores, Watch &watch);

  // What the families of a batch have in common that is worked out once for them: their parents,
  // or the set of child and parents.
  enum class Sharing { parents, joint_sets };
  virtual Sharing sharing() const { return Sharing::parents; }

  // May `parent` be a parent of `child` at all?
  virtual bool admits(Node /*child*/, Node /*parent*/) const { return true; }

  // An upper bound, known without counting, on the score of these parents and of every superset.
  virtual double bound(Node /*child*/, const Node * /*parents*/, unsigned /*size*/) const {
    return kInfinity;
  }

  // At least what the maximal log-likelihood of the child exceeds its score by, given parents of
  // whom so much is known, or any larger set in question.
  virtual Regret regret() const { return Regret::unknown; }
  virtual double least_regret(Node /*child*/, const Occupation & /*known*/) const {
    return -kInfinity;
  }

  // An upper bound on what `added` can add to the score of `child` as one more parent beside any
  // superset of `parents`, given the score of `added` with these parents.
  virtual bool bounds_gain() const { return false; }
  virtual double gain_bound(Node /*child*/, Node /*added*/, const Node * /*parents*/,
                            unsigned /*size*/, double /*score_of_added*/) const {
    return kInfinity;
  }
};

// The ways to cut a continuous predictor into bins: cuts[i] are the ascending cuts of the i-th way.
// A value belongs to the bin numbered by the cuts that do not exceed it.
using BinCuts = std::vector<std::vector<double>>;

// What the caller chose; fields that a score does not use are ignored.
struct ScoreSettings {
  std::string label;      // bnlearn's: "bde", "bic", "bge", "bic-cg", ...
  double iss = 1;         // imaginary sample size of bde and bds
  double k = 0;           // penalty per parameter of the information criteria
  double iss_mu = 1;      // bge: weight of the prior mean
  double iss_w = 0;       // bge: degrees of freedom of the Wishart prior
  std::vector<double> nu; // bge: prior mean, one number a column

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
