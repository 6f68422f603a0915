// Dandelion codes: every k-tree over labelled nodes has one code, and every code is one k-tree.
//
// The bijection of Caminiti, Fusco & Petreschi 2010 (doi 10.1007/s00224-008-9131-0), which Nie et
// al. 2016 (definition 4, equation 6) sample and climb over. With m = n - k, a code is a set Q of k
// nodes and m - 2 rows; there are binom(n, k) (k m + 1)^(m - 2) codes, so that uniform codes are
// uniform k-trees. In words:
//
//   A k-tree is built from a clique of k nodes, the root; every other node v is joined to a clique
//   K(v) of k nodes. In the *characteristic tree* the parent of v is the last node p(v) of K(v)
//   outside the root (or the root, called 0), and K(v) is K(p(v)) without its l(v)-th member, in
//   ascending order, and with p(v).
//   A *Renyi k-tree* is one whose root is the k largest labels. Q is the root of any k-tree, the
//   neighbours of its largest leaf; the relabelling phi exchanges Q for the k largest labels.
//   A row is a pair (p, l). Two labels have none: that of the largest leaf, and x, the first label
//   outside Q; both are children of 0, and the rows are any map of m - 2 labels into m + 1 parents:
//   a forest with cycles, which exchanges with x turn into a tree, from which they are recovered.
//
// Decoding and encoding take O(n k). A decoder belongs to one thread.
#pragma once

#include "core/base/random.h"
#include "core/treewidth/k_tree.h"

#include <cstdint>
#include <vector>

namespace optbn {

struct DandelionCode {
  // parent: a node 1..m of the characteristic tree, and rank 1..k: which member of the parent's
  // clique is left out; or (0, 0), a child of the root, which the papers write (0, epsilon).
  struct Row {
    Node parent = 0, rank = 0;
    friend bool operator==(Row a, Row b) { return a.parent == b.parent && a.rank == b.rank; }
  };

  Node nodes = 0; // at least k + 2: the only k-tree of k + 1 nodes needs no code
  unsigned k = 0;
  std::vector<Node> q;   // k nodes, ascending
  std::vector<Row> rows; // m - 2

  Node others() const { return static_cast<Node>(nodes - k); } // m

  friend bool operator==(const DandelionCode &a, const DandelionCode &b) {
    return a.nodes == b.nodes && a.k == b.k && a.q == b.q && a.rows == b.rows;
  }
};

// Is it a code in the form described above?
bool well_formed(const DandelionCode &code);

// Uniform over all codes, and so over all labelled k-trees; nodes at least k + 2.
DandelionCode random_code(Node nodes, unsigned k, Random &random);

// phi: `to` maps nodes to labels, Q to the k largest; `from` maps labels to nodes.
struct Relabelling {
  std::vector<Node> to, from;

  void set(Node nodes, const std::vector<Node> &q);
};

// The characteristic tree over 1..m; entry 0 is not used.
using CharacteristicTree = std::vector<DandelionCode::Row>;

// Turns codes of one shape into k-trees, without allocating memory for each.
class DandelionDecoder {
public:
  DandelionDecoder(Node nodes, unsigned k);

  // Bags in the order of the characteristic tree, from the root down and by label. Valid until the
  // next call.
  const KTree &decode(const DandelionCode &code);

private:
  Node assign_rows(const DandelionCode &code);
  void open_cycles(Node x);
  void list_from_root();
  void grow(const DandelionCode &code);

  Node others_; // m
  Relabelling phi_;
  CharacteristicTree tree_;
  std::vector<Node> seen_;               // label -> start of the path that reached it, or kCycleTop
  std::vector<Node> first_child_, next_; // label -> children in ascending order, as lists
  std::vector<Node> order_;              // labels, parents first
  std::vector<std::uint32_t> bag_of_;    // label -> its bag
  std::vector<Node> cliques_;            // bag -> its node's K as ascending labels
  KTree k_tree_;
};

KTree decode(const DandelionCode &code);

// The code of a k-tree of at least k + 2 nodes.
DandelionCode encode(const KTree &tree);

} // namespace optbn
