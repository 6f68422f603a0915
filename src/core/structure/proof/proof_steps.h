// ProofSteps: the steps of a proof by search over orders, as text that a checker reads.
//
// src/checker/check_proof.cpp has the language and what each step means. A checker does the same
// arithmetic as the search on the same sets, so a step says only what was chosen: which cluster's
// price rises, but not how far. Clusters are written once and then called by number.
#pragma once

#include "core/structure/bounds/dual.h"
#include "core/structure/proof/proof_log.h"

#include <algorithm>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace optbn {

// The text of rows and duals. A cluster is written once, and called by number afterwards.
template <unsigned Words> class ProofRows {
public:
  // From here on bounds are this dual's, and sets are excluded by this cutoff.
  void dual(const Dual<Words> &dual, Cost cutoff) {
    std::string rows;
    std::size_t count = 0;
    for (const Cluster<Words> &cluster : dual.clusters) {
      if (cluster.price <= 0)
        continue;
      rows += ' ' + std::to_string(number_of(cluster.nodes, cluster.k)) + ' ' +
              std::to_string(cluster.price);
      ++count;
    }
    for (const GroupInequality &group : dual.groups) {
      rows += ' ' + std::to_string(next_++) + " 1";
      define(group);
      ++count;
    }
    unused_ = next_;
    text_ += "k" + std::to_string(cutoff) + "\nd" + std::to_string(count) + rows + '\n';
  }
  std::size_t number_of(const BitSet<Words> &nodes, unsigned k) {
    const auto [entry, is_new] = known_.try_emplace({nodes, k}, next_);
    if (is_new) {
      ++next_;
      text_ += "c" + std::to_string(k) + ' ' + hexadecimal(nodes) + '\n';
    }
    return entry->second;
  }
  // The step that raises the price of a row.
  std::string raise(std::size_t number) {
    const bool follows = number == unused_;
    unused_ = std::max(unused_, number + 1);
    return follows ? "r" : std::to_string(number);
  }
  void add(const std::string &text) { text_ += text; }
  // The text since it was last taken.
  std::string take() {
    std::string text = std::move(text_);
    text_.clear();
    if (known_.size() > kMostKnown)
      begin();
    return text;
  }

private:
  static constexpr std::size_t kMostKnown = 1 << 20;

  // Node 0 is the last bit.
  static std::string hexadecimal(const BitSet<Words> &nodes) {
    std::string digits;
    for (unsigned v = 0; v < 64 * Words; v += 4) {
      unsigned digit = 0;
      for (unsigned bit = 0; bit < 4; ++bit)
        digit |= unsigned{nodes.contains(v + bit)} << bit;
      digits += "0123456789abcdef"[digit];
    }
    digits.erase(digits.find_last_not_of('0') + 1);
    std::reverse(digits.begin(), digits.end());
    return digits;
  }

  // Begins another text, in which no number is known.
  void begin() {
    text_ = "~\n";
    known_.clear();
    next_ = unused_ = 0;
  }

  struct Key {
    BitSet<Words> nodes;
    unsigned k;
    bool operator==(const Key &other) const { return k == other.k && nodes == other.nodes; }
  };
  struct Hash {
    std::size_t operator()(const Key &key) const { return key.nodes.hash() + key.k; }
  };

  void define(const GroupInequality &group) {
    const std::size_t g = group.nodes.size(), patterns = std::size_t{1} << g;
    text_ += "g" + std::to_string(g);
    for (const Node v : group.nodes)
      text_ += ' ' + std::to_string(v);
    std::string charges;
    std::size_t count = 0;
    for (std::size_t i = 0; i < group.coefficient.size(); ++i)
      if (group.coefficient[i] != 0) {
        charges += ' ' + std::to_string(i / patterns) + ' ' + std::to_string(i % patterns) + ' ' +
                   std::to_string(group.coefficient[i]);
        ++count;
      }
    text_ += ' ' + std::to_string(count) + charges + '\n';
  }

  std::string text_ = "~\n";
  std::unordered_map<Key, std::size_t, Hash> known_;
  // The numbers of the next row, and of the one after all that a step has called.
  std::size_t next_ = 0, unused_ = 0;
};

// What a worker does below one prefix, in the order in which it does it.
template <unsigned Words> class DiveSteps {
public:
  void clear() {
    steps_.clear();
    clusters_.clear();
  }
  void same() { steps_.push_back({'=', 0}); }
  void append(Node v) { steps_.push_back({'+', v}); }
  void end() { steps_.push_back({'-', 0}); }
  void seen(Node v) { steps_.push_back({'s', v}); }
  void covered(Node v) { steps_.push_back({'*', v}); }
  void cutoff(Cost cutoff) { steps_.push_back({'k', cutoff}); }
  void raise(const BitSet<Words> &cluster) {
    steps_.push_back({'#', static_cast<Cost>(clusters_.size())});
    clusters_.push_back(cluster);
  }

  void write(ProofRows<Words> &rows) const {
    std::string text;
    for (const Step &step : steps_)
      switch (step.letter) {
      case '#':
        text +=
            rows.raise(rows.number_of(clusters_[static_cast<std::size_t>(step.argument)], 1)) + ' ';
        break;
      case '=':
        text += "+ ";
        break;
      case '-':
        text += "-\n";
        break;
      default:
        text += step.letter + std::to_string(step.argument) + ' ';
      }
    rows.add(text);
  }

private:
  struct Step {
    char letter;
    Cost argument;
  };
  std::vector<Step> steps_;
  std::vector<BitSet<Words>> clusters_; // raised
};

// The proof of a search over orders. Thread-safe.
template <unsigned Words> class ProofSteps {
public:
  explicit ProofSteps(ProofText &text) : text_(text) {}

  void dual(const Dual<Words> &dual, Cost cutoff) {
    const std::lock_guard<std::mutex> lock(guard_);
    rows_.dual(dual, cutoff);
    text_.write(rows_.take());
  }
  void dive(const DiveSteps<Words> &dive) {
    const std::lock_guard<std::mutex> lock(guard_);
    dive.write(rows_);
    text_.write(rows_.take());
  }

private:
  ProofText &text_;
  std::mutex guard_;
  ProofRows<Words> rows_;
};

} // namespace optbn
