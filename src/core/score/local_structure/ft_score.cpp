#include "core/score/local_structure/ft_score.h"

#include "core/score/local_structure/response_lanes.h"
#include "core/score/parent_groups.h"

#include <algorithm>
#include <numeric>

namespace optbn {

// The tables of one parent set after another, on one thread.
class FtScore::Worker {
public:
  explicit Worker(const FtScore &score)
      : score_(score), tally_(score.responses_), leaves_(score.settings_.leaf, score.data_.total) {}

  // best[i] and binning[i], for children[i]: the best score and the binnings of the continuous
  // parents that reach it, packed in mixed radix, first continuous parent least significant.
  std::vector<double> best;
  std::vector<std::size_t> binning;

  void solve(const Node *parents, unsigned size, const std::vector<Node> &children, Watch &watch) {
    watch_ = &watch;
    best.assign(children.size(), -kInfinity);
    binning.assign(children.size(), 0);
    count_cells(parents, size);
    list_table_sizes();
    make_lanes(children);
    copy_cells();
    visit(0, 0, cells_of_table_);
  }

private:
  // The statistics of the occupied cells, in an order in which cells that differ only in the fine
  // bin of the next parent are consecutive, ascending by that bin.
  struct Cells {
    std::vector<std::uint64_t> key;
    std::vector<std::uint32_t> rows;
    std::vector<std::vector<std::uint32_t>> counts; // by discrete lanes
    std::vector<std::vector<double>> moments;       // by normal lanes
  };
  // Cells first..end-1 become the cell `to`.
  struct Run {
    std::size_t first, end, to;
  };
  template <class Lanes> struct Block {
    Lanes lanes;
    std::vector<std::size_t> child; // indices of their responses among the children
  };

  void count_cells(const Node *parents, unsigned size) {
    continuous_.clear();
    std::vector<Digits> digits;
    cells_of_table_ = 1;
    stride_.clear();
    std::uint64_t stride = 1;
    for (const bool discrete : {false, true}) // continuous ones least significant
      for (unsigned i = 0; i < size; ++i) {
        const Predictor &predictor = score_.predictor_[parents[i]];
        if (predictor.bins.empty() != discrete)
          continue;
        digits.push_back({predictor.fine_of_row.data(), predictor.radix});
        if (discrete) {
          cells_of_table_ *= predictor.radix;
        } else {
          continuous_.push_back(&predictor);
          stride_.push_back(stride);
        }
        stride *= predictor.radix;
      }
    tally_.count(digits);
    order_.resize(tally_.cells());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::sort(order_.begin(), order_.end(),
              [&](std::size_t a, std::size_t b) { return tally_.key(a) < tally_.key(b); });
    level_.resize(continuous_.size() + 1);
  }

  // The sizes that tables can have: leaves depend on them if an imaginary sample size is divided.
  void list_table_sizes() {
    sizes_ = {cells_of_table_};
    if (score_.settings_.leaf.iss == 0)
      return;
    for (const Predictor *predictor : continuous_) {
      std::vector<double> larger;
      for (const double size : sizes_)
        for (const std::uint32_t bins : predictor->bins)
          larger.push_back(size * bins);
      std::sort(larger.begin(), larger.end());
      larger.erase(std::unique(larger.begin(), larger.end()), larger.end());
      sizes_ = larger;
    }
  }

  void make_lanes(const std::vector<Node> &children) {
    std::vector<double> shares;
    for (const double size : sizes_)
      shares.push_back(1 / size);
    discrete_.clear();
    normal_.clear();
    for (const std::vector<std::size_t> &block : lane_blocks(score_.responses_, children)) {
      std::vector<Node> nodes;
      for (const std::size_t i : block)
        nodes.push_back(children[i]);
      if (score_.responses_.discrete(nodes[0]))
        discrete_.push_back({DiscreteLanes(score_.responses_, nodes, shares, leaves_), block});
      else
        normal_.push_back({NormalLanes(score_.responses_, nodes, score_.normal_), block});
    }
    for (Cells &cells : level_) {
      cells.counts.resize(discrete_.size());
      cells.moments.resize(normal_.size());
    }
  }

  void copy_cells() {
    Cells &cells = level_[0];
    cells.key.clear();
    cells.rows.clear();
    for (const std::size_t cell : order_) {
      cells.key.push_back(tally_.key(cell));
      cells.rows.push_back(tally_.rows(cell));
    }
    for (std::size_t i = 0; i < discrete_.size(); ++i)
      copy(discrete_[i].lanes, cells.counts[i]);
    for (std::size_t i = 0; i < normal_.size(); ++i)
      copy(normal_[i].lanes, cells.moments[i]);
  }

  template <class Lanes>
  void copy(const Lanes &lanes, std::vector<typename Lanes::Statistic> &to) const {
    to.assign(order_.size() * lanes.stride(), 0);
    for (std::size_t i = 0; i < order_.size(); ++i)
      lanes.copy(tally_, order_[i], to.data() + i * lanes.stride());
  }

  // Tries all binnings of the continuous parents from `depth` on, those before being chosen.
  void visit(std::size_t depth, std::size_t chosen, double size) {
    if (watch_->stopped())
      return;
    if (depth == continuous_.size()) {
      score_table(chosen, size);
      return;
    }
    const Predictor &predictor = *continuous_[depth];
    for (std::size_t i = 0; i < predictor.bins.size(); ++i) {
      merge(depth, i);
      visit(depth + 1, chosen + i * radix(depth), size * predictor.bins[i]);
    }
  }

  // Unit of the parent's binning in a packed choice.
  std::size_t radix(std::size_t depth) const {
    std::size_t unit = 1;
    for (std::size_t i = 0; i < depth; ++i)
      unit *= continuous_[i]->bins.size();
    return unit;
  }

  // Merges the cells of this depth into the bins of one binning of its parent. The cells are sorted
  // by the remaining parents and then this one, so merged cells are runs; the runs are stored by
  // bin, and so sorted by the remaining parents again.
  void merge(std::size_t depth, std::size_t binning_number) {
    const Predictor &predictor = *continuous_[depth];
    const std::vector<std::uint32_t> &bin_of = predictor.bin[binning_number];
    const Cells &from = level_[depth];
    Cells &to = level_[depth + 1];
    next_in_bin_.assign(predictor.bins[binning_number] + 1, 0);
    runs_.clear();
    merged_key_.clear();
    for (std::size_t i = 0; i < from.key.size(); ++i) {
      const std::uint64_t fine = from.key[i] / stride_[depth] % predictor.radix;
      const std::uint64_t key = from.key[i] - (fine - bin_of[fine]) * stride_[depth];
      if (runs_.empty() || merged_key_.back() != key) {
        runs_.push_back({i, i, bin_of[fine]});
        merged_key_.push_back(key);
        ++next_in_bin_[bin_of[fine] + 1];
      }
      ++runs_.back().end;
    }
    std::partial_sum(next_in_bin_.begin(), next_in_bin_.end(), next_in_bin_.begin());
    to.key.resize(runs_.size());
    to.rows.resize(runs_.size());
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      Run &run = runs_[i];
      run.to = next_in_bin_[run.to]++;
      to.key[run.to] = merged_key_[i];
    }
    for (std::size_t i = 0; i < discrete_.size(); ++i)
      merge_statistics(discrete_[i].lanes, from, from.counts[i], to, to.counts[i]);
    for (std::size_t i = 0; i < normal_.size(); ++i)
      merge_statistics(normal_[i].lanes, from, from.moments[i], to, to.moments[i]);
  }

  template <class Lanes>
  void merge_statistics(const Lanes &lanes, const Cells &from,
                        const std::vector<typename Lanes::Statistic> &parts, Cells &to,
                        std::vector<typename Lanes::Statistic> &merged) const {
    const std::size_t stride = lanes.stride();
    merged.resize(runs_.size() * stride);
    for (const Run &run : runs_) {
      auto *to_run = merged.data() + run.to * stride;
      std::copy_n(parts.data() + run.first * stride, stride, to_run);
      std::uint32_t rows = from.rows[run.first];
      for (std::size_t i = run.first + 1; i < run.end; ++i) {
        lanes.merge(to_run, rows, parts.data() + i * stride, from.rows[i], to_run);
        rows += from.rows[i];
      }
      to.rows[run.to] = rows;
    }
  }

  // Scores the table of the last depth.
  void score_table(std::size_t chosen, double size) {
    const Cells &cells = level_.back();
    const std::size_t share =
        sizes_.size() == 1
            ? 0
            : static_cast<std::size_t>(std::lower_bound(sizes_.begin(), sizes_.end(), size) -
                                       sizes_.begin());
    for (std::size_t i = 0; i < discrete_.size(); ++i)
      score_block(discrete_[i], cells.rows, cells.counts[i], share, chosen);
    for (std::size_t i = 0; i < normal_.size(); ++i)
      score_block(normal_[i], cells.rows, cells.moments[i], share, chosen);
  }

  template <class Lanes>
  void score_block(const Block<Lanes> &block, const std::vector<std::uint32_t> &rows,
                   const std::vector<typename Lanes::Statistic> &statistics, std::size_t share,
                   std::size_t chosen) {
    double sum[kLanes] = {}, leaf[kLanes] = {};
    for (std::size_t cell = 0; cell < rows.size(); ++cell) {
      block.lanes.leaf(statistics.data() + cell * block.lanes.stride(), rows[cell],
                       static_cast<std::uint32_t>(share), leaf);
      for (unsigned lane = 0; lane < kLanes; ++lane)
        sum[lane] += leaf[lane];
    }
    for (std::size_t lane = 0; lane < block.child.size(); ++lane) {
      const std::size_t child = block.child[lane];
      if (sum[lane] > best[child]) {
        best[child] = sum[lane];
        binning[child] = chosen;
      }
    }
  }

  const FtScore &score_;
  Watch *watch_ = nullptr;
  CellTally tally_;
  DirichletLeaves leaves_;
  std::vector<const Predictor *> continuous_;
  std::vector<std::uint64_t> stride_; // in the keys, of the continuous parents
  double cells_of_table_ = 1;         // over the discrete parents
  std::vector<double> sizes_;         // that tables can have, ascending
  std::vector<std::size_t> order_;    // of the tally's cells
  std::vector<Cells> level_;          // by depth
  std::vector<Run> runs_;
  std::vector<std::uint64_t> merged_key_;
  std::vector<std::size_t> next_in_bin_;
  std::vector<Block<DiscreteLanes>> discrete_;
  std::vector<Block<NormalLanes>> normal_;
};

FtScore::FtScore(const Dataset &data, const ScoreSettings &settings)
    : data_(data), settings_(settings), responses_(data, settings.scale),
      normal_(settings.leaf, data.total) {
  for (Node v = 0; v < data.size(); ++v)
    predictor_.push_back(make_predictor(data.columns[v], settings.cuts[v]));
}

FtScore::Predictor FtScore::make_predictor(const Column &column, const BinCuts &binnings) {
  Predictor predictor;
  if (column.discrete()) {
    predictor.radix = column.levels;
    predictor.fine_of_row.assign(column.codes.begin(), column.codes.end());
    return predictor;
  }
  std::vector<double> fine;
  for (const std::vector<double> &cuts : binnings)
    fine.insert(fine.end(), cuts.begin(), cuts.end());
  std::sort(fine.begin(), fine.end());
  fine.erase(std::unique(fine.begin(), fine.end()), fine.end());
  const auto not_above = [](const std::vector<double> &cuts, double x) {
    return static_cast<std::uint32_t>(std::upper_bound(cuts.begin(), cuts.end(), x) - cuts.begin());
  };
  predictor.radix = static_cast<std::uint32_t>(fine.size() + 1);
  for (const double x : column.values)
    predictor.fine_of_row.push_back(not_above(fine, x));
  for (const std::vector<double> &cuts : binnings) {
    std::vector<std::uint32_t> bin{0}; // below all cuts; then from each cut on
    for (const double cut : fine)
      bin.push_back(not_above(cuts, cut));
    predictor.bin.push_back(std::move(bin));
    predictor.bins.push_back(static_cast<std::uint32_t>(cuts.size() + 1));
    predictor.radix = std::max(predictor.radix, predictor.bins.back()); // cuts may coincide
  }
  return predictor;
}

void FtScore::score(const FamilyBatch &batch, Watch &watch, FamilyScores &result) {
  result.superset_bound.assign(batch.size(), kInfinity);
  const ParentGroups groups(batch, data_.size());
  const auto binnings = [&](std::size_t g) {
    double product = 1;
    for (unsigned i = 0; i < batch.parents; ++i)
      product *= static_cast<double>(
          std::max<std::size_t>(predictor_[groups.parents(g)[i]].bins.size(), 1));
    return product;
  };
  groups.score(
      watch, result, [&] { return std::make_unique<Worker>(*this); }, binnings,
      [&](Worker & worker, std::size_t g, const std::vector<Node> &children) -> auto & {
        worker.solve(groups.parents(g), batch.parents, children, watch);
        return worker.best;
      });
}

std::vector<std::size_t> FtScore::best_binnings(Node child, const std::vector<Node> &parents,
                                                Watch &watch) const {
  Worker worker(*this);
  worker.solve(parents.data(), static_cast<unsigned>(parents.size()), {child}, watch);
  std::vector<std::size_t> binnings;
  std::size_t packed = worker.binning[0];
  for (const Node parent : parents) {
    const std::size_t count = std::max<std::size_t>(predictor_[parent].bins.size(), 1);
    binnings.push_back(packed % count);
    packed /= count;
  }
  return binnings;
}

} // namespace optbn
