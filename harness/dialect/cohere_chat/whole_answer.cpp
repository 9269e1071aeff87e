#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "harness/dialect/cohere_chat/upstream.hpp"
#include "harness/dialect/one_piece.hpp"
#include "harness/json_member.hpp"

namespace splitproof::dialect {

using nlohmann::json;
using observe::Part;
using observe::PartKind;

std::string CohereUpstream::whole_answer(const observe::Answer& answer) const {
  if (!fits_one_piece(answer)) return "";
  json message = {{"role", "assistant"}};
  for (const Part& part : answer.parts) {
    if (part.kind == PartKind::refusal) return "";
    if (part.kind == PartKind::call) {
      message["tool_calls"].push_back({{"id", part.id},
                                       {"type", "function"},
                                       {"function", {{"name", part.name}, {"arguments", part.arguments}}}});
      continue;
    }
    const char* type = part.kind == PartKind::thinking ? "thinking" : "text";
    message["content"].push_back({{"type", type}, {type, part.text}});
  }
  std::string reason = answer.finish->word;
  std::transform(reason.begin(), reason.end(), reason.begin(), [](char letter) {
    return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
  });
  const json usage = known_counts({{"/tokens/input_tokens", answer.usage.prompt},
                                   {"/cached_tokens", answer.usage.cached},
                                   {"/tokens/output_tokens", answer.usage.completion}});
  return written(
      json{{"id", "msg-in-one-piece"}, {"finish_reason", reason}, {"message", message}, {"usage", usage}});
}

}  // namespace splitproof::dialect
