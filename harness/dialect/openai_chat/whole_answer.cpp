#include <nlohmann/json.hpp>
#include <string>

#include "harness/dialect/one_piece.hpp"
#include "harness/dialect/openai_chat/upstream.hpp"
#include "harness/json_member.hpp"

namespace splitproof::dialect {

using nlohmann::json;
using observe::Part;
using observe::PartKind;

std::string ChatUpstream::whole_answer(const observe::Answer& answer) const {
  if (!fits_one_piece(answer)) return "";
  json message = {{"role", "assistant"}, {"content", nullptr}};
  PartKind last = PartKind::thinking;
  for (const Part& part : answer.parts) {
    // Only in the order thinking, text, calls: a message does not record their order. It has no signatures
    // either.
    const auto rank = [](PartKind kind) {
      return kind == PartKind::call ? 2 : kind == PartKind::thinking ? 0 : 1;
    };
    if (rank(part.kind) < rank(last) || !part.signature.empty()) return "";
    last = part.kind;
    if (part.kind == PartKind::call) {
      message["tool_calls"].push_back({{"id", part.id},
                                       {"type", "function"},
                                       {"function", {{"name", part.name}, {"arguments", part.arguments}}}});
      continue;
    }
    const char* member = part.kind == PartKind::thinking  ? "reasoning_content"
                         : part.kind == PartKind::refusal ? "refusal"
                                                          : "content";
    if (message.contains(member) && !message[member].is_null()) return "";
    message[member] = part.text;
  }
  const observe::Tokens& usage = answer.usage;
  const json whole = {
      {"id", "chatcmpl-in-one-piece"},
      {"object", "chat.completion"},
      {"created", 1},
      {"model", answer.model},
      {"choices", {{{"index", 0}, {"message", message}, {"finish_reason", answer.finish->word}}}},
      {"usage", known_counts({{"/prompt_tokens", usage.prompt},
                              {"/completion_tokens", usage.completion},
                              {"/total_tokens", usage.total},
                              {"/prompt_tokens_details/cached_tokens", usage.cached},
                              {"/prompt_tokens_details/cache_write_tokens", usage.written},
                              {"/completion_tokens_details/reasoning_tokens", usage.reasoning}})}};
  return written(whole);
}

}  // namespace splitproof::dialect
