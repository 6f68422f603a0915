#include "check.h"
#include "tree_fixtures.h"

#include "core/score/distributed_score.h"
#include "core/score/enumeration.h"
#include "core/score/foreign_score.h"

#include <algorithm>
#include <set>

using namespace fixtures;

namespace {

ScoreSettings labelled(const char *label) {
  ScoreSettings settings;
  settings.label = label;
  settings.k = 2;
  return settings;
}

FamilyScores scores_of(LocalScore &score, const FamilyBatch &batch) {
  const Host host;
  Watch watch(host);
  FamilyScores result;
  score.score(batch, watch, result);
  return result;
}

// All families of so many parents.
FamilyBatch all_families(Node nodes, unsigned parents) {
  FamilyBatch batch;
  batch.parents = parents;
  for (Node v = 0; v < nodes; ++v)
    for (unsigned mask = 0; mask < 1u << nodes; ++mask) {
      std::vector<Node> set;
      for (Node u = 0; u < nodes; ++u)
        if (mask >> u & 1)
          set.push_back(u);
      if (set.size() == parents && !(mask >> v & 1))
        batch.add(v, set.data());
    }
  return batch;
}

std::set<Node> joint_set(const FamilyBatch &batch, std::size_t i) {
  std::set<Node> joint(batch.parents_of(i), batch.parents_of(i) + batch.parents);
  joint.insert(batch.child[i]);
  return joint;
}

// Sends every batch, and counts them.
std::unique_ptr<LocalScore> always_sent(const Dataset &data, const ScoreSettings &settings,
                                        unsigned chunks, unsigned &sent) {
  return std::make_unique<DistributedScore>(
      make_score(data, settings), chunks, 0,
      [&data, &sent, settings](const std::vector<FamilyBatch> &batches) {
        ++sent;
        std::vector<FamilyScores> found;
        for (const FamilyBatch &batch : batches) {
          const auto score = make_score(data, settings);
          found.push_back(batch.size() > 0 ? scores_of(*score, batch) : FamilyScores());
        }
        return found;
      });
}

} // namespace

TEST(distributed_scores_are_those_of_one_place) {
  const Dataset data = random_table(1, 200, 6, 4);
  for (const char *label : {"bde", "bic", "bds", "k2"})
    for (const unsigned chunks : {1u, 2u, 5u}) {
      unsigned sent = 0;
      const auto shared = always_sent(data, labelled(label), chunks, sent);
      const auto alone = make_score(data, labelled(label));
      for (unsigned parents = 0; parents <= 4; ++parents) {
        const FamilyBatch batch = all_families(6, parents);
        const FamilyScores found = scores_of(*shared, batch), wanted = scores_of(*alone, batch);
        CHECK(found.score == wanted.score);
        CHECK(found.superset_bound == wanted.superset_bound);
      }
      CHECK_EQUAL(sent, 4u); // all but the families without parents
    }
}

TEST(distributed_enumeration_finds_the_same_sets) {
  const Dataset data = random_table(2, 300, 7, 3);
  EnumerationOptions options;
  options.rules.max_parents.assign(7, 6);
  options.rules.required.resize(7);
  options.rules.forbidden.resize(7);
  const Host host;
  Watch watch(host), same_watch(host);
  unsigned sent = 0;
  const auto shared = always_sent(data, labelled("bic"), 3, sent);
  const auto alone = make_score(data, labelled("bic"));
  const EnumerationResult found = enumerate_parent_sets(data, *shared, options, watch);
  const EnumerationResult wanted = enumerate_parent_sets(data, *alone, options, same_watch);
  for (Node v = 0; v < 7; ++v) {
    CHECK(found.sets.nodes[v].score == wanted.sets.nodes[v].score);
    CHECK(found.sets.nodes[v].parents == wanted.sets.nodes[v].parents);
  }
  CHECK(found.counted == wanted.counted);
  CHECK(sent > 0);
}

// In blocks that grow while they take little time.
TEST(foreign_scores_are_those_that_were_answered) {
  const Dataset data = random_table(3, 200, 8, 3);
  const auto score = make_score(data, labelled("bic"));
  unsigned asked = 0, alone = 0;
  const auto answer = [&](const FamilyBatch &batch) {
    ++asked;
    alone += batch.size() == 1;
    return scores_of(*score, batch);
  };
  ForeignScore quick(answer, 10), slow(answer, 0);
  const FamilyBatch batch = all_families(8, 3);
  const FamilyScores wanted = scores_of(*score, batch), found = scores_of(quick, batch);
  CHECK(found.score == wanted.score);
  CHECK(found.superset_bound == wanted.superset_bound);
  CHECK(asked < 20);
  asked = alone = 0;
  CHECK(scores_of(slow, batch).score == wanted.score);
  CHECK_EQUAL(asked, batch.size());
  CHECK_EQUAL(alone, asked);
}

TEST(distributed_parts_keep_together_what_shares_work) {
  const Node nodes = 10;
  const FamilyBatch batch = all_families(nodes, 3);
  for (const unsigned chunks : {2u, 3u, 7u}) {
    const std::vector<unsigned> joint = split_batch(batch, LocalScore::Sharing::joint_sets, chunks);
    const std::vector<unsigned> parents = split_batch(batch, LocalScore::Sharing::parents, chunks);
    std::vector<double> sizes(chunks, 0);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      CHECK(joint[i] < chunks && parents[i] < chunks);
      ++sizes[joint[i]];
      for (std::size_t j = 0; j < i; ++j) {
        if (joint_set(batch, i) == joint_set(batch, j))
          CHECK_EQUAL(joint[i], joint[j]);
        if (std::equal(batch.parents_of(i), batch.parents_of(i) + 3, batch.parents_of(j)))
          CHECK_EQUAL(parents[i], parents[j]);
      }
    }
    const double even = static_cast<double>(batch.size()) / chunks;
    if (chunks <= 3) // sets with the same two largest members stay together
      CHECK(*std::max_element(sizes.begin(), sizes.end()) < 1.5 * even);
  }
}

TEST(distributed_score_keeps_small_batches) {
  const Dataset data = random_table(3, 50, 5, 3);
  DistributedScore score(make_score(data, labelled("bde")), 2, 60,
                         [](const std::vector<FamilyBatch> &) -> std::vector<FamilyScores> {
                           CHECK(false);
                           return {};
                         });
  const auto alone = make_score(data, labelled("bde"));
  for (unsigned parents = 0; parents <= 4; ++parents) {
    const FamilyBatch batch = all_families(5, parents);
    CHECK(scores_of(score, batch).score == scores_of(*alone, batch).score);
  }
}

TEST(what_time_ended_elsewhere_is_scored_here_by_who_does_not_heed_it) {
  const Dataset data = random_table(2, 100, 5, 3);
  const FamilyBatch batch = all_families(5, 2);
  DistributedScore score(make_score(data, labelled("bic")), 3, 0,
                         [](const std::vector<FamilyBatch> &batches) {
                           return std::vector<FamilyScores>(batches.size());
                         });
  CHECK(scores_of(score, batch).score ==
        scores_of(*make_score(data, labelled("bic")), batch).score);
}
