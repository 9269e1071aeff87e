// Testees behind HTTP that misbehave deliberately, each with the obligation that has to find it. The file is long
// because each is a testee of a few lines, and they share one campaign.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "harness/campaign/asked_judge.hpp"
#include "harness/campaign/campaign.hpp"
#include "harness/campaign/connections.hpp"
#include "harness/campaign/meta.hpp"
#include "harness/campaign/reading.hpp"
#include "harness/campaign/recording_run.hpp"
#include "harness/report/jsonl.hpp"
#include "harness/report/summary.hpp"
#include "harness/results/join.hpp"
#include "project.hpp"

namespace splitproof::campaign::black_box_test {

using results::Behaviour;
using results::RecordingResult;
using results::Row;
namespace {

using contract::Verdict;
using testee::Ending;
using testee::Exchange;
using testee::Observation;

// Returns the error that Anthropic documents for a status.
const char* error_type(int status) {
  static const std::map<int, const char*> kTypes = {
      {400, "invalid_request_error"}, {401, "authentication_error"}, {403, "permission_error"},
      {404, "not_found_error"},       {413, "request_too_large"},    {429, "rate_limit_error"},
      {529, "overloaded_error"}};
  const auto found = kTypes.find(status);
  return found == kTypes.end() ? "api_error" : found->second;
}

// Returns the reference's answer as a client behind HTTP sees it: a message and the upstream's request, without times.
Observation answer_of_reference(const Exchange& exchange) {
  static const testee::InProcess reference("reference", project().reference);
  Observation seen;
  std::string status_body;
  for (const std::string_view chunk : exchange.chunks) status_body += chunk;
  testee::Observation whole = reference.observe(exchange);
  seen.http.emplace();
  seen.http->status = 200;
  seen.http->headers = {{"Content-Type", "text/event-stream"}};
  seen.body = whole.body;
  if (exchange.status) {
    seen.http->status = *exchange.status;
    seen.http->headers = {{"content-type", "application/json"}};
    seen.body = R"({"type":"error","error":{"type":")" + std::string(error_type(*exchange.status)) +
                R"(","message":"no"}})";
  }
  seen.calls.emplace_back();
  seen.calls.back().outcome = exchange.leave_at ? "client left" : "finished";
  if (exchange.leave_at) seen.calls.back().left = 0.01;
  for (const testee::Hold& hold : exchange.holds) {
    // Counts exactly the output for the bytes before the hold.
    std::size_t fed = 0;
    std::size_t out = 0;
    for (std::size_t chunk = 0; chunk < exchange.chunks.size() && fed < hold.offset; ++chunk) {
      fed += exchange.chunks[chunk].size();
      out = whole.after_chunk[chunk];
    }
    seen.releases.push_back({hold.offset, hold.until(std::string_view(seen.body).substr(0, out)), out});
  }
  if (exchange.leave_at) {
    seen.ending = Ending::left;
    seen.body.resize(seen.body.size() / 2);
  }
  return seen;
}

// A testee made by a test. It counts its exchanges.
class BlackBox final : public testee::Testee {
 public:
  using Behaviour = std::function<Observation(const Exchange&)>;

  explicit BlackBox(Behaviour behaviour = answer_of_reference, std::string client = "anthropic.messages")
      : Testee({.name = "black-box",
                .client = std::move(client),
                .upstream = "openai.chat",
                .over_http = true,
                .outside = true,
                .max_concurrency = 4}),
        behaviour_(std::move(behaviour)) {}

  using Testee::traits_;

  Observation observe(const Exchange& exchange) const override {
    const std::size_t inside = ++inside_;
    std::size_t most = most_;
    while (inside > most && !most_.compare_exchange_weak(most, inside)) {
    }
    std::this_thread::yield();
    Observation seen = behaviour_(exchange);
    --inside_;
    ++asked_;
    return seen;
  }

  std::size_t most() const { return most_; }
  std::size_t asked() const { return asked_; }

 private:
  Behaviour behaviour_;
  mutable std::atomic<std::size_t> inside_ = 0;
  mutable std::atomic<std::size_t> most_ = 0;
  mutable std::atomic<std::size_t> asked_ = 0;
};

CampaignSettings on(const testee::Testee& testee, const std::vector<std::string>& ids) {
  CampaignSettings settings = project().settings(testee);
  settings.recordings.clear();
  for (const std::string& id : ids) settings.recordings.push_back(&project().recording("openai.chat/" + id));
  return settings;
}

Results run_all(const CampaignSettings& settings) {
  return campaign::run(
      settings, [](const CampaignProgress&) {}, [] { return false; });
}

const Row& row_of(const RecordingResult& result, const std::string& obligation) {
  const auto found = std::find_if(result.rows.begin(), result.rows.end(),
                                  [&](const Row& row) { return row.rule == obligation; });
  if (found == result.rows.end()) throw std::out_of_range(obligation);
  return *found;
}

std::set<std::string> violated(const std::vector<RecordingResult>& results) {
  std::set<std::string> ids;
  for (const RecordingResult& result : results) {
    for (const Row& row : result.rows) {
      if (row.verdict == Verdict::violated) ids.insert(row.rule);
    }
  }
  return ids;
}

std::size_t total(const Exchange& exchange) {
  std::size_t size = 0;
  for (const std::string_view chunk : exchange.chunks) size += chunk.size();
  return size;
}

// True for the case of single bytes, which tests make fail.
bool is_bytes(const Exchange& exchange) {
  return exchange.chunks.size() == total(exchange) && exchange.chunks.size() > 20;
}

BlackBox failing_by_bytes(const std::function<void(Observation&)>& fail) {
  return BlackBox([fail](const Exchange& exchange) {
    Observation seen = answer_of_reference(exchange);
    if (is_bytes(exchange)) fail(seen);
    return seen;
  });
}

TEST(BlackBox, ThatBehavesIsJudgedAsTheReferenceIs) {
  const testee::InProcess reference("reference", project().reference);
  const BlackBox box;
  const std::vector<std::string> ids = {"text-plain", "tool-parallel", "end-at-once", "framing-crlf"};
  const auto inside = run_quietly(on(reference, ids));
  const auto outside = run_quietly(on(box, ids));
  ASSERT_EQ(inside.size(), outside.size());
  for (std::size_t i = 0; i < inside.size(); ++i) {
    SCOPED_TRACE(inside[i].recording.id);
    EXPECT_EQ(outside[i].cases, inside[i].cases - inside[i].turns + 1)
        << "held back once, and asked in no second turn, as it does not say what it asks";
    EXPECT_EQ(outside[i].called, outside[i].cases);
    std::set<std::string> more;
    for (const Row& row : outside[i].rows) {
      if (project().rules.at(row.rule).of_requests) continue;  // it does not report its requests
      const auto same = std::find_if(inside[i].rows.begin(), inside[i].rows.end(),
                                     [&](const Row& known) { return known.rule == row.rule; });
      if (same != inside[i].rows.end()) {
        EXPECT_EQ(row.verdict, same->verdict) << row.rule;
      } else {
        EXPECT_NE(row.verdict, Verdict::violated) << row.rule;
        more.insert(project().rules.at(row.rule).contract == "transport" ? "transport" : row.rule);
      }
    }
    std::set<std::string> expected = {"RUN-01", "RUN-02", "RUN-03", "transport"};
    if (i == 0) expected.insert("META-05");  // once for each target
    EXPECT_EQ(more, expected);
    EXPECT_EQ(row_of(outside[i], "TRN-01").verdict, Verdict::met);
    for (const char* id : {"RUN-01", "RUN-02", "RUN-03"})
      EXPECT_EQ(row_of(outside[i], id).verdict, Verdict::met) << id;
    EXPECT_EQ(row_of(outside[i], "META-03").level, contract::Level::info);
    EXPECT_EQ(row_of(inside[i], "META-03").level, contract::Level::must);
  }
  EXPECT_TRUE(report::summarise(outside, plain_heading()).conforms());
}

TEST(BlackBox, ThatHangsIsToldWithWhatHadCome) {
  const BlackBox box = failing_by_bytes([](Observation& seen) {
    seen.ending = Ending::hung;
    seen.detail = "no byte arrived for 10 s";
    seen.body.resize(seen.body.find("event: content_block_delta") + 3);
  });
  const auto results = run_quietly(on(box, {"text-plain"}));
  const std::string message = row_of(results.front(), "RUN-02").first->message;
  EXPECT_TRUE(message.starts_with("no byte arrived for 10 s; ")) << message;
  EXPECT_NE(
      message.find(" bytes had arrived, and the last whole event was event 1 (content_block_start, line 4)"),
      std::string::npos)
      << message;
}

// META-04 finds the wrong one of two messages, and does not blame the other's case.
TEST(BlackBox, WhoseMessagesDifferIsToldWhichOneIsWrong) {
  const auto spoilt = [](Observation& seen) {
    const std::size_t at = seen.body.find("turns.");
    if (at != std::string::npos) seen.body.replace(at, 6, "burns!");
  };
  const BlackBox by_bytes = failing_by_bytes(spoilt);
  const Row by_bytes_row = row_of(run_quietly(on(by_bytes, {"text-plain"})).front(), "META-04");
  EXPECT_EQ(by_bytes_row.violating, 1U);
  EXPECT_NE(by_bytes_row.first->message.find("\"The tide burns!\" here and \"The tide turns.\" as recorded"),
            std::string::npos)
      << by_bytes_row.first->message;
  EXPECT_TRUE(by_bytes_row.first->message.ends_with("; as recorded it agrees with the upstream"));

  // The result for the original chunks is wrong, so the others are not to blame.
  const std::size_t arrivals = project().recording("openai.chat/text-plain").arrivals.size();
  const BlackBox as_recorded([&](const Exchange& exchange) {
    Observation seen = answer_of_reference(exchange);
    if (exchange.chunks.size() == arrivals &&
        exchange.name.ends_with("text-plain?client=anthropic.messages&gen=recorded"))
      spoilt(seen);
    return seen;
  });
  const Row row = row_of(run_quietly(on(as_recorded, {"text-plain"})).front(), "META-04");
  EXPECT_EQ(row.verdict, Verdict::violated);
  EXPECT_EQ(row.violating, 1U) << row.first->case_id << row.first->message;
  EXPECT_EQ(row.first->upstream.cuts.size() + 1, arrivals) << row.first->case_id;
  EXPECT_TRUE(row.first->message.ends_with("; in one piece it agrees with the upstream"))
      << row.first->message;
}

// A proxy that stops calling a failed upstream for some exchanges, and answers 503 by itself.
TEST(BlackBox, ThatCoolsDownAfterAFaultIsNotBlamedForIt) {
  for (const bool after_resets : {false, true}) {
    std::atomic<int> cooling = 0;
    const BlackBox box([&](const Exchange& exchange) {
      if (cooling > 0) {
        --cooling;
        Observation seen;
        seen.http.emplace();
        seen.http->status = 503;
        seen.http->headers = {{"content-type", "application/json"}};
        seen.body = R"({"type":"error","error":{"type":"overloaded_error","message":"no upstream is left"}})";
        return seen;
      }
      const bool failed = exchange.end == recording::End::reset;
      if (exchange.status.value_or(200) >= 500 || (after_resets && failed)) cooling = 3;
      return answer_of_reference(exchange);
    });
    CampaignSettings settings = on(box, {"text-plain", "tool-plain"});
    settings.trials.faults = true;
    settings.jobs = 1;
    const Results results = run_all(settings);
    EXPECT_EQ(violated(results.recordings), std::set<std::string>());
    EXPECT_LT(results.targets.front().called, results.targets.front().cases);
    EXPECT_TRUE(report::summarise(results.recordings, plain_heading()).conforms()) << after_resets;
  }
}

TEST(BlackBox, ThatSaysNothingIsNotTimely) {
  const BlackBox box([](const Exchange& exchange) {
    Observation seen = answer_of_reference(exchange);
    seen.body.clear();
    return seen;
  });
  EXPECT_EQ(row_of(run_quietly(on(box, {"text-plain"})).front(), "SSE-15").verdict, Verdict::not_exercised);
}

TEST(BlackBox, ThatBreaksIsJudgedForThatAlone) {
  const std::map<Ending, std::string> broken = {
      {Ending::crashed, "RUN-01"}, {Ending::hung, "RUN-02"}, {Ending::garbage, "RUN-03"}};
  for (const auto& [ending, id] : broken) {
    SCOPED_TRACE(id);
    const BlackBox box = failing_by_bytes([ending = ending](Observation& seen) {
      seen.ending = ending;
      seen.detail = "exit code 7";
      seen.body = "data: nonsense";
      seen.calls.clear();
    });
    const auto results = run_quietly(on(box, {"text-plain"}));
    EXPECT_EQ(violated(results), std::set<std::string>{id});
    const Row& row = row_of(results.front(), id);
    EXPECT_EQ(row.violating, 1U);
    EXPECT_EQ(row.level, contract::Level::must);
    EXPECT_TRUE(row.first->message.starts_with("exit code 7")) << row.first->message;
    EXPECT_EQ(row.first->case_id, "openai.chat/text-plain?client=anthropic.messages&gen=bytes");

    CampaignSettings alone = on(box, {"text-plain"});
    alone.only = "*gen=bytes";
    const auto one = run_quietly(alone);
    for (const Row& other : one.front().rows) {
      if (other.rule == id) continue;
      EXPECT_EQ(other.verdict, Verdict::not_judged) << other.rule;
      EXPECT_FALSE(other.reason.empty()) << other.rule;
    }
    EXPECT_FALSE(report::summarise(one, plain_heading()).conforms());
    // A testee with an expected failure on a recording conforms.
    alone.expectations = {{"*", "*", id, "", "file", 1}};
    EXPECT_TRUE(report::summarise(run_quietly(alone), plain_heading()).conforms());
    alone.expectations = {{"*", "*", "ANT-*", "", "file", 1}};
    EXPECT_FALSE(report::summarise(run_quietly(alone), plain_heading()).conforms());
    EXPECT_EQ(stale(alone.expectations, run_quietly(alone)).size(), 1U) << "nothing else is violated by it";
  }
}

// The reference answer for all others is lost. They are judged without it.
TEST(BlackBox, ThatBreaksAsRecordedLeavesNothingToCompareWith) {
  const std::size_t arrivals = project().recording("openai.chat/text-plain").arrivals.size();
  const BlackBox box([&](const Exchange& exchange) {
    Observation seen = answer_of_reference(exchange);
    if (exchange.chunks.size() == arrivals) seen.ending = Ending::crashed;
    return seen;
  });
  const auto results = run_quietly(on(box, {"text-plain"}));
  EXPECT_EQ(violated(results), std::set<std::string>{"RUN-01"});
  for (const char* id : {"META-03", "META-04"}) {
    EXPECT_EQ(row_of(results.front(), id).verdict, Verdict::not_judged) << id;
  }
  EXPECT_EQ(row_of(results.front(), "ANT-01").verdict, Verdict::met);
}

TEST(BlackBox, ThatWasNotPutThroughACaseIsNotJudgedByIt) {
  const std::vector<std::function<void(Observation&)>> reasons = {
      [](Observation& seen) { seen.calls.clear(); },
      [](Observation& seen) { seen.ending = Ending::skipped; }};
  for (const auto& make : reasons) {
    const BlackBox box([&](const Exchange& exchange) {
      Observation seen = answer_of_reference(exchange);
      seen.body = "data: nonsense";
      make(seen);
      return seen;
    });
    const Results results = run_all(on(box, {"text-plain"}));
    ASSERT_EQ(results.recordings.size(), 1U);
    for (const Row& row : results.recordings.front().rows)
      EXPECT_EQ(row.verdict, Verdict::not_judged) << row.rule;
    const report::Summary summary = report::summarise(results.recordings, plain_heading());
    EXPECT_FALSE(summary.conforms());
    EXPECT_EQ(summary.unjudged.size(), 1U);
  }
}

TEST(BlackBox, ThatNeverCallsItsUpstreamIsToldApart) {
  const BlackBox never([](const Exchange& exchange) {
    Observation seen = answer_of_reference(exchange);
    seen.calls.clear();
    return seen;
  });
  const BlackBox once = failing_by_bytes([](Observation& seen) { seen.calls.clear(); });
  EXPECT_TRUE(run_all(on(never, {"text-plain", "tool-plain"})).targets.front().never_called());
  const TargetResult mostly = run_all(on(once, {"text-plain"})).targets.front();
  EXPECT_FALSE(mostly.never_called());
  EXPECT_EQ(mostly.called + 1, mostly.cases);
  const testee::InProcess reference("reference", project().reference);
  EXPECT_FALSE(run_all(on(reference, {"text-plain"})).targets.front().never_called());
}

TEST(BlackBox, WhoseMessageBreaksIsJudgedAsCut) {
  const BlackBox box([](const Exchange& exchange) {
    Observation seen = answer_of_reference(exchange);
    seen.body.resize(seen.body.find("event: message_delta"));
    seen.ending = Ending::cut;
    return seen;
  });
  const BlackBox whole([](const Exchange& exchange) {
    Observation seen = answer_of_reference(exchange);
    seen.body.resize(seen.body.find("event: message_delta"));
    return seen;
  });
  const auto cut = violated(run_quietly(on(box, {"text-plain"})));
  const auto complete = violated(run_quietly(on(whole, {"text-plain"})));
  EXPECT_TRUE(complete.count("ANT-02")) << testing::PrintToString(complete);
  EXPECT_FALSE(cut.count("ANT-02")) << "its rule says: unless ended cut";
  EXPECT_TRUE(cut.count("END-13")) << testing::PrintToString(cut);
}

TEST(BlackBox, ThatAnswersWithNoStreamIsNotJudgedAsOne) {
  for (const char* type :
       {"application/json", "Application/JSON; charset=utf-8", "application/problem+json"}) {
    const BlackBox json = failing_by_bytes([&](Observation& seen) {
      seen.http->headers = {{"content-type", type}};
      seen.body = "{\"error\":{}}";
    });
    EXPECT_EQ(violated(run_quietly(on(json, {"text-plain"}))),
              (std::set<std::string>{"META-03", "META-04", "TRN-01"}))
        << type;
  }
  const BlackBox status = failing_by_bytes([](Observation& seen) { seen.http->status = 502; });
  const auto results = run_quietly(on(status, {"text-plain"}));
  // A refusal is an error without need, because the upstream's answer was good.
  const std::set<std::string> refusal{"ANT-20", "END-13", "TRN-08", "UPS-01"};
  std::set<std::string> by_bytes = refusal;
  by_bytes.insert({"META-03", "META-04"});
  EXPECT_EQ(violated(results), by_bytes);
  EXPECT_NE(row_of(results.front(), "META-04").first->message.find("status 502"), std::string::npos);

  const BlackBox never([](const Exchange& exchange) {
    Observation seen = answer_of_reference(exchange);
    seen.http->status = 503;
    return seen;
  });
  const auto none = run_quietly(on(never, {"text-plain"}));
  EXPECT_EQ(violated(none), refusal);
  EXPECT_EQ(row_of(none.front(), "ANT-01").verdict, Verdict::met);
  EXPECT_EQ(row_of(none.front(), "SSE-15").verdict, Verdict::not_judged);
  EXPECT_FALSE(report::summarise(none, plain_heading()).conforms());
}

// Replaces each occurrence of `from`.
std::string with(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

TEST(BlackBox, MayChooseIdsAndSendKeepAlives) {
  std::atomic<int> asked = 0;
  const BlackBox box([&](const Exchange& exchange) {
    Observation seen = answer_of_reference(exchange);
    const int now = asked++;
    seen.body = with(seen.body, "\"message\":{\"id\":\"", "\"message\":{\"id\":\"" + std::to_string(now));
    if (now % 2 == 0)
      seen.body = with(seen.body, "event: content_block_stop", ": alive\n\nevent: content_block_stop");
    if (now % 3 == 0)
      seen.body = with(seen.body, "event: content_block_stop",
                       "event: ping\ndata: {\"type\":\"ping\"}\n\nevent: content_block_stop");
    return seen;
  });
  const auto results = run_quietly(on(box, {"text-plain", "tool-parallel"}));
  EXPECT_TRUE(violated(results).empty()) << testing::PrintToString(violated(results));
  for (const RecordingResult& result : results) {
    EXPECT_EQ(row_of(result, "META-03").verdict, Verdict::met);
    EXPECT_LE(result.outputs, 4U) << "judged once for each way of keeping alive";
  }

  const BlackBox other = failing_by_bytes([](Observation& seen) { seen.body = with(seen.body, " ", "  "); });
  const auto advised = run_quietly(on(other, {"tool-parallel"}));
  EXPECT_TRUE(violated(advised).count("META-03"));
  EXPECT_EQ(row_of(advised.front(), "META-03").level, contract::Level::info);
}

// If a call has the upstream's id in one case and an invented one in another, equal outputs are judged separately.
TEST(BlackBox, ThatReplacesTheUpstreamsIdIsFound) {
  const auto swap = [](Observation& seen) {
    seen.body = with(seen.body, "\"id\":\"call_", "\"id\":\"made_up_");
  };
  const BlackBox always([&](const Exchange& exchange) {
    Observation seen = answer_of_reference(exchange);
    swap(seen);
    return seen;
  });
  const auto wrong = violated(run_quietly(on(always, {"tool-plain"})));
  EXPECT_FALSE(wrong.empty());
  EXPECT_EQ(violated(run_quietly(on(failing_by_bytes(swap), {"tool-plain"}))), wrong);
}

TEST(BlackBox, MayDealTextOutOverBlocks) {
  const BlackBox box = failing_by_bytes([](Observation& seen) {
    const std::string stop =
        "event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n";
    const auto at = seen.body.find(stop);
    ASSERT_NE(at, std::string::npos);
    seen.body.insert(at + stop.size(), with(stop, "\"index\":0", "\"index\":1"));
    seen.body.insert(
        at + stop.size(),
        "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":1,\"content_block\":{\"type\":"
        "\"text\",\"text\":\"\"}}\n\n");
  });
  const auto results = run_quietly(on(box, {"text-plain"}));
  EXPECT_EQ(row_of(results.front(), "META-04").verdict, Verdict::met);
  EXPECT_EQ(row_of(results.front(), "META-03").verdict, Verdict::violated);
  const BlackBox losing = failing_by_bytes([](Observation& seen) {
    const auto at = seen.body.find("event: content_block_delta");
    seen.body.erase(at, seen.body.find("\n\n", at) + 2 - at);
  });
  EXPECT_EQ(row_of(run_quietly(on(losing, {"text-plain"})).front(), "META-04").verdict, Verdict::violated);
}

TEST(BlackBox, IsHeldToWhatIsDueByWithholding) {
  const recording::Recording& recording = project().recording("openai.chat/tool-parallel");
  const BlackBox box;
  const auto good = run_quietly(on(box, {"tool-parallel"}));
  const Row& met = row_of(good.front(), "SSE-15");
  EXPECT_EQ(met.verdict, Verdict::met);

  const BlackBox holding([](const Exchange& exchange) {
    Observation seen = answer_of_reference(exchange);
    for (testee::Release& release : seen.releases) {
      release.downstream = 0;
      release.met = false;
    }
    return seen;
  });
  const auto bad = run_quietly(on(holding, {"tool-parallel"}));
  EXPECT_EQ(violated(bad), std::set<std::string>{"SSE-15"});
  const Row& late = row_of(bad.front(), "SSE-15");
  ASSERT_TRUE(late.first.has_value());
  EXPECT_EQ(late.violating, 1U);
  EXPECT_EQ(late.first->case_id, recording.id + "?client=anthropic.messages&gen=withheld");
  EXPECT_NE(late.first->message.find(" and 0 were out"), std::string::npos) << late.first->message;

  // It must not hold everything back either if text is taken out.
  for (const auto& [knob, answer] : {std::pair("marker", "pr54"), {"stop-sequences", "cut"}}) {
    CampaignSettings filtered = on(holding, {"text-plain"});
    filtered.profile.knobs[knob] = answer;
    EXPECT_EQ(violated(run_quietly(filtered)), std::set<std::string>{"SSE-15"}) << knob;
    filtered.testees = {&box};
    EXPECT_EQ(row_of(run_quietly(filtered).front(), "SSE-15").verdict, Verdict::met) << knob;
  }

  CampaignSettings others = on(holding, {"tool-parallel"});
  others.only = "*gen=events";
  const auto unseen = run_quietly(others);
  EXPECT_EQ(row_of(unseen.front(), "SSE-15").verdict, Verdict::not_judged);
  others.only = "*gen=withheld";
  EXPECT_EQ(run_quietly(others).front().cases, 1U);

  // Lost content is not late.
  const BlackBox losing([](const Exchange& exchange) {
    Observation seen = answer_of_reference(exchange);
    const auto at = seen.body.find("event: content_block_start");
    seen.body = seen.body.substr(0, at) + seen.body.substr(seen.body.find("event: message_delta"));
    for (testee::Release& release : seen.releases) release = {release.offset, false, at};
    return seen;
  });
  EXPECT_FALSE(violated(run_quietly(on(losing, {"tool-parallel"}))).count("SSE-15"));
}

TEST(BlackBox, IsHeldAtMostSixtyFourTimes) {
  recording::Recording recording = project().recording("openai.chat/text-plain");
  const std::string first = recording.body.substr(0, recording.body.find("data: [DONE]"));
  recording.body.clear();
  recording.arrivals.clear();
  for (int i = 0; i < 200; ++i)
    recording.body += "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"x\"}}]}\n\n";
  recording.body +=
      "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
  recording.arrivals = {{0, recording.body.size()}};
  std::mutex mutex;  // the isolation trial runs exchanges concurrently
  std::vector<std::size_t> offsets;
  const BlackBox box([&](const Exchange& exchange) {
    if (!exchange.holds.empty()) {
      const std::lock_guard lock(mutex);
      offsets.clear();
      for (const testee::Hold& hold : exchange.holds) offsets.push_back(hold.offset);
    }
    return answer_of_reference(exchange);
  });
  CampaignSettings settings = on(box, {});
  settings.recordings = {&recording};
  const auto results = run_quietly(settings);
  EXPECT_EQ(row_of(results.front(), "SSE-15").verdict, Verdict::met);
  ASSERT_EQ(offsets.size(), kMostHolds);
  EXPECT_TRUE(std::is_sorted(offsets.begin(), offsets.end()));
  std::size_t widest = 0;
  for (std::size_t i = 1; i < offsets.size(); ++i) widest = std::max(widest, offsets[i] - offsets[i - 1]);
  EXPECT_LE(widest, 4 * 60U);
  EXPECT_GT(offsets.back(), recording.body.size() * 9 / 10);
}

TEST(BlackBox, GetsTheFaultsOfItsKind) {
  std::mutex mutex;
  std::vector<std::string> order;
  const BlackBox box([&](const Exchange& exchange) {
    const std::lock_guard lock(mutex);
    order.push_back(exchange.status ? "status" : exchange.leave_at ? "leave" : "other");
    EXPECT_NE(exchange.recording, nullptr);
    return answer_of_reference(exchange);
  });
  CampaignSettings settings = on(box, {"text-plain", "tool-plain"});
  settings.trials.faults = true;
  const auto results = run_quietly(settings);
  ASSERT_EQ(results.size(), 2U);
  const auto first = std::find(order.begin(), order.end(), "status");
  EXPECT_EQ(std::count(first, order.end(), "status"), 2 * 10);
  EXPECT_LE(order.end() - first, 2 * 10 + 1)
      << "statuses come last, but for how another recording is answered";
  EXPECT_EQ(std::count(order.begin(), order.end(), "leave"), 2);
  EXPECT_TRUE(violated(results).empty()) << testing::PrintToString(violated(results));
  for (const RecordingResult& result : results) {
    const std::size_t ends = subject_of(project().recording(result.recording.id)).event_ends.size();
    EXPECT_EQ(result.faults, 2 * (ends + 2) + 1 + 10);
    EXPECT_EQ(row_of(result, "ANT-01").cases, result.cases) << "both rounds are in one row";
  }
  // A client that left is not judged by its content. A refusal is judged as an error.
  for (const auto& [only, verdict] :
       {std::pair("*fault=leave@*", Verdict::not_judged), std::pair("*fault=status:503", Verdict::met)}) {
    settings.only = only;
    for (const RecordingResult& result : run_quietly(settings)) {
      EXPECT_EQ(result.cases, 1U);
      EXPECT_EQ(row_of(result, "ANT-01").verdict, verdict) << only;
      EXPECT_EQ(row_of(result, "RUN-01").verdict, Verdict::met) << only;
    }
  }
  // A stream that answers an error status has to end with an error, without content.
  const BlackBox pretending([](const Exchange& exchange) {
    if (!exchange.status) return answer_of_reference(exchange);
    Exchange healthy;
    healthy.chunks = {exchange.recording->body};
    return answer_of_reference(healthy);
  });
  settings = on(pretending, {"text-plain"});
  settings.trials.faults = true;
  const auto pretended = violated(run_quietly(settings));
  EXPECT_TRUE(pretended.count("UPS-01") || pretended.count("END-01") || pretended.count("ANT-20"))
      << testing::PrintToString(pretended);
}

// Observations are written, read again and judged. Every row must be the campaign's.
TEST(BlackBox, EvidenceIsJudgedAsTheCampaignJudgedIt) {
  std::mutex mutex;
  const std::vector<BlackBox::Behaviour> behaviours = {answer_of_reference,
                                                       [](const Exchange& exchange) {  // depends on the cuts
                                                         Observation seen = answer_of_reference(exchange);
                                                         if (exchange.chunks.size() % 3 == 1)
                                                           seen.body += "event: ping\ndata: {}\n\n";
                                                         if (exchange.chunks.size() % 5 == 1)
                                                           seen.http->final_chunks = 2;
                                                         seen.http->chunked = true;
                                                         return seen;
                                                       },
                                                       [](const Exchange& exchange) {  // silent until the end
                                                         Observation seen = answer_of_reference(exchange);
                                                         for (testee::Release& release : seen.releases)
                                                           release = {release.offset, false, 0};
                                                         if (exchange.leave_at) seen.calls[0].left.reset();
                                                         if (exchange.leave_at)
                                                           seen.calls[0].outcome = "stopped";
                                                         return seen;
                                                       },
                                                       [](const Exchange& exchange) {
                                                         Observation seen = answer_of_reference(exchange);
                                                         if (is_bytes(exchange))
                                                           seen.ending = Ending::crashed;
                                                         if (exchange.status) seen.http->status = 200;
                                                         return seen;
                                                       }};
  for (const BlackBox::Behaviour& behaviour : behaviours) {
    const BlackBox box(behaviour);
    CampaignSettings settings = on(box, {"text-plain", "tool-parallel", "end-at-once"});
    settings.trials.faults = true;
    std::vector<evidence::Evidence> kept;
    settings.keep = [&](const evidence::Evidence& seen, Round) {
      const std::lock_guard lock(mutex);
      kept.push_back(evidence::parse(evidence::to_text(seen).value(), "x").value());
    };
    const Results found = run_all(settings);
    settings.keep = {};
    ASSERT_EQ(kept.size(), 6U) << "two rounds of each recording";
    for (const RecordingResult& result : found.recordings) {
      SCOPED_TRACE(result.recording.id);
      std::optional<RecordingResult> again;
      for (const bool statuses : {false, true}) {
        for (const evidence::Evidence& seen : kept) {
          const bool is_statuses = seen.exhibits.back().status.has_value();
          if (seen.recording->id != result.recording.id || is_statuses != statuses) continue;
          RecordingResult judged = judge_again(settings, seen).value();
          if (again) {
            join(*again, std::move(judged));
          } else {
            again = std::move(judged);
          }
        }
      }
      ASSERT_TRUE(again);
      EXPECT_EQ(again->cases, result.cases);
      EXPECT_EQ(again->recuts, result.recuts);
      EXPECT_EQ(again->faults, result.faults);
      EXPECT_EQ(again->called, result.called);
      for (const Row& row : result.rows) {
        // These rules need several streams, and a file has one at a time.
        if (row.rule == "META-05" || project().rules.at(row.rule).form == "connections") continue;
        const Row& other = row_of(*again, row.rule);
        EXPECT_EQ(other.verdict, row.verdict) << row.rule;
        EXPECT_EQ(other.cases, row.cases) << row.rule;
        EXPECT_EQ(other.violating, row.violating) << row.rule;
        EXPECT_EQ(other.level, row.level) << row.rule;
        ASSERT_EQ(other.first.has_value(), row.first.has_value()) << row.rule;
        if (!row.first) continue;
        EXPECT_EQ(other.first->message, row.first->message) << row.rule;
        EXPECT_EQ(other.first->place.begin, row.first->place.begin) << row.rule;
      }
    }
  }
}

TEST(BlackBox, ThatIsLostEndsItsCampaignOnly) {
  const testee::InProcess reference("reference", project().reference);
  const recording::Recording& last = project().recording("openai.chat/tool-plain");
  const BlackBox box([&](const Exchange& exchange) {
    Observation seen = answer_of_reference(exchange);
    if (exchange.recording == &last) {
      seen.ending = Ending::unavailable;
      seen.detail = "exit code 1 three times";
    }
    return seen;
  });
  CampaignSettings settings = on(box, {"text-plain", "tool-plain", "tool-parallel", "end-at-once"});
  settings.testees.push_back(&reference);
  settings.jobs = 1;
  const Results results = run_all(settings);
  ASSERT_EQ(results.targets.size(), 2U);
  EXPECT_EQ(results.targets[0].unavailable, "exit code 1 three times");
  EXPECT_EQ(results.targets[0].undone, 3U);
  EXPECT_EQ(results.targets[1].unavailable, "");
  EXPECT_EQ(results.targets[1].undone, 0U);
  std::map<std::string, std::size_t> counts;
  for (const RecordingResult& result : results.recordings) ++counts[result.target];
  EXPECT_EQ(counts, (std::map<std::string, std::size_t>{{"black-box", 1}, {"reference", 4}}));
  report::Heading heading = plain_heading();
  heading.unavailable = 1;
  EXPECT_FALSE(report::summarise(results.recordings, heading).conforms());
}

TEST(BlackBox, IsNotPutThroughWhatItCannot) {
  BlackBox box;
  const auto all = run_all(on(box, {"text-plain", "tool-plain", "tool-parallel"}));
  EXPECT_EQ(all.recordings.size(), 3U);
  EXPECT_EQ(all.targets.front().unclaimed, 0U);
  box.traits_.cannot = {"parallel_tools", "never-heard-of"};
  const auto some = run_all(on(box, {"text-plain", "tool-plain", "tool-parallel"}));
  EXPECT_EQ(some.recordings.size() + some.targets.front().unclaimed, 3U);
  EXPECT_EQ(some.targets.front().unclaimed, 1U);

  // Shapes that the harness reads in the bytes count as well as the recording's own.
  recording::Recording bare = project().recording("openai.chat/tool-parallel");
  bare.features.clear();
  const auto shapes =
      read_upstream({bare.body, {}, bare.end}, bare.protocol, observe::choices_of(project().profile.knobs))
          .expected.shapes;
  ASSERT_FALSE(shapes.empty());
  box.traits_.cannot = {*shapes.begin()};
  CampaignSettings settings = on(box, {});
  settings.recordings = {&bare};
  EXPECT_EQ(run_all(settings).targets.front().unclaimed, 1U);
  settings.only = "nothing*";
  EXPECT_EQ(run_all(settings).targets.front().unclaimed, 0U) << "nor would it have been run";
}

TEST(BlackBox, IsAskedNoMoreAtOnceThanItTakes) {
  for (const std::size_t places : {1U, 2U}) {
    BlackBox box;
    box.traits_.max_concurrency = places;
    CampaignSettings settings = project().settings(box);
    settings.only = "*&gen=[rw]*";
    settings.jobs = 6;
    run_quietly(settings);
    EXPECT_LE(box.most(), places);
    EXPECT_GT(box.asked(), project().corpus.recordings.size());
  }
}

TEST(BlackBox, GivesTheSameReportWhateverTheJobs) {
  const BlackBox box = failing_by_bytes([](Observation& seen) { seen.http->status = 502; });
  CampaignSettings settings = on(box, {"text-plain", "tool-plain", "tool-parallel", "end-at-once"});
  settings.trials.faults = true;
  std::set<std::string> reports;
  for (const unsigned jobs : {1U, 4U}) {
    settings.jobs = jobs;
    const auto results = run_quietly(settings);
    reports.insert(
        report::jsonl_report(results, plain_heading(), report::summarise(results, plain_heading()), true));
  }
  EXPECT_EQ(reports.size(), 1U);
}

// A relay for clients of the upstream's own protocol.
TEST(BlackBox, OfChatClientsIsComparedByWhatTheyRead) {
  const auto pass = [](const Exchange& exchange) {
    Observation seen;
    for (const std::string_view chunk : exchange.chunks) seen.body += chunk;
    seen.http.emplace();
    seen.http->status = 200;
    seen.http->headers = {{"content-type", "text/event-stream"}};
    seen.calls.emplace_back();
    std::size_t fed = 0;
    for (const testee::Hold& hold : exchange.holds) {
      fed = hold.offset;
      seen.releases.push_back({fed, hold.until(std::string_view(seen.body).substr(0, fed)), fed});
    }
    return seen;
  };
  const BlackBox through(pass, "openai.chat");
  const std::vector<std::string> ids = {"text-plain", "tool-parallel", "framing-crlf"};
  for (const RecordingResult& result : run_quietly(on(through, ids))) {
    EXPECT_EQ(row_of(result, "META-04").verdict, Verdict::met) << result.recording.id;
    EXPECT_EQ(row_of(result, "META-03").verdict, Verdict::met) << result.recording.id;
    EXPECT_EQ(row_of(result, "SSE-15").verdict, Verdict::met) << result.recording.id;
  }
  // The upstream's violations are not the testee's, but its own additions are.
  const std::vector<std::string> odd = {"tool-parallel-surrogate-halves", "text-plain"};
  const auto passed = run_quietly(on(through, odd));
  EXPECT_TRUE(violated(passed).empty()) << testing::PrintToString(violated(passed));
  const Row& torn = row_of(passed.front(), "SSE-19");
  EXPECT_EQ(torn.verdict, Verdict::passed_on);
  ASSERT_TRUE(torn.first.has_value());
  EXPECT_FALSE(torn.first->message.empty());
  const report::Summary summary = report::summarise(passed, plain_heading());
  EXPECT_GT(summary.tally.passed_on(), 0U);
  EXPECT_TRUE(summary.conforms());
  EXPECT_EQ(row_of(passed.back(), "SSE-03").verdict, Verdict::met);
  const BlackBox tearing(
      [&](const Exchange& exchange) {
        Observation seen = pass(exchange);
        seen.body.insert(seen.body.find("data: [DONE]"), "data: {\"torn\n\n");
        return seen;
      },
      "openai.chat");
  EXPECT_TRUE(violated(run_quietly(on(tearing, {"text-plain"}))).count("SSE-03"));

  // Its changes to an odd answer are its own, however odd the answer is.
  const BlackBox shouting(
      [&](const Exchange& exchange) {
        Observation seen = pass(exchange);
        for (std::size_t at = 0; (at = seen.body.find("Sail", at)) != std::string::npos; at += 4)
          seen.body.replace(at, 4, "SAIL");
        return seen;
      },
      "openai.chat");
  EXPECT_TRUE(violated(run_quietly(on(shouting, {"thinking-tags"}))).count("CHT-14"));
  const BlackBox twice_odd(
      [&](const Exchange& exchange) {
        Observation seen = pass(exchange);
        const std::size_t at = seen.body.find("\"finish_reason\":\"stop\"");
        if (at != std::string::npos) seen.body.replace(at, 22, "\"finish_reason\":\"length\"");
        return seen;
      },
      "openai.chat");
  EXPECT_TRUE(violated(run_quietly(on(twice_odd, {"finish-stop-after-tool"}))).count("CHT-16"));

  const BlackBox losing(
      [&](const Exchange& exchange) {
        Observation seen = pass(exchange);
        if (is_bytes(exchange)) {
          const auto at = seen.body.find("data: ", seen.body.size() / 3);
          seen.body.erase(at, seen.body.find("\n\n", at) + 2 - at);
        }
        return seen;
      },
      "openai.chat");
  EXPECT_EQ(row_of(run_quietly(on(losing, {"text-plain"})).front(), "META-04").verdict, Verdict::violated);
  const BlackBox holding(
      [&](const Exchange& exchange) {
        Observation seen = pass(exchange);
        for (testee::Release& release : seen.releases) release = {release.offset, false, 0};
        return seen;
      },
      "openai.chat");
  EXPECT_EQ(row_of(run_quietly(on(holding, {"text-plain"})).front(), "SSE-15").verdict, Verdict::violated);
  // Nothing predicts what a relay takes out of text, nor how long it may wait for that.
  CampaignSettings cutting = on(holding, {"text-plain"});
  cutting.profile.knobs["stop-sequences"] = "cut";
  EXPECT_EQ(row_of(run_quietly(cutting).front(), "SSE-15").verdict, Verdict::not_judged);
}

}  // namespace
}  // namespace splitproof::campaign::black_box_test
