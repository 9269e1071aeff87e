#include "proxy/dialect/openai_responses/order.hpp"

#include <utility>

#include "proxy/dialect/openai_failure.hpp"
#include "proxy/dialect/openai_responses/writer.hpp"
#include "proxy/dialect/stream_frame.hpp"

namespace splitproof::proxy::dialect {

using wire::Json;
using wire::JsonKind;

Ruling ResponsesOrder::take(const wire::Frame& frame) {
  const StreamFrame read(frame, rules_.limits);
  if (stage_ == Stage::ended) return {.passes = read.kind() == StreamFrame::Kind::done, .last = true};
  switch (read.kind()) {
    case StreamFrame::Kind::nothing:
      return {.passes = frame.terminated && !frame.bare};
    case StreamFrame::Kind::torn:
      return {.passes = false};
    case StreamFrame::Kind::unreadable:
      return failing("an event of the upstream " + read.problem());
    case StreamFrame::Kind::done:
      if (stage_ == Stage::reported) return {.last = true};
      return {.passes = false, .failure = turn::broken_off(turn::BodyEnd::complete, rules_)};
    case StreamFrame::Kind::bare:
      if (!read.object()["error"]) return {.passes = false};
      return {.passes = false, .failure = openai_failure(read.object()["error"])};
    case StreamFrame::Kind::object:
      break;
  }
  return take_event(read.object(), frame.event == "error");
}

Ruling ResponsesOrder::take_event(const Json& event, bool named_error) {
  const std::string type = event["type"].text();
  const auto number = event["sequence_number"].count();
  if (stage_ == Stage::reported && type != "response.failed") return {.passes = false, .last = true};
  if (named_error || type == "error" || (type.empty() && event["error"].is(JsonKind::object))) {
    const Json error = event["error"].is(JsonKind::object) ? event["error"] : event;
    if (type != "error" || error["message"].text().empty())
      return {.passes = false, .failure = openai_failure(error)};
    stage_ = Stage::reported;
    sequence_ = number ? number : sequence_;
    return {};
  }
  if (const std::string problem = problem_of(type, event); !problem.empty())
    return failing("an event of the upstream " + problem);
  if (number) sequence_ = number;
  const bool ends =
      type == "response.completed" || type == "response.incomplete" || type == "response.failed";
  if (ends) stage_ = Stage::ended;
  return {};
}

// Returns why an event must not occur here, to follow "an event of the upstream "; empty if it may.
std::string ResponsesOrder::problem_of(const std::string& type, const Json& event) {
  const bool created = type == "response.created";
  const bool reads_response = knobs_.response_object == ClientReads::it;
  if (created && std::exchange(created_, true) && reads_response) return "begins the response again";
  if (created || type == "response.queued") {
    if (!event["response"].is(JsonKind::object)) return "begins a response that it does not hold";
    response_ = event["response"].raw();
    stage_ = Stage::begun;
  }
  if (stage_ == Stage::waiting && reads_response) return "comes before response.created";
  const auto item = event["output_index"].count();
  return item && knobs_.output_index == ClientReads::it ? item_problem(type, *item, event) : "";
}

std::string ResponsesOrder::item_problem(const std::string& type, std::uint64_t item, const Json& event) {
  const bool adds = type == "response.output_item.added";
  const bool may_be_new = adds || knobs_.added_items == ClientReads::nothing;
  if (!may_be_new && !items_.contains(item)) return "is of an item that was not added";
  const auto [found, is_new] = items_.emplace(item, false);
  if (is_new && items_.size() + parts_.size() > rules_.limits.parts)
    return "is of more than one response may hold";
  if (adds && !is_new && knobs_.added_items == ClientReads::it) return "adds an item where there is one";
  if (found->second) return "is of an item that is done";
  found->second = type == "response.output_item.done";
  const bool reasons =
      type.starts_with("response.reasoning_text.") || type.starts_with("response.reasoning_part.");
  if (adds || reasons || knobs_.parts == ClientReads::nothing) return "";
  if (const Json part = event["content_index"]) return part_problem(type, item, false, part);
  if (const Json part = event["summary_index"]) return part_problem(type, item, true, part);
  return "";
}

std::string ResponsesOrder::part_problem(const std::string& type, std::uint64_t item, bool summary,
                                         const Json& number) {
  const std::pair part = {item, std::pair{summary, number.count().value_or(0)}};
  if (!type.ends_with("_part.added")) return parts_.contains(part) ? "" : "is of a part that was not added";
  if (!parts_.insert(part).second) return "adds a part where there is one";
  return items_.size() + parts_.size() > rules_.limits.parts ? "is of more than one response may hold" : "";
}

Ruling ResponsesOrder::end(turn::BodyEnd end, std::string& /*out*/) const {
  if (ended()) return {.last = true};
  return {.failure = turn::broken_off(end, rules_)};
}

void ResponsesOrder::fail(const turn::Failure& failure, std::string& out) const {
  const turn::FailMessage said{failure.kind, failure.message, failure.code};
  if (response_.empty()) return ResponsesWriter(reply_).write(said, out);
  out += "event: response.failed\ndata: {\"type\":\"response.failed\"";
  if (sequence_) out += ",\"sequence_number\":" + std::to_string(*sequence_ + 1);
  out += ",\"response\":{\"status\":\"failed\",\"error\":" + responses_error_json(said);
  const wire::JsonDocument response(response_, rules_.limits.json_depth);
  for (Json key = response.root().first_key(); key; key = key.next()) {
    if (key.text() == "status" || key.text() == "error") continue;
    out.append(",").append(key.raw()).append(":").append(key.value().raw());
  }
  out += "}}\n\n";
}

}  // namespace splitproof::proxy::dialect
