#include "harness/selftest/dialect.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "harness/json_member.hpp"

namespace splitproof::selftest {
namespace {

using json = nlohmann::ordered_json;

std::string type_of(const json& object) { return text_of(member(object, "type")); }

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

std::string typed_class(const json& data) {
  std::string label = type_of(data);
  for (const char* inner : {"content_block", "delta", "item", "part"}) {
    const std::string type = type_of(member(data, inner));
    if (!type.empty()) label += " " + type;
  }
  return label;
}

std::string anthropic_piece(const json& data) {
  return type_of(data) == "content_block_delta" ? member(data, "index").dump() : std::string();
}

bool anthropic_idle(const json& data) { return type_of(data) == "ping"; }

std::string responses_piece(const json& data) {
  if (!ends_with(type_of(data), ".delta")) return "";
  return member(data, "item_id").dump() + member(data, "content_index").dump();
}

bool responses_idle(const json& data) { return type_of(data) == "keepalive"; }

const json& first(const json& list) {
  static const json kNull;
  return list.is_array() && !list.empty() ? list.front() : kNull;
}

bool says(const json& value) { return value.is_string() && !value.get_ref<const std::string&>().empty(); }

// Whether a delta has members of a provider's own that hold something.
bool says_more(const json& delta) {
  if (!delta.is_object()) return false;
  constexpr std::array<std::string_view, 6> kKnown = {"role",      "content", "reasoning_content",
                                                      "reasoning", "refusal", "tool_calls"};
  for (const auto& [key, value] : delta.items()) {
    const bool known = std::find(kKnown.begin(), kKnown.end(), key) != kKnown.end();
    if (!known && !value.is_null() && !value.empty() && value != "") return true;
  }
  return false;
}

std::string chat_class(const json& data) {
  if (!member(data, "error").is_null()) return "error";
  const json& choice = first(member(data, "choices"));
  const json& delta = member(choice, "delta");
  const json& call = first(member(delta, "tool_calls"));
  std::string label;
  const auto add = [&label](bool there, const char* word) {
    if (there) label += (label.empty() ? "" : "+") + std::string(word);
  };
  add(says(member(delta, "role")), "role");
  add(says(member(delta, "content")), "text");
  add(says(member(delta, "reasoning_content")) || says(member(delta, "reasoning")), "thinking");
  add(says(member(delta, "refusal")), "refusal");
  add(says(member(call, "id")), "call");
  add(!call.is_null() && !says(member(call, "id")), "arguments");
  add(says_more(delta), "other");
  add(!member(choice, "finish_reason").is_null(), "finish");
  add(member(data, "usage").is_object(), "usage");
  return label.empty() ? "nothing" : label;
}

// A chunk that says one thing only.
std::string chat_piece(const json& data) {
  const std::string label = chat_class(data);
  if (label != "text" && label != "thinking" && label != "refusal" && label != "arguments") return "";
  const json& choice = first(member(data, "choices"));
  return label + member(choice, "index").dump() +
         member(first(member(member(choice, "delta"), "tool_calls")), "index").dump();
}

bool chat_silent(const json& data) {
  return member(data, "choices").is_array() && chat_class(data) == "nothing";
}

// What OpenAI's reference has, and the two names under which servers send reasoning.
bool chat_own(const std::string& field_class) {
  constexpr std::array<std::string_view, 10> kOfChunk = {
      "id",           "object",     "created", "model", "choices", "usage", "error", "system_fingerprint",
      "service_tier", "obfuscation"};
  constexpr std::array<std::string_view, 4> kOfChoice = {"index", "delta", "finish_reason", "logprobs"};
  constexpr std::array<std::string_view, 7> kOfDelta = {
      "role", "content", "refusal", "tool_calls", "function_call", "reasoning", "reasoning_content"};
  const auto next = [](std::string_view& rest) {
    rest.remove_prefix(1);
    const std::string_view name = rest.substr(0, rest.find('/'));
    rest.remove_prefix(name.size());
    return name;
  };
  const auto among = [](const auto& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  std::string_view rest = field_class;
  const std::string_view top = next(rest);
  if (top != "choices" || rest.size() <= 2) return !among(kOfChunk, top);
  rest.remove_prefix(2);  // the place among the choices
  const std::string_view member = next(rest);
  if (member != "delta" || rest.empty()) return !among(kOfChoice, member);
  return !among(kOfDelta, next(rest));
}

bool chat_may_be_absent(const std::string& field_class) {
  constexpr std::string_view kDelta = "/choices/*/delta/";
  return field_class.compare(0, kDelta.size(), kDelta) == 0 &&
         field_class.find('/', kDelta.size()) == std::string::npos;
}

bool no_field(const std::string& /*field_class*/) { return false; }
bool never(const json& /*data*/) { return false; }
std::string no_piece(const json& /*data*/) { return {}; }

using Words = std::vector<std::string>;

struct Vocabulary {
  std::string_view protocol;
  std::string_view field;
  Words words;
};

const std::vector<Vocabulary>& vocabularies() {
  static const std::vector<Vocabulary> kAll = {
      {"anthropic.messages", "type", {"text", "thinking", "tool_use", "redacted_thinking"}},
      {"anthropic.messages", "type", {"text_delta", "thinking_delta", "signature_delta", "input_json_delta"}},
      {"anthropic.messages",
       "type",
       {"invalid_request_error", "authentication_error", "permission_error", "not_found_error",
        "rate_limit_error", "api_error", "overloaded_error"}},
      {"anthropic.messages", "role", {"assistant", "user"}},
      {"anthropic.messages",
       "stop_reason",
       {"end_turn", "max_tokens", "stop_sequence", "tool_use", "pause_turn", "refusal"}},
      {"openai.chat", "role", {"assistant", "user", "tool"}},
      {"openai.chat", "object", {"chat.completion.chunk", "chat.completion"}},
      {"openai.chat", "type", {"function", "custom"}},
      {"openai.chat", "finish_reason", {"stop", "length", "tool_calls", "content_filter"}},
      {"openai.responses", "type", {"message", "function_call", "reasoning"}},
      {"openai.responses", "type", {"output_text", "refusal"}},
      {"openai.responses", "role", {"assistant", "user"}},
      {"openai.responses", "status", {"in_progress", "completed", "incomplete", "failed"}},
  };
  return kAll;
}

}  // namespace

const Dialect& dialect_of(std::string_view protocol) {
  static const Dialect kAnthropic{{"message_start", "content_block_start", "content_block_delta",
                                   "content_block_stop", "message_delta", "message_stop", "ping", "error"},
                                  typed_class,
                                  anthropic_piece,
                                  anthropic_idle,
                                  never,
                                  no_field,
                                  no_field};
  static const Dialect kChat{{},          chat_class, chat_piece,        chat_silent,
                             chat_silent, chat_own,   chat_may_be_absent};
  static const Dialect kResponses{
      {"response.created", "response.in_progress", "response.output_item.added",
       "response.content_part.added", "response.output_text.delta", "response.output_text.done",
       "response.content_part.done", "response.function_call_arguments.delta",
       "response.function_call_arguments.done", "response.output_item.done", "response.completed",
       "response.incomplete", "response.failed", "error"},
      typed_class,
      responses_piece,
      responses_idle,
      never,
      no_field,
      no_field};
  static const Dialect kUnknown{{}, typed_class, no_piece, never, never, no_field, no_field};
  if (protocol == "anthropic.messages") return kAnthropic;
  if (protocol == "openai.chat") return kChat;
  if (protocol == "openai.responses") return kResponses;
  return kUnknown;
}

Role role_of(std::string_view field) {
  constexpr std::array<std::string_view, 5> kIndices = {"index", "output_index", "content_index",
                                                        "summary_index", "sequence_number"};
  constexpr std::array<std::string_view, 4> kIds = {"id", "item_id", "call_id", "tool_use_id"};
  constexpr std::array<std::string_view, 6> kWords = {"type",   "role",        "object",
                                                      "status", "stop_reason", "finish_reason"};
  const auto among = [field](const auto& names) {
    return std::find(names.begin(), names.end(), field) != names.end();
  };
  if (among(kIndices)) return Role::index;
  if (among(kIds)) return Role::id;
  return among(kWords) ? Role::word : Role::value;
}

std::vector<std::string> vocabulary_of(std::string_view protocol, std::string_view field,
                                       const std::string& word) {
  for (const Vocabulary& vocabulary : vocabularies()) {
    const Words& words = vocabulary.words;
    const bool has = std::find(words.begin(), words.end(), word) != words.end();
    if (vocabulary.protocol == protocol && vocabulary.field == field && has) return words;
  }
  return {word};
}

bool tells_of_the_answer(std::string_view field, const std::string& word) {
  return field == "stop_reason" || field == "finish_reason" || (field == "type" && ends_with(word, "_error"));
}

}  // namespace splitproof::selftest
