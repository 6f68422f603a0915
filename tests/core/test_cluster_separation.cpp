#include "check.h"
#include "dual_fixtures.h"

#include "core/structure/bounds/cuts/cluster_separation.h"

using namespace optbn;
using namespace fixtures;

namespace {

std::vector<ViolatedCluster<1>> separate(const FractionalNetwork<1> &network) {
  Host host;
  Watch watch(host);
  double work = 0;
  return violated_clusters(network, .01, 1, watch, work);
}

// Up to three sets a node, of random weights.
FractionalNetwork<1> random_network(Node n, Random &random) {
  FractionalNetwork<1> network;
  network.support.resize(n);
  for (Node v = 0; v < n; ++v) {
    double rest = 1;
    for (unsigned i = 0; i < 3; ++i) {
      BitSet<1> set = random_nodes(n, random) & random_nodes(n, random);
      set.erase(v);
      const double weight = i == 2 ? rest : rest * random.uniform();
      network.support[v].push_back({set, weight});
      rest -= weight;
    }
  }
  return network;
}

double violation(const FractionalNetwork<1> &network, const Cluster<1> &cluster) {
  double counted = 0;
  cluster.nodes.for_each([&](unsigned v) {
    for (const auto &weighted : network.support[v])
      if (cluster.counts(weighted.set))
        counted += weighted.weight;
  });
  return cluster.k - counted;
}

} // namespace

TEST(separation_finds_a_directed_cycle) {
  FractionalNetwork<1> network;
  network.support.resize(6);
  for (Node v = 0; v < 3; ++v)
    network.support[v].push_back({BitSet<1>::of((v + 1u) % 3), 1});
  for (Node v = 3; v < 6; ++v)
    network.support[v].push_back({BitSet<1>(), 1});
  const auto found = separate(network);
  CHECK(!found.empty());
  if (!found.empty()) {
    CHECK(found.front().cluster.nodes == BitSet<1>::first(3));
    CHECK_EQUAL(found.front().cluster.k, 1u);
    CHECK_NEAR(found.front().violation, 1, 1e-12);
  }
}

TEST(separation_computes_the_violation) {
  Random random(1);
  unsigned clusters = 0;
  for (unsigned trial = 0; trial < 30; ++trial) {
    const FractionalNetwork<1> network = random_network(10, random);
    double last = 100;
    for (const ViolatedCluster<1> &found : separate(network)) {
      CHECK(found.cluster.nodes.size() > found.cluster.k);
      CHECK(found.violation > .01 && found.violation <= last);
      CHECK_NEAR(found.violation, violation(network, found.cluster), 1e-9);
      last = found.violation;
      clusters += found.cluster.k > 1;
    }
  }
  CHECK(clusters > 10);
}

TEST(separation_misses_few_of_the_violated) {
  Random random(2);
  unsigned found = 0, violated = 0;
  for (unsigned trial = 0; trial < 60; ++trial) {
    const FractionalNetwork<1> network = random_network(6, random);
    double most = 0;
    for (unsigned nodes = 1; nodes < 64; ++nodes)
      for (unsigned k = 1; k <= 3; ++k) {
        Cluster<1> cluster{{}, k, 0};
        cluster.nodes.word[0] = nodes;
        if (cluster.nodes.size() > k)
          most = std::max(most, violation(network, cluster));
      }
    const auto clusters = separate(network);
    violated += most > .01;
    found += !clusters.empty() && clusters.front().violation > most - 1e-9;
  }
  CHECK(violated > 20);
  CHECK(found >= violated * 9 / 10);
}

TEST(separation_finds_nothing_in_mixtures_of_networks) {
  Random random(3);
  for (unsigned trial = 0; trial < 20; ++trial) {
    FractionalNetwork<1> network;
    network.support.resize(8);
    for (unsigned part = 0; part < 3; ++part) {
      std::vector<Node> order{0, 1, 2, 3, 4, 5, 6, 7};
      random.shuffle(order);
      BitSet<1> before;
      for (const Node v : order) {
        network.support[v].push_back({before & random_nodes(8, random), 1. / 3});
        before.insert(v);
      }
    }
    CHECK(separate(network).empty());
  }
}

TEST(separation_is_the_same_with_wider_masks) {
  Random random(4);
  const FractionalNetwork<1> narrow = random_network(12, random);
  FractionalNetwork<2> wide;
  wide.support.resize(12);
  for (Node v = 0; v < 12; ++v)
    for (const auto &weighted : narrow.support[v]) {
      BitSet<2> set;
      set.word[0] = weighted.set.word[0];
      wide.support[v].push_back({set, weighted.weight});
    }
  Host host;
  Watch watch(host);
  const auto a = separate(narrow);
  double work = 0;
  const auto b = violated_clusters(wide, .01, 1, watch, work);
  CHECK(work > 0);
  CHECK_EQUAL(a.size(), b.size());
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
    CHECK(a[i].cluster.nodes.word[0] == b[i].cluster.nodes.word[0]);
}
