// Tests programs behind real sockets on the whole corpus. The reference's server answers like the reference in this
// process, and a plain nginx changes no byte.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/campaign/asked_judge.hpp"
#include "harness/campaign/campaign.hpp"
#include "harness/campaign/normal_form.hpp"
#include "harness/campaign/recorded.hpp"
#include "harness/campaign/upstream.hpp"
#include "harness/contract/contracts.hpp"
#include "harness/contract/judge.hpp"
#include "harness/contract/profile.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/observe/trace.hpp"
#include "harness/recording/corpus.hpp"
#include "harness/split/generator.hpp"
#include "harness/split/plan.hpp"
#include "harness/testee/http_testee.hpp"
#include "harness/testee/in_process.hpp"
#include "harness/testee/target_file.hpp"
#include "harness/testee/target_knobs.hpp"

namespace splitproof::campaign::through_sockets_test {

using results::RecordingResult;
using results::Row;
namespace {

namespace fs = std::filesystem;

fs::path source_root() {
  const char* root = std::getenv("SPLITPROOF_SOURCE_ROOT");
  return root == nullptr ? fs::current_path() : fs::path(root);
}

// Returns every second recording of Chat Completions.
std::vector<recording::Recording> corpus() {
  auto all = recording::load_corpus({(source_root() / "corpus").string()}).recordings;
  std::size_t number = 0;
  std::erase_if(all, [&](const recording::Recording& recording) {
    return recording.protocol != "openai.chat" || number++ % 2 != 0;
  });
  return all;
}

// Returns splits: as recorded, whole, and two random ones of at most eight cuts.
std::vector<Upstream> few_splits(const recording::Recording& recording) {
  std::vector<std::size_t> arrivals;
  for (const recording::Arrival& arrival : recording.arrivals) arrivals.push_back(arrival.end);
  std::vector<Upstream> upstreams;
  for (const char* split : {"gen=recorded", "gen=whole", "gen=random:1:seed7", "gen=random:2:seed7"}) {
    const auto one = parse_case(recording.id + "?client=anthropic.messages&" + split);
    upstreams.push_back(upstream_of(*one, recording).value());
  }
  return upstreams;
}

class ThroughSockets : public testing::Test {
 protected:
  // The server is in the build folder.
  void SetUp() override {
    const char* proxy = std::getenv("SPLITPROOF_PROXY");
    const char* path = std::getenv("PATH");
    ASSERT_TRUE(proxy != nullptr && path != nullptr);
    setenv("PATH", (fs::path(proxy).parent_path().string() + ":" + path).c_str(), 1);
  }

  // Returns a built-in target, ready; null if it is unavailable.
  std::unique_ptr<testee::HttpTestee> start(const std::string& name) {
    const fs::path file = source_root() / "harness" / "targets" / (name + ".yaml");
    const auto target = testee::load_target_file(file.string()).and_then([&](testee::TargetFile found) {
      return testee::with_knobs(std::move(found), profile_.knobs);
    });
    EXPECT_TRUE(target.has_value());
    supervisor_ = testee::Supervisor::start().value();
    auto testee = std::make_unique<testee::HttpTestee>(*target, *supervisor_, stop_);
    const Result<void> started = testee->start();
    if (started) return testee;
    why_ = describe(started.error());
    return nullptr;
  }

  contract::Profile profile_ =
      contract::load_profile("default", {source_root() / "contracts"}).value();  // passed to the target
  testee::StopToken stop_;
  std::unique_ptr<testee::Supervisor> supervisor_;
  std::string why_;
};

TEST_F(ThroughSockets, TheReferencesServerAnswersWhatTheReferenceDoes) {
  const auto served = start("reference-http");
  ASSERT_NE(served, nullptr) << why_;
  const testee::InProcess reference("reference", testee::reference_streams(profile_).value());
  const dialect::ChosenFields& chosen = dialect::client_of("anthropic.messages")->chosen();
  const auto normal = [&](const std::string& body) {
    return normal_form(body, chosen, KeepAlives::left_out).bytes;
  };
  std::size_t streams = 0;
  std::size_t refusals = 0;
  for (const recording::Recording& recording : corpus()) {
    for (const Upstream& upstream : few_splits(recording)) {
      const testee::Exchange exchange = exchange_of(upstream, recording);
      const testee::Observation seen = served->observe(exchange);
      ASSERT_TRUE(seen.http.has_value()) << recording.id << ": " << seen.detail;
      if (seen.http->status != 200) {  // the upstream failed before any content
        ++refusals;
        continue;
      }
      ++streams;
      EXPECT_EQ(seen.ending, testee::Ending::complete) << recording.id << ": " << seen.detail;
      EXPECT_EQ(normal(seen.body), normal(reference.observe(exchange).body)) << recording.id;
    }
  }
  EXPECT_GE(streams, 450u);
  EXPECT_LE(refusals, 40u);
}

TEST_F(ThroughSockets, NginxChangesNoByte) {
  const auto nginx = start("nginx");
  if (nginx == nullptr) GTEST_SKIP() << "nginx is not installed: " << why_;
  std::size_t answers = 0;
  for (const recording::Recording& recording : corpus()) {
    for (const Upstream& upstream : few_splits(recording)) {
      if (upstream.end == recording::End::stall) continue;  // its answer depends on its timeout
      const testee::Exchange exchange = exchange_of(upstream, recording);
      const testee::Observation seen = nginx->observe(exchange);
      ASSERT_TRUE(seen.http.has_value()) << recording.id << ": " << seen.detail;
      if (upstream.body.empty() && seen.http->status == 502) continue;
      ++answers;
      EXPECT_EQ(seen.body, upstream.body) << recording.id;
      EXPECT_EQ(seen.ending == testee::Ending::complete, upstream.end == recording::End::complete)
          << recording.id;
    }
  }
  EXPECT_GE(answers, 450u);
}

std::string listed(const std::set<std::string>& ids) { return testing::PrintToString(ids); }

// A relay is found to pass on exactly what `check` finds in the recording. Only an answer declared as JSON is not
// judged as a stream; a file for `check` cannot declare that.
TEST_F(ThroughSockets, NginxIsFoundToPassOnWhatCheckFinds) {
  const auto nginx = start("nginx");
  if (nginx == nullptr) GTEST_SKIP() << "nginx is not installed: " << why_;
  const auto contracts = contract::Contracts::load({source_root() / "contracts"}).value();
  const auto profile = contract::load_profile("default", {source_root() / "contracts"}).value();
  const std::vector<recording::Recording> recordings = corpus();
  CampaignSettings settings;
  settings.testees = {nginx.get()};
  settings.contracts = &contracts;
  settings.profile = profile;
  settings.only = "*&gen=[rw]*";
  settings.trials.round = Round::over_http;
  for (const recording::Recording& recording : recordings)
    if (recording.end != recording::End::stall) settings.recordings.push_back(&recording);
  const Results results = run(
      settings, [](const CampaignProgress&) {}, [] { return false; });
  const results::Rules rules = rules_of(contracts);
  std::size_t odd = 0;
  for (const RecordingResult& result : results.recordings) {
    const recording::Recording& recording = settings.recording(result.recording);
    if (recording.headers.at("content-type") == "application/json") continue;
    observe::Trace trace = observe::read_trace(recording.body, contracts.data_kind("openai.chat"));
    if (recording.end != recording::End::complete) trace.message_end = observe::MessageEnd::cut;
    std::set<std::string> checked;
    for (const contract::Judged& one : contract::judge(contracts, "openai.chat", profile, trace, {}))
      if (one.verdict == contract::Verdict::violated) checked.insert(one.obligation->id);
    std::set<std::string> passed_on;
    for (const Row& row : result.rows) {
      EXPECT_NE(row.verdict, contract::Verdict::violated) << recording.id << ": " << row.rule;
      if (row.verdict == contract::Verdict::passed_on &&
          rules.at(row.rule).contract != contract::kTransport && !rules.at(row.rule).of_requests)
        passed_on.insert(row.rule);
    }
    odd += checked.empty() ? 0 : 1;
    EXPECT_EQ(listed(passed_on), listed(checked)) << recording.id;
  }
  EXPECT_GE(odd, 10u);
}

}  // namespace
}  // namespace splitproof::campaign::through_sockets_test
