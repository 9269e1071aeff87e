// The plan counts cases without making them. The counts must equal the cases that run.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/campaign/upstream.hpp"
#include "harness/campaign/variations.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/read_file.hpp"
#include "harness/shard/ranges.hpp"
#include "harness/split/count_splits.hpp"
#include "harness/split/distinct_recuts.hpp"
#include "harness/split/random_cuts.hpp"
#include "harness/split/repeatable_cuts.hpp"
#include "project.hpp"
#include "tests/planned.hpp"
#include "tests/sanitized.hpp"

namespace splitproof::campaign::plan_count_test {
namespace {

using recording::Recording;

const std::string kClient = "anthropic.messages";

// The streams of ../shared, by the folders of their protocols; empty if it is absent.
const std::vector<Recording>& shared_recordings() {
  static const std::vector<Recording> kAll = [] {
    const std::map<std::string, std::string> protocols = {{"anthropic-messages", "anthropic.messages"},
                                                          {"openai-chat", "openai.chat"},
                                                          {"openai-responses", "openai.responses"},
                                                          {"gemini", "google.gemini"},
                                                          {"ollama", "ollama.chat"},
                                                          {"bedrock-eventstream", "bedrock.converse"}};
    const char* named = std::getenv("SPLITPROOF_SHARED");
    const char* root = std::getenv("SPLITPROOF_SOURCE_ROOT");
    const std::filesystem::path shared =
        named != nullptr ? std::filesystem::path(named)
                         : std::filesystem::path(root == nullptr ? "." : root).parent_path() / "shared";
    std::vector<Recording> all;
    for (const auto& [folder, protocol] : protocols) {
      std::error_code missing;
      for (const auto& entry : std::filesystem::directory_iterator(shared / "recordings" / folder, missing)) {
        if (entry.path().filename().string().ends_with(".meta.json")) continue;
        Recording& one = all.emplace_back();
        one.id = folder + "/" + entry.path().stem().string();
        one.protocol = protocol;
        one.body = read_file(entry.path().string()).value();
        one.arrivals = {{0, one.body.size()}};
      }
    }
    std::sort(all.begin(), all.end(), [](const Recording& a, const Recording& b) { return a.id < b.id; });
    return all;
  }();
  return kAll;
}

// Makes every case of a plan, and counts them.
std::size_t cases_made(const Recording& recording, const Trials& trials, const std::string& only = {}) {
  std::size_t cases = 0;
  for_each_variation(recording, kClient, trials, only, [&](const Variation& variation) {
    return variation.for_each_case([&](const Case&, const split::Cuts&) { return ++cases > 0; });
  });
  return cases;
}

TEST(PlanCount, CountsTheCasesOfEveryRecording) {
  std::size_t cases = 0;
  for (const Recording* recording : [] {
         std::vector<const Recording*> all;
         for (const Recording& one : project().of_all_upstreams) all.push_back(&one);
         return sampled(all, 16);
       }()) {
    for (const Round round : {Round::exact, Round::over_http}) {
      Trials trials{{4, false, 7}, std::nullopt, round == Round::over_http, round};
      if (round == Round::exact) trials.recuts = 2;
      const std::size_t counted = extent_of(*recording, kClient, trials, "").cases;
      EXPECT_EQ(counted, cases_made(*recording, trials)) << recording->id;
      cases += counted;
    }
  }
  std::cout << cases << " cases\n";
  EXPECT_GT(cases, kSanitized ? 1000U : 100'000U);
}

TEST(PlanCount, CountsTheCasesThatOnlySelects) {
  const Recording& recording = project().recording("openai.chat/text-plain");
  const Trials trials{{8, true, 7}, 4, true};
  for (const std::string only :
       {"", "*/text-plain", "*recut=*", "*gen=whole", "*fault=close@*", "*cuts=1?", "none"})
    EXPECT_EQ(extent_of(recording, kClient, trials, only).cases, cases_made(recording, trials, only)) << only;
}

// Compares with the recuts whose bodies differ when all are made.
void check_recuts(const Recording& recording, std::size_t random, bool sweep,
                  std::map<std::string, std::size_t>& found) {
  const split::Rechunker* dealer = dialect::dealer_of(recording.protocol);
  if (dealer == nullptr) return;
  SCOPED_TRACE(recording.id);
  const split::Recuts recuts(*dealer, recording.body);
  split::DistinctRecuts distinct(recuts.recutter());
  std::vector<std::string> labels;
  for (const std::string& label : recuts.plan(random, sweep, 7)) {
    const auto one = distinct.find(label);
    if (!one) continue;
    labels.push_back(label);
    EXPECT_EQ(one->has_several_events, recuts.make(label)->arrivals.size() > 1) << label;
  }
  EXPECT_EQ(labels, split::planned_recuts(*dealer, recording.body, random, sweep, 7));
  found[recording.protocol] += labels.size();
}

TEST(PlanCount, FindsTheRecutsThatDiffer) {
  std::map<std::string, std::size_t> found;
  for (const Recording& recording : sampled(project().of_all_upstreams, 16))
    check_recuts(recording, 12, recording.body.size() < 1000, found);
  for (const auto& [protocol, recuts] : found) std::cout << protocol << ": " << recuts << " recuts\n";
  EXPECT_GE(found.size(), 7U);
}

TEST(PlanCount, FindsTheRecutsOfRealStreamsThatDiffer) {
  if (shared_recordings().empty()) GTEST_SKIP() << "../shared is absent";
  std::map<std::string, std::size_t> found;
  constexpr std::size_t kLargest = kSanitized ? 1000 : 8000;  // all recuts of more text take long
  for (const Recording& recording : shared_recordings())
    if (recording.body.size() <= kLargest) check_recuts(recording, 4, false, found);
  for (const auto& [protocol, recuts] : found) std::cout << protocol << ": " << recuts << " recuts\n";
  EXPECT_GE(found.size(), 5U);
}

TEST(PlanCount, CountsTheSplitsThatDiffer) {
  std::size_t splits = 0;
  for (const Recording& recording : sampled(project().of_all_upstreams, 16)) {
    const split::Subject subject = subject_of(recording);
    for (const bool sweep : {false, true}) {
      const split::PlanSettings settings{64, sweep, 7};
      const std::vector<split::Generator> plan = split::plan(subject, settings);
      const std::size_t counted = split::count_distinct(plan, subject);
      EXPECT_EQ(counted, split::planned(subject, settings).size()) << recording.id;
      const std::vector<split::Generator> first(plan.begin(), plan.begin() + 20);
      EXPECT_EQ(split::count_distinct(plan, subject, first), counted - split::count_distinct(first, subject));
      const std::vector<split::Generator> few = split::plan(subject, {0, false, 7});
      EXPECT_EQ(split::count_random_and_sweep(subject, settings),
                counted - split::count_distinct(few, subject))
          << recording.id;
      splits += counted;
    }
  }
  std::cout << splits << " splits\n";
  const split::Subject two{2, {}, {}, {}};
  EXPECT_EQ(split::count_distinct({split::AtRandom{0, 1}, split::AtRandom{1, 1}, split::Whole{}}, two), 2U);
  EXPECT_EQ(split::count_distinct({split::Withheld{}, split::Withheld{}}, two), 2U);
}

// Bodies of a few bytes and letters, in which most random splits are equal.
TEST(PlanCount, CountsRandomPlansOfRandomBodies) {
  split::SplitMix64 random(20261201);
  std::size_t equal = 0;
  for (int i = 0; i < 300; ++i) {
    const split::Subject subject = split::survey(
        "data: " + std::string(random.below(20), 'x') + (random.below(2) == 0 ? "\n\ndata: y\n\n" : ""),
        {random.below(12)}, {Framing::sse, {}});
    const split::PlanSettings settings{random.below(200), random.below(2) == 0, random.next()};
    const std::vector<split::Generator> plan = split::plan(subject, settings);
    const std::vector<split::Generator> few = split::plan(subject, {0, false, settings.seed});
    const std::size_t all = split::planned(subject, settings).size();
    EXPECT_EQ(split::count_random_and_sweep(subject, settings), all - split::count_distinct(few, subject))
        << i;
    equal += plan.size() - all;
  }
  EXPECT_GT(equal, 5000U);
  for (int i = 0; i < 60; ++i) {
    std::string body;
    for (std::uint64_t events = 1 + random.below(3); events > 0; --events)
      body += R"(data: {"choices":[{"index":0,"delta":{"content":")" +
              std::string(random.below(6), static_cast<char>('a' + random.below(26))) + "\"}}]}\n\n";
    Recording recording;
    recording.id = "random";
    recording.protocol = "openai.chat";
    recording.body = body;
    recording.arrivals = {{0, body.size()}};
    const Trials trials{
        {random.below(40), random.below(2) == 0, random.next()}, random.below(200), random.below(2) == 0};
    EXPECT_EQ(extent_of(recording, kClient, trials, "").cases, cases_made(recording, trials)) << body;
  }
}

TEST(PlanCount, RandomCutsAreDrawnIfTheyMayRecur) {
  std::size_t drawn = 0;
  std::size_t rare = 0;
  for (const std::size_t size : {0, 1, 2, 3, 10, 64, 65, 200, 1000, 5000}) {
    split::RepeatableCuts repeatable(size, 7);
    split::RepeatableCuts all(size, 7, size);  // there are fewer than 2^size sets
    for (std::size_t index = 0; index < 500; ++index) {
      const split::Cuts cuts = split::random_cuts(size, index, 7);
      if (const split::Cuts* some = repeatable.draw(index)) {
        EXPECT_EQ(*some, cuts);
        ++drawn;
      } else {
        EXPECT_GT(std::min(cuts.size(), size - cuts.size()), 7U) << "among " << size << " bytes";
        ++rare;
      }
      const split::Cuts* one = all.draw(index);
      ASSERT_NE(one, nullptr);
      EXPECT_EQ(*one, cuts);
    }
  }
  EXPECT_GT(drawn, 1000U);
  EXPECT_GT(rare, 500U);
}

std::vector<shard::Lot> lots_of(const std::vector<Recording>& recordings) {
  std::vector<shard::Lot> lots;
  const Trials trials{{32, false, 1}, 8, false};
  for (const Recording& recording : recordings)
    lots.push_back({"reference\n" + recording.id, extent_of(recording, kClient, trials, "").cases});
  return lots;
}

std::size_t cases_of(const std::vector<shard::Lot>& lots) {
  return std::accumulate(lots.begin(), lots.end(), std::size_t{0},
                         [](std::size_t sum, const shard::Lot& lot) { return sum + lot.cases; });
}

// Returns how many times as many cases as the mean the largest shard has.
double largest_shard(const std::vector<shard::Lot>& lots, std::size_t count) {
  std::size_t most = 0;
  std::size_t all = 0;
  for (std::size_t number = 0; number < count; ++number) {
    std::size_t cases = 0;
    for (const shard::CaseRange& range : ranges_of_shard(lots, number, count))
      cases += range.end - range.begin;
    most = std::max(most, cases);
    all += cases;
  }
  EXPECT_EQ(all, cases_of(lots)) << "a case has no shard, or several";
  return static_cast<double>(most) * static_cast<double>(count) / static_cast<double>(all);
}

// Returns the cases of other lots that move if lot `out` is new, as a part of all.
double moved(const std::vector<shard::Lot>& lots, std::size_t out, std::size_t count) {
  std::vector<shard::Lot> fewer = lots;
  fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(out));
  std::size_t kept = 0;
  for (std::size_t number = 0; number < count; ++number) {
    std::vector<shard::CaseRange> with = ranges_of_shard(lots, number, count);
    with.erase(with.begin() + static_cast<std::ptrdiff_t>(out));
    const std::vector<shard::CaseRange> without = ranges_of_shard(fewer, number, count);
    for (std::size_t lot = 0; lot < fewer.size(); ++lot) {
      const std::size_t begin = std::max(with[lot].begin, without[lot].begin);
      const std::size_t end = std::min(with[lot].end, without[lot].end);
      kept += end > begin ? end - begin : 0;
    }
  }
  return 1 - static_cast<double>(kept) / static_cast<double>(cases_of(fewer));
}

void check_balance(const std::string& what, const std::vector<shard::Lot>& lots) {
  double largest = 0;
  double most_moved = 0;  // as a part of what may move
  for (std::size_t count = 1; count <= 64; ++count) {
    largest = std::max(largest, largest_shard(lots, count));
    EXPECT_LE(largest, 1.05) << what << " in " << count << " shards";
  }
  for (const std::size_t count : {3, 16, 64}) {
    for (std::size_t out = count % 7; out < lots.size(); out += 97) {
      const double part = moved(lots, out, count) * static_cast<double>(count) / 2;
      EXPECT_LE(part, 1) << lots[out].id << " in " << count << " shards";
      most_moved = std::max(most_moved, part);
    }
  }
  std::cout << what << ", " << lots.size() << " recordings, " << cases_of(lots)
            << " cases: in up to 64 shards the largest has " << largest
            << " times the mean; a new recording moves " << most_moved << " times 2/N of the cases\n";
}

TEST(PlanCount, ShardsOfTheCorpusAreBalanced) {
  check_balance("corpus", lots_of(project().of_all_upstreams));
}

TEST(PlanCount, ShardsOfRealStreamsAreBalanced) {
  if (shared_recordings().empty()) GTEST_SKIP() << "../shared is absent";
  check_balance("../shared", lots_of(shared_recordings()));
}

}  // namespace
}  // namespace splitproof::campaign::plan_count_test
