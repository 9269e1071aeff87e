#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "harness/dialect/anthropic_messages/upstream.hpp"
#include "harness/dialect/one_piece.hpp"
#include "harness/json_member.hpp"

namespace splitproof::dialect {

using nlohmann::json;
using observe::Part;
using observe::PartKind;

std::string AnthropicUpstream::whole_answer(const observe::Answer& answer) const {
  if (!fits_one_piece(answer)) return "";
  json content = json::array();
  for (const Part& part : answer.parts) {
    if (part.kind == PartKind::refusal) return "";
    if (part.kind == PartKind::thinking) {
      content.push_back({{"type", "thinking"}, {"thinking", part.text}, {"signature", part.signature}});
    } else if (part.kind == PartKind::text) {
      content.push_back({{"type", "text"}, {"text", part.text}});
    } else {
      content.push_back({{"type", "tool_use"},
                         {"id", part.id},
                         {"name", part.name},
                         {"input", json::parse(part.arguments)}});
    }
  }
  const auto note = [&](const char* name) {
    const auto found = answer.extra.find(name);
    return found == answer.extra.end() ? std::string() : found->second;
  };
  json rest = json::parse(note("usage"), nullptr, false);
  if (!rest.is_object()) rest = json::object();
  std::optional<std::uint64_t> uncached = answer.usage.prompt;
  if (uncached) *uncached -= answer.usage.cached.value_or(0) + answer.usage.written.value_or(0);
  rest.update(known_counts({{"/input_tokens", uncached},
                            {"/cache_read_input_tokens", answer.usage.cached},
                            {"/cache_creation_input_tokens", answer.usage.written},
                            {"/output_tokens", answer.usage.completion}}));
  json whole = {{"id", "msg_in_one_piece"}, {"type", "message"},  {"role", "assistant"},
                {"model", answer.model},    {"content", content}, {"stop_reason", answer.finish->word},
                {"stop_sequence", nullptr}, {"usage", rest}};
  if (const std::string sequence = note("stop_sequence"); !sequence.empty())
    whole["stop_sequence"] = sequence;
  return written(whole);
}

}  // namespace splitproof::dialect
