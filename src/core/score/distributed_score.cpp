#include "core/score/distributed_score.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace optbn {

namespace {

// To send a family and its scores back takes about so long.
constexpr double kSecondsToSend = 1e-6;
// Times of short batches are inaccurate, so estimates of growth are capped.
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

std::vector<unsigned> split_by_joint_sets(const FamilyBatch &batch, unsigned chunks) {
  std::vector<unsigned> chunk(batch.size());
  for (std::size_t i = 0; i < batch.size(); ++i)
    chunk[i] = static_cast<unsigned>(top_pair(batch.child[i], batch.parents_of(i), batch.parents) %
                                     chunks);
  return chunk;
}

std::vector<unsigned> split_by_parents(const FamilyBatch &batch, unsigned chunks) {
  std::vector<unsigned> chunk(batch.size());
  for (std::size_t i = 0; i < batch.size(); ++i) {
    std::uint64_t hash = 0;
    for (unsigned j = 0; j < batch.parents; ++j)
      hash = (hash ^ batch.parents_of(i)[j]) * 0x9e3779b97f4a7c15u;
    chunk[i] = static_cast<unsigned>((hash >> 32) % chunks);
  }
  return chunk;
}

} // namespace

std::vector<unsigned> split_batch(const FamilyBatch &batch, LocalScore::Sharing sharing,
                                  unsigned chunks) {
  return sharing == LocalScore::Sharing::joint_sets ? split_by_joint_sets(batch, chunks)
                                                    : split_by_parents(batch, chunks);
}

DistributedScore::DistributedScore(std::unique_ptr<LocalScore> local, unsigned chunks,
                                   double seconds, Send send)
    : local_(std::move(local)), chunks_(chunks), seconds_(seconds), send_(std::move(send)) {}

void DistributedScore::score(const FamilyBatch &batch, Watch &watch, FamilyScores &result) {
  if (is_worth_sending(batch) && score_remotely(batch, result))
    watch.advance(batch.size());
  else if (!watch.stopped()) // some work ends without a look at the watch
    score_locally(batch, watch, result);
}

std::vector<double> DistributedScore::score_nearly(const FamilyBatch &batch, Watch &watch) {
  return extends_fast() ? local_->score_nearly(batch, watch)
                        : LocalScore::score_nearly(batch, watch);
}

void DistributedScore::extend(std::vector<Extensions> &batch, Watch &watch) {
  extends_fast() ? local_->extend(batch, watch) : LocalScore::extend(batch, watch);
}

void DistributedScore::reduce(std::vector<Reductions> &batch, Watch &watch) {
  extends_fast() ? local_->reduce(batch, watch) : LocalScore::reduce(batch, watch);
}

// Families without parents are few, and no time of a smaller batch is known.
bool DistributedScore::is_worth_sending(const FamilyBatch &batch) const {
  if (batch.parents == 0)
    return false;
  if (seconds_ <= 0)
    return true;
  return seconds_per_family_ >= kSecondsToSend &&
         seconds_per_family_ * static_cast<double>(batch.size()) >= seconds_;
}

void DistributedScore::score_locally(const FamilyBatch &batch, Watch &watch, FamilyScores &result) {
  const auto begun = std::chrono::steady_clock::now();
  local_->score(batch, watch, result);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun;
  const double seconds = taken.count() / static_cast<double>(batch.size());
  const double growth = batch.parents > 1 && last_seconds_ > 0 ? seconds / last_seconds_ : 1;
  seconds_per_family_ = seconds * std::min(std::max(growth, 1.0), kMostGrowth);
  last_seconds_ = seconds;
}

bool DistributedScore::score_remotely(const FamilyBatch &batch, FamilyScores &result) {
  const std::vector<unsigned> chunk = split_batch(batch, local_->sharing(), chunks_);
  FamilyBatch none;
  none.parents = batch.parents;
  std::vector<FamilyBatch> batches(chunks_, none);
  std::vector<std::vector<std::size_t>> families(chunks_);
  for (std::size_t i = 0; i < batch.size(); ++i) {
    batches[chunk[i]].add(batch.child[i], batch.parents_of(i));
    families[chunk[i]].push_back(i);
  }
  result.score.resize(batch.size());
  result.superset_bound.resize(batch.size());
  const std::vector<FamilyScores> found = send_(batches);
  for (unsigned p = 0; p < chunks_; ++p) {
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
