// How the k best are found
// ------------------------
// For every subset U of the nodes the k best acyclic choices over U are stored, each as a step
// back: a sink v, one of its candidate sets inside U - v, and the rank of the remaining choice
// among the k best of U - v (Tian, He & Ram 2010, arXiv:1203.3520). For one v the sums "set + rest"
// form a table whose rows and columns decrease, so a heap of |U| fronts yields all sums in
// decreasing order, and few more sums are formed than are used.
//
// One DAG is formed once through each of its sinks, with scores that may differ by rounding, so
// duplicates are recognised not by score but by an identity: the sum of one random 128-bit number
// for each chosen set. Two choices are treated as one if those sums are equal, which happens to
// unequal choices with probability 2^-128.
//
// Classes (Chen & Tian 2014): two DAGs are Markov equivalent when they have the same adjacencies
// and the same v-structures a -> v <- c with a and c not adjacent (Verma & Pearl 1990). When v is
// added as a sink, both change only at v, in a way that is determined by v, its parents and the
// class over U - v: so the identity of a class is a sum of random numbers too, one for each
// adjacency and each v-structure. The score of a class is that of its best member.
//
//   The k best classes over U need only the k best over each U - v: remove the sink v from the best
//   member of a class over U; if k better classes existed over U - v, adding v with the same
//   parents to each would give k better classes over U, all different because a class without its
//   sink is one class. And what is left is the best member of its class over U - v, because a
//   better one with v added would be a better member of the same class over U.
//
// Subsets of one size do not need each other and are the tasks of a parallel loop. Steps are stored
// for all subsets, 8 bytes an entry; scores, identities and adjacencies for two sizes only.
// Time O(2^n n k log(n k)) and the scans for sets inside U - v.

#include "core/structure/k_best.h"

#include "core/base/errors.h"
#include "core/base/invariant.h"
#include "core/base/parallel.h"
#include "core/structure/engines/subset_dp.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace optbn {

namespace {

using Mask = std::uint32_t;

Mask bit(unsigned v) { return Mask{1} << v; }

// A random 128-bit number that identifies a key; a sum of them identifies a set of keys.
struct Identity {
  std::uint64_t upper, lower;

  static Identity of(std::uint64_t key) {
    return {scrambled(key ^ 0x9e3779b97f4a7c15u), scrambled(key ^ 0xd1b54a32d192ed03u)};
  }
  Identity &operator+=(const Identity &other) {
    upper += other.upper;
    lower += other.lower;
    return *this;
  }
  bool operator==(const Identity &other) const {
    return upper == other.upper && lower == other.lower;
  }

private:
  static std::uint64_t scrambled(std::uint64_t z) { // the last steps of splitmix64
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
};

std::uint64_t choice_key(Node v, std::size_t set) { return std::uint64_t{v} << 32 | set; }
std::uint64_t adjacency_key(Node a, Node b) { return std::uint64_t{a} << 8 | b; } // a < b
std::uint64_t v_structure_key(Node a, Node v, Node c) {                           // a < c
  return std::uint64_t{1} << 24 | std::uint64_t{v} << 16 | std::uint64_t{a} << 8 | c;
}

// Adjacencies are bits, one for each pair a < b.
unsigned pair_index(Node a, Node b) { return b * (b - 1u) / 2 + a; }
unsigned pair_words(Node nodes) { return (pair_index(0, nodes) + 63) / 64; }

// A possible entry of U: `sink` with its candidate set number `set` added to the entry number
// `rank` of U - sink.
struct Candidate {
  double score;
  std::uint32_t set;
  std::uint16_t rank;
  Node sink;

  // Is a worse than b? Equal scores: the lower sink, set, rank goes first.
  static bool worse(const Candidate &a, const Candidate &b) {
    if (a.score != b.score)
      return a.score < b.score;
    if (a.sink != b.sink)
      return a.sink > b.sink;
    return a.set != b.set ? a.set > b.set : a.rank > b.rank;
  }
};

// What is stored of every entry until the end.
struct Step {
  std::uint32_t set;
  std::uint16_t rank;
  Node sink;
};

// What is stored of an entry until the next larger subsets are done.
struct Entry {
  double score;
  Identity identity;
};

// The entries of all subsets of one size: room for k for each subset, the first `count` in use.
struct Layer {
  std::vector<Mask> subsets;
  std::vector<std::uint32_t> count;
  std::unique_ptr<Entry[]> entries;
  std::unique_ptr<std::uint64_t[]> adjacent; // classes only: pair_words() words an entry
};

// The identities of one subset's entries.
class IdentitySet {
public:
  explicit IdentitySet(std::size_t k) {
    std::size_t slots = 4;
    while (slots < 2 * k)
      slots *= 2;
    slots_.resize(slots);
  }
  void clear() { std::fill(slots_.begin(), slots_.end(), 0u); }

  // Is it among entries[0 .. count - 1]? If not, adds it as that of entries[count].
  bool find_or_add(const Identity &identity, const Entry *entries, std::uint32_t count) {
    std::size_t slot = identity.lower & (slots_.size() - 1);
    for (; slots_[slot]; slot = (slot + 1) & (slots_.size() - 1))
      if (entries[slots_[slot] - 1].identity == identity)
        return true;
    slots_[slot] = count + 1;
    return false;
  }

private:
  std::vector<std::uint32_t> slots_; // entry number + 1, or 0 for a free slot
};

class KBest {
public:
  KBest(const Problem &problem, unsigned k, bool classes)
      : problem_(problem), n_(problem.size()), k_(k), classes_(classes), words_(pair_words(n_)),
        sets_(n_), index_in_layer_(std::size_t{1} << n_),
        steps_(new Step[index_in_layer_.size() * k]) {
    for (Node v = 0; v < n_; ++v)
      sets_[v] = usable_sets(v);
  }

  std::vector<Network> run(Watch &watch);

private:
  struct Sets {
    std::vector<Mask> parents;
    std::vector<double> score; // decreasing, finite
    std::vector<Identity> identity;
  };
  struct Worker {
    std::vector<Candidate> heap;
    IdentitySet identities;
  };

  Sets usable_sets(Node v) const;
  std::vector<Layer> empty_layers();
  void allocate(Layer &layer) const;
  void fill(Mask nodes, const Layer &smaller, Layer &layer, Worker &worker);
  void push_candidate(Mask others, const Layer &smaller, Candidate candidate, Worker &worker) const;
  Identity identity(const Candidate &candidate, const Entry &rest,
                    const std::uint64_t *adjacent) const;
  void extend_adjacency(const Candidate &candidate, const std::uint64_t *rest,
                        std::uint64_t *result) const;
  Network network(std::uint32_t rank) const;

  const Problem &problem_;
  const Node n_;
  const std::size_t k_;
  const bool classes_;
  const unsigned words_;
  std::vector<Sets> sets_;
  std::vector<std::uint32_t> index_in_layer_; // of a subset in its layer
  std::unique_ptr<Step[]> steps_;             // k for each subset
};

KBest::Sets KBest::usable_sets(Node v) const {
  const Domain &domain = problem_.domains[v];
  Sets sets;
  for (std::size_t i = 0; i < domain.size() && std::isfinite(domain.score[i]); ++i) {
    const Mask parents = static_cast<Mask>(domain.mask[i]);
    Identity identity{};
    if (classes_) {
      for (Node u = 0; u < n_; ++u)
        if (parents & bit(u))
          identity += Identity::of(adjacency_key(std::min(u, v), std::max(u, v)));
    } else {
      identity = Identity::of(choice_key(v, i));
    }
    sets.parents.push_back(parents);
    sets.score.push_back(domain.score[i]);
    sets.identity.push_back(identity);
  }
  return sets;
}

std::vector<Layer> KBest::empty_layers() {
  std::vector<Layer> layers(n_ + 1u);
  for (std::size_t nodes = 0; nodes < index_in_layer_.size(); ++nodes) {
    unsigned size = 0;
    for (std::size_t rest = nodes; rest; rest &= rest - 1)
      ++size;
    index_in_layer_[nodes] = static_cast<std::uint32_t>(layers[size].subsets.size());
    layers[size].subsets.push_back(static_cast<Mask>(nodes));
  }
  return layers;
}

void KBest::allocate(Layer &layer) const {
  const std::size_t entries = layer.subsets.size() * k_;
  layer.count.resize(layer.subsets.size());
  layer.entries.reset(new Entry[entries]);
  if (classes_)
    layer.adjacent.reset(new std::uint64_t[entries * words_]);
}

// Puts the best candidate with this sink and rank, from its set number on, onto the heap.
void KBest::push_candidate(Mask others, const Layer &smaller, Candidate candidate,
                           Worker &worker) const {
  const Sets &sets = sets_[candidate.sink];
  const std::size_t index = index_in_layer_[others];
  if (candidate.rank >= smaller.count[index])
    return;
  while (candidate.set < sets.parents.size() && sets.parents[candidate.set] & ~others)
    ++candidate.set;
  if (candidate.set == sets.parents.size())
    return;
  candidate.score = sets.score[candidate.set] + smaller.entries[index * k_ + candidate.rank].score;
  worker.heap.push_back(candidate);
  std::push_heap(worker.heap.begin(), worker.heap.end(), Candidate::worse);
}

void KBest::fill(Mask nodes, const Layer &smaller, Layer &layer, Worker &worker) {
  const std::size_t index = index_in_layer_[nodes];
  Entry *const entries = layer.entries.get() + index * k_;
  Step *const steps = steps_.get() + nodes * k_;
  std::uint32_t count = 0;
  worker.identities.clear();
  worker.heap.clear();
  for (Node v = 0; v < n_; ++v)
    if (nodes & bit(v))
      push_candidate(nodes ^ bit(v), smaller, {0, 0, 0, v}, worker);
  while (count < k_ && !worker.heap.empty()) {
    const Candidate best = worker.heap.front();
    std::pop_heap(worker.heap.begin(), worker.heap.end(), Candidate::worse);
    worker.heap.pop_back();

    // The table of sums is visited down every column, and along its first row.
    const Mask others = nodes ^ bit(best.sink);
    const std::uint16_t next_rank = static_cast<std::uint16_t>(best.rank + 1);
    push_candidate(others, smaller, {0, best.set, next_rank, best.sink}, worker);
    if (best.rank == 0)
      push_candidate(others, smaller, {0, best.set + 1, 0, best.sink}, worker);

    const std::size_t rest = index_in_layer_[others] * k_ + best.rank;
    const std::uint64_t *const adjacent = classes_ ? &smaller.adjacent[rest * words_] : nullptr;
    const Identity own = identity(best, smaller.entries[rest], adjacent);
    OPTBN_INVARIANT(count == 0 || best.score <= entries[count - 1].score,
                    "the choices over a set of nodes come best first");
    if (worker.identities.find_or_add(own, entries, count))
      continue;
    if (classes_)
      extend_adjacency(best, adjacent, &layer.adjacent[(index * k_ + count) * words_]);
    entries[count] = {best.score, own};
    steps[count] = {best.set, best.rank, best.sink};
    ++count;
  }
  layer.count[index] = count;
}

Identity KBest::identity(const Candidate &candidate, const Entry &rest,
                         const std::uint64_t *adjacent) const {
  const Sets &sets = sets_[candidate.sink];
  Identity result = rest.identity;
  result += sets.identity[candidate.set];
  if (!classes_)
    return result;
  const Mask parents = sets.parents[candidate.set];
  for (Node c = 1; c < n_; ++c)
    if (parents & bit(c))
      for (Node a = 0; a < c; ++a)
        if (const unsigned pair = pair_index(a, c);
            parents & bit(a) && !(adjacent[pair / 64] >> (pair % 64) & 1))
          result += Identity::of(v_structure_key(a, candidate.sink, c));
  return result;
}

void KBest::extend_adjacency(const Candidate &candidate, const std::uint64_t *rest,
                             std::uint64_t *result) const {
  std::copy(rest, rest + words_, result);
  const Node v = candidate.sink;
  for (Node u = 0; u < n_; ++u)
    if (sets_[v].parents[candidate.set] & bit(u)) {
      const unsigned pair = pair_index(std::min(u, v), std::max(u, v));
      result[pair / 64] |= std::uint64_t{1} << (pair % 64);
    }
}

Network KBest::network(std::uint32_t rank) const {
  Network result;
  result.choice.resize(n_);
  for (std::size_t nodes = index_in_layer_.size() - 1; nodes;) {
    const Step &step = steps_[nodes * k_ + rank];
    result.choice[step.sink] = step.set;
    nodes ^= bit(step.sink);
    OPTBN_INVARIANT((sets_[step.sink].parents[step.set] & ~nodes) == 0,
                    "a sink has its parents among the other nodes");
    rank = step.rank;
  }
  result.score = 0;
  for (Node v = 0; v < n_; ++v)
    result.score += problem_.domains[v].score[result.choice[v]];
  return result;
}

std::vector<Network> KBest::run(Watch &watch) {
  constexpr std::size_t kSubsetsPerTask = 16;
  std::vector<Layer> layers = empty_layers();
  allocate(layers[0]);
  layers[0].count[0] = 1;
  layers[0].entries[0] = {0, {0, 0}};
  if (classes_)
    std::fill(&layers[0].adjacent[0], &layers[0].adjacent[words_], 0u);

  watch.restart(std::ldexp(1.0, n_));
  std::vector<Worker> workers(std::max(1u, watch.host().threads), Worker{{}, IdentitySet(k_)});
  for (unsigned size = 1; size <= n_; ++size) {
    Layer &layer = layers[size];
    allocate(layer);
    const std::size_t subsets = layer.subsets.size();
    parallel_for(watch, (subsets + kSubsetsPerTask - 1) / kSubsetsPerTask,
                 [&](std::size_t task, unsigned worker) {
                   const std::size_t begin = task * kSubsetsPerTask;
                   const std::size_t end = std::min(begin + kSubsetsPerTask, subsets);
                   for (std::size_t i = begin; i < end; ++i)
                     fill(layer.subsets[i], layers[size - 1], layer, workers[worker]);
                   watch.advance(end - begin);
                 });
    if (watch.stopped())
      return {};
    layers[size - 1] = Layer();
  }

  std::vector<Network> networks;
  for (std::uint32_t rank = 0; rank < layers[n_].count[0]; ++rank)
    networks.push_back(network(rank));
  if constexpr (kCheckInvariants)
    for (std::uint32_t rank = 0; rank < networks.size(); ++rank)
      OPTBN_INVARIANT(about_equal(networks[rank].score, layers[n_].entries[rank].score),
                      "a network scores what the table has for its steps");
  std::stable_sort(networks.begin(), networks.end(),
                   [](const Network &a, const Network &b) { return a.score > b.score; });
  return networks;
}

} // namespace

double k_best_bytes(Node nodes, unsigned k, bool classes) {
  double layer = 1, smaller = 0, largest_two = 1; // subsets of one size, of the size before it
  for (unsigned size = 1; size <= nodes; ++size) {
    smaller = layer;
    layer *= (nodes + 1.0 - size) / size;
    largest_two = std::max(largest_two, smaller + layer);
  }
  const std::size_t words = classes ? pair_words(nodes) : 0;
  const double entry = double(sizeof(Entry) + words * sizeof(std::uint64_t));
  const double subset = double(2 * sizeof(std::uint32_t) + sizeof(Step) * k);
  return std::ldexp(subset, nodes) + largest_two * (entry * k + sizeof(std::uint32_t));
}

std::vector<Network> k_best(const Problem &problem, unsigned k, bool classes, Watch &watch) {
  if (problem.size() > kSubsetDpNodes || k > kKBestNetworks)
    throw Error("k_best: too many nodes or networks");
  if (k == 0)
    return {};
  return KBest(problem, k, classes).run(watch);
}

} // namespace optbn
