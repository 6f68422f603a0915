#include "core/score/distributed_score.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace optbn {

namespace {

// A family that takes less costs as much to send, with what comes back.
constexpr double kSecondsToSend = 1e-6;
// Short batches are timed badly, so growth is not believed beyond this.
constexpr double kMostGrowth = 4;

// The number, in colexicographic order of pairs, of the two largest members of a family's joint
// set.
std::size_t top_pair(Node child, const Node *parents, unsigned size) {
  std::size_t first = child, second = 0;
  for (unsigned i = size - std::min(size, 2u); i < size; ++i) {
    second = std::max(second, std::min<std::size_t>(first, parents[i]));
    first = std::max<std::size_t>(first, parents[i]);
  }
  return first * (first - (first > 0)) / 2 + second;
}

std::vector<unsigned> cut_by_joint_sets(const FamilyBatch &batch, unsigned parts) {
  std::vector<unsigned> part(batch.size());
  for (std::size_t i = 0; i < batch.size(); ++i)
    part[i] =
        static_cast<unsigned>(top_pair(batch.child[i], batch.parents_of(i), batch.parents) % parts);
  return part;
}

std::vector<unsigned> cut_by_parents(const FamilyBatch &batch, unsigned parts) {
  std::vector<unsigned> part(batch.size());
  for (std::size_t i = 0; i < batch.size(); ++i) {
    std::uint64_t hash = 0;
    for (unsigned j = 0; j < batch.parents; ++j)
      hash = (hash ^ batch.parents_of(i)[j]) * 0x9e3779b97f4a7c15u;
    part[i] = static_cast<unsigned>((hash >> 32) % parts);
  }
  return part;
}

} // namespace

std::vector<unsigned> cut_batch(const FamilyBatch &batch, LocalScore::Sharing sharing,
                                unsigned parts) {
  return sharing == LocalScore::Sharing::joint_sets ? cut_by_joint_sets(batch, parts)
                                                    : cut_by_parents(batch, parts);
}

DistributedScore::DistributedScore(std::unique_ptr<LocalScore> here, unsigned parts, double seconds,
                                   Send send)
    : here_(std::move(here)), parts_(parts), seconds_(seconds), send_(std::move(send)) {}

void DistributedScore::score(const FamilyBatch &batch, Watch &watch, FamilyScores &result) {
  if (is_worth_sending(batch) && score_elsewhere(batch, result))
    watch.advance(batch.size());
  else if (!watch.stopped()) // which some work does not heed
    score_here(batch, watch, result);
}

std::vector<double> DistributedScore::score_nearly(const FamilyBatch &batch, Watch &watch) {
  return extends_fast() ? here_->score_nearly(batch, watch)
                        : LocalScore::score_nearly(batch, watch);
}

void DistributedScore::extend(std::vector<Extensions> &batch, Watch &watch) {
  extends_fast() ? here_->extend(batch, watch) : LocalScore::extend(batch, watch);
}

void DistributedScore::reduce(std::vector<Reductions> &batch, Watch &watch) {
  extends_fast() ? here_->reduce(batch, watch) : LocalScore::reduce(batch, watch);
}

// Without parents there is nothing to go by, and nothing to share out.
bool DistributedScore::is_worth_sending(const FamilyBatch &batch) const {
  if (batch.parents == 0)
    return false;
  if (seconds_ <= 0)
    return true;
  return seconds_per_family_ >= kSecondsToSend &&
         seconds_per_family_ * static_cast<double>(batch.size()) >= seconds_;
}

void DistributedScore::score_here(const FamilyBatch &batch, Watch &watch, FamilyScores &result) {
  const auto begun = std::chrono::steady_clock::now();
  here_->score(batch, watch, result);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun;
  const double seconds = taken.count() / static_cast<double>(batch.size());
  const double growth = batch.parents > 1 && last_seconds_ > 0 ? seconds / last_seconds_ : 1;
  seconds_per_family_ = seconds * std::min(std::max(growth, 1.0), kMostGrowth);
  last_seconds_ = seconds;
}

bool DistributedScore::score_elsewhere(const FamilyBatch &batch, FamilyScores &result) {
  const std::vector<unsigned> part = cut_batch(batch, here_->sharing(), parts_);
  FamilyBatch none;
  none.parents = batch.parents;
  std::vector<FamilyBatch> batches(parts_, none);
  std::vector<std::vector<std::size_t>> families(parts_);
  for (std::size_t i = 0; i < batch.size(); ++i) {
    batches[part[i]].add(batch.child[i], batch.parents_of(i));
    families[part[i]].push_back(i);
  }
  result.score.resize(batch.size());
  result.superset_bound.resize(batch.size());
  const std::vector<FamilyScores> found = send_(batches);
  for (unsigned p = 0; p < parts_; ++p) {
    if (found[p].score.size() < families[p].size())
      return false;
    for (std::size_t i = 0; i < families[p].size(); ++i) {
      result.score[families[p][i]] = found[p].score[i];
      result.superset_bound[families[p][i]] = found[p].superset_bound[i];
    }
  }
  return true;
}

} // namespace optbn
