#include "harness/split/coverage.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/harness/split/formats.hpp"
#include "tests/planned.hpp"

namespace splitproof::split::coverage_test {
namespace {

using Count = SeamCoverage::Count;

const Subject kSubject = survey("data: [12]\n\n", {}, kEvents);

bool has(const std::vector<SeamKind>& kinds, SeamKind kind) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

TEST(SeamCoverage, CountsCutsThatFallOnSeams) {
  const SeamCoverage coverage =
      seam_coverage(kSubject, {{"gen=whole", {}}, {"cuts=1", {1}}, {"cuts=1,2,8", {1, 2, 8}}});
  EXPECT_EQ(coverage.of(SeamKind::field_name), (Count{3, 3, 1}));
  EXPECT_EQ(coverage.of(SeamKind::first_byte), (Count{1, 2, 1}));
  EXPECT_EQ(coverage.of(SeamKind::number), (Count{1, 1, 0}));
  EXPECT_EQ(coverage.of(SeamKind::structure), (Count{2, 0, 0}));
  EXPECT_EQ(coverage.of(SeamKind::bom), (Count{0, 0, 0}));
}

TEST(SeamCoverage, UncutAreKindsThatWereNeverCutAlone) {
  const SeamCoverage bytes =
      seam_coverage(kSubject, {{"gen=bytes", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}}, {"cuts=8", {8}}});
  EXPECT_TRUE(has(bytes.uncut(), SeamKind::structure));
  EXPECT_TRUE(has(bytes.uncut(), SeamKind::field_name));
  EXPECT_FALSE(has(bytes.uncut(), SeamKind::number));
  EXPECT_FALSE(has(bytes.uncut(), SeamKind::bom));
}

TEST(SeamCoverage, AddsUpOverRecordings) {
  SeamCoverage total = seam_coverage(kSubject, {{"cuts=8", {8}}});
  total += seam_coverage(survey("data: 123\n\n", {}, kEvents), {{"cuts=7", {7}}, {"cuts=7,8", {7, 8}}});
  EXPECT_EQ(total.of(SeamKind::number), (Count{3, 4, 2}));
  EXPECT_EQ(total.of(SeamKind::structure), (Count{2, 0, 0}));
  EXPECT_TRUE(has(total.uncut(), SeamKind::structure));
  total += seam_coverage(kSubject, {{"cuts=7", {7}}});
  EXPECT_FALSE(has(total.uncut(), SeamKind::structure));
}

TEST(SeamCoverage, EmptyBodyHasZeroCoverage) {
  EXPECT_EQ(seam_coverage(survey("", {}, kEvents), {{"gen=whole", {}}}), SeamCoverage{});
}

}  // namespace
}  // namespace splitproof::split::coverage_test
