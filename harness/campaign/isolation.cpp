#include "harness/campaign/isolation.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "harness/campaign/case.hpp"
#include "harness/campaign/judgeability.hpp"
#include "harness/campaign/meta.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/observe/trace.hpp"
#include "harness/testee/client_request.hpp"

namespace splitproof::campaign {
namespace {

using contract::Judged;
using contract::Verdict;
using dialect::CanaryStream;
using nlohmann::json;

constexpr std::size_t kStreams = 4;
constexpr auto kMeeting = std::chrono::seconds(2);  // longest wait for the other streams

// A barrier for streams that run at the same time. If the wait of one stream expires, the barrier opens for all.
class Meeting {
 public:
  explicit Meeting(std::size_t expected) : expected_(expected) {}

  void join() {
    std::unique_lock lock(mutex_);
    ++joined_;
    changed_.notify_all();
    if (!changed_.wait_for(lock, kMeeting, [&] { return joined_ >= expected_ || failed_; })) failed_ = true;
    changed_.notify_all();
  }

  bool complete() const {
    const std::lock_guard lock(mutex_);
    return joined_ >= expected_ && !failed_;
  }

 private:
  const std::size_t expected_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t joined_ = 0;
  bool failed_ = false;
};

bool has(const std::string& body, const std::string& text, const std::string& piece) {
  return body.find(piece) != body.npos || text.find(piece) != text.npos;
}

Judged told(Verdict verdict, std::string reason) {
  Judged judged;
  judged.obligation = &meta_obligation(kApart);
  judged.verdict = verdict;
  if (verdict == Verdict::violated) {
    judged.found = judged.violation.found = judged.message = std::move(reason);
  } else {
    judged.reason = std::move(reason);
  }
  return judged;
}

// Describes the defect of stream `own`, or returns "". A stream that broke off may lack pieces and its end. It must
// not contain text of another stream.
std::string complaint(const std::vector<CanaryStream>& streams, std::size_t own,
                      const testee::Observation& seen, const std::string& client, bool broke_off) {
  const std::string text = joined_text(seen.body, client);
  const std::string name = "stream " + std::to_string(own + 1) + " of " + std::to_string(streams.size());
  for (std::size_t other = 0; other < streams.size(); ++other) {
    if (other == own) continue;
    for (const std::string& piece : streams[other].pieces) {
      if (has(seen.body, text, piece)) return name + " has text of stream " + std::to_string(other + 1);
    }
  }
  if (broke_off) return {};
  if (seen.ending != testee::Ending::complete) {
    return name + " had another ending than alone: " + std::string(testee::name(seen.ending)) +
           (seen.detail.empty() ? "" : ", " + seen.detail);
  }
  for (const std::string& piece : streams[own].pieces) {
    if (!has(seen.body, text, piece)) return name + " lacks part of its own text";
  }
  return {};
}

testee::Exchange exchange_of(const CanaryStream& stream, const recording::Recording& recording,
                             const std::string& client, std::size_t size) {
  testee::Exchange exchange;
  std::size_t begin = 0;
  for (const std::size_t end : stream.arrivals) {
    if (end > size) break;
    exchange.chunks.push_back(std::string_view(stream.body).substr(begin, end - begin));
    begin = end;
  }
  exchange.end = recording::End::complete;
  exchange.recording = &recording;
  exchange.name = to_string({recording.id, client});
  return exchange;
}

// Returns the reason why the testee ran no stream in this observation, or "".
std::string lost(const testee::Observation& seen, const testee::Testee& testee) {
  if (seen.ending == testee::Ending::unavailable || seen.ending == testee::Ending::skipped)
    return seen.detail.empty() ? "the target skips this case" : seen.detail;
  return called_upstream(seen, testee.traits()) ? "" : "the target did not call its upstream";
}

Judged judged_of(const testee::Testee& testee, const std::vector<CanaryStream>& streams,
                 const std::vector<testee::Observation>& seen, bool first_broke_off,
                 const std::string& unmet) {
  for (const testee::Observation& one : seen) {
    if (const std::string why = lost(one, testee); !why.empty()) return told(Verdict::not_judged, why);
  }
  for (std::size_t own = 0; own < seen.size(); ++own) {
    const std::string wrong =
        complaint(streams, own, seen[own], testee.client(), first_broke_off && own == 0);
    if (!wrong.empty()) return told(Verdict::violated, wrong);
  }
  if (!unmet.empty()) return told(Verdict::not_judged, unmet);
  return told(Verdict::met, {});
}

Judged judge_at_once(const testee::Testee& testee, const recording::Recording& recording,
                     const std::vector<CanaryStream>& streams) {
  std::vector<std::unique_ptr<Meeting>> meetings;  // one for each hold
  for (std::size_t i = 0; i < streams[0].holds.size(); ++i)
    meetings.push_back(std::make_unique<Meeting>(streams.size()));
  const auto observe = [&](std::size_t own) {
    const CanaryStream& stream = streams[own];
    testee::Exchange exchange = exchange_of(stream, recording, testee.client(), stream.body.size());
    for (std::size_t i = 0; i < stream.holds.size(); ++i) {
      const auto until = [&meetings, &stream, &testee, i](std::string_view downstream) {
        const std::string body(downstream);
        if (!has(body, joined_text(body, testee.client()), stream.pieces[i])) return false;
        meetings[i]->join();
        return true;
      };
      exchange.holds.push_back({stream.holds[i], until});
    }
    return testee.observe(exchange);
  };
  std::vector<std::future<testee::Observation>> running;
  for (std::size_t own = 0; own < streams.size(); ++own)
    running.push_back(std::async(std::launch::async, observe, own));
  std::vector<testee::Observation> seen;
  seen.reserve(running.size());
  for (auto& one : running) seen.push_back(one.get());
  const bool met =
      std::all_of(meetings.begin(), meetings.end(), [](const auto& meeting) { return meeting->complete(); });
  return judged_of(testee, streams, seen, false, met ? "" : "the streams never ran all at the same time");
}

Judged judge_in_turn(const testee::Testee& testee, const recording::Recording& recording,
                     const std::vector<CanaryStream>& streams) {
  const std::size_t half = streams[0].holds.front();
  testee::Exchange first = exchange_of(streams[0], recording, testee.client(),
                                       testee.traits().over_http ? streams[0].body.size() : half);
  if (testee.traits().over_http) {
    first.leave_at = half;
  } else {
    first.end = recording::End::reset;
  }
  std::vector<testee::Observation> seen;
  seen.push_back(testee.observe(first));
  seen.push_back(testee.observe(exchange_of(streams[1], recording, testee.client(), streams[1].body.size())));
  return judged_of(testee, streams, seen, true, "");
}

// Returns the system prompt that only client `number` sends. In the upstream request of another client, it proves
// that the proxy mixed up two requests.
std::string own_system(std::size_t number) {
  return "The canary of client " + std::to_string(number + 1) + " is yellow.";
}

// Returns the name of the tool that only client `number` offers.
std::string own_tool(std::size_t number) { return "canary_" + std::to_string(number + 1) + "_sings"; }

recording::Recording asked_with(const recording::Recording& recording, const dialect::Client& client,
                                const std::string& protocol, const dialect::Wants& wants) {
  recording::Recording asked = recording;
  asked.requests = std::make_shared<const json>(json{{protocol, client.request(wants)}});
  return asked;
}

bool has_token_of(const std::string& call, const std::string& request) {
  for (const std::string& token : testee::tokens_in(request))
    if (call.find(token) != call.npos) return true;
  return false;
}

// Describes content of another client in an upstream call for client `own`, or returns "".
std::string mixed_up(const std::vector<testee::Observation>& seen, std::size_t own) {
  for (const testee::UpstreamCall& call : seen[own].calls) {
    for (std::size_t other = 0; other < seen.size(); ++other) {
      if (other == own) continue;
      std::string what;
      if (call.body.find(own_system(other)) != call.body.npos) what = "the system prompt";
      if (call.body.find(own_tool(other)) != call.body.npos) what = "a tool";
      if (has_token_of(call.body, seen[other].request)) what = "the words";
      if (!what.empty()) {
        return "the request to the upstream for client " + std::to_string(own + 1) + " of " +
               std::to_string(seen.size()) + " has " + what + " of client " + std::to_string(other + 1);
      }
    }
  }
  return {};
}

// Sends requests of several clients, and describes content of one client in an upstream call for another, or returns
// "". The first `own_wishes` clients send a system prompt and a tool of their own, and over HTTP they send them at the
// same time. One more client, which follows them, has neither.
std::string requests_mixed_up(const testee::Testee& testee, const recording::Recording& recording,
                              std::size_t own_wishes) {
  const std::string protocol = testee.client();
  const dialect::Client* client = dialect::client_of(protocol);
  if (client == nullptr) return {};
  std::vector<recording::Recording> asked;
  for (std::size_t number = 0; number < own_wishes; ++number)
    asked.push_back(
        asked_with(recording, *client, protocol, {{{own_tool(number)}}, false, own_system(number)}));
  asked.push_back(asked_with(recording, *client, protocol, {}));
  const auto observe = [&](std::size_t number) {
    if (!testee.traits().over_http) return testee.asks(asked[number]);
    testee::Exchange exchange;
    exchange.chunks = {asked[number].body};
    exchange.recording = &asked[number];
    exchange.name = to_string({recording.id, protocol});
    return testee.observe(exchange);
  };
  std::vector<testee::Observation> seen;
  if (testee.traits().over_http) {
    std::vector<std::future<testee::Observation>> running;
    for (std::size_t number = 0; number < own_wishes; ++number)
      running.push_back(std::async(std::launch::async, observe, number));
    for (auto& one : running) seen.push_back(one.get());
  }
  while (seen.size() < asked.size()) seen.push_back(observe(seen.size()));
  for (std::size_t own = seen.size(); own-- > 0;)
    if (std::string wrong = mixed_up(seen, own); !wrong.empty()) return wrong;
  return {};
}

}  // namespace

std::string joined_text(std::string_view body, const std::string& client) {
  const dialect::Client* reader = dialect::client_of(client);
  std::string text;
  if (reader == nullptr) return text;
  for (const observe::Event& event : observe::read_trace(body, observe::DataKind::json).events)
    if (event.json) text += reader->added_text(*event.json);
  return text;
}

bool reports_error(std::string_view body, const std::string& client) {
  const json document = json::parse(body, nullptr, false);
  if (document.is_object() && !document.value("error", json()).is_null()) return true;
  const dialect::Client* reader = dialect::client_of(client);
  if (reader == nullptr) return body.find("\"error\"") != body.npos;
  return reader->side(observe::read_trace(body, observe::DataKind::json)).error;
}

AloneResult try_alone(const testee::Testee& testee, const recording::Recording& recording) {
  const auto stream = canary_stream(recording, 0);
  if (!stream) return {};
  AloneResult alone;
  alone.seen = testee.observe(exchange_of(*stream, recording, testee.client(), stream->body.size()));
  if (!lost(alone.seen, testee).empty()) return alone;
  alone.wrong = other_form(alone.seen, testee.traits(), stream->body);
  alone.fits = alone.wrong.empty();
  if (!alone.fits) return alone;
  const std::string found = complaint({*stream}, 0, alone.seen, testee.client(), false);
  if (!found.empty()) alone.wrong = "also alone: " + found;
  if (reports_error(alone.seen.body, testee.client())) alone.wrong = "a stream alone ends in an error";
  return alone;
}

std::optional<CanaryStream> canary_stream(const recording::Recording& recording, std::size_t number) {
  const dialect::UpstreamDialect* upstream = dialect::upstream_of(recording.protocol);
  if (upstream == nullptr || recording.end != recording::End::complete) return std::nullopt;
  return upstream->canary(recording.body, number);
}

Judged judge_isolation(const testee::Testee& testee, const recording::Recording& recording) {
  if (dialect::upstream_of(testee.upstream()) == nullptr) {
    return told(Verdict::not_judged,
                "splitproof cannot make distinct streams of " + testee.upstream() + " for several clients");
  }
  const bool at_once = testee.traits().over_http && testee.traits().max_concurrency > 1;
  const std::size_t count = at_once ? std::min(testee.traits().max_concurrency, kStreams) : 2;
  std::vector<CanaryStream> streams;
  for (std::size_t number = 0; number < count; ++number) {
    auto stream = canary_stream(recording, number);
    if (!stream) return told(Verdict::not_judged, "the recording has no text that can identify each stream");
    streams.push_back(std::move(*stream));
  }
  Judged judged =
      at_once ? judge_at_once(testee, recording, streams) : judge_in_turn(testee, recording, streams);
  if (judged.verdict == Verdict::violated) return judged;
  std::string wrong = requests_mixed_up(testee, recording, at_once ? count : 1);
  return wrong.empty() ? judged : told(Verdict::violated, std::move(wrong));
}

}  // namespace splitproof::campaign
