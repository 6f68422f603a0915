#include "check.h"
#include "random_problem.h"
#include "search_fixtures.h"
#include "weak_problems.h"

#include "core/score/jkl.h"
#include "core/structure/domains.h"
#include "core/structure/proof/proof_file.h"
#include "core/structure/solve.h"

#include <unistd.h>
#include <zlib.h>

#include <bitset>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <tuple>
#include <unordered_map>

// The checker as it stands: the headers above are all that it includes.
namespace checker {
#define main check_proof
#include "../../src/checker/check_proof.cpp"
#undef main
} // namespace checker

using namespace optbn;
using namespace fixtures;

namespace {

// A proof and the sets it is about, as files.
struct Files {
  // (Tests run side by side, in processes of their own.)
  const std::string name = "build/proof" + std::to_string(getpid()), sets = name + ".jkl",
                    proof = name + ".txt";

  ~Files() {
    std::remove(sets.c_str());
    std::remove(proof.c_str());
  }
  static void write(const std::string &name, const std::string &text) {
    std::ofstream(name, std::ios::binary) << text;
  }
};

struct Solved {
  SearchResult result;
  std::string proof;
};

Solved solve_with_proof(const ParentSets &sets, SearchOptions options, Watch &watch) {
  std::string log;
  ProofLog proof([&](const std::string &text) { log += text; });
  options.proof = &proof;
  Solved solved{solve(sets, options, watch), {}};
  write_proof(
      sets, {}, solved.result, [&](const std::string &text) { solved.proof += text; },
      [&](const ProofLog::Piece &piece) {
        solved.proof += log.substr(piece.begin, piece.end - piece.begin);
      });
  return solved;
}

// What the checker says is proved, in natural log units; or more than any score, if nothing is.
struct Verdict {
  bool proved = false, optimal = false;
  checker::Wide exact = 0, score = 0; // the bound, and the network's score, in the checker's units
  double bound = std::numeric_limits<double>::infinity();
  std::string reason;
};

Verdict verdict(const ParentSets &sets, const std::string &proof, const Files &files) {
  std::vector<std::string> names;
  for (Node v = 0; v < sets.size(); ++v)
    names.push_back("node" + std::to_string(v));
  Files::write(files.sets, write_jkl({names, sets}));
  Files::write(files.proof, proof);
  Verdict verdict;
  try {
    checker::Candidates candidates = checker::read_sets(files.sets.c_str());
    checker::Words words(files.proof.c_str());
    const checker::Whole whole = checker::check(candidates, words);
    verdict.proved = true;
    verdict.optimal = whole.optimal();
    verdict.exact = whole.bound;
    verdict.score = whole.score;
    verdict.bound = std::ldexp(static_cast<double>(whole.bound), -checker::kMostBits);
  } catch (const std::exception &error) {
    verdict.reason = error.what();
  }
  return verdict;
}

SearchOptions by(Method method) {
  SearchOptions options;
  options.method = method;
  return options;
}

void check_accepted(const ParentSets &sets, Method method, unsigned threads = 1) {
  Host host;
  host.threads = threads;
  Watch watch(host);
  const Solved solved = solve_with_proof(sets, by(method), watch);
  const Files files;
  const Verdict found = verdict(sets, solved.proof, files);
  CHECK_EQUAL(found.reason, std::string());
  CHECK(solved.result.proved);
  CHECK(found.optimal);
  CHECK_NEAR(found.bound, solved.result.network.score, 1e-9 * (1 + std::abs(found.bound)));
}

ParentSets weak_problem(std::uint64_t seed, Node least, Node most) {
  Random random(seed);
  const auto nodes = static_cast<Node>(least + random.below(most - least + 1u));
  return weak_sets(random_weak_problem(random, nodes), random);
}

} // namespace

TEST(proofs_of_every_method_are_accepted) {
  unsigned checked = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const ParentSets sets = seed % 2 ? weak_problem(seed, 4, 12)
                                     : random_sets(seed, static_cast<Node>(2 + seed % 12), 12, 3,
                                                   seed % 3 ? 2 : 0, seed % 5 != 0);
    if (!blocked_nodes(sets).empty())
      continue;
    for (const Method method :
         {Method::automatic, Method::dp, Method::lagrangian, Method::branch_and_cut})
      check_accepted(sets, method);
    ++checked;
  }
  CHECK(checked > 100);
}

TEST(proofs_by_threads_are_accepted) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const ParentSets sets = weak_problem(1000 + seed, 8, 12);
    if (!blocked_nodes(sets).empty())
      continue;
    check_accepted(sets, Method::lagrangian, 3);
    check_accepted(sets, Method::branch_and_cut, 3);
  }
}

TEST(the_bound_of_a_stopped_search_is_proved) {
  unsigned bounded = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    Random random(2000 + seed);
    WeakProblem shape;
    shape.weakness = Weakness::sparse;
    shape.nodes = 28;
    shape.asymmetry = 1e-4;
    const ParentSets sets = weak_sets(shape, random);
    SearchOptions options = by(seed % 2 ? Method::lagrangian : Method::branch_and_cut);
    options.effort = .002 * static_cast<double>(1 + seed);
    const Host host;
    Watch watch(host);
    const Solved solved = solve_with_proof(sets, options, watch);
    const Files files;
    const Verdict found = verdict(sets, solved.proof, files);
    CHECK_EQUAL(found.reason, std::string());
    const double slip = 1e-9 * (1 + std::abs(found.bound));
    double ideal = 0;
    for (const CandidateSets &of_node : sets.nodes)
      ideal += of_node.score.front();
    CHECK(found.bound <= solved.result.bound + slip);
    CHECK(found.bound >= solved.result.network.score - slip);
    bounded += found.bound < ideal - slip && !solved.result.proved;
  }
  CHECK(bounded > 0);
}

namespace {

std::vector<std::string> words_of(const std::string &text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;)
    words.push_back(word);
  return words;
}

// A word with another number in place of its own.
std::string with_other_number(const std::string &word, Random &random) {
  const std::size_t digits = word.find_first_of("0123456789");
  if (digits == std::string::npos || word.size() - digits > 18)
    return word + std::to_string(random.below(10));
  const long long number = std::stoll(word.substr(digits));
  const long long other[] = {number + 1,
                             number - 1,
                             number * 2,
                             number / 2,
                             0,
                             (1ll << 60) - 1,
                             static_cast<long long>(random.below(64))};
  return word.substr(0, digits) + std::to_string(other[random.below(7)]);
}

// A proof that differs from this one in a few words.
std::string mutated(std::vector<std::string> words, Random &random) {
  const auto any = [&] { return random.below(static_cast<std::uint32_t>(words.size())); };
  for (unsigned changes = 1 + random.below(3); changes > 0 && !words.empty(); --changes) {
    const std::size_t i = any(), j = any();
    switch (random.below(8)) {
    case 0:
      words.erase(words.begin() + static_cast<std::ptrdiff_t>(i));
      break;
    case 1:
      words.insert(words.begin() + static_cast<std::ptrdiff_t>(i), words[j]);
      break;
    case 2:
      std::swap(words[i], words[j]);
      break;
    case 3: // a stretch is lost, or is elsewhere
      std::rotate(words.begin() + static_cast<std::ptrdiff_t>(std::min(i, j)),
                  words.begin() + static_cast<std::ptrdiff_t>(std::max(i, j)), words.end());
      words.resize(words.size() - random.below(static_cast<std::uint32_t>(words.size())) / 4);
      break;
    case 4: {
      const char *steps[] = {"+", "-", "=", "x", "t", "~", ".", "d0", "y0", "n1", "s0", "*0"};
      words[i] = steps[random.below(12)];
      break;
    }
    default:
      words[i] = with_other_number(words[i], random);
    }
  }
  std::string text;
  for (const std::string &word : words)
    text += word + ' ';
  return text;
}

} // namespace

TEST(no_mutated_proof_claims_too_much) {
  const char *wanted = std::getenv("OPTBN_MUTATED_PROOFS");
  const auto most = static_cast<unsigned>(wanted ? std::atoi(wanted) : 3000);
  unsigned accepted = 0, refused = 0;
  Random random(1);
  for (std::uint64_t seed = 0; accepted + refused < most; ++seed) {
    const ParentSets sets = weak_problem(seed, 4, 10);
    if (!blocked_nodes(sets).empty())
      continue;
    const Method methods[] = {Method::automatic, Method::lagrangian, Method::branch_and_cut};
    const Host host;
    Watch watch(host);
    const Solved solved = solve_with_proof(sets, by(methods[seed % 3]), watch);
    const Files files;
    const Verdict original = verdict(sets, solved.proof, files);
    CHECK(original.optimal);
    const std::vector<std::string> words = words_of(solved.proof);
    for (unsigned i = 0; i < 20; ++i) {
      const std::string proof = mutated(words, random);
      const Verdict found = verdict(sets, proof, files);
      if (found.proved && found.exact < original.score) // (a proof may leave a few quanta)
        check::fail(__FILE__, __LINE__,
                    "seed " + std::to_string(seed) + " claims too much: " + proof);
      (found.proved ? accepted : refused) += 1;
    }
  }
  CHECK(refused > most / 4);
  CHECK(accepted > most / 100);
}

namespace {

// Nodes in a circle, each of which gains 1 from the one after it: the best network costs 1.
ParentSets circle(Node n) {
  ParentSets sets;
  sets.nodes.resize(n);
  for (Node v = 0; v < n; ++v) {
    add_set(sets.nodes[v], 0, {static_cast<Node>((v + 1) % n)});
    add_set(sets.nodes[v], -1, {});
  }
  return sets;
}

// A proof over a circle, in units of 1: that nothing costs less than `target`, by these steps.
std::string circle_proof(Node n, long long target, const std::string &steps,
                         const std::string &constraints = "0") {
  std::string text = "optbn-proof 1\n" + constraints + "\n0\n", nodes;
  for (Node v = 0; v < n; ++v)
    nodes += ' ' + std::to_string(v);
  for (Node v = 1; v < n; ++v)
    text += "1 " + std::to_string((v + 1) % n) + '\n';
  return text + "1\n0 " + std::to_string(target) + ' ' + std::to_string(n) + nodes + '\n' + steps +
         "\n.\nend\n";
}

} // namespace

TEST(false_claims_are_refused) {
  const Files files;
  const auto reason = [&](Node n, long long target, const std::string &steps) {
    const Verdict found = verdict(circle(n), circle_proof(n, target, steps), files);
    return found.proved ? "proved" : found.reason;
  };
  const std::string all = "c1 7 d1 0 1 ", proved = "proved",
                    short_of = "a part does not reach its target";
  CHECK_EQUAL(reason(3, 1, all), proved);
  CHECK_EQUAL(reason(3, 1, "t"), proved);
  CHECK_EQUAL(reason(3, 1, "+ s0 s1 s2 *0 - +0 - +1 - +2 -"), proved);
  CHECK_EQUAL(reason(3, 1, "y0 2 c1 7 d1 0 1 - n0 2 d1 0 1 -"), proved);

  // Bounds too high by one, whatever proves them.
  CHECK_EQUAL(reason(3, 2, all), short_of);
  CHECK_EQUAL(reason(3, 2, "t"), short_of);
  CHECK_EQUAL(reason(3, 2, all + "0 0 0"), short_of);
  CHECK_EQUAL(reason(3, 2, "c1 7 d2 0 1 0 1"), short_of);         // a cluster used twice
  CHECK_EQUAL(reason(3, 1, "c2 7 d1 0 1"), short_of);             // two of three have no parent
  CHECK_EQUAL(reason(3, 1, "c1 3 d1 0 1"), short_of);             // which does not have to cost
  CHECK_EQUAL(reason(3, 1, "g3 0 1 2 1 0 0 1 d1 0 1"), short_of); // a charge that others avoid
  CHECK_EQUAL(reason(3, 1, "c1 1 d1 0 1"), short_of);
  CHECK_EQUAL(reason(3, 1, "c1 0 d1 0 1"), std::string("a cluster has too few nodes"));
  CHECK_EQUAL(reason(3, 1, "c2 1 d1 0 1"), std::string("a cluster has too few nodes"));
  CHECK_EQUAL(reason(3, 1, "c1 f d1 0 1"), std::string("a cluster has other nodes"));
  CHECK_EQUAL(reason(3, 1, "c1 7g d1 0 1"), std::string("a cluster is no hexadecimal number"));
  CHECK_EQUAL(reason(3, 1, "c1 70000000000000000 d1 0 1"),
              std::string("a cluster is no hexadecimal number"));
  CHECK_EQUAL(reason(3, 1, "d0 c1 7 r"), proved);
  CHECK_EQUAL(reason(3, 1, "c1 7 d0 r"), std::string("there is no such row"));
  CHECK_EQUAL(reason(3, 1, "g2 0 0 0 d1 0 1"), std::string("a node comes twice"));

  // Children that are missing, or that nothing proves.
  CHECK_EQUAL(reason(3, 1, "+ s0 s1 *0 -"), std::string("a node may come next that is not listed"));
  CHECK_EQUAL(reason(3, 2, "+ s0 s1 s2 *0 - +0 - +1 - +2 -"), short_of);
  CHECK_EQUAL(reason(3, 2, "+ s0 s1 s2 *0 -"), short_of);
  // A claim about a prefix must not rest on itself, through what it proves of a smaller one.
  CHECK_EQUAL(reason(3, 2, "+ s0 s1 s2 *0 - + +0 - +1 - +2 - -"), short_of);
  // A side is missing, or another arc's.
  CHECK_EQUAL(reason(3, 1, "y0 2 " + all + "-"), short_of);
  CHECK_EQUAL(reason(3, 1, "y0 2 " + all + "- n1 0 d1 0 1 -"),
              std::string("a split has other sides"));
  // Claims of one side are not those of the other.
  CHECK_EQUAL(reason(3, 2, "y0 2 + s0 s1 s2 *0 - - n0 2 +0 - +1 - +2 - -"), short_of);
  CHECK_EQUAL(reason(3, 1, all + "k0 d0"), std::string("a cutoff is below the target"));

  // Sums that no number of 64 bits holds: 26 nodes are each charged half of what may be charged.
  const std::string many = "c1 3ffffff";
  CHECK_EQUAL(reason(26, 1, many + " d1 0 1"), proved);
  CHECK_EQUAL(reason(26, 1000, many + " k1000 d1 0 " + std::to_string(1ll << 59)),
              std::string("prices are too large"));
}

TEST(proofs_hold_within_their_constraints) {
  const Files files;
  const auto reason = [&](const std::string &constraints, long long target,
                          const std::string &steps) {
    const Verdict found = verdict(circle(3), circle_proof(3, target, steps, constraints), files);
    return found.proved ? "proved" : found.reason;
  };
  const std::string proved = "proved", short_of = "a part does not reach its target";
  // Without the arcs from 1 to 0 and from 2 to 1, which gain 1 each, nothing scores more than -2.
  CHECK_EQUAL(reason("0", 1, "t"), proved);
  CHECK_EQUAL(reason("1 requires 2 1", 1, "t"), proved);
  CHECK_EQUAL(reason("1 requires 2 1", 2, "t"), short_of);
  CHECK_EQUAL(reason("1 requires 1 0", 1, "t"), std::string("the network has other sets"));
  CHECK_EQUAL(reason("1 forbids 2 1", 1, "t"), std::string("the network has other sets"));
  CHECK_EQUAL(reason("1 limits 0 1", 1, "t"), std::string("the network has other sets"));
  CHECK_EQUAL(reason("1 limits 1 1", 1, "t"), proved);
  CHECK_EQUAL(reason("1 limits 3 1", 1, "t"), std::string("a number is out of range"));
  CHECK_EQUAL(reason("1 requires 0 1", 1, "t"), std::string("the constraints leave a node no set"));
  CHECK_EQUAL(reason("1 likes 0 1", 1, "t"), std::string("no such constraint"));
  CHECK_EQUAL(reason("2 requires 2 1", 1, "t"), std::string("no such constraint"));
}

TEST(a_proof_is_put_together_in_files) {
  const ParentSets sets = weak_problem(3, 8, 8);
  const Host host;
  Watch watch(host);
  const Solved solved = solve_with_proof(sets, by(Method::lagrangian), watch);

  const Files files;
  {
    ProofFile proof(files.sets);
    SearchOptions options = by(Method::lagrangian);
    options.proof = &proof.log();
    Watch again(host);
    proof.write(sets, {}, solve(sets, options, again), files.proof);
    CHECK_THROWS(proof.write(sets, {}, solved.result, "build/no/such/folder"), Error);
  }
  std::ifstream file(files.proof, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  CHECK_EQUAL(text.str(), solved.proof);
}
