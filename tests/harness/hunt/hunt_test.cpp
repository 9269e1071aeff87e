#include "harness/hunt/hunt.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "harness/campaign/upstream.hpp"
#include "harness/testee/in_process.hpp"
#include "project.hpp"

namespace splitproof::hunt::hunt_test {
namespace {

const testee::InProcess& reference() {
  static const testee::InProcess testee("reference", project().reference);
  return testee;
}

std::vector<const recording::Recording*> recordings(const std::string& beginning) {
  std::vector<const recording::Recording*> all;
  for (const recording::Recording& recording : project().corpus.recordings)
    if (recording.id.starts_with(beginning) && !campaign::is_about_request(recording))
      all.push_back(&recording);
  return all;
}

// A search on the reference.
struct Searched {
  std::vector<KeptCase> kept;
  std::size_t cases = 0;
};

Searched search(const std::string& path, std::size_t cases, std::uint64_t seed = 1, bool guided = true,
                std::size_t threads = 1) {
  const auto used = recordings("openai.chat/tool-i");
  std::vector<std::unique_ptr<CaseProbe>> probes;
  std::vector<CaseProbe*> threaded;
  for (std::size_t i = 0; i < threads; ++i) {
    probes.push_back(std::make_unique<CaseProbe>(reference(), project().contracts, project().profile, used));
    threaded.push_back(probes.back().get());
  }
  const Mutator mutator(used, reference().traits());
  const LogHeading heading{"reference", reference().client(), "shapes", seed, "", "", guided};
  auto log = SearchLog::open(path, heading);
  EXPECT_TRUE(log);
  HuntSettings settings;
  settings.seed = seed;
  settings.guided = guided;
  settings.most_cases = cases;
  settings.stop = [] { return false; };
  settings.on_case = [](std::size_t, std::size_t) {};
  Hunt hunt(threaded, mutator, *log, settings);
  const auto ran = hunt.run();
  EXPECT_TRUE(ran) << ran.error().what;
  return {log->kept(), hunt.cases()};
}

TEST(Mutator, CasesExistAndTheirIdsParse) {
  const auto used = recordings("openai.chat/t");
  const Mutator mutator(used, reference().traits());
  const std::vector<campaign::Case> seeds = mutator.seeds();
  EXPECT_EQ(seeds.size(), 3 * used.size());
  split::SplitMix64 random(11);
  std::set<std::string> kinds;
  campaign::Case last = seeds.front();
  std::map<std::string, const recording::Recording*> by_id;
  for (const recording::Recording* recording : used) by_id[recording->id] = recording;
  for (int i = 0; i < 1500; ++i) {
    const campaign::Case& from = i % 3 == 0 ? last : seeds[random.below(seeds.size())];
    const campaign::Case one = mutator.mutate(from, last, random);
    const std::string id = campaign::to_string(one);
    const auto parsed = campaign::parse_case(id);
    ASSERT_TRUE(parsed) << id << ": " << parsed.error().what;
    EXPECT_EQ(*parsed, one) << id;
    EXPECT_TRUE(campaign::upstream_of(one, *by_id.at(one.recording))) << id;
    for (const char* part : {"&cuts=", "&edit=", "&recut=", "&fault=", "&turn="})
      if (id.find(part) != id.npos) kinds.insert(part);
    last = one;
  }
  EXPECT_EQ(kinds.size(), 5U);
}

TEST(Hunt, SameSeedFindsTheSameCases) {
  const Searched one = search("", 700);
  EXPECT_EQ(one.cases, 700U);
  EXPECT_EQ(one.kept, search("", 700).kept);
  EXPECT_NE(one.kept, search("", 700, 2).kept);
}

TEST(Hunt, ThreadsDoNotChangeTheCases) { EXPECT_EQ(search("", 700).kept, search("", 700, 1, true, 3).kept); }

TEST(Hunt, StoppedSearchGoesOnAsIfItHadNot) {
  const std::string path = (std::filesystem::path(testing::TempDir()) / "hunt-log").string();
  std::filesystem::remove(path);
  for (const std::size_t cases : {1, 100, 101, 430, 700}) search(path, cases);
  const Searched resumed = search(path, 700);
  EXPECT_EQ(resumed.cases, 700U);
  EXPECT_EQ(resumed.kept, search("", 700).kept);
  std::filesystem::remove(path);
}

// The reference, until an exchange is abandoned because the time is over.
class Stopping final : public testee::Testee {
 public:
  explicit Stopping(int exchanges) : Testee(reference().traits()), left_(exchanges) {}

  bool is_over() const { return left_ <= 0; }
  testee::Observation observe(const testee::Exchange& exchange) const override {
    if (--left_ > 0) return reference().observe(exchange);
    testee::Observation seen;
    seen.ending = testee::Ending::unavailable;
    seen.detail = "stopped";
    return seen;
  }

 private:
  mutable std::atomic<int> left_;
};

TEST(Hunt, AbandonedExchangeAtTheEndIsNoError) {
  const Stopping stopping(300);
  const auto used = recordings("openai.chat/tool-i");
  CaseProbe probe(stopping, project().contracts, project().profile, used);
  const Mutator mutator(used, stopping.traits());
  auto log = SearchLog::open("", {});
  ASSERT_TRUE(log);
  HuntSettings settings;
  settings.stop = [&] { return stopping.is_over(); };
  settings.on_case = [](std::size_t, std::size_t) {};
  Hunt hunt({&probe}, mutator, *log, settings);
  const auto ran = hunt.run();
  EXPECT_TRUE(ran) << ran.error().what;
  EXPECT_GT(hunt.cases(), 100U);
  EXPECT_LT(hunt.cases(), 300U);
}

TEST(Hunt, EachKeptCaseReachesSomethingNew) {
  std::set<Feature> known;
  for (const KeptCase& kept : search("", 500).kept) {
    EXPECT_FALSE(kept.fresh.empty());
    for (const Feature feature : kept.fresh) EXPECT_TRUE(known.insert(feature).second);
  }
}

TEST(Hunt, GuidedSearchReachesMoreShapes) {
  EXPECT_GT(search("", 1500).kept.size(), search("", 1500, 1, false).kept.size());
}

TEST(Hunt, ReferenceIsSoundForEveryCase) {
  for (const KeptCase& kept : search("", 1500).kept) {
    std::istringstream violations(kept.violations);
    for (std::string one; violations >> one;) {
      const auto* rule = project().contracts.find(one.substr(0, one.find('/')));
      const bool is_advice = rule != nullptr && rule->level == contract::Level::should;
      EXPECT_TRUE(is_advice) << one << " " << campaign::to_string(kept.one);
    }
  }
}

}  // namespace
}  // namespace splitproof::hunt::hunt_test
