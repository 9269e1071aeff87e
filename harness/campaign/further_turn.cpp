#include "harness/campaign/further_turn.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "harness/campaign/upstream.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/json_member.hpp"
#include "harness/testee/client_request.hpp"

namespace splitproof::campaign {
namespace {

using nlohmann::json;

constexpr int kFirstRefusal = 400;  // of HTTP's statuses

bool is_answer(const testee::Observation& seen) {
  if (seen.ending != testee::Ending::complete && seen.ending != testee::Ending::cut) return false;
  return !seen.http || seen.http->status < kFirstRefusal;
}

// The recording with another request.
FurtherTurn asked_with(recording::Recording recording, const std::string& protocol, const json& request) {
  FurtherTurn turn{std::move(recording)};
  // Invalid UTF-8 cannot be sent.
  turn.recording.requests = std::make_shared<const json>(json{{protocol, json::parse(written(request))}});
  return turn;
}

// Returns the upstream's answer in one piece. Empty if it cannot express the recording, or if direct clients
// would read the stream differently, because a relay may send both.
std::string whole_answer_of(const Judge& first) {
  const recording::Recording& recording = first.recording();
  const dialect::UpstreamDialect* upstream = dialect::upstream_of(recording.protocol);
  if (upstream == nullptr || recording.status != kOk || first.recorded().expected.failure) return "";
  std::string whole = upstream->whole_answer(first.recorded().meaning);
  const dialect::Client* own = dialect::client_of(recording.protocol);
  if (whole.empty() || own == nullptr) return whole;
  const auto side_of = [&](std::string_view stream) {
    return own->side(observe::read_trace(stream, observe::DataKind::json));
  };
  const bool alike =
      difference_of_whole(*own, side_of(recording.body), side_of(own->as_stream(json::parse(whole)))).empty();
  return alike ? whole : "";
}

}  // namespace

std::optional<FurtherTurn> further_turn(Turn turn, const Judge& first, const testee::Observation& answer) {
  const recording::Recording& recording = first.recording();
  const std::string& protocol = first.testee().client;
  const dialect::Client* client = dialect::client_of(protocol);
  const auto request = testee::client_request(protocol, &recording, "", "");
  const recording::Recording* one_word = answered_in_one_word(recording.protocol);
  if (client == nullptr || !request) return std::nullopt;
  if (turn != Turn::whole && (one_word == nullptr || !is_answer(answer))) return std::nullopt;
  const json asked = json::parse(*request);
  const observe::Trace trace = first.trace_of(answer);
  if (turn == Turn::whole) {
    FurtherTurn whole = asked_with(recording, protocol, client->whole_request(asked));
    StreamedCounterpart streamed{
        client->side(trace), judgeability_of(answer, first.testee(), first.upstream()), {}, {}};
    if (first.recorded().unread.empty())
      streamed.wrong = differing(observe::documents(first.recorded().expected, streamed.side));
    if (first.recorded().meaning.usage == observe::Tokens{}) streamed.wrong.insert("usage");
    streamed.whole = whole_answer_of(first);
    whole.streamed = std::make_shared<const StreamedCounterpart>(std::move(streamed));
    return whole;
  }
  const auto next = [&](bool reversed) {
    observe::TraceStream stream(trace);
    return client->next_request(asked, stream, reversed);
  };
  json history = next(turn == Turn::reversed);
  if (history.is_null()) return std::nullopt;
  if (turn != Turn::second && history == next(turn != Turn::reversed)) return std::nullopt;
  if (turn == Turn::third) {
    const recording::Recording* told = answered_in_one_word(protocol);
    if (told == nullptr) return std::nullopt;
    const observe::Trace told_trace = observe::read_trace(told->body, observe::DataKind::json);
    observe::TraceStream stream(told_trace);
    history = client->next_request(history, stream, false);
  }
  FurtherTurn second = asked_with(*one_word, protocol, history);
  second.answered = std::make_shared<const observe::Answer>(first.recorded().meaning);
  second.recording.id = recording.id;
  second.recording.path = recording.path;
  second.recording.title = recording.title;
  return second;
}

}  // namespace splitproof::campaign
