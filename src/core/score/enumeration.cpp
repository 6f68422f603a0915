#include "core/score/enumeration.h"

#include "core/base/errors.h"
#include "core/base/invariant.h"
#include "core/base/parallel.h"
#include "core/score/branching/set_branching.h"
#include "core/score/set_table.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>

namespace optbn {

namespace {

constexpr double kInfinity = LocalScore::kInfinity;

// Bytes that one candidate occupies at most while its level is scored, members aside.
constexpr double kBytesPerFamily = 100;

// The most candidates of a block, and the share of the memory that they may take.
constexpr double kMostInBlock = 5e6, kShareOfBlock = 0.25;
// Bytes of an alive set of an earlier block, members aside.
constexpr double kBytesPerSurvivor = 24;

constexpr std::size_t kSetsPerPoll = 64;

// Branching beyond the budget begins with kAtFirst of the remaining budget, divided among the
// nodes, and at least kFirstSteps times the work before a search's first step; each round
// multiplies that by kMore for the nodes that are still open. Once it exceeds the budget, at most
// kStillOpen of the nodes may be open, and a round must have closed at least kClosing of them.
constexpr double kAtFirst = 0.25, kFirstSteps = 4, kMore = 3, kStillOpen = 0.67, kClosing = 0.125;
// Branching for a level goes on when it has taken as long as the level, as long as it is expected to
// end within so many times that; each time it may take so many times what is expected, and at least
// such a share of the level.
constexpr double kWorthwhile = 3, kPatience = 1.5, kLeastMore = 0.5;
// Branching is not tried if its tables take more bytes per thread.
constexpr double kBytesOfBranching = 2.5e8;

// Candidates of one node that wait to be scored.
struct Candidates {
  std::vector<Node> members;       // set after set, each ascending
  std::vector<double> best_subset; // b(proper subsets)

  std::size_t count() const { return best_subset.size(); }
  void add(const std::vector<Node> &set, double best) {
    members.insert(members.end(), set.begin(), set.end());
    best_subset.push_back(best);
  }
};

// The families whose largest member, child included, is one of these nodes: few of the column sets
// that are counted for them are needed for other families.
struct LevelBlock {
  Node first, end;
};

// The candidates of a level: how many, by node and by the largest member of the family, and, if
// they fit into one block, which.
struct Proposal {
  std::vector<std::vector<double>> count;
  std::vector<Candidates> candidates;

  double of_node(Node v) const { return std::accumulate(count[v].begin(), count[v].end(), 0.0); }
};

} // namespace

class Enumeration::Levels {
  // The alive sets of one node with equally many parents.
  struct Level {
    SetTable sets;
    std::vector<double> score, best; // score(P) and b(P)

    Level(unsigned size, Node universe, std::size_t expected) : sets(size, universe, expected) {}
  };

public:
  Levels(const Dataset &data, LocalScore &score, EnumerationOptions options)
      : data_(data), score_(score), options_(std::move(options)), nodes_(data.size()),
        branched_(data.size()) {
    result_.sets.nodes.resize(nodes_);
    result_.considered.assign(nodes_, 0);
    result_.counted.assign(nodes_, 0);
    for (Node v = 0; v < nodes_; ++v) {
      choose_optional(v);
      alive_.emplace_back(0, nodes_, 1);
      last_ = std::max(last_, limit_[v]);
    }
  }

  void run(const EnumerationLimits &limits, Watch &watch) {
    watch_ = &watch;
    unstopped_host_.threads = watch.host().threads;
    budget_ = scored_ + limits.budget;
    beyond_budget_ = limits.branching * limits.budget;
    watch.restart(std::accumulate(result_.considered.begin(), result_.considered.end(), 0.0));
    do {
      outcome_ = size_ > last_ || outcome_ == Outcome::ends ? Outcome::ends : run_level(size_);
      size_ += outcome_ == Outcome::goes_on;
    } while (outcome_ == Outcome::goes_on);
  }

  // What is known so far.
  EnumerationResult so_far() { return finish(result_); }
  EnumerationResult take() { return finish(std::move(result_)); }

private:
  // After a level: there are larger sets to consider, there are none, or the level was left out.
  enum class Outcome { goes_on, ends, cut_short };

  EnumerationResult finish(EnumerationResult found) {
    for (Node v = 0; v < nodes_; ++v) {
      const bool open = outcome_ == Outcome::cut_short && has_candidates(v, size_);
      found.complete.push_back(static_cast<int>(open ? size_ - 1 : limit_[v]));
    }
    score_branched(found);
    found.effort += scored_;
    parallel_for(unstopped_, nodes_, [&](std::size_t v, unsigned) { found.sets.nodes[v].sort(); });
    return found;
  }

  const std::vector<Node> &required(Node v) const { return options_.rules.required[v]; }

  void choose_optional(Node v) {
    std::vector<char> allowed(nodes_, 1);
    allowed[v] = 0;
    for (const Node u : options_.rules.forbidden[v])
      allowed[u] = 0;
    for (const Node u : required(v))
      allowed[u] = 0;
    std::vector<Node> optional;
    for (Node u = 0; u < nodes_; ++u)
      if (allowed[u] && score_.admits(v, u))
        optional.push_back(u);
    const auto base = static_cast<unsigned>(required(v).size());
    const auto free = static_cast<unsigned>(optional.size());
    limit_.push_back(std::min(options_.rules.max_parents[v], base + free));
    result_.largest.push_back(static_cast<int>(limit_.back()));
    double sets = 1; // sets with `extra` optional parents
    for (unsigned extra = 0; base + extra <= limit_.back(); ++extra) {
      result_.considered[v] += sets;
      sets *= static_cast<double>(free - extra) / (extra + 1.0);
    }
    longest_required_ = std::max(longest_required_, base);
    optional_.push_back(std::move(optional));
  }

  // Scores all candidates with `size` parents.
  Outcome run_level(unsigned size) {
    Proposal proposal = propose_all(size);
    if (!watch_->stopped() && branch(proposal, size))
      proposal = propose_all(size);
    if (cut_short() || !fits(static_cast<double>(proposed_), size))
      return Outcome::cut_short;

    std::vector<CandidateSets> kept(nodes_);
    std::vector<Level> alive;
    for (Node v = 0; v < nodes_; ++v)
      alive.emplace_back(size, nodes_,
                         size == last_ ? 1 : static_cast<std::size_t>(proposal.of_node(v)));
    for (const LevelBlock &block : blocks_of(proposal, size)) {
      if (proposal.candidates.empty())
        score_block(propose_block(size, block), size, kept, alive);
      else
        score_block(std::move(proposal.candidates), size, kept, alive);
      if (cut_short_by_watch())
        return Outcome::cut_short;
    }
    for (Node v = 0; v < nodes_; ++v) {
      for (std::size_t i = 0; i < kept[v].size(); ++i)
        result_.sets.nodes[v].add(kept[v].score[i], kept[v].begin_of(i), kept[v].end_of(i));
      result_.counted[v] += proposal.of_node(v);
    }
    alive_ = std::move(alive);
    scored_ += static_cast<double>(proposed_);
    watch_->log("level", {{"size", size},
                          {"scored", static_cast<double>(proposed_)},
                          {"kept", std::accumulate(kept.begin(), kept.end(), 0.0,
                                                   [](double sum, const CandidateSets &sets) {
                                                     return sum + static_cast<double>(sets.size());
                                                   })}});
    const bool extended = std::any_of(alive_.begin(), alive_.end(),
                                      [](const Level &level) { return level.sets.size() > 0; });
    return extended || size < longest_required_ ? Outcome::goes_on : Outcome::ends;
  }

  void score_block(std::vector<Candidates> candidates, unsigned size,
                   std::vector<CandidateSets> &kept, std::vector<Level> &alive) {
    FamilyBatch batch;
    batch.parents = size;
    std::vector<std::size_t> first(nodes_ + 1u, 0);
    for (Node v = 0; v < nodes_; ++v)
      first[v + 1u] = first[v] + candidates[v].count();
    batch.child.reserve(first[nodes_]);
    batch.members.reserve(first[nodes_] * size);
    for (Node v = 0; v < nodes_; ++v) {
      batch.child.insert(batch.child.end(), candidates[v].count(), v);
      batch.members.insert(batch.members.end(), candidates[v].members.begin(),
                           candidates[v].members.end());
      std::vector<Node>().swap(candidates[v].members); // the batch has them
    }
    FamilyScores scores;
    if (batch.size() > 0)
      score_.score(batch, *watch_, scores);
    if (watch_->stopped())
      return;
    parallel_for(unstopped_, nodes_, [&](std::size_t v, unsigned) {
      keep_or_prune(batch, scores, first[v], candidates[v].best_subset, kept[v], alive[v]);
    });
  }

  // Consecutive nodes, as many as fit into a block.
  std::vector<LevelBlock> blocks_of(const Proposal &proposal, unsigned size) const {
    if (!proposal.candidates.empty())
      return {{0, nodes_}};
    std::vector<LevelBlock> blocks;
    double held = kInfinity;
    for (Node m = 0; m < nodes_; ++m) {
      double more = 0;
      for (Node v = 0; v < nodes_; ++v)
        more += proposal.count[v][m];
      if (held + more > most_in_block(size)) {
        blocks.push_back({m, m});
        held = 0;
      }
      held += more;
      blocks.back().end = static_cast<Node>(m + 1);
    }
    return blocks;
  }

  double most_in_block(unsigned size) const {
    const double share = kShareOfBlock * options_.memory_limit / (kBytesPerFamily + 8.0 * size);
    return std::clamp(share, 1.0, kMostInBlock);
  }

  Proposal propose_all(unsigned size) {
    Proposal proposal;
    proposal.count.resize(nodes_);
    proposal.candidates.resize(nodes_);
    proposed_ = 0;
    parallel_for(*watch_, nodes_, [&](std::size_t v, unsigned) {
      count_candidates(static_cast<Node>(v), size, proposal.count[v], proposal.candidates[v]);
    });
    if (static_cast<double>(proposed_) > most_in_block(size))
      proposal.candidates.clear();
    return proposal;
  }

  std::vector<Candidates> propose_block(unsigned size, const LevelBlock &block) {
    std::vector<Candidates> candidates(nodes_);
    parallel_for(*watch_, nodes_, [&](std::size_t v, unsigned) {
      for_each_candidate(
          static_cast<Node>(v), size, block,
          [&](const std::vector<Node> &set, double best) { candidates[v].add(set, best); },
          [&] { return !watch_->stopped(); });
    });
    return candidates;
  }

  // Tries to replace this level and those after it by branching, node by node (set_branching.h).
  // True if some node has no candidates any more.
  bool branch(const Proposal &proposal, unsigned size) {
    if (score_.regret() == Regret::unknown || data_.source || size <= longest_required_ ||
        SetBranching::bytes(data_) > std::min(kBytesOfBranching, options_.memory_limit / 4))
      return false;
    std::vector<Node> open;
    for (Node v = 0; v < nodes_; ++v)
      if (limit_[v] > size && has_candidates(v, size))
        open.push_back(v);
    const std::size_t before = open.size();
    if (over_budget()) // then some candidates have not been proposed
      branch_beyond_budget(open, size);
    else
      branch_for_level(open, proposal, size);
    return open.size() < before;
  }

  // Branching that costs no more than the level.
  void branch_for_level(std::vector<Node> &open, const Proposal &proposal, unsigned size) {
    std::vector<double> sets(nodes_, 0); // per node: the limit of work, in sets
    double all = 0;
    std::vector<Node> worthwhile;
    for (const Node v : open) {
      sets[v] = proposal.of_node(v);
      if (sets[v] < sets_before_first_step())
        continue;
      worthwhile.push_back(v);
      all += sets[v];
    }
    if (all * cells_per_set() < options_.least_branching)
      return;
    double spent = close(worthwhile, size, sets);
    for (remove_closed(worthwhile, size); !worthwhile.empty() && !watch_->stopped();
         remove_closed(worthwhile, size)) {
      double expected = 0;
      for (const Node v : worthwhile) {
        const double to_come = sets_to_come(v);
        expected += to_come;
        sets[v] = std::max(kPatience * to_come, kLeastMore * proposal.of_node(v));
      }
      if (!(spent + expected <= kWorthwhile * all))
        break;
      spent += close(worthwhile, size, sets);
    }
    remove_closed(open, size);
  }

  // The work that the search of v is expected to take from now on.
  double sets_to_come(Node v) const {
    const SetBranching::Result &search = branched_[v].search;
    const auto rows = static_cast<double>(branching_.at(&rows_of(v))->rows());
    return (search.expected_work() - search.work) / (options_.cells_per_row * rows);
  }

  void branch_beyond_budget(std::vector<Node> &open, unsigned size) {
    const double left = budget_ - scored_;
    const double most = beyond_budget_ + left;
    const auto all = static_cast<double>(open.size());
    double each = std::max(kAtFirst * left / all, kFirstSteps * sets_before_first_step());
    double spent = 0;
    for (; !open.empty() && !watch_->stopped(); each *= kMore) {
      const auto before = static_cast<double>(open.size());
      if (spent + each * before > most ||
          each * before * cells_per_set() < kAtFirst * options_.least_branching)
        return;
      spent += close(open, size, std::vector<double>(nodes_, each));
      remove_closed(open, size);
      const auto after = static_cast<double>(open.size());
      if (spent > left && (after > kStillOpen * all || before - after < kClosing * before))
        return;
    }
  }

  // Work of branching is measured in sets that could be scored in that time.
  double cells_per_set() const { return options_.cells_per_row * static_cast<double>(data_.rows); }
  double sets_before_first_step() const {
    return SetBranching::least_cells_per_row(nodes_) / options_.cells_per_row;
  }

  // Branches within `sets` units of work per node; nodes that are completed have no candidates any
  // more. Returns the work done in all.
  double close(const std::vector<Node> &nodes, unsigned size, const std::vector<double> &sets) {
    const double rows = prepare_branching(nodes);
    std::vector<double> work(nodes.size(), 0);
    parallel_for(*watch_, nodes.size(), [&](std::size_t i, unsigned) {
      const Node v = nodes[i];
      SetBranching::Task task = task_of(v, size);
      task.work = sets[v] * options_.cells_per_row * rows;
      SetBranching::Result &search = branched_[v].search;
      const double before = search.work;
      branching_.at(&rows_of(v))->search(task, search, *watch_);
      work[i] = search.work - before;
      if (!search.complete)
        return;
      branched_[v].complete = static_cast<int>(size) - 1;
      alive_[v] = Level(size - 1, nodes_, 1);
    });
    const double spent =
        std::accumulate(work.begin(), work.end(), 0.0) / (options_.cells_per_row * rows);
    result_.effort += spent;
    return spent;
  }

  const Dataset &rows_of(Node v) const {
    const Dataset *own = score_.rows_of(v);
    return own ? *own : data_;
  }

  // Returns the most distinct rows that tell of one of the nodes.
  double prepare_branching(const std::vector<Node> &nodes) {
    std::size_t rows = 0;
    for (const Node v : nodes) {
      std::unique_ptr<SetBranching> &branching = branching_[&rows_of(v)];
      if (!branching)
        branching = std::make_unique<SetBranching>(rows_of(v), score_);
      rows = std::max(rows, branching->rows());
    }
    return static_cast<double>(rows);
  }

  void remove_closed(std::vector<Node> &open, unsigned size) const {
    open.erase(
        std::remove_if(open.begin(), open.end(), [&](Node v) { return !has_candidates(v, size); }),
        open.end());
  }

  SetBranching::Task task_of(Node v, unsigned size) const {
    SetBranching::Task task;
    task.child = v;
    task.required = required(v);
    task.optional = optional_[v];
    task.least = size;
    task.most = limit_[v];
    task.slack = options_.slack;
    task.known = &result_.sets.nodes[v];
    return task;
  }

  // Scores what branching has found. If the watch stops, the result is as without branching.
  void score_branched(EnumerationResult &found) {
    std::map<unsigned, FamilyBatch> by_size;
    for (Node v = 0; v < nodes_; ++v)
      for (const std::vector<Node> &set : branched_[v].needed()) {
        FamilyBatch &batch = by_size[static_cast<unsigned>(set.size())];
        batch.parents = static_cast<unsigned>(set.size());
        batch.add(v, set.data());
      }
    for (const auto &[size, batch] : by_size) {
      FamilyScores scores;
      score_.score(batch, *watch_, scores);
      if (cut_short_by_watch())
        break;
      for (std::size_t i = 0; i < batch.size(); ++i)
        add_undominated(batch.child[i], batch.parents_of(i), size, scores.score[i], found);
    }
    if (!watch_->stopped())
      return;
    for (Node v = 0; v < nodes_; ++v)
      if (!branched_[v].needed().empty())
        found.complete[v] = branched_[v].complete;
  }

  // Keeps a set unless a subset dominates it; smaller sets have been added before.
  void add_undominated(Node v, const Node *set, unsigned size, double score,
                       EnumerationResult &found) const {
    CandidateSets &kept = found.sets.nodes[v];
    ++found.counted[v];
    for (std::size_t i = 0; i < kept.size(); ++i)
      if (kept.score[i] - options_.slack >= score && kept.size_of(i) < size &&
          std::includes(set, set + size, kept.begin_of(i), kept.end_of(i)))
        return;
    if (score > -kInfinity)
      kept.add(score, set, set + size);
  }

  // Can there be sets of v with so many parents that have not been excluded?
  bool has_candidates(Node v, unsigned size) const {
    return size <= limit_[v] && (size <= required(v).size() || alive_[v].sets.size() > 0);
  }

  // Counts the candidates of v by the largest member of the family, and stores them as long as
  // those of all nodes may fit into one block.
  void count_candidates(Node v, unsigned size, std::vector<double> &count, Candidates &candidates) {
    count.assign(nodes_, 0);
    std::size_t added = 0, polls = 0;
    for_each_candidate(
        v, size, {0, nodes_},
        [&](const std::vector<Node> &set, double best) {
          ++count[set.empty() ? v : std::max(v, set.back())];
          ++added;
          if (static_cast<double>(proposed_) <= most_in_block(size))
            candidates.add(set, best);
        },
        [&] {
          proposed_ += added;
          added = 0;
          return !over_budget() && (polls++ % kSetsPerPoll != 0 || !watch_->stopped());
        });
    proposed_ += added;
  }

  // Calls visit(set, b(proper subsets)) for the candidates of v with `size` parents in a block: its
  // required ones alone, or an alive set with one optional parent more than its last, every subset
  // being alive. Ends when goes_on(), called for every alive set, is false.
  template <class Visit, class GoesOn>
  void for_each_candidate(Node v, unsigned size, const LevelBlock &block, Visit visit,
                          GoesOn goes_on) {
    const auto base = static_cast<unsigned>(required(v).size());
    if (size > limit_[v])
      return;
    if (size == base) {
      const Node largest = required(v).empty() ? v : std::max(v, required(v).back());
      if (largest >= block.first && largest < block.end)
        visit(required(v), -kInfinity);
    }
    if (size <= base)
      return;
    const std::vector<Node> &optional = optional_[v];
    const SetTable &sets = alive_[v].sets;
    std::vector<Node> joined(size), subset(size);
    for (std::size_t i = 0; i < sets.size() && goes_on(); ++i) {
      const Node *set = sets.set(i);
      const Node largest = size == 1 ? v : std::max(v, set[size - 2]);
      if (largest >= block.end)
        continue;
      auto added = size - 1 == base ? optional.begin()
                                    : std::upper_bound(optional.begin(), optional.end(),
                                                       last_optional(v, set, size - 1));
      if (largest < block.first)
        added = std::max(added, std::lower_bound(optional.begin(), optional.end(), block.first));
      for (; added != optional.end() && *added < block.end; ++added) {
        std::merge(set, set + size - 1, &*added, &*added + 1, joined.begin());
        const double best_subset = best_of_subsets(v, joined, subset);
        if (best_subset < kInfinity)
          visit(joined, best_subset);
      }
    }
  }

  // The largest optional member of an alive set of v.
  Node last_optional(Node v, const Node *set, unsigned size) const {
    unsigned i = size - 1;
    while (std::binary_search(required(v).begin(), required(v).end(), set[i]))
      --i;
    return set[i];
  }

  // b(proper subsets of P); +infinity when P need not be counted, nor any superset.
  double best_of_subsets(Node v, const std::vector<Node> &set, std::vector<Node> &subset) const {
    const auto size = static_cast<unsigned>(set.size());
    double best = -kInfinity;
    for (unsigned out = 0; out < size; ++out) {
      if (std::binary_search(required(v).begin(), required(v).end(), set[out]))
        continue;
      std::copy(set.begin(), set.begin() + out, subset.begin());
      std::copy(set.begin() + out + 1, set.end(), subset.begin() + out);
      const std::uint32_t number = alive_[v].sets.find(subset.data());
      if (number == SetTable::kAbsent || never_gains(v, set[out], subset.data(), size - 1))
        return kInfinity;
      best = std::max(best, alive_[v].best[number]);
    }
    return best - options_.slack >= score_.bound(v, set.data(), size) ? kInfinity : best;
  }

  // Can `added` never gain as much as minus the slack, given these parents or more?
  bool never_gains(Node v, Node added, const Node *parents, unsigned size) const {
    if (!score_.bounds_gain() || alive_[added].sets.set_size() != size)
      return false;
    const std::uint32_t number = alive_[added].sets.find(parents);
    return number != SetTable::kAbsent &&
           score_.gain_bound(v, added, parents, size, alive_[added].score[number]) <=
               -options_.slack;
  }

  // For the families of one node, from `first` on: keeps sets that no subset dominates, and leaves
  // alive those that a superset may still improve.
  void keep_or_prune(const FamilyBatch &batch, const FamilyScores &scores, std::size_t first,
                     const std::vector<double> &best_subset, CandidateSets &kept,
                     Level &alive) const {
    for (std::size_t j = 0, i = first; j < best_subset.size(); ++j, ++i) {
      const double score = scores.score[i];
      const Node *set = batch.parents_of(i);
      OPTBN_INVARIANT(about_at_most(score, score_.bound(batch.child[i], set, batch.parents)),
                      "no family scores more than its parents allow");
      if (score > best_subset[j] - options_.slack && score > -kInfinity)
        kept.add(score, set, set + batch.parents);
      const double best = std::max(score, best_subset[j]);
      if (best - options_.slack >= scores.superset_bound[i] || batch.parents == last_)
        continue;
      alive.sets.insert(set);
      alive.score.push_back(score);
      alive.best.push_back(best);
    }
  }

  // Must the current level be left out?
  bool cut_short() { return cut_short_by_watch() || over_budget(); }

  bool cut_short_by_watch() {
    if (!options_.partial)
      throw_if_stopped(*watch_);
    return watch_->stopped();
  }

  bool over_budget() const { return static_cast<double>(proposed_) > budget_ - scored_; }

  bool fits(double families, unsigned size) const {
    const double block = std::min(families, most_in_block(size));
    const double survivors = size == last_ ? 0 : families - block;
    const double needed =
        block * (kBytesPerFamily + 8.0 * size) + survivors * (kBytesPerSurvivor + 2.0 * size);
    if (needed > options_.memory_limit && !options_.partial)
      throw MemoryLimit(needed, options_.memory_limit);
    return needed <= options_.memory_limit;
  }

  // The search for the larger sets of a node.
  struct Branched {
    int complete = 0; // sets of at most so many parents had been scored before it ended
    SetBranching::Result search;

    std::vector<std::vector<Node>> needed() const {
      std::vector<std::vector<Node>> sets;
      if (search.complete)
        std::copy_if(search.sets.begin(), search.sets.end(), std::back_inserter(sets),
                     [this](const std::vector<Node> &set) {
                       return static_cast<int>(set.size()) > complete;
                     });
      return sets;
    }
  };

  const Dataset &data_;
  LocalScore &score_;
  const EnumerationOptions options_;
  Watch *watch_ = nullptr;
  Host unstopped_host_; // never stops: sets that are scored are also kept or pruned
  Watch unstopped_{unstopped_host_};
  const Node nodes_;
  std::atomic<std::size_t> proposed_{0};     // sets of this level
  double scored_ = 0;                        // sets of those before
  double budget_ = 0, beyond_budget_ = 0;    // for sets, and for branching beyond that
  unsigned size_ = 0;                        // of the next level
  Outcome outcome_ = Outcome::goes_on;       // of the last one
  std::vector<std::vector<Node>> optional_;  // per node: its optional parents
  std::vector<unsigned> limit_;              // per node: most parents
  unsigned longest_required_ = 0, last_ = 0; // parents of the largest sets of any node
  std::vector<Level> alive_;                 // of the level before
  // Once it is tried, by the rows that tell of a node.
  std::map<const Dataset *, std::unique_ptr<SetBranching>> branching_;
  std::vector<Branched> branched_; // by node
  EnumerationResult result_;
};

Enumeration::Enumeration(const Dataset &data, LocalScore &score, EnumerationOptions options)
    : levels_(std::make_unique<Levels>(data, score, std::move(options))) {}

Enumeration::~Enumeration() = default;

EnumerationResult Enumeration::go_on(const EnumerationLimits &limits, Watch &watch) {
  levels_->run(limits, watch);
  return levels_->so_far();
}

EnumerationResult enumerate_parent_sets(const Dataset &data, LocalScore &score,
                                        const EnumerationOptions &options, Watch &watch,
                                        const EnumerationLimits &limits) {
  Enumeration::Levels levels(data, score, options);
  levels.run(limits, watch);
  return levels.take();
}

} // namespace optbn
