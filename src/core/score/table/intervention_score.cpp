#include "core/score/table/intervention_score.h"

#include "core/score/table/table_score.h"

#include <map>
#include <stdexcept>

namespace optbn {

namespace {

Dataset without_rows(const Dataset &data, const std::vector<std::size_t> &set) {
  std::vector<bool> left(data.rows, true);
  for (const std::size_t row : set)
    left.at(row) = false;
  Dataset rest;
  rest.columns.resize(data.columns.size());
  for (std::size_t row = 0; row < data.rows; ++row) {
    if (!left[row])
      continue;
    ++rest.rows;
    rest.total += data.weight(row);
    if (data.weighted())
      rest.weights.push_back(data.weights[row]);
    for (std::size_t v = 0; v < data.columns.size(); ++v)
      rest.columns[v].codes.push_back(data.columns[v].codes[row]);
  }
  for (std::size_t v = 0; v < data.columns.size(); ++v)
    rest.columns[v].levels = data.columns[v].levels;
  return rest;
}

} // namespace

InterventionScore::InterventionScore(const Dataset &data,
                                     const std::vector<std::vector<std::size_t>> &set, double iss) {
  if (set.size() != data.columns.size())
    throw std::invalid_argument("rows are set of other nodes");
  std::map<std::vector<std::size_t>, std::size_t> number;
  for (const std::vector<std::size_t> &rows : set) {
    const auto [entry, is_new] = number.try_emplace(rows, parts_.size());
    if (is_new) {
      parts_.push_back(std::make_unique<Part>());
      Part &part = *parts_.back();
      part.rows = without_rows(data, rows);
      part.score = std::make_unique<TableScore>(part.rows, TableKind::bde, iss);
    }
    part_.push_back(entry->second);
  }
}

std::vector<std::vector<std::size_t>>
InterventionScore::by_part(const std::vector<Node> &children) const {
  std::vector<std::vector<std::size_t>> numbers(parts_.size());
  for (std::size_t i = 0; i < children.size(); ++i)
    numbers[part_[children[i]]].push_back(i);
  return numbers;
}

void InterventionScore::score(const FamilyBatch &batch, Watch &watch, FamilyScores &result) {
  result.score.resize(batch.size());
  result.superset_bound.resize(batch.size());
  const std::vector<std::vector<std::size_t>> numbers = by_part(batch.child);
  for (std::size_t p = 0; p < parts_.size() && !watch.stopped(); ++p) {
    if (numbers[p].empty())
      continue;
    FamilyBatch own;
    own.parents = batch.parents;
    for (const std::size_t i : numbers[p])
      own.add(batch.child[i], batch.parents_of(i));
    FamilyScores found;
    parts_[p]->score->score(own, watch, found);
    if (watch.stopped())
      return;
    for (std::size_t i = 0; i < own.size(); ++i) {
      result.score[numbers[p][i]] = found.score[i];
      result.superset_bound[numbers[p][i]] = found.superset_bound[i];
    }
  }
}

void InterventionScore::extend(std::vector<Extensions> &batch, Watch &watch) {
  std::vector<Node> children;
  for (const Extensions &family : batch)
    children.push_back(family.child);
  const std::vector<std::vector<std::size_t>> numbers = by_part(children);
  for (std::size_t p = 0; p < parts_.size() && !watch.stopped(); ++p) {
    if (numbers[p].empty())
      continue;
    std::vector<Extensions> own;
    for (const std::size_t i : numbers[p])
      own.push_back(std::move(batch[i]));
    parts_[p]->score->extend(own, watch);
    for (std::size_t i = 0; i < own.size(); ++i)
      batch[numbers[p][i]] = std::move(own[i]);
  }
}

} // namespace optbn
