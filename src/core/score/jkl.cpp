#include "core/score/jkl.h"

#include "core/base/errors.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace optbn {

namespace {

using Field = std::string_view;

constexpr std::size_t kMostNodes = std::numeric_limits<Node>::max();

std::string in_quotes(Field field) { return "\"" + std::string(field.substr(0, 40)) + "\""; }

// The lines of a text that are not blank, one at a time, cut into fields.
class Lines {
public:
  explicit Lines(std::string_view text) : rest_(text) {}

  bool next() {
    fields_.clear();
    while (fields_.empty() && !rest_.empty()) {
      const std::size_t end = std::min(rest_.find('\n'), rest_.size());
      split(rest_.substr(0, end));
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      ++number_;
    }
    return !fields_.empty();
  }

  const std::vector<Field> &fields() const { return fields_; }
  std::size_t number() const { return number_; }

  [[noreturn]] void fail(const std::string &what) const { throw ParseError(what, number_); }

private:
  void split(std::string_view line) {
    constexpr std::string_view blanks = " \t\r";
    for (std::size_t from = line.find_first_not_of(blanks); from < line.size();) {
      const std::size_t to = std::min(line.find_first_of(blanks, from), line.size());
      fields_.push_back(line.substr(from, to - from));
      from = line.find_first_not_of(blanks, to);
    }
  }

  std::string_view rest_;
  std::vector<Field> fields_;
  std::size_t number_ = 0;
};

class Reader {
public:
  Reader(std::string_view text, bool require_empty) : lines_(text), require_empty_(require_empty) {
    const std::size_t nul = text.find('\0');
    if (nul != std::string_view::npos)
      throw ParseError(
          "it holds a NUL byte: this is not a text file",
          1 + static_cast<std::size_t>(std::count(text.begin(), text.begin() + nul, '\n')));
  }

  NamedParentSets read() {
    const std::size_t nodes = read_number_of_nodes();
    while (file_.names.size() < nodes)
      read_node(nodes);
    if (lines_.next())
      lines_.fail("text goes on after the last of the " + std::to_string(nodes) +
                  " nodes that line 1 declares");
    resolve_mentions();
    for (CandidateSets &sets : file_.sets.nodes)
      sets.sort();
    return std::move(file_);
  }

private:
  // A name is mentioned as a parent before or after its node's own lines: mentions are numbered as
  // they come and matched with nodes at the end.
  using Mention = std::uint32_t;
  static constexpr std::size_t kNoNode = kMostNodes;
  struct Named {
    Field name;
    std::size_t first_line;
    std::size_t node = kNoNode;
  };

  std::size_t read_number_of_nodes() {
    if (!lines_.next())
      throw ParseError("the file is empty", 1);
    if (lines_.fields().size() != 1)
      lines_.fail("the first line must hold the number of nodes alone");
    const std::size_t nodes = whole_number(lines_.fields()[0], "the number of nodes");
    if (nodes < 1 || nodes > kMostNodes)
      lines_.fail("the number of nodes must be from 1 to " + std::to_string(kMostNodes));
    return nodes;
  }

  void read_node(std::size_t nodes) {
    if (!lines_.next())
      lines_.fail("the file ends after " + std::to_string(file_.names.size()) + " of " +
                  std::to_string(nodes) + " nodes");
    const std::vector<Field> &fields = lines_.fields();
    if (fields.size() != 2)
      lines_.fail("here a node must begin with its name and its number of sets, two fields, not " +
                  std::to_string(fields.size()));
    const std::string name = in_quotes(fields[0]);
    const std::size_t header = lines_.number(), count = whole_number(fields[1], "a number of sets");
    const Mention self = mention(fields[0]);
    if (named_[self].node != kNoNode)
      lines_.fail("node " + name + " comes a second time");
    if (count < 1)
      lines_.fail("node " + name + " has no sets");
    named_[self].node = file_.names.size();
    file_.names.emplace_back(fields[0]);
    file_.sets.nodes.emplace_back();
    mentions_.emplace_back();

    std::vector<std::size_t> set_lines; // of each set of this node
    for (std::size_t i = 0; i < count; ++i) {
      if (!lines_.next())
        lines_.fail("the file ends after " + std::to_string(i) + " of " + std::to_string(count) +
                    " sets of node " + name);
      read_set(self);
      set_lines.push_back(lines_.number());
    }
    require_distinct(set_lines);
    if (require_empty_ && !has_empty_set(file_.sets.nodes.back()))
      throw ParseError("node " + name + " lacks the empty set", header);
  }

  void read_set(Mention self) {
    const std::vector<Field> &fields = lines_.fields();
    if (fields.size() < 2)
      lines_.fail("a set needs a score and a size");
    const double score = finite_number(fields[0]);
    const std::size_t size = whole_number(fields[1], "the size of a set"),
                      given = fields.size() - 2;
    if (size != given)
      lines_.fail("a set of size " + std::to_string(size) + " is followed by " +
                  std::to_string(given) + (given == 1 ? " parent" : " parents"));

    std::vector<Mention> &parents = mentions_.back();
    const std::ptrdiff_t begin = static_cast<std::ptrdiff_t>(parents.size());
    for (auto field = fields.begin() + 2; field != fields.end(); ++field) {
      parents.push_back(mention(*field));
      if (parents.back() == self)
        lines_.fail("node " + in_quotes(*field) + " is its own parent");
    }
    std::sort(parents.begin() + begin, parents.end());
    const auto twice = std::adjacent_find(parents.begin() + begin, parents.end());
    if (twice != parents.end())
      lines_.fail("parent " + in_quotes(named_[*twice].name) + " comes twice in one set");

    CandidateSets &sets = file_.sets.nodes.back();
    sets.score.push_back(score);
    sets.offset.push_back(static_cast<std::uint32_t>(parents.size()));
  }

  Mention mention(Field name) {
    const auto [entry, is_new] = numbers_.try_emplace(name, static_cast<Mention>(named_.size()));
    if (is_new)
      named_.push_back({name, lines_.number()});
    return entry->second;
  }

  void require_distinct(const std::vector<std::size_t> &set_lines) const {
    const std::vector<std::uint32_t> &offset = file_.sets.nodes.back().offset;
    const Mention *parents = mentions_.back().data();
    const auto compare = [&](std::size_t a, std::size_t b) {
      const std::uint32_t size_a = offset[a + 1] - offset[a], size_b = offset[b + 1] - offset[b];
      if (size_a != size_b)
        return size_a < size_b ? -1 : 1;
      const auto [in_a, in_b] =
          std::mismatch(parents + offset[a], parents + offset[a + 1], parents + offset[b]);
      return in_a == parents + offset[a + 1] ? 0 : *in_a < *in_b ? -1 : 1;
    };
    std::vector<std::size_t> order(set_lines.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      const int difference = compare(a, b);
      return difference != 0 ? difference < 0 : a < b;
    });
    const auto twice =
        std::adjacent_find(order.begin(), order.end(),
                           [&](std::size_t a, std::size_t b) { return compare(a, b) == 0; });
    if (twice != order.end())
      throw ParseError("node " + in_quotes(file_.names.back()) +
                           " has this set twice, first on line " +
                           std::to_string(set_lines[*twice]),
                       set_lines[*(twice + 1)]);
  }

  static bool has_empty_set(const CandidateSets &sets) {
    return std::adjacent_find(sets.offset.begin(), sets.offset.end()) != sets.offset.end();
  }

  void resolve_mentions() {
    for (const Named &one : named_)
      if (one.node == kNoNode)
        throw ParseError("parent " + in_quotes(one.name) + " is no node of this file",
                         one.first_line);
    for (std::size_t v = 0; v < mentions_.size(); ++v) {
      CandidateSets &sets = file_.sets.nodes[v];
      sets.parents.reserve(mentions_[v].size());
      for (const Mention parent : mentions_[v])
        sets.parents.push_back(static_cast<Node>(named_[parent].node));
      for (std::size_t i = 0; i < sets.size(); ++i)
        std::sort(sets.parents.begin() + sets.offset[i], sets.parents.begin() + sets.offset[i + 1]);
    }
  }

  std::size_t whole_number(Field field, const char *what) const {
    constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
    std::size_t value = 0;
    for (const char digit : field) {
      if (digit < '0' || digit > '9')
        lines_.fail(std::string(what) + " must be a whole number, not " + in_quotes(field));
      value = 10 * value + static_cast<std::size_t>(digit - '0');
      if (value > most)
        lines_.fail(std::string(what) + " is too large: " + in_quotes(field));
    }
    return value;
  }

  double finite_number(Field field) const {
    const std::string text(field); // strtod wants an end mark
    char *end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    const bool decimal = text.find_first_of("xX") == std::string::npos; // or in base 16
    if (end != text.c_str() + text.size() || !decimal || !std::isfinite(value))
      lines_.fail("a score must be a finite number, not " + in_quotes(field));
    return value;
  }

  Lines lines_;
  const bool require_empty_;
  NamedParentSets file_;
  std::unordered_map<Field, Mention> numbers_;
  std::vector<Named> named_;                   // by mention
  std::vector<std::vector<Mention>> mentions_; // of each node, as CandidateSets::parents
};

void append_score(std::string &text, double score, int digits) {
  char buffer[40];
  for (int precision = std::min(digits, 15); precision <= digits; ++precision) {
    const int length = std::snprintf(buffer, sizeof buffer, "%.*g", precision, score);
    if (precision == digits || std::strtod(buffer, nullptr) == score) {
      text.append(buffer, static_cast<std::size_t>(length));
      return;
    }
  }
}

} // namespace

NamedParentSets read_jkl(std::string_view text, bool require_empty) {
  return Reader(text, require_empty).read();
}

std::string write_jkl(const NamedParentSets &file, int digits) {
  std::string text = std::to_string(file.names.size()) + "\n";
  for (std::size_t v = 0; v < file.names.size(); ++v) {
    const CandidateSets &sets = file.sets.nodes[v];
    text += file.names[v] + " " + std::to_string(sets.size()) + "\n";
    for (std::size_t i = 0; i < sets.size(); ++i) {
      append_score(text, sets.score[i], digits);
      text += " " + std::to_string(sets.size_of(i));
      for (const Node *parent = sets.begin_of(i); parent != sets.end_of(i); ++parent)
        text += " " + file.names[*parent];
      text += "\n";
    }
  }
  return text;
}

} // namespace optbn
