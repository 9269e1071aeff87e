#include "proxy/dialect/chat_reader.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "proxy/dialect/chat_failure.hpp"
#include "proxy/wire/json_text.hpp"

namespace splitproof::dialect {
namespace {

using nlohmann::json;
using turn::BlockKind;
using turn::Event;
using turn::Finish;

const json& nothing() {
  static const json null;
  return null;
}

const json& member(const json& value, const char* key) {
  if (!value.is_object()) return nothing();
  const auto found = value.find(key);
  return found == value.end() ? nothing() : *found;
}

std::string_view text_of(const json& value) {
  return value.is_string() ? std::string_view(*value.get_ptr<const std::string*>()) : std::string_view();
}

std::optional<std::uint64_t> count_of(const json& value) {
  return value.is_number_unsigned() ? std::optional(value.get<std::uint64_t>()) : std::nullopt;
}

void add_prose(BlockKind kind, std::string_view text, std::vector<Event>& events) {
  if (!text.empty()) events.push_back(turn::Prose{kind, std::string(text)});
}

// Thinking parts hold their text in a member of their own, or in a list of text parts.
void add_thinking(const json& thinking, std::vector<Event>& events) {
  add_prose(BlockKind::thinking, text_of(thinking), events);
  if (!thinking.is_array()) return;
  for (const json& part : thinking) add_prose(BlockKind::thinking, text_of(member(part, "text")), events);
}

void add_content(const json& content, std::vector<Event>& events) {
  add_prose(BlockKind::text, text_of(content), events);
  if (!content.is_array()) return;
  for (const json& part : content) {
    const std::string_view type = text_of(member(part, "type"));
    if (type == "thinking") add_thinking(member(part, "thinking"), events);
    if (type == "text") add_prose(BlockKind::text, text_of(member(part, "text")), events);
  }
}

// The same thinking may stand under several keys of one delta: the first that holds any counts. Signatures stand in
// the details alone, often in one that has no text.
void add_reasoning(const json& delta, std::vector<Event>& events) {
  std::string_view plain = text_of(member(delta, "reasoning_content"));
  if (plain.empty()) plain = text_of(member(delta, "reasoning"));
  add_prose(BlockKind::thinking, plain, events);
  const json& details = member(delta, "reasoning_details");
  if (!details.is_array()) return;
  for (const json& detail : details) {
    const std::string_view text = text_of(member(detail, "text"));
    const std::string_view signature = text_of(member(detail, "signature"));
    if (plain.empty())
      add_prose(BlockKind::thinking, text.empty() ? text_of(member(detail, "summary")) : text, events);
    if (!signature.empty()) events.push_back(turn::Signature{std::string(signature)});
  }
}

void add_usage(const json& usage, std::vector<Event>& events) {
  if (!usage.is_object()) return;
  events.push_back(turn::Usage{count_of(member(usage, "prompt_tokens")),
                               count_of(member(member(usage, "prompt_tokens_details"), "cached_tokens")),
                               count_of(member(usage, "completion_tokens"))});
}

struct Reason {
  std::string_view said;
  Finish meant;
};

// In lower case.
constexpr std::array<Reason, 7> kReasons = {{
    {"length", Finish::length},
    {"max_tokens", Finish::length},
    {"model_length", Finish::length},
    {"tool_calls", Finish::tool_calls},
    {"function_call", Finish::tool_calls},
    {"content_filter", Finish::content_filter},
    {"sensitive", Finish::content_filter},
}};

// Reasons by which a provider says that generation broke down.
constexpr std::array<std::string_view, 4> kBreakdowns = {"error", "network_error",
                                                         "insufficient_system_resource", "abort"};

// A reason that nobody has written down means that the model stopped of itself.
void add_finish(std::string_view finish_reason, std::vector<Event>& events) {
  std::string said(finish_reason);
  std::transform(said.begin(), said.end(), said.begin(), [](unsigned char c) { return std::tolower(c); });
  if (said.empty() || said == "null") return;
  if (std::find(kBreakdowns.begin(), kBreakdowns.end(), said) != kBreakdowns.end()) {
    events.push_back(turn::Failure{turn::ErrorKind::api, "the upstream broke off: " + said});
    return;
  }
  const auto known =
      std::find_if(kReasons.begin(), kReasons.end(), [&](const Reason& r) { return r.said == said; });
  events.push_back(turn::Finished{known == kReasons.end() ? Finish::stop : known->meant});
}

// Where in the array choice 0 stands; its size where it does not. A choice without an index has that of its
// place.
std::size_t first_choice(const json& choices) {
  if (!choices.is_array()) return choices.size();
  std::size_t position = 0;
  while (position < choices.size() && count_of(member(choices[position], "index")).value_or(position) != 0)
    ++position;
  return position;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

}  // namespace

void ChatReader::read(const wire::SseFrame& frame, std::vector<Event>& events) {
  ++frames_;
  const auto fail = [&](const std::string& what) {
    events.push_back(
        turn::Failure{turn::ErrorKind::api, "upstream event " + std::to_string(frames_) + " " + what});
  };
  if (frame.oversized) return fail("is larger than " + std::to_string(limits_.event_bytes) + " bytes");
  const std::string_view text = trimmed(frame.data);
  if (text.empty()) return;
  if (text == "[DONE]") {
    events.push_back(turn::Done{});
    return;
  }
  // A named event that is no chunk is somebody's extension, as a `ping` is.
  const bool chunk_by_name = frame.event.empty() || frame.event == "message" || frame.event == "error";
  const bool too_deep = wire::nesting(text) > limits_.json_depth;
  const json chunk =
      too_deep || !wire::plain(text) ? json(json::value_t::discarded) : json::parse(text, nullptr, false);
  if (!chunk.is_object() && (!frame.terminated || !chunk_by_name)) return;
  if (too_deep) return fail("nests deeper than " + std::to_string(limits_.json_depth) + " levels");
  if (chunk.is_discarded()) return fail("is not JSON");
  if (!chunk.is_object()) return fail("is not a JSON object");
  read_chunk(chunk, text, frame.event == "error", events);
}

void ChatReader::read_chunk(const json& chunk, std::string_view text, bool named_error,
                            std::vector<Event>& events) {
  add_usage(member(member(chunk, "x_groq"), "usage"), events);
  add_usage(member(chunk, "usage"), events);
  const json& choices = member(chunk, "choices");
  const std::size_t position = first_choice(choices);
  const json& choice = position < choices.size() ? choices[position] : nothing();
  if (choice.is_object()) {
    events.push_back(turn::Begin{std::string(text_of(member(chunk, "model")))});
    read_delta(member(choice, "delta"), text, position, events);
    add_usage(member(choice, "usage"), events);
  }
  // An error says more than the finish_reason beside it.
  std::optional<turn::Failure> failure = find_failure(chunk, named_error);
  if (!failure && choice.is_object()) failure = find_failure(choice, false);
  if (failure) {
    events.push_back(std::move(*failure));
  } else {
    add_finish(text_of(member(choice, "finish_reason")), events);
  }
}

void ChatReader::read_delta(const json& delta, std::string_view text, std::size_t position,
                            std::vector<Event>& events) {
  add_reasoning(delta, events);
  add_content(member(delta, "content"), events);
  add_prose(BlockKind::refusal, text_of(member(delta, "refusal")), events);
  read_calls(delta, text, position, events);
}

void ChatReader::read_calls(const json& delta, std::string_view text, std::size_t position,
                            std::vector<Event>& events) {
  const json& calls = member(delta, "tool_calls");
  wire::RawElements raw_calls(
      calls.is_array() ? wire::raw_value(text, {{"choices"}, {"", position}, {"delta"}, {"tool_calls"}})
                       : std::string_view());
  for (std::size_t place = 0; calls.is_array() && place < calls.size(); ++place) {
    const json& call = calls[place];
    const std::string_view raw_call = raw_calls.next();
    if (!call.is_object()) continue;
    const json& id = member(call, "id");
    const std::string number = id.is_number_integer() ? id.dump() : std::string();
    const ChatCallMark mark{count_of(member(call, "index")), id.is_string() ? text_of(id) : number, {}, {}};
    read_call(member(call, "function"), mark, place, wire::raw_value(raw_call, {{"function"}}), events);
    if (calls_.size() > limits_.calls) return;  // one more than the ledger lets pass
  }
  // The form that came before tool_calls: one call, without index and id. Some send both forms of the same call.
  const json& legacy = member(delta, "function_call");
  if (!legacy.is_object() || (calls.is_array() && !calls.empty())) return;
  read_call(legacy, {}, 0, wire::raw_value(text, {{"choices"}, {"", position}, {"delta"}, {"function_call"}}),
            events);
}

// Arguments sent as JSON instead of text are passed on as they stand in the raw bytes of `function`.
void ChatReader::read_call(const json& function, ChatCallMark mark, std::size_t place,
                           std::string_view raw_function, std::vector<Event>& events) {
  const json& arguments = member(function, "arguments");
  std::string other;
  if (!arguments.is_string() && !arguments.is_null()) {
    other = wire::raw_value(raw_function, {{"arguments"}});
    if (other.empty()) other = arguments.dump();  // its key was written with escapes
  }
  mark.name = text_of(member(function, "name"));
  mark.arguments = arguments.is_string() ? text_of(arguments) : other;
  const std::size_t call = calls_.match(mark, place, same_index_new_id_);
  events.push_back(turn::CallPiece{call, calls_.rank(call), std::string(mark.id), std::string(mark.name),
                                   std::string(mark.arguments)});
}

}  // namespace splitproof::dialect
