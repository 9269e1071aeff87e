#include "proxy/dialect/google_gemini/order.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "proxy/dialect/google_gemini/errors.hpp"
#include "proxy/dialect/google_gemini/failure.hpp"
#include "proxy/dialect/google_gemini/writer.hpp"
#include "proxy/dialect/stream_frame.hpp"

namespace splitproof::proxy::dialect {

using turn::BodyEnd;
using turn::Failure;
using wire::Json;
using wire::JsonKind;

namespace {

// Protocol buffers have the number 0 for no reason.
bool is_reason(const Json& word) {
  if (word.is(JsonKind::number)) return word.count().value_or(1) != 0;
  const std::string text = word.text();
  return !text.empty() && !text.ends_with("_UNSPECIFIED");
}

}  // namespace

Ruling GeminiOrder::take(const wire::Frame& frame) {
  const StreamFrame read(frame, rules_.limits);
  ++frames_;
  switch (read.kind()) {
    case StreamFrame::Kind::nothing:
      return {.passes = frame.terminated && !frame.bare};
    case StreamFrame::Kind::done:
    case StreamFrame::Kind::torn:
      return {.passes = false};
    case StreamFrame::Kind::unreadable:
      return failing("upstream event " + std::to_string(frames_) + " " + read.problem());
    case StreamFrame::Kind::bare:
    case StreamFrame::Kind::object:
      break;
  }
  const Json object = read.object();
  const Json error = object["error"];
  const bool is_error = error && !error.is(JsonKind::null);
  const bool bare = read.kind() == StreamFrame::Kind::bare;
  if (is_error && !bare && is_gemini_error(frame.data)) return {.last = true};
  if (is_error) return {.passes = false, .failure = google_failure(error)};
  return bare ? Ruling{.passes = false} : take_object(object);
}

Ruling GeminiOrder::take_object(const Json& object) {
  std::size_t place = 0;
  for (Json candidate = object["candidates"].first(); candidate; candidate = candidate.next(), ++place) {
    const Ruling ruling = take_candidate(candidate, candidate["index"].count().value_or(place));
    if (ruling.failure) return ruling;
  }
  blocked_ = blocked_ || is_reason(object["promptFeedback"]["blockReason"]);
  return {};
}

// Reads the calls of a candidate for their problems only.
Ruling GeminiOrder::take_candidate(const Json& candidate, std::uint64_t index) {
  const auto found = candidates_.try_emplace(index, Candidate{false, GeminiCalls(rules_.limits)}).first;
  if (candidates_.size() > rules_.limits.calls)
    return failing("the upstream gives more than " + std::to_string(rules_.limits.calls) + " candidates");
  Candidate& known = found->second;
  call_bytes_ -= known.calls.cost();
  std::vector<turn::Event> events;
  const Json parts = candidate["content"]["parts"];
  for (Json part = parts.first(); part; part = part.next()) {
    if (const Json call = part["functionCall"]; call.is(JsonKind::object)) known.calls.read(call, events);
  }
  call_bytes_ += known.calls.cost();
  for (turn::Event& event : events) {
    if (auto* failure = std::get_if<Failure>(&event))
      return {.passes = false, .failure = std::move(*failure)};
  }
  if (call_bytes_ > rules_.limits.call_bytes) return failing(kLargeCalls);
  known.finished = known.finished || is_reason(candidate["finishReason"]);
  return {};
}

bool GeminiOrder::finished() const {
  if (candidates_.empty()) return blocked_;
  return std::all_of(candidates_.begin(), candidates_.end(),
                     [](const auto& each) { return each.second.finished && !each.second.calls.in_pieces(); });
}

Ruling GeminiOrder::end(BodyEnd end, std::string& /*out*/) const {
  if (end != BodyEnd::complete || !finished()) return {.failure = turn::broken_off(end, rules_)};
  return {.last = true};
}

void GeminiOrder::fail(const Failure& failure, std::string& out) {
  GeminiWriter({}).write(turn::FailMessage{failure.kind, failure.message, failure.code}, out);
}

}  // namespace splitproof::proxy::dialect
