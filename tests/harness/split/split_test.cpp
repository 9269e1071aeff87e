#include "harness/split/split.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace splitproof::split::split_test {
namespace {

TEST(Cuts, AreIncreasingOffsetsInsideTheBody) {
  struct Row {
    Cuts cuts;
    std::size_t size;
    std::string error;  ///< empty: valid
  };
  const std::vector<Row> rows = {
      {{}, 0, ""},
      {{}, 5, ""},
      {{1, 2, 3, 4}, 5, ""},
      {{0}, 5, "cut 0 is outside a body of 5 bytes; use offsets from 1 to 4"},
      {{2, 5}, 5, "cut 5 is outside a body of 5 bytes; use offsets from 1 to 4"},
      {{3, 3}, 5, "cut 3 comes after cut 3; give offsets in strictly increasing order"},
      {{3, 2}, 5, "cut 2 comes after cut 3; give offsets in strictly increasing order"},
      {{1}, 1, "cut 1 is outside a body of 1 bytes; a body this short cannot be cut"},
      {{1}, 0, "cut 1 is outside a body of 0 bytes; a body this short cannot be cut"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.error);
    const Result<void> checked = check_cuts(row.cuts, row.size);
    EXPECT_EQ(checked ? "" : describe(checked.error()), row.error);
  }
}

TEST(Chunks, PartitionTheBody) {
  using Pieces = std::vector<std::string_view>;
  EXPECT_EQ(chunks("abcdef", {}), (Pieces{"abcdef"}));
  EXPECT_EQ(chunks("abcdef", {1, 5}), (Pieces{"a", "bcde", "f"}));
  EXPECT_EQ(chunks("abc", {1, 2}), (Pieces{"a", "b", "c"}));
  EXPECT_EQ(chunks("", {}), (Pieces{""}));
}

}  // namespace
}  // namespace splitproof::split::split_test
