// Arena: memory that is allocated like a stack, for searches that go down and up a tree.
//
// An allocation is a few instructions; a scope frees at once everything allocated within it. For
// plain data only: nothing is constructed or destroyed. Not thread-safe.
#pragma once

#include "core/base/invariant.h"

#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

namespace optbn {

class Arena {
public:
  // Frees, when it ends, all that was allocated since it began.
  class Scope {
  public:
    explicit Scope(Arena &arena) : arena_(arena), chunk_(arena.chunk_), used_(arena.used_) {}
    ~Scope() {
      arena_.chunk_ = chunk_;
      arena_.used_ = used_;
    }
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;

  private:
    Arena &arena_;
    std::size_t chunk_, used_;
  };

  // Memory for n items, uninitialised.
  template <class Item> Item *allocate(std::size_t n) {
    static_assert(std::is_trivially_destructible<Item>::value && alignof(Item) <= kAlignment, "");
    const std::size_t bytes = bytes_of<Item>(n);
    while (chunk_ < chunks_.size() && used_ + bytes > chunks_[chunk_].size) {
      ++chunk_;
      used_ = 0;
    }
    if (chunk_ == chunks_.size())
      chunks_.emplace_back(bytes > kChunk ? bytes : kChunk);
    char *const memory = chunks_[chunk_].bytes.get() + used_;
    used_ += bytes;
    return reinterpret_cast<Item *>(memory);
  }

  // Frees all but the first `kept` of the n items that were allocated last.
  template <class Item> void shrink(std::size_t n, std::size_t kept) {
    OPTBN_INVARIANT(kept <= n && bytes_of<Item>(n) <= used_,
                    "what is freed was allocated, and allocated last");
    used_ -= bytes_of<Item>(n) - bytes_of<Item>(kept);
  }

private:
  template <class Item> static std::size_t bytes_of(std::size_t n) {
    return (n * sizeof(Item) + kAlignment - 1) / kAlignment * kAlignment;
  }

  static constexpr std::size_t kAlignment = alignof(std::max_align_t);
  static constexpr std::size_t kChunk = std::size_t{1} << 20;

  struct Chunk {
    explicit Chunk(std::size_t n) : bytes(new char[n]), size(n) {}
    std::unique_ptr<char[]> bytes;
    std::size_t size;
  };

  std::vector<Chunk> chunks_;
  std::size_t chunk_ = 0, used_ = 0; // the next free byte
};

} // namespace optbn
