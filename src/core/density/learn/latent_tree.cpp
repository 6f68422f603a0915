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

// visit(node, parent level, its first cell) for every distribution in the tables.
template <class Visit> void for_each_distribution(const TreeDensity &tree, Visit visit) {
  for (const TreeDensity::TreeNode &node : tree.nodes)
    for (std::size_t p = 0; p < tree.blocks(node); ++p)
      visit(node, p, node.table + p * node.levels);
}

// ---- initial trees ------------------------------------------------------------------------------

// A hidden node for each variable, which becomes its parent and takes over its edges.
TreeDensity with_hidden_parents(const TreeDensity &chow_liu, unsigned states) {
  TreeDensity tree;
  std::vector<std::uint32_t> hidden;
  for (const TreeDensity::TreeNode &node : chow_liu.nodes) {
    const bool root = node.parent == TreeDensity::kRoot;
    hidden.push_back(
        tree.add(TreeDensity::kHidden, states, root ? node.parent : hidden[node.parent]));
    tree.add(node.variable, node.levels, hidden.back());
  }
  return tree;
}

// How often each level of each variable occurs where it is known, as a share; none is 0.
std::vector<std::vector<double>> level_shares(const TrainingRows &rows) {
  std::vector<std::vector<double>> shares;
  for (Node v = 0; v < rows.variables(); ++v) {
    std::vector<double> &share = shares.emplace_back(rows.levels(v), 1.0);
    double known = rows.levels(v);
    for (std::size_t r = 0; r < rows.rows(); ++r)
      if (const std::uint16_t level = rows.cells().columns[v][r]; level != PartialRows::kMissing) {
        share[level] += rows.weight(r);
        known += rows.weight(r);
      }
    for (double &count : share)
      count /= known;
  }
  return shares;
}

// Hidden nodes have their parent's state with probability 0.95; all else is random. Tables of
// variables vary about the shares of their levels.
void randomise_tables(TreeDensity &tree, const TrainingRows &rows, Random &random) {
  constexpr double kAgree = 0.95;
  const std::vector<std::vector<double>> shares = level_shares(rows);
  const auto exponential = [&] { return -std::log(1 - random.uniform()); };
  for_each_distribution(
      tree, [&](const TreeDensity::TreeNode &node, std::size_t p, std::size_t at) {
        const bool hidden = node.variable == TreeDensity::kHidden;
        double *const cells = tree.tables.data() + at;
        for (unsigned level = 0; level < node.levels; ++level)
          cells[level] = exponential() * (hidden ? 1 : shares[node.variable][level]);
        const double sum = std::accumulate(cells, cells + node.levels, 0.0);
        for (unsigned level = 0; level < node.levels; ++level) {
          cells[level] /= sum;
          if (hidden && node.parent != TreeDensity::kRoot)
            cells[level] = kAgree * (level == p) + (1 - kAgree) * cells[level];
        }
      });
}

// ---- the expectation step -----------------------------------------------------------------------

// Processes rows in strips on the host's threads. The number of strips does not depend on that of
// the threads, and their sums are added in order.
class ExpectationStep {
public:
  ExpectationStep(const TreeDensity &tree, Watch &watch) : tree_(tree), watch_(watch) {
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
    run(rows, first, count, false);
    return sum_;
  }

  // The same; sets `expected` to the expected count of each cell of the tables.
  double expect(const TrainingRows &rows, const std::uint32_t *first, std::size_t count,
                std::vector<double> &expected) {
    run(rows, first, count, true);
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

  void run(const TrainingRows &rows, const std::uint32_t *first, std::size_t count, bool counting) {
    const std::size_t blocks = (count + kBlockRows - 1) / kBlockRows;
    const auto run_strip = [&](std::size_t s, unsigned worker) {
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
        run_strip(s, 0);
    else
      parallel_for(watch_, strips_.size(), run_strip);
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

class LatentTreeEm {
public:
  LatentTreeEm(TreeDensity tree, const TrainingRows &rows, const TrainingRows *validation,
               const LatentTreeSettings &settings, Watch &watch)
      : tree_(std::move(tree)), rows_(rows), validation_(validation), settings_(settings),
        watch_(watch), expectation_(tree_, watch), progress_(settings.steps), order_(rows.rows()),
        counts_(tree_.tables.size(), 0.0) {
    std::iota(order_.begin(), order_.end(), 0u);
    validation_order_.resize(validation != nullptr ? validation->rows() : 0);
    std::iota(validation_order_.begin(), validation_order_.end(), 0u);
  }

  // The tree to start from counts as a step: it was learned before.
  void record_start() {
    has_learned_ = true;
    record_step(expectation_.log_likelihood(rows_, order_.data(), order_.size()));
  }

  // Patience does not end these steps: they are few, and the likelihood is not monotone.
  void step_by_batches(Random &random) {
    constexpr double kFirstRate = 0.5;
    const unsigned steps = std::min(20u, settings_.steps.most);
    const std::size_t batch = std::clamp<std::size_t>(rows_.rows() / 32, kBlockRows, 512);
    const double batches =
        std::ceil(static_cast<double>(rows_.rows()) / static_cast<double>(batch));
    // The rate falls from 1/2 to the share of a batch in the rows.
    const double decay = std::pow(1 / (batches * kFirstRate), 1 / (batches * steps));
    double rate = 1;
    for (unsigned i = 0; i < steps && !watch_.stopped(); ++i) {
      random.shuffle(order_);
      double sum = 0;
      for (std::size_t at = 0; at < order_.size() && !watch_.stopped(); at += batch) {
        sum += learn_batch(order_.data() + at, std::min(batch, order_.size() - at), rate);
        rate = rate == 1 ? kFirstRate : std::min(kFirstRate, rate * decay);
      }
      record_step(sum);
    }
  }

  void step_by_all_rows() {
    progress_.reset_patience();
    while (goes_on()) {
      const double sum = expectation_.expect(rows_, order_.data(), order_.size(), counts_);
      if (watch_.stopped())
        return;
      maximise();
      record_step(sum);
    }
  }

  // If the watch has stopped within the first step, the tree so far; throws if nothing was learned.
  LearnedMixture learned() {
    if (!has_learned_)
      throw_if_stopped(watch_);
    if (progress_.done() == 0)
      best_ = tree_;
    learned_.mixture = {rows_.levels(), {1.0}, {uncut(std::move(best_))}};
    learned_.best_step = progress_.best_step();
    return std::move(learned_);
  }

private:
  bool goes_on() { return !progress_.finished() && !watch_.stopped(); }

  // Moves the counts towards those of the batch, by a share.
  double learn_batch(const std::uint32_t *first, std::size_t count, double share) {
    const double sum = expectation_.expect(rows_, first, count, batch_counts_);
    if (watch_.stopped()) // the counts are incomplete
      return sum;
    const double scale = share * static_cast<double>(rows_.rows()) / static_cast<double>(count);
    for (std::size_t cell = 0; cell < counts_.size(); ++cell)
      counts_[cell] = (1 - share) * counts_[cell] + scale * batch_counts_[cell];
    maximise();
    return sum;
  }

  void maximise() {
    for_each_distribution(tree_,
                          [&](const TreeDensity::TreeNode &node, std::size_t, std::size_t at) {
                            double sum = 0;
                            for (std::size_t cell = at; cell < at + node.levels; ++cell)
                              sum += counts_[cell] + settings_.smoothing;
                            for (std::size_t cell = at; cell < at + node.levels; ++cell)
                              if (sum > 0) // a distribution without counts is not changed
                                tree_.tables[cell] = (counts_[cell] + settings_.smoothing) / sum;
                          });
    expectation_.reload();
    has_learned_ = true;
  }

  // Records a step, unless the watch has stopped it. `sum`: log-likelihood of the training rows.
  void record_step(double sum) {
    double value = sum / rows_.total(), validation = 0;
    if (validation_ != nullptr)
      value = validation = expectation_.log_likelihood(*validation_, validation_order_.data(),
                                                       validation_order_.size()) /
                           validation_->total();
    if (watch_.stopped())
      return;
    learned_.training.push_back(sum / rows_.total());
    if (validation_ != nullptr)
      learned_.validation.push_back(validation);
    if (progress_.add_step(value))
      best_ = tree_;
    watch_.restart(settings_.steps.most);
    watch_.advance(progress_.done());
  }

  TreeDensity tree_, best_;
  const TrainingRows &rows_;
  const TrainingRows *const validation_;
  const LatentTreeSettings &settings_;
  Watch &watch_;
  ExpectationStep expectation_;
  EmProgress progress_;
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
    LatentTreeEm em(start->components[0].leaves[0], rows, validation, settings, watch);
    em.record_start();
    em.step_by_all_rows();
    return em.learned();
  }
  Random random(watch.host().seed(0));
  TreeDensity tree =
      with_hidden_parents(learn_chow_liu(rows, {}, {Prior::laplace, 1.0}, watch), settings.states);
  randomise_tables(tree, rows, random);
  LatentTreeEm em(std::move(tree), rows, validation, settings, watch);
  em.step_by_batches(random);
  em.step_by_all_rows();
  return em.learned();
}

} // namespace optbn
