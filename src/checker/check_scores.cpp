// check-scores: checks, from the data, that a file of candidate parent sets has the right scores
// and that no set is missing. With check-proof it leads from data to a proved optimum; it shares
// no code with the scoring it checks, and trusts none of it.
//
//     check-scores data.csv sets.jkl proof.gz    exit status 0: what is proved; 1: why nothing is
//
// It proves (A) that each listed score is right to a quantum, and (B) that each set of the scope
// scores at most a quantum more than what is listed for itself or a subset of it that is in the
// scope. A network over sets of the scope then scores at most a quantum per node more than the
// best one over the listed sets.
//
// The data: a line of the names in sets.jkl, in that order and with commas between them (a name
// has no comma in it), then rows of codes 1, 2, ... with commas. The claim follows the first "end"
// in the proof, as words:
//     scores KIND PARAMETER QUANTUM COUNTED
//     LEVELS COMPLETE M parents... F parents...      for each node
//     end
// KIND and PARAMETER: "bic" and the penalty of a free parameter (1 for AIC, 0 for likelihood), or
// "bde" and the imaginary sample size. COUNTED: 1 if the data's last column, of any name, has how
// often a row occurs, else 0. LEVELS: how many a node has, including those that do not occur.
// Scope: sets of at most COMPLETE parents with the M required and without the F forbidden ones,
// which are numbers from 0. Listed sets can be larger, but obey the same. Decimals stand for the
// doubles nearest to them.
//
// Numbers are intervals of whole numbers in units of 2^-60, whose sums are exact. The work is that
// of a set after the other: a claim about all sets of many parents may take longer than anyone
// waits. What has to be believed:
//
// 1. logl errs by at most 2 units in the last place; arithmetic on long doubles is IEEE's.
// 2. log G(a + n) - log G(a), G the gamma function, is the sum of log(a + i) over i < n. Stirling's
//    series with 1/(12 z) exceeds log G(z) by at most 1/(360 z^3), up to a constant.
// 3. Rows that agree in a node and in all its parents can be counted as one. Configurations with
//    one value of the node do not count in a likelihood, nor do parts of them.
// 4. More parents make no likelihood smaller, and no number of parameters.
// 5. A parent u raises the logarithm of a likelihood by N H(u) at most, its empirical entropy times
//    rows. Where it costs as much, no larger set of parents needs it: the cost only grows.
// 6. A value of a node has probability 1/r at most where it occurs first in a configuration (BDeu
//    as a product over rows, r levels), so each value costs log r in each. Supersets of a set
//    split configurations, and lose no value. BDeu is at most the likelihood, in each of them.
#include <zlib.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

using Real = long double;
__extension__ typedef __int128 Wide; // in units of 2^-60
using Index = std::size_t;
using Code = std::uint16_t;
using Count = std::uint32_t;
constexpr int kBits = 60;
constexpr Wide kNothing = -(Wide{1} << 124); // below any score
constexpr Index kMostLevels = Index{1} << 12, kMostNodes = Index{1} << 16;
constexpr Index kMostStates = Index{1} << 40; // of all parents together
constexpr Index kMostText = Index{1} << 32, kMostRows = (Index{1} << 32) - 1;
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
Interval operator*(Wide n, const Interval &x) { return {n * x.low, n * x.high}; } // n >= 0

Interval between(Real low, Real high) {
  require(std::fabs(low) < 1e15L && std::fabs(high) < 1e15L, "a number is too large");
  return {static_cast<Wide>(std::floor(std::ldexp(low, kBits))),
          static_cast<Wide>(std::ceil(std::ldexp(high, kBits)))};
}

// log x where x has an error of at most 4 units in its last place.
Interval log_near(Real x) {
  const Real log = std::log(x), error = LDBL_EPSILON * (8 + 4 * std::fabs(log));
  return between(log - error, log + error);
}

// log G(z), but for a constant, where z > kTabulated has an error of at most 4 units.
Interval stirling(Real z) {
  const Real log = std::log(z), value = (z - .5L) * log - z + 1 / (12 * z);
  const Real error = 16 * LDBL_EPSILON * z * log;
  return between(value - error - 1 / (360 * z * z * z), value + error);
}

// The function of counts that a score adds up: n log n, or log G(a + n) - log G(a) if a > 0.
class Terms {
public:
  explicit Terms(Real a = 0) : a_(a) {}
  Interval of(Count n) { return n < known_.size() ? known_[n] : found(n); }

private:
  Interval found(Count n) {
    for (Count i = static_cast<Count>(known_.size()); i <= std::min(n, kTabulated); ++i) {
      Interval next = a_ > 0 ? log_near(a_ + (i - 1)) : i * log_near(i);
      if (a_ > 0)
        next += known_.back();
      known_.push_back(next);
    }
    if (n <= kTabulated)
      return known_[n];
    if (!(a_ > 0))
      return n * log_near(n);
    Interval sum = known_[kTabulated];
    sum += stirling(a_ + n);
    sum -= stirling(a_ + kTabulated);
    return sum;
  }
  Real a_;
  std::vector<Interval> known_{{0, 0}};
};

// --- files ----------------------------------------------------------------------------------------

// A file, plain or compressed, as text from which words are taken.
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
  // The next word, which ends before one of these characters.
  std::string next(const char *blanks = " \t\r\n") {
    const Index begin = std::min(text_.size(), text_.find_first_not_of(blanks, at_));
    at_ = std::min(text_.size(), text_.find_first_of(blanks, begin));
    return text_.substr(begin, at_ - begin);
  }
  double real(double least, double most) {
    const std::string word = next();
    char *end = nullptr;
    const double value = std::strtod(word.c_str(), &end);
    require(!word.empty() && end == word.c_str() + word.size(), "a number is missing");
    require(value >= least && value <= most, "a number is out of range");
    return value;
  }
  Index whole(Index least, Index most) {
    const std::string word = next();
    require(!word.empty() && word.size() < 16 &&
                word.find_first_not_of("0123456789") == std::string::npos,
            "a whole number is missing");
    const Index value = std::strtoull(word.c_str(), nullptr, 10);
    require(value >= least && value <= most, "a whole number is out of range");
    return value;
  }
  // A field of a table, and the comma or the end of the line that must follow it.
  std::string field(bool last) {
    const Index begin = at_;
    at_ = std::min(text_.size(), text_.find_first_of(",\r\n", begin));
    const std::string word = text_.substr(begin, at_ - begin);
    if (last && at_ + 1 < text_.size() && text_[at_] == '\r')
      ++at_;
    require(last ? at_ == text_.size() || text_[at_] == '\n'
                 : at_ < text_.size() && text_[at_] == ',',
            "a line of the data has too many or too few fields");
    at_ += at_ < text_.size();
    return word;
  }
  Index number_field(bool last, Index most) {
    Index value = 0;
    const std::string word = field(last);
    for (const char digit : word) {
      require(digit >= '0' && digit <= '9', "the data have a field that is no code");
      value = std::min(value * 10 + static_cast<Index>(digit - '0'), kMostRows + 1);
    }
    require(value >= 1 && value <= most, "the data have a code that is out of range");
    return value;
  }
  bool at_end() const { return at_ == text_.size(); }

private:
  std::string text_;
  Index at_ = 0;
};

struct ScoredSet {
  double score;
  std::vector<Index> parents;
};
struct Candidates {
  std::vector<std::string> names;
  std::vector<std::vector<ScoredSet>> sets; // by node
};

Candidates read_sets(const char *name) {
  Words file(name);
  Candidates read;
  read.sets.resize(file.whole(1, kMostNodes));
  const Index n = read.sets.size();
  std::unordered_map<std::string, Index> number; // of names, as they come
  const auto node = [&] {
    const std::string word = file.next();
    require(!word.empty(), "the sets are damaged");
    return number.try_emplace(word, number.size()).first->second;
  };
  std::vector<Index> position(n, n); // by number
  for (Index i = 0; i < n; ++i) {
    const Index v = node();
    require(v < n && position[v] == n, "a node is listed twice");
    position[v] = i;
    for (Index left = file.whole(1, kMostText); left > 0; --left) {
      read.sets[i].push_back({file.real(-1e14, 1e14), {}});
      for (Index parents = file.whole(0, n - 1); parents > 0; --parents)
        read.sets[i].back().parents.push_back(node());
    }
  }
  require(file.next().empty() && number.size() == n, "the sets are damaged");
  for (std::vector<ScoredSet> &sets : read.sets)
    for (ScoredSet &set : sets)
      for (Index &u : set.parents)
        u = position[u];
  read.names.resize(n);
  for (const auto &entry : number)
    read.names[position[entry.second]] = entry.first;
  return read;
}

struct Node {
  Index levels, complete;
  std::vector<Index> required, forbidden;
};
struct Claim {
  bool bde, counted;
  double parameter, quantum;
  std::vector<Node> nodes;
};

Claim read_claim(const char *name, Index n) {
  Words file(name);
  for (std::string word; word != "end"; word = file.next())
    require(!file.at_end(), "the proof has no end");
  require(file.next() == "scores", "the proof does not claim anything of scores");
  const std::string kind = file.next();
  require(kind == "bic" || kind == "bde", "the kind of score is unknown");
  Claim claim{kind == "bde", false, 0, 0, {}};
  claim.parameter = file.real(claim.bde ? 1e-9 : 0, claim.bde ? 1e9 : 1e3);
  claim.quantum = file.real(0, 1);
  claim.counted = file.whole(0, 1) == 1;
  for (Index v = 0; v < n; ++v) {
    Node node{file.whole(1, kMostLevels), file.whole(0, n - 1), {}, {}};
    std::vector<bool> seen(n);
    seen[v] = true;
    for (std::vector<Index> *set : {&node.required, &node.forbidden})
      for (Index left = file.whole(0, n - 1); left > 0; --left) {
        set->push_back(file.whole(0, n - 1));
        require(!seen[set->back()], "a constraint makes no sense");
        seen[set->back()] = true;
      }
    claim.nodes.push_back(node);
  }
  require(file.next() == "end" && file.next().empty(), "the claim has no end");
  return claim;
}

struct Data {
  std::vector<Code> codes;         // of distinct rows, row after row, from 0
  std::vector<Count> weight;       // how often they occur
  Index rows = 0;                  // in all
  std::vector<Interval> entropies; // by node: rows times empirical entropy
};

// Rows of so many codes in an order in which those that begin alike are neighbours.
std::vector<Count> sorted_rows(const std::vector<Code> &codes, Index width) {
  std::vector<Count> order(codes.size() / width);
  std::iota(order.begin(), order.end(), Count{0});
  std::sort(order.begin(), order.end(), [&](Count a, Count b) {
    return std::memcmp(&codes[a * width], &codes[b * width], width * sizeof(Code)) < 0;
  });
  return order;
}

Data read_data(const char *name, const std::vector<std::string> &names, const Claim &claim) {
  Words file(name);
  const Index n = names.size();
  for (Index v = 0; v < n; ++v)
    require(file.field(v + 1 == n && !claim.counted) == names[v], "the data have other columns");
  if (claim.counted)
    file.field(true);
  std::vector<Code> codes;
  std::vector<Count> weight;
  Data data;
  for (; !file.at_end(); data.rows += weight.back()) {
    for (Index v = 0; v < n; ++v)
      codes.push_back(static_cast<Code>(
          file.number_field(v + 1 == n && !claim.counted, claim.nodes[v].levels) - 1));
    weight.push_back(claim.counted ? static_cast<Count>(file.number_field(true, kMostRows)) : 1);
    require(data.rows + weight.back() <= kMostRows, "the data have too many rows");
  }
  require(data.rows > 0, "the data have no rows");
  for (const Count row : sorted_rows(codes, n)) {
    const Code *at = &codes[row * n];
    if (data.weight.empty() || !std::equal(at, at + n, data.codes.end() - static_cast<long>(n))) {
      data.codes.insert(data.codes.end(), at, at + n);
      data.weight.push_back(0);
    }
    data.weight.back() += weight[row];
  }
  Terms n_log_n;
  for (Index v = 0; v < n; ++v) {
    std::vector<Count> count(claim.nodes[v].levels);
    for (Index row = 0; row < data.weight.size(); ++row)
      count[data.codes[row * n + v]] += data.weight[row];
    data.entropies.push_back(n_log_n.of(static_cast<Count>(data.rows)));
    for (const Count c : count)
      data.entropies.back() -= n_log_n.of(c);
  }
  return data;
}

// --- one node -------------------------------------------------------------------------------------

// The rows by configuration of a few parents, as far as later parents can split configurations.
struct Level {
  struct Row {
    Count row, weight;
  };
  Index column = 0, states = 1; // the last parent, and how many configurations there can be
  std::vector<Row> rows;
  std::vector<Index> ends;        // of configurations, in rows
  std::map<Count, Index> settled; // BDeu: configurations of one row, by its weight
};

struct Listed {
  Interval score;
  std::vector<Index> columns; // descending
};

// The parent sets of a node. Columns are its possible parents by entropy, then the required ones.
// Sets grow by ever lower columns; rows that agree in the node and in all lower columns are one.
class Family {
public:
  Index scored = 0; // sets of the scope of which no bound says enough

  Family(const Data &data, const Claim &claim, Index v)
      : bde_(claim.bde), r_(claim.nodes[v].levels), complete_(claim.nodes[v].complete),
        parameter_(claim.parameter), quantum_(between(claim.quantum, claim.quantum).low),
        penalty_(static_cast<Wide>(r_ - 1) * between(claim.parameter, claim.parameter)),
        log_r_(log_near(static_cast<Real>(r_))), column_(claim.nodes.size(), kMostNodes) {
    const Index n = claim.nodes.size();
    const Node &node = claim.nodes[v];
    std::vector<Index> nodes;
    std::vector<bool> taken(n);
    taken[v] = true;
    for (const std::vector<Index> *set : {&node.required, &node.forbidden})
      for (const Index u : *set)
        taken[u] = true;
    for (Index u = 0; u < n; ++u)
      if (!taken[u])
        nodes.push_back(u);
    std::sort(nodes.begin(), nodes.end(),
              [&](Index a, Index b) { return data.entropies[a].low < data.entropies[b].low; });
    allowed_ = nodes.size();
    nodes.insert(nodes.end(), node.required.begin(), node.required.end());
    width_ = nodes.size();
    for (Index c = 0; c < width_; ++c) {
      column_[nodes[c]] = c;
      levels_.push_back(claim.nodes[nodes[c]].levels);
      entropies_.push_back(data.entropies[nodes[c]].high);
    }
    levels_.push_back(1); // a column of no parent
    nodes.push_back(v);

    std::vector<Code> codes;
    for (Index row = 0; row < data.weight.size(); ++row)
      for (const Index u : nodes)
        codes.push_back(data.codes[row * n + u]);
    x_.resize(width_ + 1);
    stack_.resize(1);
    for (const Count row : sorted_rows(codes, width_ + 1)) {
      stack_[0].rows.push_back({static_cast<Count>(y_.size()), data.weight[row]});
      const Code *at = &codes[row * (width_ + 1)];
      codes_.insert(codes_.end(), at, at + width_);
      for (Index c = 0; c < width_; ++c)
        x_[c].push_back(at[c]);
      x_[width_].push_back(0);
      y_.push_back(at[width_]);
    }
    stack_[0].ends = {y_.size()};
    const Index most = *std::max_element(levels_.begin(), levels_.end());
    bucket_.resize(most);
    last_.resize(most * r_);
    cells_.resize(most * r_);
    wholes_.resize(most);
    present_.resize(width_);
  }

  void check(const std::vector<ScoredSet> &sets) {
    std::vector<Listed> listed;
    for (const ScoredSet &set : sets) {
      listed.push_back({between(set.score, set.score), {}});
      std::vector<Index> &columns = listed.back().columns;
      for (const Index u : set.parents)
        columns.push_back(column_[u]);
      std::sort(columns.rbegin(), columns.rend());
      require(columns.empty() || columns[0] < width_, "a listed set has a parent out of the scope");
      require(std::adjacent_find(columns.begin(), columns.end()) == columns.end(),
              "a listed set has a parent twice");
      const Index wanted = width_ - allowed_;
      require(columns.size() >= wanted && (wanted == 0 || columns[wanted - 1] == allowed_),
              "a listed set lacks a required parent");
    }
    std::sort(listed.begin(), listed.end(),
              [](const Listed &a, const Listed &b) { return a.columns < b.columns; });
    for (const Listed &set : listed) {
      std::vector<Index> columns = set.columns;
      columns.push_back(width_);
      const Index last = columns[std::max<Index>(set.columns.size(), 1) - 1];
      go_to(columns, std::max<Index>(set.columns.size(), 1) - 1);
      const Interval score = score_with(last);
      require(score.high <= set.score.low + quantum_ && score.low >= set.score.high - quantum_,
              "a listed score is off");
    }

    std::stable_sort(listed.begin(), listed.end(),
                     [](const Listed &a, const Listed &b) { return a.score.low > b.score.low; });
    std::vector<Index> required(width_ - allowed_);
    std::iota(required.rbegin(), required.rend(), allowed_);
    Wide best = kNothing;
    with_.resize(width_);
    for (const Listed &set : listed) {
      if (set.columns == required)
        best = std::max(best, set.score.low);
      for (const Index u : set.columns)
        with_[u].push_back(&set);
    }
    if (required.size() > complete_)
      return;
    go_to(required, required.size());
    for (const Index u : required)
      present_[u] = true;
    require(score_with(width_).high <= best + quantum_, "the smallest set is missing");
    visit(allowed_, required.size(), best);
  }

private:
  const Level &top() const { return stack_[depth_]; }
  Index states_with(Index u) const { return std::min(top().states * levels_[u], kMostStates); }
  Terms &terms(Index states) {
    const Real a = bde_ ? parameter_ / static_cast<Real>(states) : 0;
    return terms_.try_emplace(bde_ ? states : 0, a).first->second;
  }
  // Do two rows agree in the columns below this one?
  bool alike(const Level::Row &a, const Level::Row &b, Index below) const {
    return std::memcmp(codes_.data() + a.row * width_, codes_.data() + b.row * width_,
                       below * sizeof(Code)) == 0;
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
    to.settled = from.settled;
    Index i = 0;
    for (const Index end : from.ends) {
      for (touched_.clear(); i < end; ++i) {
        const Level::Row &row = from.rows[i];
        const Code x = x_[u][row.row], y = y_[row.row];
        std::vector<Level::Row> &bucket = bucket_[x];
        if (bucket.empty())
          touched_.push_back(x);
        Index &last = last_[x * r_ + y]; // (in this bucket, or left from another)
        if (last < bucket.size() && y_[bucket[last].row] == y && alike(bucket[last], row, u)) {
          bucket[last].weight += row.weight;
        } else {
          last = bucket.size();
          bucket.push_back(row);
        }
      }
      for (const Code x : touched_)
        take(bucket_[x], to);
    }
    ++depth_;
  }

  // A configuration, unless its part in all scores is known.
  void take(std::vector<Level::Row> &bucket, Level &to) {
    const Code first = y_[bucket[0].row];
    const auto same = [&](const Level::Row &row) { return y_[row.row] == first; };
    if (bde_ && bucket.size() == 1) {
      ++to.settled[bucket[0].weight];
    } else if (bde_ || !std::all_of(bucket.begin(), bucket.end(), same)) {
      to.rows.insert(to.rows.end(), bucket.begin(), bucket.end());
      to.ends.push_back(to.rows.size());
    }
    bucket.clear();
  }

  // The score of the parents given and this one.
  Interval score_with(Index u) {
    const Index states = states_with(u);
    require(states < kMostStates, "a set has too many configurations");
    Terms &cell = terms(states * r_), &whole = terms(states);
    const std::vector<Code> &x = x_[u];
    Interval sum{0, 0};
    Index begin = 0;
    for (const Index end : top().ends) {
      for (Index i = begin; i < end; ++i) {
        const Level::Row &row = top().rows[i];
        cells_[x[row.row] * r_ + y_[row.row]] += row.weight;
        wholes_[x[row.row]] += row.weight;
      }
      for (; begin < end; ++begin) {
        const Count row = top().rows[begin].row;
        Count &of_cell = cells_[x[row] * r_ + y_[row]], &of_whole = wholes_[x[row]];
        if (of_cell > 0)
          sum += cell.of(of_cell);
        if (of_whole > 0)
          sum -= whole.of(of_whole);
        of_cell = of_whole = 0;
      }
    }
    for (const auto &settled : top().settled) {
      Interval one = cell.of(settled.first);
      one -= whole.of(settled.first);
      sum += static_cast<Wide>(settled.second) * one;
    }
    if (!bde_)
      sum -= static_cast<Wide>(states) * penalty_;
    return sum;
  }

  // No likelihood (or score, if BDeu) of the parents given and any of these columns is larger.
  Wide ceiling(Index below) {
    Wide sum = 0;
    Index begin = 0;
    for (const Index end : top().ends) {
      Wide likelihood = 0;
      Index values = 0;
      for (Index i = begin, run = begin; i < end; run = i) {
        Count whole = 0;
        for (; i < end && alike(top().rows[run], top().rows[i], below); ++i) {
          whole += top().rows[i].weight;
          cells_[y_[top().rows[i].row]] += top().rows[i].weight;
        }
        likelihood -= n_log_n_.of(whole).low;
        for (; run < i; ++run) {
          Count &cell = cells_[y_[top().rows[run].row]];
          likelihood += n_log_n_.of(cell).high;
          cell = 0;
        }
      }
      for (Index i = begin; i < end; ++i)
        values += cells_[y_[top().rows[i].row]]++ == 0;
      for (; begin < end; ++begin)
        cells_[y_[top().rows[begin].row]] = 0;
      sum += bde_ ? std::min(likelihood, -static_cast<Wide>(values) * log_r_.low) : likelihood;
    }
    for (const auto &settled : top().settled)
      sum -= static_cast<Wide>(settled.second) * log_r_.low;
    return sum;
  }

  // Has the set a member that its superset never needs? (BIC: it costs what it can gain.)
  bool wasteful(Index u, Index states) const {
    const auto wastes = [&](Index c) {
      const Index more = states / levels_[c] * (levels_[c] - 1);
      return c < allowed_ && static_cast<Wide>(more) * penalty_.low >= entropies_[c];
    };
    bool found = wastes(u);
    for (Index i = 1; i <= depth_ && !found; ++i)
      found = wastes(stack_[i].column);
    return !bde_ && found;
  }

  // All sets of the scope that add to the parents given, `size` of them, some of these columns.
  // A listed set that is one of the parents given, or a subset, has the score `best`.
  void visit(Index below, Index size, Wide best) {
    if (size == complete_ || below == 0)
      return;
    const Wide most = ceiling(below);
    const auto present = [&](Index c) { return present_[c] != 0; };
    for (Index u = 0; u < below; ++u) {
      present_[u] = true;
      Wide now = best;
      for (const Listed *set : with_[u])
        if (set->score.low <= now ||
            std::all_of(set->columns.begin(), set->columns.end(), present)) {
          now = std::max(now, set->score.low);
          break;
        }
      const Index states = states_with(u);
      const Wide cost = bde_ ? 0 : static_cast<Wide>(states) * penalty_.low;
      if (most - cost > now + quantum_ && !wasteful(u, states)) {
        ++scored;
        require(score_with(u).high <= now + quantum_, "a set is missing");
        if (u > 0 && size + 1 < complete_) {
          push(u);
          visit(u, size + 1, now);
          --depth_;
        }
      }
      present_[u] = false;
    }
  }

  const bool bde_;
  const Index r_, complete_;
  const Real parameter_;
  const Wide quantum_;
  const Interval penalty_, log_r_;   // of a configuration; log of r_
  std::vector<Index> column_;        // by node, or more than there are
  Index allowed_ = 0, width_ = 0;    // columns that may be parents, and with the required ones
  std::vector<Index> levels_;        // by column
  std::vector<Wide> entropies_;      // by column
  std::vector<std::vector<Code>> x_; // by column
  std::vector<Code> y_, codes_;      // of the node; of all columns, row after row
  std::deque<Level> stack_;
  Index depth_ = 0;
  std::unordered_map<Index, Terms> terms_; // by states, where they matter
  Terms n_log_n_;
  std::vector<std::vector<const Listed *>> with_; // by column: sets that have it, best first
  std::vector<char> present_;                     // by column
  std::vector<std::vector<Level::Row>> bucket_;   // by level: empty, but in push()
  std::vector<Code> touched_;
  std::vector<Index> last_;
  std::vector<Count> cells_, wholes_; // zeros between uses
};

// --- the whole ------------------------------------------------------------------------------------

struct Checked {
  Claim claim;
  Index rows = 0, listed = 0, scored = 0, complete = 0, required = 0, forbidden = 0;
};

Checked check(const char *data_file, const char *sets_file, const char *proof_file) {
  const Candidates candidates = read_sets(sets_file);
  const Index n = candidates.names.size();
  Checked checked{read_claim(proof_file, n)};
  const Data data = read_data(data_file, candidates.names, checked.claim);
  checked.rows = data.rows;
  checked.complete = n;
  for (Index v = 0; v < n; ++v) {
    try {
      Family family(data, checked.claim, v);
      family.check(candidates.sets[v]);
      checked.scored += family.scored;
    } catch (const std::exception &error) {
      throw std::runtime_error(candidates.names[v] + ": " + error.what());
    }
    const Node &node = checked.claim.nodes[v];
    checked.listed += candidates.sets[v].size();
    checked.complete = std::min(checked.complete, node.complete);
    checked.required += node.required.size();
    checked.forbidden += node.forbidden.size();
  }
  return checked;
}

} // namespace

int main(int count, char **arguments) {
  try {
    require(count == 4, "usage: check-scores data.csv sets.jkl proof.gz");
    const Checked checked = check(arguments[1], arguments[2], arguments[3]);
    const Claim &claim = checked.claim;
    std::printf("scores: %zu sets are right to %g (%s %.10g, %zu rows); each other one of at most "
                "%zu parents (%zu arcs required, %zu forbidden) scores no more than a subset of "
                "its own, to %g (%zu were scored)\n",
                checked.listed, claim.quantum, claim.bde ? "bde" : "bic", claim.parameter,
                checked.rows, checked.complete, checked.required, checked.forbidden, claim.quantum,
                checked.scored);
    return 0;
  } catch (const std::exception &error) {
    std::printf("not proved: %s\n", error.what());
    return 1;
  }
}
