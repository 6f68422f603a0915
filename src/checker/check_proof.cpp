// check-proof: checks a proof that no Bayesian network over given candidate parent sets scores more
// than a bound. It shares no code with the search that wrote the proof, and trusts none of it.
//
//     check-proof sets.jkl proof.gz       exit status 0: what is proved; 1: why nothing is
//
// Arithmetic is on whole numbers, in each part of the problem in units of its own, 2^-bits. A set
// costs what its score, the double nearest to the decimal in the file, loses against its node's
// best: the double nearest to that difference, rounded down to whole units.
// What has to be believed:
//
// 1. Parts. Each node is in one part. A network's choices, cut down to the parents in a part, are
//    acyclic there: the least costs of the parts add up to a bound. A set that costs no less than a
//    subset of its own is not needed.
// 2. Clusters. In any order, the first k members of a cluster have fewer than k parents in it.
// 3. Groups. Charges on the choices of a few nodes among one another add up to at least those of
//    the cheapest acyclic choice, which is found here by dynamic programming.
// 4. Weak duality. Whatever the prices in (2) and the charges in (3), right-hand sides and the
//    least reduced cost of each node (cost less prices of clusters in which it counts, less
//    charges) are together at most the cost of any network.
// 5. Prefixes. If the nodes of U come first, (2) and (3) hold for the others with what U leaves of
//    right-hand sides, and each node of U costs its cheapest set there. Of a node's sets, those
//    after the first one inside U are not needed. What the others cost depends on U, not on its
//    order: a bound on it holds wherever U is met. Claims about U rest on claims about larger
//    prefixes only, so it does not matter which is proved first.
// 6. Closed sets. Nodes with no possible parent but themselves and U can come next without loss.
// 7. Splits. Either u is a parent of v, and v none of u, or it is not.
// 8. Exclusion. A set is in no network below the target if its reduced cost exceeds its node's
//    least by what the bound lacks to it, or more.
#include <zlib.h>

#include <algorithm>
#include <bitset>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace {

using Cost = long long;
__extension__ typedef __int128 Wide;
using Index = std::size_t;
constexpr Cost kMost = Cost{1} << 60; // no sum of costs or prices may reach this
constexpr int kMostBits = 44;
constexpr Index kMostGroup = 12, kMostTable = 28, kMostText = Index{1} << 32;

void require(bool holds, const char *otherwise) {
  if (!holds)
    throw std::runtime_error(otherwise);
}

Cost whole_number(const std::string &word, Cost least, Cost most) {
  char *end = nullptr;
  const Cost value = std::strtoll(word.c_str(), &end, 10);
  require(!word.empty() && !*end, "a whole number is missing");
  require(value >= least && value <= most, "a number is out of range");
  return value;
}

// The words of a file, plain or compressed; empty ones at its end.
class Words {
public:
  explicit Words(const char *name) {
    const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(name, "rb"), gzclose);
    require(file != nullptr, "a file cannot be opened");
    std::string block(1 << 16, ' ');
    for (int read; (read = gzread(file.get(), &block[0], 1 << 16)) != 0;) {
      require(read > 0 && text_.size() < kMostText, "a file is damaged or too large");
      text_.append(block, 0, static_cast<Index>(read));
    }
  }
  std::string next() {
    const Index begin = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
    at_ = std::min(text_.find_first_of(" \t\r\n", begin), text_.size());
    return text_.substr(begin, at_ - begin);
  }
  Cost number(Cost least, Cost most) { return whole_number(next(), least, most); }
  Index index(Index size) { return static_cast<Index>(number(0, static_cast<Cost>(size) - 1)); }

private:
  std::string text_;
  Index at_ = 0;
};

// --- candidate parent sets ------------------------------------------------------------------------

struct ScoredSet {
  double score;
  std::vector<Index> parents; // ascending
};
using Candidates = std::vector<std::vector<ScoredSet>>; // by node, best first

Candidates read_sets(const char *name) {
  Words file(name);
  Candidates sets(file.index(1 << 16));
  std::unordered_map<std::string, Index> number; // of names, as they come
  std::vector<Index> position;                   // by number
  const auto node = [&] {
    position.resize(number.size() + 1, sets.size());
    return number.try_emplace(file.next(), number.size()).first->second;
  };
  for (Index i = 0; i < sets.size(); ++i) {
    const Index v = node();
    require(position[v] == sets.size(), "a node is listed twice");
    position[v] = i;
    for (Cost left = file.number(1, kMost); left > 0; --left) {
      const std::string score = file.next();
      char *end = nullptr;
      ScoredSet set{std::strtod(score.c_str(), &end), {}};
      require(!score.empty() && !*end && std::isfinite(set.score), "a score is no number");
      for (Index parents = file.index(sets.size()); parents > 0; --parents)
        set.parents.push_back(node());
      sets[i].push_back(std::move(set));
    }
  }
  require(file.next().empty() && number.size() == sets.size(), "the sets are damaged");
  for (std::vector<ScoredSet> &of_node : sets) {
    for (ScoredSet &set : of_node) {
      for (Index &u : set.parents)
        u = position[u];
      std::sort(set.parents.begin(), set.parents.end());
    }
    std::sort(of_node.begin(), of_node.end(), [](const ScoredSet &a, const ScoredSet &b) {
      const Index p = a.parents.size(), q = b.parents.size();
      return std::tie(b.score, p, a.parents) < std::tie(a.score, q, b.parents);
    });
  }
  return sets;
}

// In whole units of 2^-bits, by floor or ceil: all three operations are exact.
Cost in_units(double x, int bits, double (*round)(double)) {
  const double units = round(std::ldexp(x, bits));
  require(std::fabs(units) < static_cast<double>(kMost), "a score is too large for these units");
  return static_cast<Cost>(units);
}

// --- bounds ---------------------------------------------------------------------------------------

template <Index N> using Set = std::bitset<N>;
template <Index N> bool inside(const Set<N> &a, const Set<N> &b) { return (a & ~b).none(); }
template <Index N> bool meets(const Set<N> &a, const Set<N> &b) { return (a & b).any(); }

// What a few nodes may have, by node: cost and set as bits, cheapest first.
using Choices = std::vector<std::vector<std::pair<Cost, Index>>>;

// By subset of a few nodes: what the others cost at least if those come first. It is decided of one
// node after another, from the last, whether it is in the subset, which leaves ever fewer choices.
class Completions {
public:
  std::vector<Cost> least;

  explicit Completions(Choices choices)
      : least(Index{1} << choices.size(), kMost), n_(choices.size()) {
    for (auto &of_node : choices)
      std::sort(of_node.begin(), of_node.end());
    left_.assign(n_ + 1, choices);
    least.back() = 0;
    decide(n_, 0);
  }

private:
  void decide(Index undecided, Index first) {
    if (undecided <= kFew) {
      for (Index low = Index{1} << undecided; low-- > 0;)
        find(first | low, left_[undecided]);
      return;
    }
    const Index v = undecided - 1;
    for (const Index in : {1, 0}) {
      const Index now = first | in << v;
      for (Index i = 0; i < n_; ++i) {
        left_[v][i].clear();
        for (const auto &choice : left_[undecided][i]) {
          if (in || !(choice.second >> v & 1))
            left_[v][i].push_back(choice);
          if (!(choice.second & ~now))
            break; // it fits whatever is decided
        }
      }
      decide(v, now);
    }
  }
  void find(Index first, const Choices &choices) {
    for (Index i = 0; i < n_; ++i)
      for (auto choice = choices[i].begin(); !(first >> i & 1) && choice != choices[i].end();
           ++choice)
        if (!(choice->second & ~first)) {
          least[first] = std::min(least[first], choice->first + least[first | Index{1} << i]);
          break;
        }
  }

  static constexpr Index kFew = 7;
  const Index n_;
  std::vector<Choices> left_; // by how many nodes are undecided
};

// A cluster, whose members are charged its price where they count, or a group (k = 0).
template <Index N> struct Row {
  Set<N> nodes{};
  Index k = 0;
  Cost price = 1;
  std::vector<Index> members{}; // of a group
  std::vector<Cost> charge{};   // of members[i] with these parents: [i << members.size() | pattern]
  std::vector<Cost> left{};     // by pattern of a prefix: the right-hand side

  Index pattern(const Set<N> &set) const {
    Index pattern = 0;
    for (Index i = 0; i < members.size(); ++i)
      pattern |= Index{set[members[i]]} << i;
    return pattern;
  }
  Cost charge_of(Index v, const Set<N> &set) const {
    if (k > 0)
      return (k == 1 ? !meets(set, nodes) : (set & nodes).count() < k) ? price : 0;
    const auto i = std::find(members.begin(), members.end(), v) - members.begin();
    return charge[static_cast<Index>(i) << members.size() | pattern(set)];
  }
  Cost right_hand_side(const Set<N> &prefix) const {
    if (k == 0)
      return left[pattern(prefix)];
    const Index first = meets(prefix, nodes) ? (prefix & nodes).count() : 0;
    return static_cast<Cost>(k - std::min(k, first)) * price;
  }
};

template <Index N> struct Option {
  Set<N> set;
  Cost cost;
};
template <Index N> using Options = std::vector<Option<N>>;
using Costs = std::vector<Cost>;

// The sets that a node may still have, cheapest first, their reduced costs, and at most the least of
// these. Where some are inside the prefix, the first such is the last.
template <Index N> struct Domain {
  std::shared_ptr<const Options<N>> options, all; // all: those excluded by bounds, too
  std::shared_ptr<const Costs> reduced;
  Cost least = 0;
  Set<N> parents = Set<N>().set(); // in some set; or more
};

// Of a prefix: what the others cost at least; the same, as far as claims hold; and the least cost
// of the prefix at which it is claimed that with it no network is below the target.
struct Claim {
  Cost rest = 0, shown = 0, cost = kMost;
};
template <Index N> using Claims = std::unordered_map<Set<N>, Claim>;

template <Index N> struct Frame {
  Set<N> prefix{}, rest{}, listed{}; // nodes; those that may come next
  Cost cost = 0, bound = 0;          // of the prefix; by these rows
  Cost proved = 0;                   // the best bound so far, at most the target
  std::vector<Domain<N>> domains{};  // of the rest
  std::vector<std::shared_ptr<const Row<N>>> rows{};
  std::shared_ptr<Claims<N>> claims = std::make_shared<Claims<N>>();
  bool covered = false;          // by what may come next
  std::pair<Index, Index> arc{}; // of a split
  unsigned sides = 0, side = 0;  // proved; which one of the split below this is
};

// A part of the problem. Its proof is a list of steps in a stack of frames:
//     cK hexadecimal  a cluster and its k; the last bit is node 0
//     gM nodes... n (member pattern charge)...   a group; ~ forgets all rows
//     dN (row price)...   a dual, by which sets are excluded
//     kC                  the cutoff of exclusion, from now on
//     t                   dynamic programming
//     +, +V, -            a new frame: the same, or with V appended; its end
//     yU V, nU V, =, -    with the arc from U to V; without it; the same, but what is claimed in it
//                         holds there only; its end
//     x                   what was excluded stays so, whatever the dual
//     NUMBER, r           the price of this cluster rises as far as it can; r: of the row after all
//                         that a step has called, or that were there at the last dual
//     sV, *V              V may come next; no other may, as V is in a closed set of these
//     .                   the end
template <Index N> class Part {
public:
  Part(const std::vector<Options<N>> &domains, Cost target, Words &words)
      : n_(domains.size()), target_(target), words_(words), stack_(1) {
    for (Index v = 0; v < n_; ++v) {
      stack_[0].rest.set(v);
      const auto all = std::make_shared<Options<N>>(domains[v]);
      stack_[0].domains.push_back({all, all, std::make_shared<Costs>(all->size())});
    }
  }

  bool prove() {
    using Step = void (Part::*)(Cost);
    static const std::map<char, Step> steps = {
        {'c', &Part::read_cluster}, {'g', &Part::read_group}, {'~', &Part::forget},
        {'d', &Part::read_dual},    {'k', &Part::cut_off},    {'t', &Part::tabulate},
        {'+', &Part::append},       {'y', &Part::split_with}, {'n', &Part::split_without},
        {'=', &Part::scope},        {'x', &Part::commit},     {'-', &Part::pop},
        {'#', &Part::raise},        {'r', &Part::raise},      {'s', &Part::list},
        {'*', &Part::cover}};
    for (std::string word = words_.next(); word != "."; word = words_.next()) {
      const bool letter = !word.empty() && (word[0] < '0' || word[0] > '9');
      const auto step = steps.find(letter ? word[0] : '#');
      require(step != steps.end(), "there is no such step");
      (this->*step->second)(word.size() > letter ? whole_number(word.substr(letter), 0, kMost)
                                                 : -1);
    }
    require(stack_.size() == 1, "a frame has no end");
    return is_proved(stack_[0]);
  }

private:
  Frame<N> &top() { return stack_.back(); }
  Index in_rest(Cost v) {
    require(v >= 0 && v < static_cast<Cost>(n_) && top().rest[v], "a node is not in the rest");
    return static_cast<Index>(v);
  }
  template <class Visit> void for_each(const Set<N> &set, Visit visit) const {
    for (Index v = 0; v < n_; ++v)
      if (set[v])
        visit(v);
  }

  // --- rows and duals ---

  void read_cluster(Cost k) {
    Row<N> row;
    const std::string digits = words_.next();
    for (Index i = 0; i < digits.size(); ++i) {
      const Index digit = std::string("0123456789abcdef").find(digits[digits.size() - 1 - i]);
      require(digit < 16 && 4 * i < N, "a cluster is no hexadecimal number");
      row.nodes |= Set<N>(digit) << 4 * i;
    }
    require((row.nodes >> n_).none(), "a cluster has other nodes");
    require(k >= 1 && k <= static_cast<Cost>(row.nodes.count()), "a cluster has too few nodes");
    row.k = static_cast<Index>(k);
    rows_.push_back(std::move(row));
  }
  void read_group(Cost size) {
    require(size >= 1 && size <= static_cast<Cost>(kMostGroup), "a group has too many nodes");
    Row<N> row;
    for (; size > 0; --size) {
      row.members.push_back(words_.index(n_));
      require(!row.nodes[row.members.back()], "a node comes twice");
      row.nodes.set(row.members.back());
    }
    const Index g = row.members.size();
    Choices choices(g);
    row.charge.assign(g << g, 0);
    Cost most = 0; // that a member is charged
    for (Cost left = words_.number(0, kMost); left > 0; --left) {
      const Index i = words_.index(g), pattern = words_.index(Index{1} << g);
      const Cost charge = words_.number(-(kMost >> 4), kMost >> 4);
      row.charge[i << g | pattern] = charge;
      most = std::max(most, std::abs(charge));
    }
    row.price = static_cast<Cost>(g) * most;
    for (Index i = 0; i < row.charge.size(); ++i)
      choices[i >> g].push_back({row.charge[i], i & ((Index{1} << g) - 1)});
    row.left = Completions(choices).least;
    rows_.push_back(std::move(row));
  }

  void forget(Cost) {
    rows_.clear();
    unused_ = 0;
  }
  void cut_off(Cost cutoff) {
    require(cutoff >= target_, "a cutoff is below the target");
    cutoff_ = cutoff;
  }

  // Keeps the options that `keep` does, up to the first inside the prefix.
  template <class Keep> void narrow(Index v, Keep keep) {
    Domain<N> &domain = top().domains[v];
    Options<N> options;
    Costs reduced;
    domain.parents.reset();
    for (Index i = 0; i < domain.options->size(); ++i) {
      const Option<N> &option = (*domain.options)[i];
      if (!keep(option, (*domain.reduced)[i]))
        continue;
      options.push_back(option);
      reduced.push_back((*domain.reduced)[i]);
      domain.parents |= option.set;
      if (inside(option.set, top().prefix))
        break;
    }
    domain.options = std::make_shared<const Options<N>>(std::move(options));
    domain.reduced = std::make_shared<const Costs>(std::move(reduced));
  }
  static bool any(const Option<N> &, Cost) { return true; }

  // Adds `sign` times what these rows charge to the reduced costs of a node's options.
  void charge(Index v, const std::vector<std::shared_ptr<const Row<N>>> &rows, Cost sign) {
    Domain<N> &domain = top().domains[v];
    const Options<N> &options = *domain.options;
    Costs reduced = *domain.reduced;
    for (const auto &row : rows) {
      const Cost price = sign * row->price;
      for (Index i = 0; i < options.size() && row->nodes[v]; ++i)
        reduced[i] += row->k != 1                         ? sign * row->charge_of(v, options[i].set)
                      : meets(options[i].set, row->nodes) ? 0
                                                          : price;
    }
    domain.reduced = std::make_shared<const Costs>(std::move(reduced));
  }
  void find_least(Index v) {
    Domain<N> &domain = top().domains[v];
    domain.least = kMost;
    for (const Cost reduced : *domain.reduced)
      domain.least = std::min(domain.least, reduced);
  }

  // A bound on a prefix holds for all that begins with it.
  void find_bound() {
    Frame<N> &frame = top();
    Wide bound = frame.cost;
    for (const auto &row : frame.rows)
      bound += row->right_hand_side(frame.prefix);
    for_each(frame.rest, [&](Index v) { bound += frame.domains[v].least; });
    require(bound > -kMost, "prices are too large");
    frame.bound = static_cast<Cost>(std::min<Wide>(bound, kMost));
    const Cost rest = frame.claims->count(frame.prefix) ? frame.claims->at(frame.prefix).rest : 0;
    frame.proved = std::min(target_, std::max({frame.proved, frame.bound, frame.cost + rest}));
  }

  void read_dual(Cost size) {
    Frame<N> &frame = top();
    Wide sum = 0; // of all that is added to a bound or subtracted from a cost, or more
    for (frame.rows.clear(); size > 0; --size) {
      const auto row = std::make_shared<Row<N>>(rows_[words_.index(rows_.size())]);
      const Cost price = words_.number(1, row->k > 0 ? kMost : 1);
      row->price = row->k > 0 ? price : row->price;
      sum += static_cast<Wide>(row->price) * std::max<Index>(1, row->k);
      frame.rows.push_back(row);
    }
    require(sum < kMost, "prices are too large");
    unused_ = rows_.size();
    for_each(frame.rest, [&](Index v) {
      Domain<N> &domain = frame.domains[v];
      domain.options = domain.all;
      Costs costs;
      for (const Option<N> &option : *domain.all)
        costs.push_back(option.cost);
      domain.reduced = std::make_shared<const Costs>(std::move(costs));
      narrow(v, any);
      charge(v, frame.rows, -1);
      find_least(v);
    });
    find_bound();
    for_each(frame.rest, [&](Index v) {
      const Cost limit = frame.domains[v].least + cutoff_ - frame.bound;
      narrow(v, [&](const Option<N> &, Cost reduced) { return reduced < limit; });
    });
  }

  void raise(Cost number) {
    Frame<N> &frame = top();
    const Index called = number < 0 ? unused_ : static_cast<Index>(number);
    require(called < rows_.size(), "there is no such row");
    unused_ = std::max(unused_, called + 1);
    const auto row = std::make_shared<Row<N>>(rows_[called]);
    require(row->k == 1 && inside(row->nodes, frame.rest), "this price cannot rise");
    if (frame.proved == target_) // (so prices remain below it)
      return;
    // Of a set that counts: what it costs more than the cheapest; it pays the price.
    row->price = kMost;
    for_each(row->nodes, [&](Index v) {
      const Domain<N> &domain = frame.domains[v];
      for (Index i = 0; i < domain.options->size(); ++i)
        if (!meets((*domain.options)[i].set, row->nodes))
          row->price = std::min(row->price, (*domain.reduced)[i] - domain.least);
    });
    frame.rows.push_back(row);
    find_bound();
    if (frame.proved == target_)
      return;
    for_each(row->nodes, [&](Index v) { charge(v, {row}, -1); });
  }

  // --- frames ---

  void push() {
    stack_.push_back(top());
    top().listed.reset();
    top().covered = false;
    top().sides = 0;
  }

  void append(Cost argument) {
    push();
    if (argument < 0)
      return;
    Frame<N> &frame = top();
    const Frame<N> &below = stack_[stack_.size() - 2];
    const Index v = in_rest(argument);
    frame.prefix.set(v);
    frame.rest.reset(v);
    // (Where the cheapest set inside the prefix was excluded, no network that goes on is better.)
    const Options<N> &all = *below.domains[v].all;
    const auto fits = [&](const Option<N> &option) { return inside(option.set, below.prefix); };
    const auto own = std::find_if(all.begin(), all.end(), fits);
    frame.cost = std::min(kMost, frame.cost + (own == all.end() ? kMost : own->cost));
    if (!available(below, v) || own->set != below.domains[v].options->back().set)
      frame.proved = target_;
    if (frame.proved == target_)
      return;
    std::vector<std::shared_ptr<const Row<N>>> satisfied;
    frame.rows.clear();
    for (const auto &row : below.rows) {
      const bool done = row->k > 0 && row->nodes[v] && row->right_hand_side(frame.prefix) == 0;
      (done ? satisfied : frame.rows).push_back(row);
    }
    for_each(frame.rest, [&](Index w) {
      const Domain<N> &domain = frame.domains[w];
      const Cost limit = domain.least + cutoff_ - below.bound;
      const auto touches = [&](const auto &row) { return row->nodes[w]; };
      if (std::any_of(satisfied.begin(), satisfied.end(), touches)) {
        narrow(w, [&](const Option<N> &, Cost reduced) { return reduced < limit; });
        charge(w, satisfied, 1);
        find_least(w);
      } else if (domain.parents[v]) {
        const auto fits = [&](const Option<N> &option) { return inside(option.set, frame.prefix); };
        const auto end = domain.options->end();
        if (const auto first = std::find_if(domain.options->begin(), end, fits); end - first > 1)
          narrow(w, any);
      }
    });
    find_bound();
  }

  void split_with(Cost u) { split(u, true); }
  void split_without(Cost u) { split(u, false); }
  void split(Cost from, bool present) {
    const Index u = in_rest(from), v = in_rest(words_.number(0, kMost));
    require(top().sides == 0 || top().arc == std::make_pair(u, v), "a split has other sides");
    top().arc = {u, v};
    scope(-1);
    top().side = present ? 1 : 2;
    narrow(v, [&](const Option<N> &option, Cost) { return option.set[u] == present; });
    narrow(u, [&](const Option<N> &option, Cost) { return !present || !option.set[v]; });
    find_least(v);
    find_least(u);
    commit(-1);
    find_bound();
  }
  void scope(Cost) {
    push();
    top().side = 3; // both of a split, unless it says which
    top().claims = std::make_shared<Claims<N>>();
    commit(-1);
  }
  void commit(Cost) {
    for (Domain<N> &domain : top().domains)
      domain.all = domain.options;
  }

  void pop(Cost) {
    require(stack_.size() > 1, "a frame ends that did not begin");
    const Frame<N> frame = std::move(top());
    stack_.pop_back();
    if (frame.claims != top().claims) {
      top().sides |= is_proved(frame) ? frame.side : 0;
    } else {
      record(frame);
      top().listed |= frame.prefix;
    }
  }

  static bool available(const Frame<N> &frame, Index v) {
    const Options<N> &options = *frame.domains[v].options;
    return !options.empty() && inside(options.back().set, frame.prefix);
  }

  // Those that may come next, or reach the target, are the nodes of a closed set: those that are
  // possible ancestors of one of them. What is listed is claimed.
  void cover(Cost first) {
    Frame<N> &frame = top();
    if (frame.proved == target_)
      return;
    Set<N> closed, before;
    for (closed.set(in_rest(first)); closed != before;) {
      before = closed;
      for_each(before, [&](Index v) { closed |= frame.domains[v].parents & frame.rest; });
    }
    for_each(closed, [&](Index v) {
      if (!available(frame, v))
        return;
      const Option<N> &last = frame.domains[v].options->back();
      const Cost cost = frame.cost + last.cost;
      const Cost reduced = frame.domains[v].reduced->back();
      const Cost bound = std::min(target_, frame.bound + reduced - frame.domains[v].least);
      require(frame.listed[v] || bound == target_, "a node may come next that is not listed");
      if (!frame.listed[v])
        return;
      Claim &claim = (*frame.claims)[Set<N>(frame.prefix).set(v)];
      claim.rest = std::max(claim.rest, std::max(frame.proved, bound) - cost);
      claim.cost = std::min(claim.cost, bound < target_ ? cost : kMost);
    });
    frame.covered = true;
  }
  void list(Cost v) { top().listed.set(in_rest(v)); }

  void tabulate(Cost) {
    Frame<N> &frame = top();
    std::vector<Index> nodes;
    for_each(frame.rest, [&](Index v) { nodes.push_back(v); });
    require(nodes.size() <= kMostTable, "a table is too large");
    Choices choices(nodes.size());
    for (Index i = 0; i < nodes.size(); ++i)
      for (const Option<N> &option : *frame.domains[nodes[i]].options) {
        Index bits = 0;
        for (Index j = 0; j < nodes.size(); ++j)
          bits |= Index{option.set[nodes[j]]} << j;
        choices[i].push_back({option.cost, bits});
      }
    frame.proved =
        std::max(frame.proved, std::min(target_, frame.cost + Completions(choices).least[0]));
  }

  void record(const Frame<N> &frame) const {
    Claim &claim = (*frame.claims)[frame.prefix];
    claim.rest = std::max(claim.rest, frame.proved - frame.cost);
    if (frame.covered || frame.sides == 3)
      claim.shown = std::max(claim.shown, target_ - frame.cost);
  }

  // A part, or a side of a split: by its bound or its own sides, or by claims, all of which hold.
  bool is_proved(const Frame<N> &frame) const {
    record(frame);
    Claim &own = (*frame.claims)[frame.prefix];
    own.cost = std::min(own.cost, frame.cost);
    const auto holds = [&](const auto &entry) {
      const Claim &claim = entry.second;
      return claim.cost + std::max(claim.rest, claim.shown) >= target_;
    };
    return frame.proved == target_ || frame.sides == 3 ||
           std::all_of(frame.claims->begin(), frame.claims->end(), holds);
  }

  const Index n_;
  const Cost target_;
  Words &words_;
  Cost cutoff_ = kMost;
  std::vector<Row<N>> rows_;
  Index unused_ = 0; // the row after all that were called
  std::vector<Frame<N>> stack_;
};

// --- the whole ------------------------------------------------------------------------------------

// In units of 2^-kMostBits: no network scores more than `bound`; the proof's scores `score` at
// least. It is optimal if these differ by less than a millionth, or 10^-11 of it.
struct Whole {
  const Candidates &sets;
  Index constraints;
  Candidates network{}; // by node: its set
  Wide bound = 0, score = 0;

  bool optimal() const {
    const Wide gap = bound - score;
    return gap * 1000000 < Wide{1} << kMostBits ||
           gap < (score < 0 ? -score : score) / 100000000000;
  }
};

// The part of these nodes: "bits target M nodes..." and its steps.
template <Index N>
bool check_part(Whole &whole, const std::vector<Index> &nodes, int bits, Cost target,
                Words &words) {
  std::vector<Index> place(whole.sets.size(), N);
  for (Index i = 0; i < nodes.size(); ++i)
    place[nodes[i]] = i;
  Wide best = 0, network = 0, costliest = 0;
  std::vector<Options<N>> domains;
  for (const Index v : nodes) {
    const double first = whole.sets[v][0].score;
    Options<N> options;
    bool cut = false;
    for (const ScoredSet &scored : whole.sets[v]) {
      Option<N> option{{}, in_units(first - scored.score, bits, std::floor)};
      for (const Index u : scored.parents)
        if (place[u] < N)
          option.set.set(place[u]);
      if (scored.parents == whole.network[v][0].parents)
        network += option.cost;
      cut = cut || option.set.count() < scored.parents.size();
      const auto is_subset = [&](const Option<N> &other) { return inside(other.set, option.set); };
      if (options.empty() || (options.back().set.any() &&
                              (!cut || std::none_of(options.begin(), options.end(), is_subset))))
        options.push_back(option);
    }
    best += in_units(first, bits, std::ceil);
    costliest += options.back().cost;
    domains.push_back(std::move(options));
  }
  require(costliest < kMost, "costs are too large for these units");
  const Wide unit = Wide{1} << (kMostBits - bits);
  whole.bound += (best - target) * unit;
  whole.score += (best - network) * unit;
  return Part<N>(domains, target, words).prove();
}

// Constraints, how many there are and each as a word and two numbers, leave only some of the sets.
Index keep_allowed(Candidates &sets, Words &words) {
  const auto count = static_cast<Index>(words.number(0, kMost));
  for (Index i = 0; i < count; ++i) {
    const std::string kind = words.next();
    const Index limit = words.index(sets.size()), v = words.index(sets.size());
    require(kind == "requires" || kind == "forbids" || kind == "limits", "no such constraint");
    const auto breaks = [&](const ScoredSet &set) {
      const bool has = std::binary_search(set.parents.begin(), set.parents.end(), limit);
      return kind == "limits" ? set.parents.size() > limit : has != (kind == "requires");
    };
    sets[v].erase(std::remove_if(sets[v].begin(), sets[v].end(), breaks), sets[v].end());
    require(!sets[v].empty(), "the constraints leave a node no set");
  }
  return count;
}

// A proof is "optbn-proof 1", the constraints (the parent U of V: "requires U V", "forbids U V"; at
// most K parents: "limits K V"), the network as "M parents..." for each node, the number of parts,
// the parts, and "end".
Whole check(Candidates &sets, Words &words) {
  const Index n = sets.size();
  require(words.next() == "optbn-proof" && words.next() == "1", "this is no proof of this version");
  Whole whole{sets, keep_allowed(sets, words)};
  for (const std::vector<ScoredSet> &of_node : sets) {
    ScoredSet set{0, std::vector<Index>(words.index(n))};
    for (Index &u : set.parents)
      u = words.index(n);
    std::sort(set.parents.begin(), set.parents.end());
    const auto same = [&](const ScoredSet &other) { return other.parents == set.parents; };
    require(std::any_of(of_node.begin(), of_node.end(), same), "the network has other sets");
    whole.network.push_back({set});
  }
  std::vector<bool> placed(n), seen(n);
  for (Index i = 0; i < n * n; ++i) { // (n rounds over all nodes)
    const auto before = [&](Index u) { return placed[u]; };
    const std::vector<Index> &parents = whole.network[i % n][0].parents;
    placed[i % n] = placed[i % n] || std::all_of(parents.begin(), parents.end(), before);
  }
  for (Index parts = words.index(n + 1); parts > 0; --parts) {
    const auto bits = static_cast<int>(words.index(kMostBits + 1));
    const Cost target = words.number(0, kMost);
    std::vector<Index> nodes(words.index(n + 1));
    for (Index &v : nodes) {
      v = words.index(n);
      require(!seen[v], "a node is in two parts");
      seen[v] = true;
    }
    const auto check = nodes.size() <= 64    ? check_part<64>
                       : nodes.size() <= 128 ? check_part<128>
                       : nodes.size() <= 256 ? check_part<256>
                                             : check_part<1024>;
    require(!nodes.empty() && nodes.size() <= 1024, "a part is too large, or empty");
    require(check(whole, nodes, bits, target, words), "a part does not reach its target");
  }
  require(words.next() == "end", "the proof has no end");
  const auto all = [](const std::vector<bool> &marks) {
    return std::find(marks.begin(), marks.end(), false) == marks.end();
  };
  require(all(placed), "the network has a cycle");
  require(all(seen), "a node is in no part");
  return whole;
}

} // namespace

int main(int count, char **arguments) {
  try {
    require(count == 3, "usage: check-proof sets.jkl proof.gz");
    Candidates sets = read_sets(arguments[1]);
    Words words(arguments[2]);
    const Whole whole = check(sets, words);
    const double unit = std::ldexp(1, -kMostBits); // for the reader's eyes
    std::printf("%s: no network over these sets, within %zu constraints, scores more than %.9f; "
                "that of the proof scores %.9f\n",
                whole.optimal() ? "optimal" : "bounded", whole.constraints,
                static_cast<double>(whole.bound) * unit, static_cast<double>(whole.score) * unit);
    return 0;
  } catch (const std::exception &error) {
    std::printf("not proved: %s\n", error.what());
    return 1;
  }
}
