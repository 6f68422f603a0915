#include "core/density/learn/latent_tree.h"

#include "core/base/log_sum.h"
#include "core/base/parallel.h"
#include "core/base/random.h"
#include "core/density/inference/tree_block.h"
#include "core/density/learn/chow_liu.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>

namespace optbn {

namespace {

// visit(member, parent level, its first cell) for every distribution that the tables hold.
template <class Visit> void for_each_distribution(const TreeDensity &tree, Visit visit) {
  for (const TreeDensity::Member &member : tree.members)
    for (std::size_t p = 0; p < tree.blocks(member); ++p)
      visit(member, p, member.table + p * member.levels);
}

// ---- where learning begins ----------------------------------------------------------------------

// A hidden member in the place of each variable, from which the variable hangs.
TreeDensity behind(const TreeDensity &chow_liu, unsigned states) {
  TreeDensity tree;
  std::vector<std::uint32_t> hidden;
  for (const TreeDensity::Member &member : chow_liu.members) {
    const bool root = member.parent == TreeDensity::kRoot;
    hidden.push_back(
        tree.add(TreeDensity::kHidden, states, root ? member.parent : hidden[member.parent]));
    tree.add(member.variable, member.levels, hidden.back());
  }
  return tree;
}

// How often each level of each variable occurs, as a share; none is 0.
std::vector<std::vector<double>> level_shares(const TrainingRows &rows) {
  std::vector<std::vector<double>> shares;
  for (Node v = 0; v < rows.variables(); ++v) {
    std::vector<double> &share = shares.emplace_back(rows.levels(v), 1.0);
    for (std::size_t r = 0; r < rows.rows(); ++r)
      share[rows.cells().columns[v][r]] += rows.weight(r);
    for (double &count : share)
      count /= rows.total() + rows.levels(v);
  }
  return shares;
}

// Hidden members keep their parents' state with probability 0.95; all else is at random. Variables
// vary about their shares.
void begin_at_random(TreeDensity &tree, const TrainingRows &rows, Random &random) {
  constexpr double kAgree = 0.95;
  const std::vector<std::vector<double>> shares = level_shares(rows);
  const auto exponential = [&] { return -std::log(1 - random.uniform()); };
  for_each_distribution(
      tree, [&](const TreeDensity::Member &member, std::size_t p, std::size_t at) {
        const bool hidden = member.variable == TreeDensity::kHidden;
        double *const cells = tree.tables.data() + at;
        for (unsigned level = 0; level < member.levels; ++level)
          cells[level] = exponential() * (hidden ? 1 : shares[member.variable][level]);
        const double sum = std::accumulate(cells, cells + member.levels, 0.0);
        for (unsigned level = 0; level < member.levels; ++level) {
          cells[level] /= sum;
          if (hidden && member.parent != TreeDensity::kRoot)
            cells[level] = kAgree * (level == p) + (1 - kAgree) * cells[level];
        }
      });
}

// ---- the expectation step -----------------------------------------------------------------------

// Goes over rows, strip by strip on the host's threads. There are as many strips whatever the
// threads, and their sums are added in order.
class RowPass {
public:
  RowPass(const TreeDensity &tree, Watch &watch) : tree_(tree), watch_(watch) {
    constexpr std::size_t kMostStrips = 8, kMostCells = std::size_t{1} << 25; // 256 MB
    const std::size_t strips =
        std::clamp<std::size_t>(kMostCells / tree.tables.size(), 1, kMostStrips);
    strips_.resize(strips);
    for (std::size_t i = 0; i < std::min<std::size_t>(strips, std::max(1u, watch.host().threads));
         ++i)
      blocks_.push_back(std::make_unique<FastTreeBlock>(tree));
  }

  void reload() {
    for (const auto &block : blocks_)
      block->reload();
  }

  // The log-likelihood of some rows.
  double log_likelihood(const TrainingRows &rows, const std::uint32_t *first, std::size_t count) {
    go(rows, first, count, false);
    return sum_;
  }

  // The same; `expected` becomes how often each cell of the tables is used.
  double expect(const TrainingRows &rows, const std::uint32_t *first, std::size_t count,
                std::vector<double> &expected) {
    go(rows, first, count, true);
    expected.assign(tree_.tables.size(), 0.0);
    for (const Strip &strip : strips_)
      for (std::size_t cell = 0; cell < strip.expected.size(); ++cell)
        expected[cell] += strip.expected[cell];
    return sum_;
  }

private:
  struct Strip {
    double log_likelihood = 0;
    std::vector<double> expected;
  };

  void go(const TrainingRows &rows, const std::uint32_t *first, std::size_t count, bool counting) {
    const std::size_t blocks = (count + kBlockRows - 1) / kBlockRows;
    const auto go_over = [&](std::size_t s, unsigned worker) {
      Strip &strip = strips_[s];
      const std::size_t begin = blocks * s / strips_.size();
      const std::size_t end = blocks * (s + 1) / strips_.size();
      strip.log_likelihood = 0; // a small batch has fewer blocks than there are strips
      strip.expected.assign(counting && begin < end ? tree_.tables.size() : 0, 0.0);
      for (std::size_t b = begin; b < end && !watch_.stopped(); ++b)
        add_block(rows, first + b * kBlockRows, std::min(kBlockRows, count - b * kBlockRows),
                  counting, *blocks_[worker], strip);
    };
    constexpr std::size_t kWorthThreads = 10000000; // cells of all rows: about a millisecond
    if (count * tree_.tables.size() < kWorthThreads)
      for (std::size_t s = 0; s < strips_.size(); ++s)
        go_over(s, 0);
    else
      parallel_for(watch_, strips_.size(), go_over);
    sum_ = 0;
    for (const Strip &strip : strips_)
      sum_ += strip.log_likelihood;
  }

  static void add_block(const TrainingRows &rows, const std::uint32_t *first, std::size_t count,
                        bool counting, FastTreeBlock &block, Strip &strip) {
    double log_densities[kBlockRows], weights[kBlockRows];
    block.collect(rows.cells(), first, count, log_densities);
    for (std::size_t r = 0; r < count; ++r) {
      weights[r] = rows.weight(first[r]);
      if (weights[r] > 0)
        strip.log_likelihood += weights[r] * log_densities[r];
      if (log_densities[r] == kLogZero)
        weights[r] = 0;
    }
    if (counting)
      block.distribute(weights, strip.expected.data());
  }

  const TreeDensity &tree_;
  Watch &watch_;
  std::vector<std::unique_ptr<FastTreeBlock>> blocks_; // by worker
  std::vector<Strip> strips_;
  double sum_ = 0;
};

// ---- steps --------------------------------------------------------------------------------------

class TreeClimb {
public:
  TreeClimb(TreeDensity tree, const TrainingRows &rows, const TrainingRows *validation,
            const LatentTreeSettings &settings, Watch &watch)
      : tree_(std::move(tree)), rows_(rows), validation_(validation), settings_(settings),
        watch_(watch), pass_(tree_, watch), judge_(settings.steps), order_(rows.rows()),
        counts_(tree_.tables.size(), 0.0) {
    std::iota(order_.begin(), order_.end(), 0u);
    validation_order_.resize(validation != nullptr ? validation->rows() : 0);
    std::iota(validation_order_.begin(), validation_order_.end(), 0u);
  }

  // The tree begun with is a step of its own: it was learned before.
  void note_start() {
    has_learned_ = true;
    note(pass_.log_likelihood(rows_, order_.data(), order_.size()));
  }

  // Not ended by patience: they are few, and go up and down.
  void step_by_batches(Random &random) {
    constexpr double kFirstRate = 0.5;
    const unsigned steps = std::min(20u, settings_.steps.most);
    const std::size_t batch = std::clamp<std::size_t>(rows_.rows() / 32, kBlockRows, 512);
    const double batches =
        std::ceil(static_cast<double>(rows_.rows()) / static_cast<double>(batch));
    // From half of what is counted being new, to as much of it as a batch is of the rows.
    const double decay = std::pow(1 / (batches * kFirstRate), 1 / (batches * steps));
    double rate = 1;
    for (unsigned i = 0; i < steps && !watch_.stopped(); ++i) {
      random.shuffle(order_);
      double sum = 0;
      for (std::size_t at = 0; at < order_.size() && !watch_.stopped(); at += batch) {
        sum += learn_batch(order_.data() + at, std::min(batch, order_.size() - at), rate);
        rate = rate == 1 ? kFirstRate : std::min(kFirstRate, rate * decay);
      }
      note(sum);
    }
  }

  void step_by_all_rows() {
    judge_.begin_stretch();
    while (going()) {
      const double sum = pass_.expect(rows_, order_.data(), order_.size(), counts_);
      if (watch_.stopped())
        return;
      maximise();
      note(sum);
    }
  }

  // When the watch stops within the first step, what that had learned; throws when it is nothing.
  LearnedMixture learned() {
    if (!has_learned_)
      throw_if_stopped(watch_);
    if (judge_.done() == 0)
      best_ = tree_;
    learned_.mixture = {rows_.levels(), {1.0}, {uncut(std::move(best_))}};
    learned_.best_step = judge_.best_step();
    return std::move(learned_);
  }

private:
  bool going() { return !judge_.finished() && !watch_.stopped(); }

  // The counts move towards those of the batch, by a share.
  double learn_batch(const std::uint32_t *first, std::size_t count, double share) {
    const double sum = pass_.expect(rows_, first, count, batch_counts_);
    if (watch_.stopped()) // the counts are not whole
      return sum;
    const double scale = share * static_cast<double>(rows_.rows()) / static_cast<double>(count);
    for (std::size_t cell = 0; cell < counts_.size(); ++cell)
      counts_[cell] = (1 - share) * counts_[cell] + scale * batch_counts_[cell];
    maximise();
    return sum;
  }

  void maximise() {
    for_each_distribution(tree_,
                          [&](const TreeDensity::Member &member, std::size_t, std::size_t at) {
                            double sum = 0;
                            for (std::size_t cell = at; cell < at + member.levels; ++cell)
                              sum += counts_[cell] + settings_.smoothing;
                            for (std::size_t cell = at; cell < at + member.levels; ++cell)
                              if (sum > 0) // what was never met stays as it is
                                tree_.tables[cell] = (counts_[cell] + settings_.smoothing) / sum;
                          });
    pass_.reload();
    has_learned_ = true;
  }

  // A step is done, unless the watch stopped it. `sum`: log-likelihood of the training rows.
  void note(double sum) {
    double value = sum / rows_.total(), validation = 0;
    if (validation_ != nullptr)
      value = validation =
          pass_.log_likelihood(*validation_, validation_order_.data(), validation_order_.size()) /
          validation_->total();
    if (watch_.stopped())
      return;
    learned_.training.push_back(sum / rows_.total());
    if (validation_ != nullptr)
      learned_.validation.push_back(validation);
    if (judge_.offer(value))
      best_ = tree_;
    watch_.restart(settings_.steps.most);
    watch_.advance(judge_.done());
  }

  TreeDensity tree_, best_;
  const TrainingRows &rows_;
  const TrainingRows *const validation_;
  const LatentTreeSettings &settings_;
  Watch &watch_;
  RowPass pass_;
  StepWatch judge_;
  LearnedMixture learned_;
  std::vector<std::uint32_t> order_, validation_order_;
  std::vector<double> counts_, batch_counts_; // by cell of the tables
  bool has_learned_ = false;
};

} // namespace

LearnedMixture learn_latent_tree(const TrainingRows &rows, const TrainingRows *validation,
                                 const LatentTreeSettings &settings, const DensityMixture *start,
                                 Watch &watch) {
  if (start != nullptr) {
    TreeClimb climb(start->components[0].leaves[0], rows, validation, settings, watch);
    climb.note_start();
    climb.step_by_all_rows();
    return climb.learned();
  }
  Random random(watch.host().seed(0));
  TreeDensity tree =
      behind(learn_chow_liu(rows, {}, {Prior::laplace, 1.0}, watch), settings.states);
  begin_at_random(tree, rows, random);
  TreeClimb climb(std::move(tree), rows, validation, settings, watch);
  climb.step_by_batches(random);
  climb.step_by_all_rows();
  return climb.learned();
}

} // namespace optbn
