#include "core/score/intervention_score.h"

#include <map>
#include <stdexcept>

namespace optbn {

namespace {

Dataset without_rows(const Dataset &data, const std::vector<std::size_t> &set) {
  std::vector<bool> left(data.rows, true);
  for (const std::size_t row : set)
    left.at(row) = false;
  const auto keep = [&left](const auto &all, auto &kept) {
    for (std::size_t row = 0; row < all.size(); ++row)
      if (left[row])
        kept.push_back(all[row]);
  };
  Dataset rest;
  for (const Column &column : data.columns) {
    Column shorter;
    shorter.levels = column.levels;
    shorter.ordered = column.ordered;
    shorter.holes = column.holes;
    keep(column.codes, shorter.codes);
    keep(column.values, shorter.values);
    rest.columns.push_back(std::move(shorter));
  }
  keep(data.weights, rest.weights);
  rest.rows = data.rows - set.size();
  rest.total = rest.rows;
  if (rest.weighted()) {
    rest.total = 0;
    for (const std::uint32_t weight : rest.weights)
      rest.total += weight;
  }
  return rest;
}

} // namespace

InterventionScore::InterventionScore(const Dataset &data,
                                     const std::vector<std::vector<std::size_t>> &set,
                                     const Factory &make) {
  if (set.size() != data.columns.size())
    throw std::invalid_argument("rows are set of other nodes");
  if (data.source)
    throw std::invalid_argument("rows are set that are not in memory");
  std::map<std::vector<std::size_t>, std::size_t> number;
  for (const std::vector<std::size_t> &rows : set) {
    const auto [entry, is_new] = number.try_emplace(rows, parts_.size());
    if (is_new)
      add_part(without_rows(data, rows), make);
    part_.push_back(entry->second);
  }
}

InterventionScore::InterventionScore(const Dataset &data,
                                     const std::vector<std::shared_ptr<const Dataset>> &left,
                                     const Factory &make) {
  if (left.size() != data.columns.size())
    throw std::invalid_argument("rows are left of other nodes");
  std::map<const Dataset *, std::size_t> number;
  for (const std::shared_ptr<const Dataset> &rows : left) {
    const auto [entry, is_new] = number.try_emplace(rows.get(), parts_.size());
    if (is_new)
      add_part(rows ? *rows : data, make);
    part_.push_back(entry->second);
  }
}

void InterventionScore::add_part(Dataset rows, const Factory &make) {
  parts_.push_back(std::make_unique<Part>());
  parts_.back()->rows = std::move(rows);
  parts_.back()->score = make(parts_.back()->rows);
}

template <class Child>
std::vector<std::vector<std::size_t>> InterventionScore::by_part(std::size_t families,
                                                                 Child child) const {
  std::vector<std::vector<std::size_t>> numbers(parts_.size());
  for (std::size_t i = 0; i < families; ++i)
    numbers[part_[child(i)]].push_back(i);
  return numbers;
}

template <class Family, class Work>
void InterventionScore::divide(std::vector<Family> &batch, Watch &watch, Work work) {
  const auto numbers = by_part(batch.size(), [&](std::size_t i) { return batch[i].child; });
  for (std::size_t p = 0; p < parts_.size() && !watch.stopped(); ++p) {
    if (numbers[p].empty())
      continue;
    std::vector<Family> own;
    for (const std::size_t i : numbers[p])
      own.push_back(std::move(batch[i]));
    work(*parts_[p]->score, own);
    for (std::size_t i = 0; i < own.size(); ++i)
      batch[numbers[p][i]] = std::move(own[i]);
  }
}

template <class Work>
void InterventionScore::divide(const FamilyBatch &batch, Watch &watch, Work work) {
  const auto numbers = by_part(batch.size(), [&](std::size_t i) { return batch.child[i]; });
  for (std::size_t p = 0; p < parts_.size() && !watch.stopped(); ++p) {
    if (numbers[p].empty())
      continue;
    FamilyBatch own;
    own.parents = batch.parents;
    for (const std::size_t i : numbers[p])
      own.add(batch.child[i], batch.parents_of(i));
    work(*parts_[p]->score, own, numbers[p]);
  }
}

void InterventionScore::score(const FamilyBatch &batch, Watch &watch, FamilyScores &result) {
  result.score.resize(batch.size());
  result.superset_bound.resize(batch.size());
  divide(batch, watch,
         [&](LocalScore &score, const FamilyBatch &own, const std::vector<std::size_t> &numbers) {
           FamilyScores found;
           score.score(own, watch, found);
           for (std::size_t i = 0; i < own.size() && !watch.stopped(); ++i) {
             result.score[numbers[i]] = found.score[i];
             result.superset_bound[numbers[i]] = found.superset_bound[i];
           }
         });
}

std::vector<double> InterventionScore::score_nearly(const FamilyBatch &batch, Watch &watch) {
  std::vector<double> scores(batch.size());
  divide(batch, watch,
         [&](LocalScore &score, const FamilyBatch &own, const std::vector<std::size_t> &numbers) {
           const std::vector<double> found = score.score_nearly(own, watch);
           for (std::size_t i = 0; i < own.size() && !watch.stopped(); ++i)
             scores[numbers[i]] = found[i];
         });
  return scores;
}

void InterventionScore::extend(std::vector<Extensions> &batch, Watch &watch) {
  divide(batch, watch,
         [&](LocalScore &score, std::vector<Extensions> &own) { score.extend(own, watch); });
}

void InterventionScore::reduce(std::vector<Reductions> &batch, Watch &watch) {
  divide(batch, watch,
         [&](LocalScore &score, std::vector<Reductions> &own) { score.reduce(own, watch); });
}

// The score of `added` tells of its own rows.
double InterventionScore::gain_bound(Node child, Node added, const Node *parents, unsigned size,
                                     double score_of_added) const {
  if (part_[child] != part_[added])
    return kInfinity;
  return of(child).gain_bound(child, added, parents, size, score_of_added);
}

} // namespace optbn
