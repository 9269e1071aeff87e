#include "proxy/dialect/openai_chat/order.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "proxy/dialect/openai_chat/chunk.hpp"
#include "proxy/dialect/openai_chat/failure.hpp"
#include "proxy/dialect/openai_chat/writer.hpp"

namespace splitproof::proxy::dialect {
using turn::BodyEnd;
using turn::Failure;
using wire::Json;
using wire::JsonKind;

namespace {

// True if a delta or a message has more than its role.
bool has_content(const Json& delta) {
  for (Json key = delta.first_key(); key; key = key.next()) {
    const Json value = key.value();
    const bool is_empty = value.is(JsonKind::null) || value.raw() == "\"\"" || value.raw() == "false" ||
                          ((value.is(JsonKind::array) || value.is(JsonKind::object)) && value.empty());
    if (!is_empty && key.text() != "role") return true;
  }
  return false;
}

}  // namespace

Ruling ChatOrder::take(const wire::Frame& frame) {
  const StreamFrame read = chat_frame(frame, rules_.limits);
  ++frames_;
  if (failed_) return {.passes = read.kind() == StreamFrame::Kind::done, .last = true};
  switch (read.kind()) {
    case StreamFrame::Kind::nothing:
      return {.passes = frame.terminated && !frame.bare};
    case StreamFrame::Kind::torn:
      return {.passes = false};
    case StreamFrame::Kind::unreadable:
      return failing("upstream event " + std::to_string(frames_) + " " + read.problem());
    case StreamFrame::Kind::bare:
      return {.passes = false,
              .failure = find_failure(read.object(), !read.object()["choices"].is(JsonKind::array))};
    case StreamFrame::Kind::object:
      return take_chunk(read.object(), frame.event == "error");
    case StreamFrame::Kind::done:
      break;
  }
  if (!finished() && rules_.done_without_finish == turn::DoneWithoutFinish::error)
    return failing("the upstream ended the stream without saying why it stopped");
  if (!answered_) return failing("the upstream ended the stream without an answer");
  return {.last = true};
}

Ruling ChatOrder::take_chunk(const Json& chunk, bool named_error) {
  failed_ = is_chat_error(chunk["error"]);
  if (failed_) return {};
  std::optional<Failure> failure = find_failure(chunk, named_error);
  std::size_t place = 0;
  for (Json choice = chunk["choices"].first(); choice; choice = choice.next(), ++place) {
    if (!choice.is(JsonKind::object)) continue;
    const std::string finish = chat_finish(choice);
    bool& finished = finishes_[choice["index"].count().value_or(place)];
    finished = finished || !finish.empty();
    answered_ = answered_ || finished || has_content(choice["delta"]) || has_content(choice["message"]);
    if (!failure) failure = find_failure(choice, false, true);
    if (!failure) failure = find_breakdown(finish);
  }
  if (finishes_.size() > rules_.limits.calls) {
    return failing("the upstream gives more than " + std::to_string(rules_.limits.calls) + " choices");
  }
  return {.passes = !failure || place > 0, .failure = std::move(failure)};
}

bool ChatOrder::finished() const {
  return !finishes_.empty() &&
         std::all_of(finishes_.begin(), finishes_.end(), [](const auto& choice) { return choice.second; });
}

Ruling ChatOrder::end(BodyEnd end, std::string& out) const {
  if (failed_) return {.last = true};
  const bool whole = end == BodyEnd::complete && finished() &&
                     rules_.terminal_signals == turn::TerminalSignals::finish_or_done;
  if (!whole) return {.failure = turn::broken_off(end, rules_)};
  out += "data: [DONE]\n\n";
  return {.last = true};
}

void ChatOrder::fail(const Failure& failure, std::string& out) {
  ChatWriter({}).write(turn::FailMessage{failure.kind, failure.message, failure.code}, out);
}

}  // namespace splitproof::proxy::dialect
