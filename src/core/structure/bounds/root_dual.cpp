#include "core/structure/bounds/root_dual.h"

#include "core/base/invariant.h"
#include "core/structure/bounds/dual_ascent.h"

#include <algorithm>
#include <utility>

namespace optbn {

namespace {

// Sets of each node that are columns from the start, and at least; how many more a round may add.
constexpr std::size_t kFirstSets = 15, kMoreSets = 16;

// How far above its node's least a reduced cost may be, as a fraction of the gap, for its set to be
// added, and not to be dropped again.
constexpr double kGoodWindow = .05, kBadWindow = .2;

// A round pays when it closes this fraction of the gap. After rounds that find few inequalities, or
// after several that do not pay, effort rises: closer to the optimum, further in the search for
// clusters. After so many that do not pay there are no more.
constexpr double kLeastGain = .01;
constexpr unsigned kFew = 10, kMostEffort = 3;
constexpr unsigned kSeveral = 5, kPatience = 8;

// Primal-dual steps in a round, with the least effort; steps of the greedy ascents before and after
// all rounds.
constexpr unsigned kSteps = 1000, kAscents = 2000;

// A gap that is smaller, as a fraction of the upper bound, is left to the search, which closes it
// at once.
constexpr double kNegligible = 1e-5;

// The primal-dual method may end this near to the optimum, as a fraction of the gap; a quarter of
// that for each degree of effort.
constexpr double kTolerance = .1;

} // namespace

template <unsigned Words> class RootDual<Words>::Rounds {
public:
  Rounds(const CostProblem<Words> &problem, Dual<Words> first, Cost upper, Watch &watch,
         double work_limit, const LimitSource<Words> *limits)
      : problem_(problem), upper_(upper), watch_(watch), work_limit_(work_limit),
        best_(std::move(first)), bound_(ascend(problem, best_, upper, kAscents, watch)),
        relaxation_(std::shared_ptr<const CostProblem<Words>>(std::shared_ptr<void>(), &problem),
                    limits),
        bound_at_gain_(bound_) {
    // A search goes on from the relaxation even where no round pays.
    relaxation_.add_rows(best_);
    relaxation_.add_cheapest_columns(kFirstSets);
    relaxation_.add_columns_of_a_network();
    if (finished())
      return;
    relaxation_.add_good_columns(relaxation_.reduced(best_), share(kGoodWindow, gap()), kMoreSets);
  }

  const Dual<Words> &dual() const { return best_; }
  Cost bound() const { return bound_; }
  double work() const { return relaxation_.work() + evaluation_work_; }
  const Relaxation<Words> &relaxation() const { return relaxation_; }

  bool improve(unsigned rounds) {
    for (unsigned i = 0; i < rounds && !finished(); ++i)
      round();
    if (watch_.stopped()) // to begin an ascent takes seconds where there are millions of sets
      return false;
    [[maybe_unused]] const Cost before = bound_;
    bound_ = ascend(problem_, best_, upper_, kAscents, watch_);
    OPTBN_INVARIANT(bound_ >= before, "the bound of the root never falls");
    return !finished();
  }

private:
  // Approaches the optimum, evaluates the dual, and seeks inequalities.
  void round() {
    relaxation_.approach(kSteps * (1 + effort_), tolerance(), watch_);
    evaluate();
    watch_.log("root", {{"round", ++rounds_},
                        {"bound", problem_.score(bound_)},
                        {"gap", problem_.units(gap())},
                        {"rows", static_cast<double>(relaxation_.row_count())},
                        {"columns", static_cast<double>(relaxation_.column_count())},
                        {"effort", effort_}});
    count_idle_rounds();
    if (!finished())
      separate();
  }

  bool finished() {
    return static_cast<double>(gap()) <= kNegligible * static_cast<double>(upper_) ||
           idle_rounds_ >= kPatience || work() >= work_limit_ || watch_.stopped();
  }

  Cost gap() const { return std::max<Cost>(upper_ - bound_, 0); }

  double tolerance() const { return kTolerance * problem_.units(gap()) / (1 << 2 * effort_); }

  // Turns the best multipliers into a dual, and chooses columns by its reduced costs.
  void evaluate() {
    Dual<Words> found = relaxation_.dual();
    const typename Relaxation<Words>::ReducedCosts costs = relaxation_.reduced(found);
    evaluation_work_ += relaxation_.evaluation_work(found);
    const Cost bound = relaxation_.bound(found, costs);
    if (bound > bound_) {
      best_ = std::move(found);
      bound_ = bound;
    }
    relaxation_.drop_bad_columns(costs, share(kBadWindow, gap()), kFirstSets);
    relaxation_.add_good_columns(costs, share(kGoodWindow, gap()), kMoreSets);
  }

  void count_idle_rounds() {
    ++idle_rounds_;
    if (static_cast<double>(bound_ - bound_at_gain_) >
        kLeastGain * static_cast<double>(upper_ - bound_at_gain_)) {
      bound_at_gain_ = bound_;
      idle_rounds_ = 0;
    }
  }

  void separate() {
    const std::size_t found = relaxation_.separate(effort_, watch_);
    if (found < kFew || idle_rounds_ >= kSeveral)
      effort_ = std::min(effort_ + 1, kMostEffort);
    else if (found > 2 * kFew && idle_rounds_ == 0 && effort_ > 0)
      --effort_;
  }

  const CostProblem<Words> &problem_;
  const Cost upper_;
  Watch &watch_;
  const double work_limit_;
  Dual<Words> best_;
  Cost bound_; // of the best dual
  Relaxation<Words> relaxation_;
  double evaluation_work_ = 0; // sets examined
  unsigned rounds_ = 0, effort_ = 0;
  unsigned idle_rounds_ = 0; // since a round paid,
  Cost bound_at_gain_;       // and the bound then
};

template <unsigned Words>
RootDual<Words>::RootDual(const CostProblem<Words> &problem, Dual<Words> warm, Cost upper,
                          Watch &watch, double work_limit, const LimitSource<Words> *limits)
    : rounds_(
          std::make_unique<Rounds>(problem, std::move(warm), upper, watch, work_limit, limits)) {}

template <unsigned Words> RootDual<Words>::~RootDual() = default;

template <unsigned Words> bool RootDual<Words>::improve(unsigned rounds) {
  return rounds_->improve(rounds);
}

template <unsigned Words> const Dual<Words> &RootDual<Words>::dual() const {
  return rounds_->dual();
}

template <unsigned Words> Cost RootDual<Words>::bound() const { return rounds_->bound(); }

template <unsigned Words> double RootDual<Words>::work() const { return rounds_->work(); }

template <unsigned Words> const Relaxation<Words> &RootDual<Words>::relaxation() const {
  return rounds_->relaxation();
}

#define OPTBN_INSTANTIATE(words) template class RootDual<words>;
OPTBN_FOR_EACH_WIDTH(OPTBN_INSTANTIATE)
#undef OPTBN_INSTANTIATE

} // namespace optbn
