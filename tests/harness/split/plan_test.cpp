#include "harness/split/plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <set>
#include <string>
#include <vector>

#include "harness/split/coverage.hpp"
#include "tests/harness/split/formats.hpp"
#include "tests/harness/split/shared_recordings.hpp"
#include "tests/planned.hpp"
#include "tests/sanitized.hpp"

namespace splitproof::split::plan_test {
namespace {

constexpr std::string_view kBody = "data: [12]\n\n";

std::vector<std::string> labels(const std::vector<Split>& splits) {
  std::vector<std::string> all;
  for (const Split& split : splits) all.push_back(split.label);
  return all;
}

/// Returns an arrival every `step` bytes, as on a network.
std::vector<std::size_t> arrivals_every(std::size_t step, std::size_t size) {
  std::vector<std::size_t> arrivals;
  for (std::size_t offset = step; offset < size; offset += step) arrivals.push_back(offset);
  return arrivals;
}

TEST(Plan, NamesEachSplitOnce) {
  const std::vector<Split> splits =
      planned(survey(kBody, {6}, kEvents), {.random = 0, .sweep = true, .seed = 1});
  // Seams, by offset: first-byte 1, field-name 1 2 3, before-colon 4, after-colon 5, after-space 6, structure 7, number
  // 8, structure 9, before-line-end 10, last-byte 11, blank-line 11. Offset 6 is an arrival, 1 is first-byte.
  const std::vector<std::string> expected = {
      "gen=recorded", "gen=whole",  "gen=bytes",  "gen=seam:0",           "gen=seam:11",
      "gen=seam:10",  "gen=seam:2", "gen=seam:3", "gen=seams:field-name", "gen=seam:4",
      "gen=seam:5",   "gen=seam:7", "gen=seam:9", "gen=seams:structure",  "gen=seam:8"};
  EXPECT_EQ(labels(splits), expected);
}

// A proxy sent message_stop twice if the finish and [DONE] came in different chunks, and once if they came together.
TEST(Plan, BringsTheLastEventsTogetherInEveryCombination) {
  const std::string body = "data: 1\n\ndata: 2\n\ndata: 3\n\ndata: 4\n\ndata: 5\n\ndata: 6\n\n";
  const std::size_t event = body.size() / 6;
  std::set<Cuts> tried;
  for (const Split& split : planned(survey(body, {}, kEvents), {})) tried.insert(split.cuts);
  for (std::size_t which = 0; which < 16; ++which) {
    Cuts cuts;
    for (std::size_t i = 0; i < 4; ++i) {
      if ((which >> i & 1U) != 0) cuts.push_back((2 + i) * event);
    }
    EXPECT_TRUE(tried.contains(cuts)) << which;
  }
  EXPECT_TRUE(tried.contains({event, 2 * event, 3 * event, 4 * event, 5 * event}));
}

TEST(Plan, AddsRandomSplitsAndTheSweep) {
  const std::string body(300, 'x');
  const Subject long_line = survey(body, {}, kEvents);
  const std::vector<Split> plain = planned(long_line, {.random = 0, .sweep = false, .seed = 1});
  const std::vector<Split> random = planned(long_line, {.random = 30, .sweep = false, .seed = 1});
  const std::vector<Split> swept = planned(long_line, {.random = 30, .sweep = true, .seed = 1});
  EXPECT_TRUE(std::equal(plain.begin(), plain.end(), random.begin()));
  EXPECT_TRUE(std::equal(random.begin(), random.end(), swept.begin()));
  const auto is_random = [](const Split& split) { return split.label.starts_with("gen=random:"); };
  EXPECT_GT(std::count_if(random.begin(), random.end(), is_random), 20);
  std::set<std::size_t> alone;
  for (const Split& split : swept) {
    if (split.cuts.size() == 1) alone.insert(split.cuts.front());
  }
  EXPECT_EQ(alone.size(), body.size() - 1);
}

TEST(Plan, TakesSeamsAloneBySeed) {
  const std::string body(3000, 'x');
  const Subject long_line = survey(body, {}, kEvents);
  EXPECT_EQ(planned(long_line, {.random = 3, .sweep = false, .seed = 1}),
            planned(long_line, {.random = 3, .sweep = false, .seed = 1}));
  EXPECT_NE(planned(long_line, {.random = 0, .sweep = false, .seed = 1}),
            planned(long_line, {.random = 0, .sweep = false, .seed = 2}));
  // As recorded, single bytes, first byte and last byte. The long field name has these at its ends and seams at all
  // other bytes, so only the two seeded ones are added.
  EXPECT_EQ(planned(long_line, {}).size(), 4 + kLoneSeamsPerKind - 2);
}

TEST(Plan, OfBodiesTooShortToCutIsOneSplit) {
  for (const std::string_view body : {"", "x"}) {
    const auto splits = planned(survey(body, {0}, kEvents), {.random = 5, .sweep = true, .seed = 1});
    EXPECT_EQ(splits, (std::vector<Split>{{"gen=recorded", {}}}));
  }
}

TEST(Plan, OfEveryRecordingCutsEveryKindAloneAndResolvesItsLabels) {
  SKIP_WITHOUT_SHARED_RECORDINGS();
  SeamCoverage total{};
  std::vector<std::size_t> sizes;
  for (const SharedBody& recording : sampled(shared_chat_bodies(), 4)) {
    if (kSanitized && recording.body.size() > 8000) continue;
    SCOPED_TRACE(recording.name);
    const auto arrivals = arrivals_every(1400, recording.body.size());
    const Subject known = survey(recording.body, arrivals, kEvents);
    const PlanSettings settings = {.random = 5, .sweep = recording.body.size() <= 2048, .seed = 42};
    const std::vector<Split> splits = planned(known, settings);
    EXPECT_EQ(splits, planned(survey(recording.body, arrivals, kEvents), settings));

    std::set<Cuts> distinct;
    for (const Split& split : splits) {
      EXPECT_TRUE(distinct.insert(split.cuts).second) << split.label;
      ASSERT_TRUE(check_cuts(split.cuts, known.size)) << split.label;
      const auto generator = parse_generator(split.label);
      ASSERT_TRUE(generator) << split.label;
      ASSERT_EQ(generate(*generator, known), Result<Cuts>(split.cuts)) << split.label;
    }
    const SeamCoverage coverage = seam_coverage(known, splits);
    EXPECT_TRUE(coverage.uncut().empty());
    for (const SeamCoverage::Count& count : coverage.counts) {
      const std::size_t lone = std::min(count.applicable, kLoneSeamsPerKind);
      EXPECT_GE(count.alone, lone);
    }
    total += coverage;
    if (!settings.sweep) sizes.push_back(splits.size());
  }
  std::sort(sizes.begin(), sizes.end());
  std::cout << "splits in a plan with 5 random ones: median " << sizes[sizes.size() / 2] << ", at most "
            << sizes.back() << '\n';
  EXPECT_TRUE(total.uncut().empty());
}

// Each byte of a long body may be a seam, and each cut takes memory.
TEST(Plan, OfALongBodyTheBeginningIsCut) {
  std::string body;
  while (body.size() <= kMostSurveyed + 1000) body += "data: {\"text\":\"word\"}\n\n";
  const Subject subject = survey(body, {}, kEvents);
  EXPECT_EQ(subject.event_ends.size(), body.size() / 23 - 1) << "events are told apart everywhere";
  EXPECT_EQ(subject.seams.back(), (Seam{SeamKind::last_byte, body.size() - 1}));
  for (const Seam& seam : subject.seams) {
    if (seam.offset <= kMostSurveyed) continue;
    EXPECT_TRUE(seam.kind == SeamKind::event_boundary || seam.kind == SeamKind::last_byte) << name(seam.kind);
  }
  SeamCounter counter(subject);
  for (const Generator& generator : plan(subject, {.random = 30, .sweep = false, .seed = 1})) {
    const Result<Cuts> cuts = generate(generator, subject);
    ASSERT_TRUE(cuts) << label(generator);
    EXPECT_LE(cuts->size(), kMostSurveyed) << label(generator);
    counter.add(*cuts);
  }
  EXPECT_TRUE(counter.coverage().uncut().empty());
}

}  // namespace
}  // namespace splitproof::split::plan_test
