// check-scores: checks, from the data, that a file of candidate parent sets has the right scores
// and that no set is missing. With check-proof it leads from data to a proved optimum; it shares
// no code with the scoring that it checks, and trusts none of it.
//
//     check-scores data.csv sets.jkl proof.gz    exit status 0: what is proved; 1: why nothing is
//
// (A) Each listed score is right to a quantum. (B) Each set of the scope scores at most a quantum
// more than what is listed for itself or for a subset of it. So no network over sets of the scope
// scores more than the best one over the listed sets and a quantum for each node.
//
// The data: the names in sets.jkl, in that order, then rows of codes 1, 2, ...; commas or ends of
// lines between them, none in names. Of a code with a minus sign before it the value was set from
// outside: the row does not count for the score of this node. The claim follows the first "end" of
// the proof, as words:
//     scores KIND PARAMETER QUANTUM COUNTED
//     LEVELS COMPLETE M parents... F parents...      for each node
//     end
// KIND and PARAMETER: "bic" and the penalty of a free parameter (1: AIC, 0: likelihood), or "bde"
// and the imaginary sample size. COUNTED: 1 if one more column, of any name, has how often a row
// occurs, else 0. LEVELS: of a node, including those that do not occur. Scope: the sets of at most
// COMPLETE parents, with the M required and without the F forbidden ones, which are numbers from 0.
// Listed sets may be larger, but obey the same. Decimals stand for the doubles nearest to them.
//
// Numbers are intervals of whole numbers of units, 2^-60, whose sums are exact. Memory grows as the
// files do; the work is that of all sets of the scope that no bound excludes, which may take longer
// than anyone waits (Ctrl-C ends it). What has to be believed:
//
// 1. logl errs by at most 2 units in the last place; the rest of the arithmetic is IEEE's.
// 2. log G(a + n) - log G(a), G the gamma function, is the sum of log(a + i) over i < n; and
//    Stirling's series up to 1/(12 z) exceeds log G(z), but for a constant, by 1/(360 z^3) or less.
// 3. Rows that agree in a node and its parents can be counted as one. A configuration in which the
//    node has one value adds nothing to the logarithm of a likelihood, nor does any part of it.
// 4. Likelihood and number of parameters do not fall where a set gains parents.
// 5. BDeu is a product over rows, in which a value of a node with r levels has probability 1/r or
//    less where it first occurs in a configuration. Supersets have as many such cases, or more.
#include <zlib.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <numeric>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace {

using Real = long double;
__extension__ typedef __int128 Wide; // in units
using Index = std::size_t;
using Count = std::uint32_t;
using Code = std::uint16_t;
constexpr int kBits = 60;
constexpr Wide kNone = -(Wide{1} << 124); // below any score
constexpr Index kMostLevels = Index{1} << 12, kMostNodes = Index{1} << 16,
                kMostStates = Index{1} << 40, kMostText = Index{1} << 32, kMostRows = kMostText - 1;
constexpr const char *kBlanks = " \t\r\n", *kCommas = ",\r\n";
constexpr Count kTabulated = 1 << 12;

void require(bool holds, const char *otherwise) {
  if (!holds)
    throw std::runtime_error(otherwise);
}

// --- numbers --------------------------------------------------------------------------------------

struct Interval {
  Wide low, high;

  void operator+=(const Interval &x) { low += x.low, high += x.high; }
  void operator-=(const Interval &x) { low -= x.high, high -= x.low; }
};
Interval operator*(Index n, const Interval &x) {
  return {static_cast<Wide>(n) * x.low, static_cast<Wide>(n) * x.high};
}

Interval around(Real x, Real error = 0) {
  require(std::fabs(x) < 1e14L && error < 1, "a number is too large");
  return {static_cast<Wide>(std::floor(std::ldexp(x - error, kBits))),
          static_cast<Wide>(std::ceil(std::ldexp(x + error, kBits)))};
}

// log x, where x may err by 4 units in the last place.
Interval log_near(Real x) {
  const Real log = std::log(x);
  return around(log, LDBL_EPSILON * (8 + 4 * std::fabs(log)));
}

// log G(z), up to a constant, where z > kTabulated may err by 4 units in the last place.
Interval stirling(Real z) {
  const Real log = std::log(z);
  return around((z - .5L) * log - z + 1 / (12 * z),
                16 * LDBL_EPSILON * z * log + 1 / (360 * z * z * z));
}

// What scores add up: n log n, or, where a > 0, log G(a + n) - log G(a).
class Terms {
public:
  explicit Terms(Real a = 0) : a_(a) {}
  Interval of(Count n) { return n < known_.size() ? known_[n] : find(n); }

private:
  Interval find(Count n) {
    for (Count i = static_cast<Count>(known_.size()); i <= std::min(n, kTabulated); ++i) {
      known_.push_back(a_ > 0 ? log_near(a_ + (i - 1)) : i * log_near(i));
      if (a_ > 0)
        known_[i] += known_[i - 1];
    }
    if (n <= kTabulated)
      return known_[n];
    Interval found = a_ > 0 ? stirling(a_ + n) : n * log_near(n);
    if (a_ > 0) {
      found -= stirling(a_ + kTabulated);
      found += known_[kTabulated];
    }
    return found;
  }
  Real a_;
  std::vector<Interval> known_{{0, 0}};
};

// --- files ----------------------------------------------------------------------------------------

// The words of a file, plain or compressed.
class Words {
public:
  explicit Words(const char *name) {
    const gzFile file = gzopen(name, "rb");
    require(file != nullptr, "a file cannot be opened");
    std::string block(1 << 16, ' ');
    int read = 0;
    while (text_.size() < kMostText && (read = gzread(file, &block[0], 1 << 16)) > 0)
      text_.append(block, 0, static_cast<Index>(read));
    require(gzclose(file) == Z_OK && read == 0, "a file is damaged or too large");
  }
  // Empty where none is left.
  std::string next(const char *blanks = kBlanks) {
    const Index begin = std::min(text_.size(), text_.find_first_not_of(blanks, at_));
    at_ = std::min(text_.size(), text_.find_first_of(blanks, begin));
    return text_.substr(begin, at_ - begin);
  }
  bool at_end(const char *blanks) const {
    return text_.find_first_not_of(blanks, at_) == std::string::npos;
  }
  double real(double least, double most) {
    const std::string word = next();
    char *end = nullptr;
    const double value = std::strtod(word.c_str(), &end);
    require(!word.empty() && end == word.c_str() + word.size(), "a number is missing");
    require(value >= least && value <= most, "a number is out of range");
    return value;
  }
  Index whole(Index least, Index most, const char *blanks = kBlanks) {
    return number(next(blanks), least, most);
  }
  // From 1 to `levels`, and whether a minus sign is before it.
  std::pair<Index, bool> code(Index levels) {
    const std::string word = next(kCommas);
    const bool set = word[0] == '-';
    return {number(word.substr(set), 1, levels), set};
  }

private:
  static Index number(const std::string &word, Index least, Index most) {
    require(!word.empty() && word.find_first_not_of("0123456789") == std::string::npos,
            "a whole number is missing");
    const Index value = std::strtoull(word.c_str(), nullptr, 10); // (or the largest)
    require(value >= least && value <= most, "a whole number is out of range");
    return value;
  }

  std::string text_;
  Index at_ = 0;
};

struct ScoredSet {
  Interval score;
  std::vector<Index> parents;
};
enum Role { allowed, required, forbidden };
struct Node {
  Index levels = 0, complete = 0;
  std::vector<Role> roles; // of all nodes, as parents
  std::vector<ScoredSet> sets;
};
struct Problem {
  bool bde = false;
  double parameter = 0, quantum = 0;
  std::vector<std::string> names; // of nodes
  std::vector<Node> nodes;
  std::vector<Code> codes; // row after row, from 0
  std::vector<bool> set;   // is the code that was set from outside?
  std::vector<Count> weights;
  Index rows = 0, rows_set = 0; // sums of weights, of all rows and of those in which nodes were set
};

void read_sets(Problem &problem, Words &file, Words &data) {
  const Index n = file.whole(1, kMostNodes);
  std::unordered_map<std::string, Index> numbers;
  for (Index v = 0; v < n; ++v) {
    problem.names.push_back(data.next(kCommas));
    require(numbers.emplace(problem.names[v], v).second, "two columns have the same name");
  }
  problem.nodes.resize(n);
  for (Index v = 0; v < n; ++v) {
    require(file.next() == problem.names[v],
            "the sets have other nodes than the data, or an order");
    for (Index left = file.whole(1, kMostText); left > 0; --left) {
      ScoredSet set{around(file.real(-1e12, 1e12)), std::vector<Index>(file.whole(0, n - 1))};
      for (Index &u : set.parents) {
        const auto entry = numbers.find(file.next());
        require(entry != numbers.end(), "a parent is no node");
        u = entry->second;
      }
      problem.nodes[v].sets.push_back(std::move(set));
    }
  }
  require(file.next().empty(), "the sets go on after their end");
}

// Are rows counted?
bool read_claim(Problem &problem, Words &file) {
  for (std::string word; word != "end";)
    require(!(word = file.next()).empty(), "the proof has no end");
  require(file.next() == "scores", "the proof does not claim anything of scores");
  const std::string kind = file.next();
  problem.bde = kind == "bde";
  require(problem.bde || kind == "bic", "this kind of score is unknown");
  problem.parameter = file.real(problem.bde ? 1e-9 : 0, problem.bde ? 1e9 : 1e3);
  problem.quantum = file.real(0, 1);
  const bool counted = file.whole(0, 1) == 1;
  const Index n = problem.nodes.size();
  for (Node &node : problem.nodes) {
    node.levels = file.whole(1, kMostLevels);
    node.complete = file.whole(0, n - 1);
    node.roles.assign(n, allowed);
    node.roles[static_cast<Index>(&node - problem.nodes.data())] = forbidden;
    for (const Role role : {required, forbidden})
      for (Index left = file.whole(0, n - 1); left > 0; --left) {
        Role &of = node.roles[file.whole(0, n - 1)];
        require(of == allowed, "a parent has two roles");
        of = role;
      }
  }
  require(file.next() == "end" && file.next().empty(), "the claim has no end");
  return counted;
}

void read_rows(Problem &problem, Words &file, bool counted) {
  require(!counted || !file.next(kCommas).empty(), "the data have no column of counts");
  while (!file.at_end(kCommas)) {
    bool any_set = false;
    for (const Node &node : problem.nodes) {
      const auto [code, set] = file.code(node.levels);
      problem.codes.push_back(static_cast<Code>(code - 1));
      problem.set.push_back(set);
      any_set = any_set || set;
    }
    const Index weight = counted ? file.whole(1, kMostRows, kCommas) : 1;
    problem.weights.push_back(static_cast<Count>(weight));
    problem.rows += weight;
    problem.rows_set += any_set ? weight : 0;
    require(problem.rows <= kMostRows, "there are too many rows");
  }
  require(problem.rows > 0, "the data have no rows");
}

// --- one node -------------------------------------------------------------------------------------

struct Row {
  Count row, weight;
  Code value; // of the node
};

// What the rows are where a few parents are given, as far as other parents can split them.
struct Level {
  Index column, states; // the last parent, and how many configurations there can be
  std::vector<Row> rows;
  std::vector<Index> ends; // of configurations, in rows
};

// Columns are a node's possible parents by levels, then the required ones. Sets grow by ever lower
// columns; rows that agree in the node and in all lower columns are one.
class Family {
public:
  Index scored = 0; // sets of the scope that no bound excluded

  Family(const Problem &problem, Index v, std::unordered_map<Index, Terms> &terms)
      : problem_(problem), node_(problem.nodes[v]), r_(node_.levels),
        quantum_(around(problem.quantum).low), penalty_((r_ - 1) * around(problem.parameter)),
        log_r_(log_near(static_cast<Real>(r_)).low), terms_(terms) {
    const Index n = problem.nodes.size();
    for (const Role role : {allowed, required}) {
      free_ = nodes_.size();
      for (Index u = 0; u < n; ++u)
        if (node_.roles[u] == role)
          nodes_.push_back(u);
      std::stable_sort(
          nodes_.begin() + static_cast<std::ptrdiff_t>(free_), nodes_.end(),
          [&](Index a, Index b) { return problem.nodes[a].levels < problem.nodes[b].levels; });
    }
    none_ = nodes_.size();
    const auto code = [&](Index row, Index c) { return problem.codes[row * n + nodes_[c]]; };
    const auto agree = [&](Index a, Index b) {
      Index c = 0;
      while (c < none_ && code(a, c) == code(b, c))
        ++c;
      return c;
    };
    std::vector<Count> order;
    for (Count row = 0; row < problem.weights.size(); ++row)
      if (!problem.set[row * n + v])
        order.push_back(row);
    require(!order.empty(), "it was set in all rows");
    std::sort(order.begin(), order.end(), [&](Count a, Count b) {
      const Index c = agree(a, b);
      return c < none_ && code(a, c) < code(b, c);
    });
    codes_.assign(none_ + 1, std::vector<Code>(order.size()));
    runs_.assign(none_ + 1, std::vector<Count>(order.size()));
    stack_.push_back({none_, 1, {}, {order.size()}});
    for (Count i = 0; i < order.size(); ++i) {
      const Index same = i > 0 ? agree(order[i - 1], order[i]) : none_;
      for (Index c = 0; c <= none_; ++c)
        runs_[c][i] = i > 0 ? runs_[c][i - 1] + (same < c) : 0;
      for (Index c = 0; c < none_; ++c)
        codes_[c][i] = code(order[i], c);
      stack_[0].rows.push_back({i, problem.weights[order[i]], problem.codes[order[i] * n + v]});
    }
    Index most = 1;
    for (const Node &node : problem.nodes)
      most = std::max(most, node.levels);
    buckets_.resize(most);
    last_.resize(most * r_);
    cells_.resize(most * r_);
    wholes_.resize(most);
    touched_.resize(order.size());
    present_.resize(none_);
    with_.resize(none_);
  }

  void check() {
    std::vector<ScoredSet> listed = node_.sets;
    for (ScoredSet &set : listed) {
      for (Index &u : set.parents)
        u = static_cast<Index>(std::find(nodes_.begin(), nodes_.end(), u) - nodes_.begin());
      std::vector<Index> &columns = set.parents;
      std::sort(columns.rbegin(), columns.rend());
      require(columns.empty() || columns[0] < none_, "a listed set has a forbidden parent");
      require(std::adjacent_find(columns.begin(), columns.end()) == columns.end(),
              "a listed set has a parent twice");
      require(free_ == none_ ||
                  (columns.size() >= none_ - free_ && columns[none_ - free_ - 1] == free_),
              "a listed set lacks a required parent");
    }
    std::sort(listed.begin(), listed.end(),
              [](const ScoredSet &a, const ScoredSet &b) { return a.parents < b.parents; });
    for (const ScoredSet &set : listed) {
      const Index last = set.parents.empty() ? none_ : set.parents.back();
      go_to(set.parents, std::max<Index>(set.parents.size(), 1) - 1);
      const Interval score = score_with(last);
      require(score.high <= set.score.low + quantum_ && score.low >= set.score.high - quantum_,
              "a listed score is wrong");
    }
    if (none_ - free_ > node_.complete)
      return;

    std::sort(listed.begin(), listed.end(),
              [](const ScoredSet &a, const ScoredSet &b) { return a.score.low > b.score.low; });
    std::vector<Index> smallest(none_ - free_);
    std::iota(smallest.rbegin(), smallest.rend(), free_);
    Wide best = kNone;
    for (const ScoredSet &set : listed) {
      if (set.parents == smallest)
        best = std::max(best, set.score.low);
      for (const Index c : set.parents)
        with_[c].push_back(&set);
    }
    go_to(smallest, smallest.size());
    std::fill(present_.begin() + static_cast<std::ptrdiff_t>(free_), present_.end(), true);
    require(score_with(none_).high <= best + quantum_, "the smallest set is missing");
    visit(free_, smallest.size(), best);
  }

private:
  const Level &top() const { return stack_[depth_]; }
  Index levels(Index c) const { return c < none_ ? problem_.nodes[nodes_[c]].levels : 1; }
  Index states_with(Index c) const { return std::min(top().states * levels(c), kMostStates); }
  Terms &terms(Index states) {
    const Real a = problem_.bde ? problem_.parameter / static_cast<Real>(states) : 0;
    return terms_.try_emplace(problem_.bde ? states : 0, a).first->second;
  }

  void go_to(const std::vector<Index> &columns, Index size) {
    Index same = 0;
    while (same < std::min(size, depth_) && stack_[same + 1].column == columns[same])
      ++same;
    for (depth_ = same; depth_ < size;)
      push(columns[depth_]);
  }

  void push(Index u) {
    if (stack_.size() == depth_ + 1)
      stack_.emplace_back();
    const Level &from = stack_[depth_];
    Level &to = stack_[depth_ + 1];
    to.column = u;
    to.states = states_with(u);
    to.rows.clear();
    to.ends.clear();
    Index i = 0;
    for (const Index end : from.ends) {
      Index touched = 0;
      for (; i < end; ++i) {
        const Row &row = from.rows[i];
        const Code code = codes_[u][row.row];
        std::vector<Row> &bucket = buckets_[code];
        if (bucket.empty())
          touched_[touched++] = code;
        Index &last = last_[code * r_ + row.value]; // (in this bucket, or left from another)
        if (last < bucket.size() && bucket[last].value == row.value &&
            runs_[u][bucket[last].row] == runs_[u][row.row]) {
          bucket[last].weight += row.weight;
        } else {
          last = bucket.size();
          bucket.push_back(row);
        }
      }
      while (touched > 0) {
        std::vector<Row> &bucket = buckets_[touched_[--touched]];
        const auto differs = [&](const Row &row) { return row.value != bucket[0].value; };
        if (problem_.bde || std::any_of(bucket.begin(), bucket.end(), differs)) {
          to.rows.insert(to.rows.end(), bucket.begin(), bucket.end());
          to.ends.push_back(to.rows.size());
        }
        bucket.clear();
      }
    }
    ++depth_;
  }

  // The sum over cells less that over configurations, which are the given ones split by a column;
  // and how many cells there are.
  Interval add_up(const std::vector<Index> &ends, Index u, Terms &cell, Terms &whole,
                  Index &cells) {
    const std::vector<Code> &codes = codes_[u];
    const auto r = static_cast<Count>(r_);
    Interval sum{0, 0};
    Index begin = 0;
    for (const Index end : ends) {
      Index touched = 0;
      for (; begin < end; ++begin) {
        const Row &row = top().rows[begin];
        const Count at = codes[row.row] * r + row.value;
        touched_[touched] = at;
        touched += cells_[at] == 0;
        cells_[at] += row.weight;
      }
      cells += touched;
      for (Index i = 0; i < touched; ++i) {
        Count &count = cells_[touched_[i]];
        sum += cell.of(count);
        wholes_[touched_[i] / r] += count;
        count = 0;
      }
      for (Index i = 0; i < touched; ++i) {
        Count &count = wholes_[touched_[i] / r];
        if (count > 0)
          sum -= whole.of(count);
        count = 0;
      }
    }
    return sum;
  }

  // The score of the given parents and this one.
  Interval score_with(Index u) {
    const Index states = states_with(u);
    require(states < kMostStates, "a set has too many configurations");
    Index cells = 0;
    Interval sum = add_up(top().ends, u, terms(states * r_), terms(states), cells);
    if (!problem_.bde)
      sum -= states * penalty_;
    return sum;
  }

  // No likelihood (or score, if BDeu) of the given parents and any columns below is larger.
  Wide ceiling(Index below) {
    const std::vector<Count> &run = runs_[problem_.bde ? 0 : below];
    ends_.clear(); // of configurations, for a likelihood those of all columns below
    Index i = 0;
    for (const Index end : top().ends)
      for (; i < end; ++i)
        if (i + 1 == end || run[top().rows[i].row] != run[top().rows[i + 1].row])
          ends_.push_back(i + 1);
    Index cells = 0;
    const Interval sum = add_up(ends_, none_, terms(1), terms(1), cells);
    return problem_.bde ? -static_cast<Wide>(cells) * log_r_ : sum.high;
  }

  // All sets of the scope that add some of these columns to the `size` parents given, of which a
  // subset is listed with the score `best`.
  void visit(Index below, Index size, Wide best) {
    if (size == node_.complete || below == 0)
      return;
    const Wide most = ceiling(below);
    for (Index u = 0; u < below; ++u) {
      present_[u] = true;
      Wide now = best + quantum_;
      const auto present = [&](Index c) { return present_[c]; };
      for (const ScoredSet *set : with_[u]) {
        if (set->score.low + quantum_ <= now)
          break;
        if (std::all_of(set->parents.begin(), set->parents.end(), present))
          now = set->score.low + quantum_;
      }
      const Index states = states_with(u);
      const Wide cost = problem_.bde ? 0 : static_cast<Wide>(states) * penalty_.low;
      if (most - cost > now) {
        ++scored;
        require(score_with(u).high <= now, "a set is missing");
        // (One more parent at least doubles the cost, or has one level and changes nothing.)
        if (u > 0 && size + 1 < node_.complete && most - 2 * cost > now) {
          push(u);
          visit(u, size + 1, now - quantum_);
          --depth_;
        }
      }
      present_[u] = false;
    }
  }

  const Problem &problem_;
  const Node &node_;
  const Index r_;
  const Wide quantum_;
  const Interval penalty_; // of a configuration
  const Wide log_r_;
  std::unordered_map<Index, Terms> &terms_; // by number of configurations, where it matters
  Index free_ = 0, none_ = 0;               // columns before the required ones; all of them
  std::vector<Index> nodes_;                // by column
  std::vector<std::vector<Code>> codes_;    // by column; zeros after the last one
  std::vector<std::vector<Count>> runs_;    // by column: rows of a number agree in those before
  std::deque<Level> stack_;
  Index depth_ = 0;
  std::vector<bool> present_;                        // by column
  std::vector<std::vector<const ScoredSet *>> with_; // by column: sets that have it, best first
  std::vector<std::vector<Row>> buckets_;            // by code; empty between uses, as are
  std::vector<Count> cells_, wholes_;
  std::vector<Count> touched_;
  std::vector<Index> last_, ends_;
};

// --- the whole ------------------------------------------------------------------------------------

struct Whole {
  Problem problem;
  Index listed = 0, scored = 0, complete = kMostNodes, ruled = 0;
};

Whole check(const char *data, const char *sets, const char *proof) {
  Whole whole;
  Problem &problem = whole.problem;
  Words data_file(data), sets_file(sets), proof_file(proof);
  read_sets(problem, sets_file, data_file);
  read_rows(problem, data_file, read_claim(problem, proof_file));
  std::unordered_map<Index, Terms> terms;
  for (Index v = 0; v < problem.nodes.size(); ++v) {
    try {
      Family family(problem, v, terms);
      family.check();
      whole.scored += family.scored;
    } catch (const std::runtime_error &error) {
      throw std::runtime_error(problem.names[v] + ": " + error.what());
    }
    const Node &node = problem.nodes[v];
    whole.listed += node.sets.size();
    whole.complete = std::min(whole.complete, node.complete);
    for (const Role role : node.roles)
      whole.ruled += role != allowed;
  }
  whole.ruled -= problem.nodes.size();
  return whole;
}

} // namespace

int main(int count, char **arguments) {
  try {
    require(count == 4, "usage: check-scores data.csv sets.jkl proof.gz");
    const Whole whole = check(arguments[1], arguments[2], arguments[3]);
    const Problem &problem = whole.problem;
    std::printf(
        "scores: the scores of %zu sets are correct to within %g (%s %.10g, %zu rows, %zu of them "
        "with nodes set); every other set of at most %zu parents (%zu required or forbidden) "
        "scores no more than one of its subsets, to within %g (%zu were scored)\n",
        whole.listed, problem.quantum, problem.bde ? "bde" : "bic", problem.parameter, problem.rows,
        problem.rows_set, whole.complete, whole.ruled, problem.quantum, whole.scored);
    return 0;
  } catch (const std::exception &error) {
    std::printf("not proved: %s\n", error.what());
    return 1;
  }
}
