#include "harness/campaign/connection_acts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>
#include <utility>

#include "harness/campaign/isolation.hpp"
#include "harness/testee/response_script.hpp"

namespace splitproof::campaign {
namespace {

using testee::ActOn;
using testee::ConnectionAct;
using testee::ConnectionStep;
using testee::ConnectionSteps;
using testee::TrialClient;
using StepKind = ConnectionStep::Kind;

constexpr std::size_t kCanariesOfTrial = 64;  // canaries of one trial
constexpr std::size_t kUnrequestedCanary = kCanariesOfTrial - 1;
constexpr std::size_t kFlood = std::size_t{64} << 20;
constexpr std::size_t kBlock = std::size_t{16} << 10;  // of a flood
constexpr std::size_t kStorm = std::size_t{48} << 10;  // interim answers: less than a socket buffers
constexpr auto kFloodTime = std::chrono::milliseconds(2000);
constexpr auto kHeld = std::chrono::milliseconds(300);   // after a flood, to measure the memory
constexpr auto kWork = std::chrono::milliseconds(1500);  // after that time a request costs its sender
constexpr std::size_t kCloses = 5;                       // consecutive closes of a request
constexpr std::size_t kCrowdRounds = 4;
constexpr std::size_t kInCrowd = 8;

constexpr const char* kTimedOut =
    "HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
constexpr const char* kSwitches =
    "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: canary\r\n\r\n";

ConnectionStep send(std::string bytes) { return {StepKind::write, std::move(bytes)}; }
ConnectionStep await() { return {StepKind::wait}; }
ConnectionStep rest_for(std::chrono::milliseconds time) { return {StepKind::pause, {}, 0, time}; }
ConnectionStep close_it() { return {StepKind::close}; }
ConnectionStep reset_it() { return {StepKind::reset}; }
ConnectionStep flood(std::string block) { return {StepKind::flood, std::move(block), kFlood, kFloodTime}; }

std::string chunk(std::string_view bytes) { return fmt::format("{:x}\r\n{}\r\n", bytes.size(), bytes); }

std::string repeated(std::string_view bytes, std::size_t most) {
  std::string all;
  while (all.size() + bytes.size() <= most) all += bytes;
  return all;
}

std::string interim_answers(std::size_t most) {
  return repeated(
      "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </style.css>; rel=preload\r\n\r\n"
      "HTTP/1.1 100 Continue\r\n\r\n",
      most);
}

// The answers of one trial, as bytes.
class TrialAnswers {
 public:
  TrialAnswers(const recording::Recording& recording, std::size_t number)
      : recording_(recording), base_(number * kCanariesOfTrial) {}

  std::size_t number_of(std::size_t client) const { return base_ + client; }

  dialect::CanaryStream stream(std::size_t client) const {
    return canary_stream(recording_, number_of(client)).value_or(dialect::CanaryStream());
  }

  // Returns an answer with its body in one chunk.
  std::string chunked(std::size_t client, bool keep_alive = true) const {
    return unfinished(client, keep_alive) + "0\r\n\r\n";
  }
  std::string unfinished(std::size_t client, bool keep_alive = true) const {
    return head(testee::BodyFraming::chunked, {}, keep_alive) + chunk(stream(client).body);
  }
  std::string with_length(std::size_t client) const {
    std::string body = stream(client).body;
    return head(testee::BodyFraming::content_length, body) + body;
  }
  std::string chunked_head() const { return head(testee::BodyFraming::chunked, {}); }

  // Returns the answer of a client in two parts. The first ends after the first piece of its canary.
  std::pair<std::string, std::string> halves(std::size_t client) const {
    const dialect::CanaryStream whole = stream(client);
    const std::size_t half = whole.holds.empty() ? 0 : whole.holds.front();
    const std::string_view body = whole.body;
    return {chunked_head() + chunk(body.substr(0, half)), chunk(body.substr(half)) + "0\r\n\r\n"};
  }

 private:
  std::string head(testee::BodyFraming framing, std::string body, bool keep_alive = true) const {
    testee::ResponseScript script = testee::response_of(recording_, {});
    script.framing = framing;
    script.pieces = {std::move(body)};
    script.keep_alive = keep_alive;
    const testee::WritePlan plan = testee::plan_writes(script);
    return plan.bytes.substr(0, plan.head);
  }

  const recording::Recording& recording_;
  const std::size_t base_;
};

// The answers to the first and the second client; nullopt: plain.
struct ActPart {
  std::optional<TrialClient> first = {};
  std::optional<TrialClient> second = {};
};

TrialClient client_of(ConnectionSteps steps) {
  TrialClient client;
  client.upstream.attempts = {std::move(steps)};
  return client;
}

// The first client gets its answer. Then these steps happen on the idle connection.
ActPart when_idle(const TrialAnswers& answers, ConnectionSteps steps) {
  ConnectionSteps all{send(answers.chunked(0)), await()};
  std::move(steps.begin(), steps.end(), std::back_inserter(all));
  return {client_of(std::move(all))};
}

// The second client's request is closed without a byte, `times` times, first after `work`.
ActPart closed_request(const TrialAnswers& answers, ActOn on, std::chrono::milliseconds work,
                       std::size_t times) {
  ActPart part;
  part.second = TrialClient();
  part.second->upstream.on = on;
  ConnectionSteps first{close_it()};
  if (work.count() > 0) first.insert(first.begin(), rest_for(work));
  part.second->upstream.attempts.push_back(std::move(first));
  while (part.second->upstream.attempts.size() < times)
    part.second->upstream.attempts.push_back({close_it()});
  part.second->upstream.attempts.push_back({send(answers.chunked(1))});
  if (on == ActOn::fresh) part.first = client_of({send(answers.chunked(0, false)), close_it()});
  return part;
}

ActPart aborted(const TrialAnswers& answers, bool late) {
  const auto [half, rest] = answers.halves(0);
  TrialClient client = client_of({send(half), await(), rest_for(std::chrono::milliseconds(50)), send(rest)});
  client.leaves_at = answers.stream(0).pieces.front();
  client.late = late;
  return {std::move(client)};
}

// Sends a status without a body, followed by a complete answer.
ActPart bodiless(const TrialAnswers& answers, const char* status) {
  const std::string unrequested = answers.chunked(kUnrequestedCanary);
  return {client_of(
      {send(fmt::format("HTTP/1.1 {}\r\ncontent-type: text/event-stream\r\ncontent-length: {}\r\n\r\n{}",
                        status, unrequested.size(), unrequested))})};
}

struct ActRow {
  ConnectionActKind kind;
  ActPart (*part)(const TrialAnswers&);
};

const std::vector<ActRow>& act_rows() {
  static const std::vector<ActRow> kRows = {
      {{"none", "only answers"}, [](const TrialAnswers&) { return ActPart(); }},
      {{"unrequested-answer", "sends a complete answer on the idle connection"},
       [](const TrialAnswers& a) { return when_idle(a, {send(a.chunked(kUnrequestedCanary))}); }},
      {{"unrequested-head", "sends the head of an answer on the idle connection"},
       [](const TrialAnswers& a) { return when_idle(a, {send(a.chunked_head())}); }},
      {{"unrequested-half", "sends half an answer on the idle connection"},
       [](const TrialAnswers& a) { return when_idle(a, {send(a.halves(kUnrequestedCanary).first)}); }},
      {{"early-answer", "sends another answer together with the end of the requested answer"},
       [](const TrialAnswers& a) {
         return ActPart{client_of({send(a.chunked(0) + a.chunked(kUnrequestedCanary))})};
       }},
      {{"late-bytes", "sends more events on the idle connection"},
       [](const TrialAnswers& a) { return when_idle(a, {send(a.stream(kUnrequestedCanary).body)}); }},
      {{"beyond-length", "sends another answer after the bytes that content-length announced"},
       [](const TrialAnswers& a) {
         return ActPart{client_of({send(a.with_length(0) + a.chunked(kUnrequestedCanary))})};
       }},
      {{"late-end", "sends the final chunk some time after the last event"},
       [](const TrialAnswers& a) {
         return ActPart{client_of({send(a.unfinished(0)), await(), send("0\r\n\r\n")})};
       }},
      {{"late-end-and-answer",
        "sends the final chunk some time after the last event, and another answer with it"},
       [](const TrialAnswers& a) {
         return ActPart{
             client_of({send(a.unfinished(0)), await(), send("0\r\n\r\n" + a.chunked(kUnrequestedCanary))})};
       }},
      {{"idle-408", "sends 408 with connection: close on the idle connection and closes it", true},
       [](const TrialAnswers& a) {
         return when_idle(a, {send(kTimedOut), close_it()});
       }},
      {{"idle-close", "closes the idle connection", true},
       [](const TrialAnswers& a) { return when_idle(a, {close_it()}); }},
      {{"idle-reset", "resets the idle connection", true},
       [](const TrialAnswers& a) { return when_idle(a, {reset_it()}); }},
      {{"idle-crlf", "sends an empty line on the idle connection"},
       [](const TrialAnswers& a) { return when_idle(a, {send("\r\n")}); }},
      {{"idle-crlf-408", "sends an empty line and 408 on the idle connection and closes it", true},
       [](const TrialAnswers& a) {
         return when_idle(a, {send("\r\n"), send(kTimedOut), close_it()});
       }},
      {{"idle-crlf-answer", "sends an empty line and a complete answer on the idle connection"},
       [](const TrialAnswers& a) { return when_idle(a, {send("\r\n" + a.chunked(kUnrequestedCanary))}); }},
      {{"idle-1xx", "sends many interim answers (100, 102, 103) on the idle connection"},
       [](const TrialAnswers& a) { return when_idle(a, {send(interim_answers(kStorm))}); }},
      {{"1xx-before", "sends many interim answers (100, 102, 103) before the answer"},
       [](const TrialAnswers& a) {
         return ActPart{client_of({send(interim_answers(kStorm) + a.chunked(0))})};
       }},
      {{"1xx-without-end", "sends interim answers (100, 102, 103) without end", false, false, false, true},
       [](const TrialAnswers&) {
         return ActPart{client_of({flood(interim_answers(kBlock)), rest_for(kHeld), close_it()})};
       }},
      {{"101-without-end", "switches protocols (101) and sends bytes without end", false, false, false, true},
       [](const TrialAnswers&) {
         return ActPart{
             client_of({send(kSwitches), flood(std::string(kBlock, 'x')), rest_for(kHeld), close_it()})};
       }},
      {{"204-with-body", "answers 204 with a body, which is a complete answer", false, false, false},
       [](const TrialAnswers& a) { return bodiless(a, "204 No Content"); }},
      {{"304-with-body", "answers 304 with a body, which is a complete answer", false, false, false},
       [](const TrialAnswers& a) { return bodiless(a, "304 Not Modified"); }},
      {{"used-close", "closes a used connection as soon as it has read the next request", false, true},
       [](const TrialAnswers& a) { return closed_request(a, ActOn::used, {}, 1); }},
      {{"used-close-again", "closes the connection as soon as it has read the next request, each time", false,
        true},
       [](const TrialAnswers& a) { return closed_request(a, ActOn::used, {}, kCloses); }},
      {{"used-close-late",
        "works on the next request for 1.5 s and closes the used connection without a byte"},
       [](const TrialAnswers& a) { return closed_request(a, ActOn::used, kWork, kCloses); }},
      {{"fresh-close", "closes a new connection as soon as it has read its first request, each time"},
       [](const TrialAnswers& a) { return closed_request(a, ActOn::fresh, {}, kCloses); }},
      {{"fresh-close-late",
        "works on the first request of a new connection for 1.5 s and closes it without a byte"},
       [](const TrialAnswers& a) { return closed_request(a, ActOn::fresh, kWork, kCloses); }},
      {{"abort", "sends the rest of an answer whose client has left"},
       [](const TrialAnswers& a) { return aborted(a, false); }},
      {{"abort-late", "sends the rest of an answer whose client has left, after the next client's request"},
       [](const TrialAnswers& a) { return aborted(a, true); }},
      {{"crowd", "combines these acts for simultaneous clients, and some clients leave"},
       [](const TrialAnswers&) { return ActPart(); }},
  };
  return kRows;
}

// Returns random steps around an answer in a crowd. Unrequested content is sent with an answer in one write,
// so that it arrives before the next request.
TrialClient in_crowd(const TrialAnswers& answers, std::size_t client, std::mt19937& random) {
  const std::string answer = answers.chunked(client);
  switch (random() % 8) {
    case 0:
      return client_of({send(answer + answers.chunked(kUnrequestedCanary))});
    case 1:
      return client_of({send(answer + answers.halves(kUnrequestedCanary).first)});
    case 2:
      return client_of({send(answers.with_length(client) + answers.chunked(kUnrequestedCanary))});
    case 3:
      return client_of({send(answer + kTimedOut), close_it()});
    case 4:
      return client_of({send(answer + "\r\n")});
    case 5: {
      const auto [half, rest] = answers.halves(client);
      TrialClient leaving = client_of({send(half), await(), send(rest)});
      leaving.leaves_at = answers.stream(client).pieces.front();
      return leaving;
    }
    default:
      return client_of({send(answer)});
  }
}

TrialClient last_client(const TrialAnswers& answers, std::size_t client) {
  return client_of({send(answers.chunked(client, false)), close_it()});
}

}  // namespace

const std::vector<ConnectionActKind>& connection_acts() {
  static const std::vector<ConnectionActKind> kActs = [] {
    std::vector<ConnectionActKind> acts;
    for (const ActRow& row : act_rows()) acts.push_back(row.kind);
    return acts;
  }();
  return kActs;
}

const ConnectionActKind& plain_act() { return connection_acts().front(); }
const ConnectionActKind& crowd_act() { return connection_acts().back(); }

const ConnectionActKind* connection_act(std::string_view name) {
  const auto& all = connection_acts();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& act) { return act.name == name; });
  return found == all.end() ? nullptr : &*found;
}

ActTrial trial_of(const ConnectionActKind& act, const recording::Recording& recording, std::size_t clients,
                  std::size_t number) {
  const TrialAnswers answers(recording, number);
  ActTrial made;
  made.unrequested = answers.number_of(kUnrequestedCanary);
  made.trial.recording = &recording;
  made.trial.retries = 2;
  made.trial.measures_memory = act.floods;
  std::size_t count = 0;
  const auto add = [&](std::vector<TrialClient> round) {
    auto& own = made.own.emplace_back();
    for (std::size_t i = 0; i < round.size(); ++i) own.push_back(answers.number_of(count++));
    made.trial.rounds.push_back(std::move(round));
  };
  if (act.name == crowd_act().name) {
    std::mt19937 random(7);  // always the same crowd
    for (std::size_t round = 0; round < kCrowdRounds; ++round) {
      std::vector<TrialClient> crowd;
      for (std::size_t i = 0; i < std::min(clients, kInCrowd); ++i)
        crowd.push_back(in_crowd(answers, count + i, random));
      add(std::move(crowd));
    }
  } else {
    const auto row = std::find_if(act_rows().begin(), act_rows().end(),
                                  [&](const ActRow& one) { return one.kind.name == act.name; });
    ActPart part = row->part(answers);
    add({part.first ? *std::move(part.first) : client_of({send(answers.chunked(0))})});
    add({part.second ? *std::move(part.second) : client_of({send(answers.chunked(1))})});
    add({client_of({send(answers.chunked(2))})});
  }
  add({last_client(answers, count)});
  return made;
}

}  // namespace splitproof::campaign
