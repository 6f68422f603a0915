// Islands: the parts into which the missing values of a row fall apart.
//
// Two missing nodes depend on each other, given what is known of the row, only through other
// missing nodes that share families with them. So the connected components of the moral graph of the
// missing nodes, its islands, are independent, and the posterior of one depends on the known values
// of its families alone. Rows that have the same island, with the same discrete values around it,
// are one task: rows without continuous nodes there even count as one row with a weight.
//
// A missing node none of whose descendants is known is barren: over its values its local model adds
// up to 1, and where only the others count it is left out (Shachter 1986,
// doi 10.1287/opre.34.6.871).
#pragma once

#include "core/completion/mixed_network.h"

#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

namespace optbn {

struct Island {
  std::vector<Node> discrete, continuous; // the missing nodes, ascending
  std::vector<Node> families;             // the nodes whose families have any of them, ascending
};

class IslandFinder {
public:
  enum class Barren { kept, left_out };
  IslandFinder(const MixedNetwork &network, Barren barren);

  // The islands of a row in which these nodes are missing, by number. No node leaves `asked` out.
  const std::vector<std::uint32_t> &find(const std::vector<Node> &missing, int asked = -1);
  // The nodes of a row that are not left out, by node.
  std::vector<char> counting(const std::vector<Node> &missing, int asked = -1) const;
  const Island &island(std::uint32_t number) const { return islands_[number]; }

private:
  std::uint32_t number_of(std::vector<Node> nodes, const std::vector<char> &counts);

  const MixedNetwork &network_;
  const Barren barren_;
  std::vector<Node> order_;                 // children before parents
  std::vector<std::vector<Node>> families_; // by node, those that it is in: its own and children's
  std::vector<std::vector<Node>> neighbours_; // in the moral graph
  std::deque<Island> islands_;                // which stay where they are
  std::map<std::pair<std::vector<Node>, std::vector<Node>>, std::uint32_t>
      numbers_;                                                   // with families
  std::map<std::vector<Node>, std::vector<std::uint32_t>> found_; // by missing nodes
};

// Rows of one island that are alike in all that is discrete about it.
struct IslandRows {
  std::uint32_t island = 0;
  std::vector<std::uint32_t> rows; // one only where nothing about the island is continuous
  std::vector<double> weights;
};

// Which nodes of a row are missing, ascending.
std::vector<Node> missing_nodes(const Dataset &data, std::size_t row);

// The islands of all rows of the data.
std::vector<IslandRows> group_islands(const Dataset &data, const MixedNetwork &network,
                                      IslandFinder &finder);

} // namespace optbn
