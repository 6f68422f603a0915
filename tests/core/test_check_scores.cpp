#include "check.h"

#include "core/base/random.h"

#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <functional>
#include <map>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

// The checker as it stands: the headers above are all that it includes.
namespace scores_checker {
#define main check_scores
#include "../../src/checker/check_scores.cpp"
#undef main
} // namespace scores_checker

using optbn::Random;

namespace {

using Set = unsigned; // of nodes, as bits

// What the checker is asked to believe: data, listed sets, and the claim about them.
struct Case {
  bool bde = false, counted = false;
  double parameter = 1, quantum = 1e-6;
  std::vector<unsigned> levels, complete;
  std::vector<Set> required, forbidden;
  std::vector<std::vector<unsigned>> rows; // codes from 1
  std::vector<unsigned> weights;
  std::vector<std::vector<std::pair<double, Set>>> listed;

  unsigned size() const { return static_cast<unsigned>(levels.size()); }
};

unsigned members(Set set) {
  unsigned count = 0;
  for (; set; set &= set - 1)
    ++count;
  return count;
}

bool allowed(const Case &c, unsigned v, Set set) {
  return !(set >> v & 1) && !(set & c.forbidden[v]) && !(c.required[v] & ~set);
}

// By its definition, with the library's gamma function.
long double brute_score(const Case &c, unsigned v, Set set) {
  std::map<std::vector<unsigned>, std::vector<unsigned>> counts;
  long double q = 1;
  for (unsigned u = 0; u < c.size(); ++u)
    q *= set >> u & 1 ? c.levels[u] : 1;
  const long double r = c.levels[v], a = c.parameter / q;
  for (std::size_t i = 0; i < c.rows.size(); ++i) {
    std::vector<unsigned> configuration;
    for (unsigned u = 0; u < c.size(); ++u)
      if (set >> u & 1)
        configuration.push_back(c.rows[i][u]);
    auto &count = counts[configuration];
    count.resize(c.levels[v]);
    count[c.rows[i][v] - 1] += c.weights[i];
  }
  long double sum = c.bde ? 0 : -c.parameter * (r - 1) * q;
  for (const auto &entry : counts) {
    const long double n = std::accumulate(entry.second.begin(), entry.second.end(), 0u);
    sum += c.bde ? std::lgamma(a) - std::lgamma(a + n) : 0;
    for (const unsigned count : entry.second)
      if (count > 0)
        sum +=
            c.bde ? std::lgamma(a / r + count) - std::lgamma(a / r) : count * std::log(count / n);
  }
  return sum;
}

// Every set of the scope, in an order in which subsets come first.
template <class Use> void for_scope(const Case &c, unsigned v, Use use) {
  for (Set set = 0; set < 1u << c.size(); ++set)
    if (allowed(c, v, set) && members(set) <= c.complete[v])
      use(set);
}

// By how much the best listed subset of each set scores less than it does, at most; and by how much
// listed scores are off, at most.
double excess(const Case &c) {
  long double most = 0;
  for (unsigned v = 0; v < c.size(); ++v) {
    for (const auto &listed : c.listed[v]) {
      if (!allowed(c, v, listed.second))
        return HUGE_VAL;
      most = std::max(most, std::fabs(listed.first - brute_score(c, v, listed.second)));
    }
    for_scope(c, v, [&](Set set) {
      long double best = -HUGE_VALL;
      for (const auto &listed : c.listed[v])
        if (!(listed.second & ~set))
          best = std::max<long double>(best, listed.first);
      most = std::max(most, brute_score(c, v, set) - best);
    });
  }
  return static_cast<double>(most);
}

// Lists the sets of the scope that score more than all their subsets, and a few others.
void list_sets(Case &c, Random &random) {
  c.listed.assign(c.size(), {});
  for (unsigned v = 0; v < c.size(); ++v) {
    std::vector<std::pair<double, Set>> all;
    for (Set set = 0; set < 1u << c.size(); ++set) {
      if (!allowed(c, v, set))
        continue;
      const auto score = static_cast<double>(brute_score(c, v, set));
      const bool in_scope = members(set) <= c.complete[v];
      bool better = in_scope;
      for (const auto &other : all)
        better = better && ((other.second & ~set) || other.first < score);
      if (in_scope)
        all.push_back({score, set});
      if (better || random.below(in_scope ? 10 : 4) == 0)
        c.listed[v].push_back({score, set});
    }
    if (c.listed[v].empty()) // (no set is so small)
      c.listed[v].push_back({static_cast<double>(brute_score(c, v, c.required[v])), c.required[v]});
    for (std::size_t i = c.listed[v].size(); i > 1; --i)
      std::swap(c.listed[v][i - 1], c.listed[v][random.below(static_cast<std::uint32_t>(i))]);
  }
}

Case random_case(std::uint64_t seed) {
  Random random(seed);
  Case c;
  const unsigned n = 3 + random.below(5), rows = 5 + random.below(120);
  c.bde = random.below(2) == 1;
  c.counted = random.below(2) == 1;
  for (unsigned v = 0; v < n; ++v)
    c.levels.push_back(2 + random.below(3));
  const bool noisy = random.below(2) == 1;
  for (unsigned i = 0; i < rows; ++i) {
    std::vector<unsigned> row;
    for (unsigned v = 0; v < n; ++v) { // often like one before it; the last level is rare or unused
      const unsigned used = c.levels[v] - (v % 3 == 0 && c.levels[v] > 2);
      unsigned code = 1 + std::min(random.below(used), random.below(used));
      if (v > 0 && random.below(noisy ? 2 : 8) > 0)
        code = 1 + (row[random.below(v)] + (v > 1 ? row[v - 2] : 0)) % used;
      row.push_back(code);
    }
    c.rows.push_back(row);
    c.weights.push_back(c.counted ? 1 + random.below(i % 7 == 0 ? (seed % 3 == 0 ? 30000 : 300) : 4)
                                  : 1);
  }
  unsigned total = 0;
  for (const unsigned weight : c.weights)
    total += weight;
  const double sizes[] = {.1, 1, 10, 100}, penalties[] = {std::log(total) / 2, 1, 0, .3};
  c.parameter = (c.bde ? sizes : penalties)[random.below(4)];
  const bool constrained = random.below(2) == 1;
  const unsigned completes[] = {1, 2, n - 1};
  const unsigned complete = completes[random.below(3)];
  for (unsigned v = 0; v < n; ++v) {
    c.complete.push_back(constrained ? random.below(n) : complete);
    const Set required = constrained ? 1u << random.below(n) & ~(1u << v) : 0;
    c.required.push_back(random.below(3) == 0 ? required : 0);
    const Set forbidden = constrained ? random.below(1u << n) & random.below(1u << n) : 0;
    c.forbidden.push_back(forbidden & ~c.required[v] & ~(1u << v));
  }
  list_sets(c, random);
  return c;
}

// --- files ---

struct Texts {
  std::string data, sets, claim;
};

std::string written(Set set) {
  std::string text = std::to_string(members(set));
  for (unsigned u = 0; set >> u; ++u)
    if (set >> u & 1)
      text += ' ' + std::to_string(u);
  return text;
}

Texts texts_of(const Case &c) {
  std::ostringstream data, sets, claim;
  sets.precision(17);
  claim.precision(17);
  claim << "optbn-proof 1 of anything\nend\nscores " << (c.bde ? "bde " : "bic ") << c.parameter
        << ' ' << c.quantum << ' ' << c.counted << '\n';
  sets << c.size() << '\n';
  for (unsigned v = 0; v < c.size(); ++v) {
    data << (v ? "," : "") << v;
    sets << v << ' ' << c.listed[v].size() << '\n';
    for (const auto &listed : c.listed[v])
      sets << listed.first << ' ' << written(listed.second) << '\n';
    claim << c.levels[v] << ' ' << c.complete[v] << ' ' << written(c.required[v]) << ' '
          << written(c.forbidden[v]) << '\n';
  }
  data << (c.counted ? ",how many\n" : "\n");
  for (std::size_t i = 0; i < c.rows.size(); ++i) {
    for (unsigned v = 0; v < c.size(); ++v)
      data << (v ? "," : "") << c.rows[i][v];
    if (c.counted)
      data << ',' << c.weights[i];
    data << '\n';
  }
  claim << "end\n";
  return {data.str(), sets.str(), claim.str()};
}

// What texts say that the checker has accepted, so that they are well-formed.
Case case_of(const Texts &texts) {
  Case c;
  std::istringstream sets(texts.sets), claim(texts.claim), data(texts.data);
  std::string word;
  while (claim >> word && word != "end") {
  }
  claim >> word >> word;
  c.bde = word == "bde";
  claim >> c.parameter >> c.quantum >> c.counted;
  const auto read_set = [](std::istream &stream) {
    unsigned count = 0, u = 0;
    Set set = 0;
    for (stream >> count; count > 0 && stream >> u; --count)
      set |= 1u << u;
    return set;
  };
  unsigned n = 0, number = 0;
  sets >> n;
  for (unsigned v = 0; v < n; ++v) {
    claim >> number;
    c.levels.push_back(number);
    claim >> number;
    c.complete.push_back(number);
    c.required.push_back(read_set(claim));
    c.forbidden.push_back(read_set(claim));
    sets >> word >> number;
    c.listed.emplace_back();
    for (; number > 0; --number) {
      double score = 0;
      sets >> score;
      c.listed[v].push_back({score, read_set(sets)});
    }
  }
  std::vector<std::string> fields; // which ends of lines separate, too
  for (std::string line; std::getline(data, line);) {
    std::istringstream rest(line);
    while (std::getline(rest, word, ','))
      if (!word.empty())
        fields.push_back(word);
  }
  for (std::size_t i = n + c.counted; i < fields.size(); i += n + c.counted) {
    c.rows.emplace_back();
    for (unsigned v = 0; v < n; ++v)
      c.rows.back().push_back(static_cast<unsigned>(std::stoul(fields[i + v])));
    c.weights.push_back(c.counted ? static_cast<unsigned>(std::stoul(fields[i + n])) : 1);
  }
  return c;
}

// The reason why nothing is proved, or "proved".
std::string verdict(const Texts &texts) {
  const std::string name = "build/scores" + std::to_string(getpid()); // (tests run side by side)
  const std::string files[] = {name + ".csv", name + ".jkl", name + ".txt"};
  const std::string contents[] = {texts.data, texts.sets, texts.claim};
  for (unsigned i = 0; i < 3; ++i)
    std::ofstream(files[i], std::ios::binary) << contents[i];
  std::string reason = "proved";
  try {
    scores_checker::check(files[0].c_str(), files[1].c_str(), files[2].c_str());
  } catch (const std::exception &error) {
    reason = error.what();
  }
  for (const std::string &file : files)
    std::remove(file.c_str());
  return reason;
}

bool refused_for(const Case &c, const std::string &reason) {
  const std::string found = verdict(texts_of(c));
  return found.size() >= reason.size() &&
         found.compare(found.size() - reason.size(), reason.size(), reason) == 0;
}

} // namespace

TEST(scores_and_scopes_are_proved_from_data) {
  unsigned kinds[2] = {};
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Case c = random_case(seed);
    CHECK(excess(c) < 1e-9);
    CHECK_EQUAL(verdict(texts_of(c)), std::string("proved"));
    ++kinds[c.bde];
  }
  CHECK(kinds[0] > 50 && kinds[1] > 50);
}

TEST(false_scores_are_refused) {
  unsigned missed = 0, shallow = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Case c = random_case(seed);
    Random random(seed);
    const unsigned v = random.below(c.size());
    auto any = random.below(static_cast<std::uint32_t>(c.listed[v].size()));

    for (const double by : {2e-6, -2e-6}) {
      Case other = c;
      other.listed[v][any].first += by;
      CHECK(refused_for(other, "a listed score is wrong"));
      other.quantum = 4e-6;
      CHECK_EQUAL(verdict(texts_of(other)), std::string("proved"));
    }

    // Each needed set in turn is missing.
    for (std::size_t i = 0; i < c.listed[v].size(); ++i) {
      Case other = c;
      other.listed[v].erase(other.listed[v].begin() + static_cast<std::ptrdiff_t>(i));
      if (other.listed[v].empty())
        continue;
      const double lacks = excess(other);
      if (std::fabs(lacks - other.quantum) < 1e-9)
        continue;
      CHECK_EQUAL(verdict(texts_of(other)) == "proved", lacks < other.quantum);
      if (lacks > other.quantum) {
        CHECK(refused_for(other, "set is missing"));
        ++missed;
      }
    }

    Case deeper = c;
    if (deeper.complete[v] + 1 < c.size()) {
      ++deeper.complete[v];
      const bool holds = excess(deeper) < c.quantum;
      CHECK_EQUAL(verdict(texts_of(deeper)) == "proved", holds);
      shallow += !holds;
    }

    // Another parameter, a row less, another row, another number of levels.
    std::vector<Case> others(4, c);
    others[0].parameter += 1e-3;
    others[1].rows.pop_back();
    others[1].weights.pop_back();
    others[2].rows[0][v] = 1 + others[2].rows[0][v] % c.levels[v];
    ++others[3].levels[v];
    for (const Case &other : others)
      CHECK_EQUAL(verdict(texts_of(other)) == "proved", excess(other) < c.quantum);
  }
  CHECK(missed > 100);
  CHECK(shallow > 8);
}

TEST(odd_files_of_scores_are_refused) {
  const Case c = random_case(1);
  const Texts texts = texts_of(c);
  const auto with = [&](std::string Texts::*which, const std::string &from, const std::string &to) {
    Texts other = texts;
    const std::size_t at = (other.*which).find(from);
    CHECK(at != std::string::npos);
    if (at != std::string::npos)
      (other.*which).replace(at, from.size(), to);
    return verdict(other);
  };
  const std::string proved = "proved", first = std::to_string(c.rows[0][0]) + ",";
  CHECK_EQUAL(verdict(texts), proved);
  CHECK_EQUAL(with(&Texts::data, "\n", "\r\n"), proved);
  CHECK(with(&Texts::data, "0,1", "1,0") != proved);
  CHECK(with(&Texts::data, "0,1", "0,1,1") != proved);
  for (const char *field :
       {"", "0,", "5,", "-1,", "1.0,", "a,", ",", "1,1,", "99999999999999999999,"})
    CHECK(with(&Texts::data, "\n" + first, "\n" + std::string(field)) != proved);
  CHECK(verdict({texts.data + "1,1\n", texts.sets, texts.claim}) != proved);
  CHECK(verdict({texts.data + std::string(1, '\0'), texts.sets, texts.claim}) != proved);
  CHECK(verdict({texts.data, texts.sets + "0", texts.claim}) != proved);
  CHECK(verdict({texts.data, texts.sets, texts.claim + "0"}) != proved);
  for (const char *count :
       {"0", "70000", "4294967295", "18446744073709551616", "-1", "nan", "1e9"}) {
    CHECK(with(&Texts::sets, std::to_string(c.size()) + "\n", std::string(count) + "\n") != proved);
    CHECK(with(&Texts::sets, "\n0 ", "\n0 " + std::string(count) + ' ') != proved);
  }
  for (const char *score : {"nan", "inf", "-inf", "1e300", "x", "-1e12"})
    CHECK(with(&Texts::sets, "\n-", "\n" + std::string(score) + ' ') != proved);
  // All beginnings of the files are refused, but for the last line's end and its digits.
  for (std::size_t end = 0; end + 2 < texts.claim.size(); ++end)
    CHECK(verdict({texts.data, texts.sets, texts.claim.substr(0, end)}) != proved);
  for (std::size_t end = 0; end + 2 < texts.sets.size(); ++end)
    CHECK(verdict({texts.data, texts.sets.substr(0, end), texts.claim}) != proved);
}

TEST(listed_sets_outside_the_scope_are_refused) {
  Case c = random_case(1);
  c.required.assign(c.size(), 0);
  c.forbidden.assign(c.size(), 0);
  c.required[1] = 1;
  c.forbidden[1] = 4;
  Random random(1);
  list_sets(c, random);
  CHECK_EQUAL(verdict(texts_of(c)), std::string("proved"));
  for (const Set set : {0u, 5u}) {
    Case other = c;
    other.listed[1].push_back({static_cast<double>(brute_score(c, 1, set)), set});
    CHECK(refused_for(other, set ? "a listed set has a forbidden parent"
                                 : "a listed set lacks a required parent"));
  }
  Texts texts = texts_of(c);
  const std::size_t at = texts.sets.find(" 1 0\n");
  CHECK(at != std::string::npos);
  texts.sets.replace(at, 4, " 2 0 0");
  CHECK_EQUAL(verdict(texts), std::string("1: a listed set has a parent twice"));
}

// A node that two others determine, of which neither says anything alone. What is listed is needed,
// by ever less; bounds exclude it where they are a little too strict.
TEST(bounds_exclude_no_set_that_is_needed) {
  for (const bool bde : {false, true})
    for (unsigned i = 1; i <= 40; ++i) {
      Case c;
      c.bde = bde;
      for (unsigned row = 0; row < 8; ++row) {
        const unsigned a = row & 1, b = row >> 1 & 1, d = row >> 2 & 1;
        c.rows.push_back({1 + (a ^ b), 1 + a, 1 + b, 1 + d, 1 + (a ^ b ^ d)});
        c.weights.push_back(bde ? 1 + i : 10);
      }
      c.counted = true;
      const unsigned n = 5;
      c.levels.assign(n, 2);
      c.complete.assign(n, n - 1);
      c.required.assign(n, 0);
      c.forbidden.assign(n, 0);
      c.parameter = bde ? 1e-3 : 80 * std::log(2) / (1 + .3 * i);
      Random random(i);
      list_sets(c, random);
      CHECK_EQUAL(verdict(texts_of(c)), std::string("proved"));
      for (unsigned v = 0; v < n; ++v)
        for (std::size_t j = 0; j < c.listed[v].size() && c.listed[v].size() > 1; ++j) {
          Case other = c;
          other.listed[v].erase(other.listed[v].begin() + static_cast<std::ptrdiff_t>(j));
          const double lacks = excess(other);
          if (std::fabs(lacks - other.quantum) > 1e-9)
            CHECK_EQUAL(verdict(texts_of(other)) == "proved", lacks < other.quantum);
        }
    }
}

TEST(compressed_files_of_scores_must_be_whole) {
  const Texts texts = texts_of(random_case(1));
  const std::string name = "build/scores" + std::to_string(getpid()) + ".gz";
  const gzFile file = gzopen(name.c_str(), "wb");
  gzwrite(file, texts.data.data(), static_cast<unsigned>(texts.data.size()));
  gzclose(file);
  std::ostringstream packed;
  packed << std::ifstream(name, std::ios::binary).rdbuf();
  std::remove(name.c_str());
  const std::string bytes = packed.str();
  CHECK_EQUAL(verdict({bytes, texts.sets, texts.claim}), std::string("proved"));
  for (std::size_t lost = 1; lost < 20; ++lost)
    CHECK_EQUAL(verdict({bytes.substr(0, bytes.size() - lost), texts.sets, texts.claim}),
                std::string("a file is damaged or too large"));
}

namespace {

std::string mutated(const std::string &text, Random &random) {
  const auto below = [&](std::size_t size) {
    return random.below(static_cast<std::uint32_t>(std::max<std::size_t>(1, size)));
  };
  std::vector<std::string> words; // and what is between them
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n' || c == ',';
    if (words.empty() || blank || words.back() == " " || words.back() == "\n" ||
        words.back() == ",")
      words.emplace_back();
    words.back() += c;
  }
  for (unsigned changes = 1 + below(2); changes > 0; --changes) {
    std::string &word = words[below(words.size())], &other = words[below(words.size())];
    const char *odd[] = {"0", "1", "2", "3", "end", "-1", "1e-3", "0.5", "1e-5", "bde", "bic"};
    switch (below(6)) {
    case 0:
      std::swap(word, other);
      break;
    case 1:
      word = other;
      break;
    case 2:
      word = odd[below(11)];
      break;
    case 3:
      word[below(word.size())] = static_cast<char>('0' + below(10));
      break;
    case 4:
      words.resize(words.size() - below(words.size()) / 8);
      break;
    default:
      word += below(2) ? " " : "\n";
    }
  }
  std::string joined;
  for (const std::string &word : words)
    joined += word;
  return joined;
}

} // namespace

TEST(no_mutated_claim_of_scores_is_believed_wrongly) {
  const char *wanted = std::getenv("OPTBN_MUTATED_PROOFS");
  const auto most = static_cast<unsigned>(wanted ? std::atoi(wanted) : 3000);
  unsigned accepted = 0, refused = 0;
  Random random(1);
  for (std::uint64_t seed = 0; accepted + refused < most; ++seed) {
    const Texts texts = texts_of(random_case(seed));
    for (unsigned i = 0; i < 20; ++i) {
      Texts other = texts;
      for (std::string *text : {&other.data, &other.sets, &other.claim})
        if (random.below(2) == 0)
          *text = mutated(*text, random);
      const bool proved = verdict(other) == "proved";
      if (proved) {
        const Case c = case_of(other);
        if (!(excess(c) < c.quantum + 1e-9))
          check::fail(__FILE__, __LINE__,
                      "seed " + std::to_string(seed) + ", believed:\n" + other.data + other.sets +
                          other.claim);
      }
      (proved ? accepted : refused) += 1;
    }
  }
  CHECK(refused > most / 4);
  CHECK(accepted > most / 100);
}
