#include "core/treewidth/within/sampled_orders.h"

#include "core/base/invariant.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace optbn {

namespace {

constexpr std::uint8_t kAbsent = std::numeric_limits<std::uint8_t>::max();

// Inserts a position at random among the first `count` of an order.
void insert_at_random(std::uint8_t *order, unsigned count, std::uint8_t position, Random &random) {
  const unsigned at = random.below(count + 1);
  for (; count > at; --count)
    order[count] = order[count - 1];
  order[at] = position;
}

} // namespace

Network SampledOrders::best(const KTree &tree, Random &random, Watch &watch) {
  begin(tree);
  double most = -std::numeric_limits<double>::infinity();
  for (unsigned i = 0; i < orders_ && (i == 0 || !watch.stopped()); ++i) {
    draw(random);
    const double gain = gain_of_order();
    if (gain > most) {
      most = gain;
      best_.swap(order_);
    }
  }
  return network_of_best();
}

void SampledOrders::begin(const KTree &tree) {
  const unsigned size = tree.bag_size();
  tree_ = &tree;
  tables_.resize(bag_table_size(size) * tree.bags());
  new_position_.resize(tree.bags());
  for (std::vector<Position> *positions : {&position_below_, &order_, &best_})
    positions->resize(tree.members.size());
  for (std::size_t i = 0; i < tree.bags(); ++i) {
    const Node *const bag = tree.bag(i), *const above = tree.bag(tree.parent[i]);
    bag_scores(sets_, bag, size, tables_.data() + i * bag_table_size(size));
    const auto position_of = [&](Node v) {
      const Node *const at = std::lower_bound(bag, tree.bag_end(i), v);
      return at != tree.bag_end(i) && *at == v ? static_cast<Position>(at - bag) : kAbsent;
    };
    new_position_[i] = position_of(tree.introduced[i]);
    std::transform(above, above + size,
                   position_below_.begin() + static_cast<std::ptrdiff_t>(i * size), position_of);
  }
}

void SampledOrders::draw(Random &random) {
  for (unsigned position = 0; position < tree_->bag_size(); ++position)
    insert_at_random(order_.data(), position, static_cast<Position>(position), random);
  for (std::size_t i = 1; i < tree_->bags(); ++i)
    order_bag(i, random);
}

// In the order of the bag above, with the new node at a random position.
void SampledOrders::order_bag(std::size_t bag, Random &random) {
  const unsigned size = tree_->bag_size();
  const Position *const above = order_.data() + tree_->parent[bag] * size;
  const Position *const below = position_below_.data() + bag * size;
  Position *const order = order_.data() + bag * size;
  unsigned count = 0;
  for (unsigned p = 0; p < size; ++p) {
    order[count] = below[above[p]];
    count += order[count] != kAbsent;
  }
  insert_at_random(order, tree_->k, new_position_[bag], random);
}

double SampledOrders::gain_of_order() {
  const unsigned size = tree_->bag_size();
  std::fill(gain_.begin(), gain_.end(), 0.0);
  const Position *next = order_.data();
  for (std::size_t i = 0; i < tree_->bags(); ++i) {
    const double *const gains = table(i);
    std::size_t before = 0;
    for (unsigned p = 0; p < size; ++p) {
      const std::size_t position = *next++;
      double &gain = gain_[tree_->bag(i)[position]];
      gain = std::max(gain, gains[position << size | before]);
      before |= std::size_t{1} << position;
    }
    OPTBN_INVARIANT(before + 1 == std::size_t{1} << size, "an order has every member once");
  }
  return std::accumulate(gain_.begin(), gain_.end(), 0.0);
}

Network SampledOrders::network_of_best() const {
  const unsigned size = tree_->bag_size();
  std::vector<double> best(tree_->nodes, -1);
  std::vector<std::uint32_t> choice(tree_->nodes, SetTrie::kNoSet);
  const Position *next = best_.data();
  for (std::size_t i = 0; i < tree_->bags(); ++i) {
    std::uint32_t before = 0;
    for (unsigned p = 0; p < size; ++p) {
      const std::size_t position = *next++;
      const Node v = tree_->bag(i)[position];
      const double gain = table(i)[position << size | before];
      if (gain > best[v]) {
        best[v] = gain;
        choice[v] = best_set(sets_, v, tree_->bag(i), size, before);
      }
      before |= std::uint32_t{1} << position;
    }
  }
  return network_of(candidates_, std::move(choice));
}

} // namespace optbn
