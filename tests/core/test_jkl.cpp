#include "check.h"

#include "core/base/errors.h"
#include "core/base/random.h"
#include "core/score/jkl.h"

#include <algorithm>
#include <set>

using namespace optbn;

namespace {

const std::string kSmall = "3\n"
                           "a 3\n"
                           "-7.25 0\n"
                           "-5.5 2 c b\n"
                           "-6 1 b\n"
                           "b 1\n"
                           "-1e2 0\n"
                           "c 2\n"
                           "-3 1 a\n"
                           "-4 0\n";

// The line that reading `text` fails at; 0 when it succeeds.
std::size_t failing_line(const std::string &text, bool require_empty = true) {
  try {
    read_jkl(text, require_empty);
  } catch (const ParseError &e) {
    return e.line;
  }
  return 0;
}

std::string replaced(std::string text, const std::string &from, const std::string &to) {
  return text.replace(text.find(from), from.size(), to);
}

bool same(const NamedParentSets &a, const NamedParentSets &b) {
  if (a.names != b.names || a.sets.size() != b.sets.size())
    return false;
  for (Node v = 0; v < a.sets.size(); ++v) {
    const CandidateSets &x = a.sets.nodes[v], &y = b.sets.nodes[v];
    if (x.score != y.score || x.offset != y.offset || x.parents != y.parents)
      return false;
  }
  return true;
}

// Distinct random sets with scores over many orders of magnitude, some of them equal.
NamedParentSets random_file(Random &random, Node n) {
  NamedParentSets file;
  for (Node v = 0; v < n; ++v) {
    file.names.push_back("node-" + std::to_string(random.below(1000)) + "." + std::to_string(v));
    std::set<std::vector<Node>> distinct{{}};
    for (unsigned i = 0; i < 20; ++i) {
      std::vector<Node> set;
      for (Node u = 0; u < n; ++u)
        if (u != v && random.below(3) == 0)
          set.push_back(u);
      distinct.insert(set);
    }
    CandidateSets sets;
    for (const std::vector<Node> &set : distinct) {
      const double score = random.below(8) == 0
                               ? -42.5
                               : -std::exp(40 * random.uniform() - 20) * (random.uniform() + 1);
      sets.add(score, set.data(), set.data() + set.size());
    }
    sets.sort();
    file.sets.nodes.push_back(sets);
  }
  return file;
}

} // namespace

TEST(jkl_reads_names_declared_later_and_sorts) {
  const NamedParentSets file = read_jkl(kSmall);
  CHECK((file.names == std::vector<std::string>{"a", "b", "c"}));
  const CandidateSets &a = file.sets.nodes[0];
  CHECK((a.score == std::vector<double>{-5.5, -6, -7.25}));
  CHECK((a.offset == std::vector<std::uint32_t>{0, 2, 3, 3}));
  CHECK((a.parents == std::vector<Node>{1, 2, 1}));
  CHECK_EQUAL(file.sets.nodes[1].score[0], -100.0);
}

TEST(jkl_ignores_blank_lines_carriage_returns_and_a_missing_last_newline) {
  std::string text = "\r\n\n" + kSmall;
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 4)
    text.replace(at, 1, " \r\n\t");
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  CHECK(same(read_jkl(text), read_jkl(kSmall)));
}

TEST(jkl_does_not_depend_on_the_order_of_lines) {
  const std::string shuffled = "3\nc 2\n-4 0\n-3 1 a\nb 1\n-100.0 0\n"
                               "a 3\n-6.0 1 b\n-5.50 2 b c\n-7.25 0\n";
  const NamedParentSets there = read_jkl(kSmall), here = read_jkl(shuffled);
  CHECK(here.sets.nodes[2].score == there.sets.nodes[0].score);
  CHECK((here.sets.nodes[2].parents == std::vector<Node>{0, 1, 1}));
}

TEST(jkl_round_trip_is_exact) {
  Random random(7);
  for (unsigned repeat = 0; repeat < 50; ++repeat) {
    const NamedParentSets file = random_file(random, static_cast<Node>(1 + random.below(9)));
    CHECK(same(read_jkl(write_jkl(file)), file));
  }
}

TEST(jkl_writes_no_more_digits_than_a_score_needs_or_than_asked) {
  NamedParentSets file;
  file.names = {"x"};
  file.sets.nodes.resize(1);
  file.sets.nodes[0].add(-1021.607006, nullptr, nullptr);
  CHECK_EQUAL(write_jkl(file), "1\nx 1\n-1021.607006 0\n");
  CHECK_EQUAL(write_jkl(file, 5), "1\nx 1\n-1021.6 0\n");
}

TEST(jkl_refuses_each_malformed_line_by_its_number) {
  CHECK_EQUAL(failing_line(kSmall), 0u);
  CHECK_EQUAL(failing_line(""), 1u);
  CHECK_EQUAL(failing_line(" \n\n"), 1u);
  CHECK_EQUAL(failing_line("three\n"), 1u);
  CHECK_EQUAL(failing_line("0\n"), 1u);
  CHECK_EQUAL(failing_line("65536\n"), 1u);
  CHECK_EQUAL(failing_line("99999999999999999999999\n"), 1u);
  CHECK_EQUAL(failing_line("3 4\n"), 1u);
  const auto broken = [](const char *from, const char *to) {
    return failing_line(replaced(kSmall, from, to));
  };
  CHECK_EQUAL(broken("b 1\n-1e2 0", "b 1.5\n-1e2 0"), 6u); // a count that is not whole
  CHECK_EQUAL(broken("b 1\n-1e2 0", "b -1\n-1e2 0"), 6u);  // nor positive
  CHECK_EQUAL(broken("b 1\n-1e2 0\n", "b 0\n"), 6u);       // no sets
  CHECK_EQUAL(broken("b 1\n-1e2 0\n", "b 1 1\n-1e2 0"), 6u);
  CHECK_EQUAL(broken("c 2", "a 2"), 8u);       // a node twice
  CHECK_EQUAL(broken("-4 0", "-4 1 b"), 8u);   // no empty set
  CHECK_EQUAL(broken("-3 1 a", "-3 1 c"), 9u); // its own parent
  CHECK_EQUAL(broken("-3 1 a", "-3 1 d"), 9u); // unknown parent
  CHECK_EQUAL(broken("2 c b", "2 b b"), 4u);   // a parent twice
  CHECK_EQUAL(broken("2 c b", "1 b"), 5u);     // a set twice: at the second
  CHECK_EQUAL(broken("2 c b", "2 c"), 4u);     // too few parents
  CHECK_EQUAL(broken("2 c b", "2 c b b"), 4u); // too many
  CHECK_EQUAL(broken("2 c b", "two c b"), 4u);
  CHECK_EQUAL(broken("-6 1 b", "-6"), 5u);
  for (const char *score : {"nan", "NaN", "inf", "-inf", "-1e999", "-6,5", "x", "-6-", "0x13.5"})
    CHECK_EQUAL(broken("-6 1 b", (std::string(score) + " 1 b").c_str()), 5u);
  CHECK_EQUAL(broken("3\n", "4\n"), 10u);             // fewer nodes than declared
  CHECK_EQUAL(broken("3\n", "2\n"), 8u);              // more
  CHECK_EQUAL(broken("c 2", "c 3"), 10u);             // fewer sets than declared
  CHECK_EQUAL(broken("a 3", "a 2"), 5u);              // more: where a node should begin
  CHECK_EQUAL(broken("a 3", "a 4"), 6u);              // fewer: where a node begins
  CHECK_EQUAL(failing_line(kSmall + "\nend\n"), 12u); // trailing text
  CHECK_EQUAL(failing_line(replaced(kSmall, "-6", std::string("-6\0", 3))), 5u);
}

TEST(jkl_empty_set_may_be_optional) {
  const std::string text = replaced(kSmall, "-4 0", "-4 1 b");
  CHECK_EQUAL(failing_line(text, false), 0u);
}

TEST(jkl_cut_anywhere_fails_or_reads_the_same_number_of_sets) {
  // Only a cut inside the last number may go unnoticed.
  for (std::size_t length = 0; length + 2 < kSmall.size(); ++length)
    CHECK(failing_line(kSmall.substr(0, length)) > 0);
}

TEST(jkl_noise_never_reads_as_a_file_that_breaks_its_promises) {
  Random random(11);
  const std::string alphabet = "0123abc. -\n";
  for (unsigned repeat = 0; repeat < 20000; ++repeat) {
    std::string text = kSmall;
    for (unsigned edit = 0; edit < 1 + random.below(4); ++edit)
      text[random.below(static_cast<std::uint32_t>(text.size()))] =
          alphabet[random.below(static_cast<std::uint32_t>(alphabet.size()))];
    try {
      const NamedParentSets file = read_jkl(text);
      for (Node v = 0; v < file.sets.size(); ++v) {
        const CandidateSets &sets = file.sets.nodes[v];
        bool has_empty = false;
        for (std::size_t i = 0; i < sets.size(); ++i) {
          has_empty = has_empty || sets.size_of(i) == 0;
          CHECK(std::find(sets.begin_of(i), sets.end_of(i), v) == sets.end_of(i));
          CHECK(std::is_sorted(sets.begin_of(i), sets.end_of(i)));
          CHECK(i == 0 || sets.score[i] <= sets.score[i - 1]);
        }
        CHECK(has_empty);
      }
    } catch (const ParseError &e) {
      CHECK(e.line >= 1);
    }
  }
}
