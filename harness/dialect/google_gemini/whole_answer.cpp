#include <nlohmann/json.hpp>
#include <string>

#include "harness/dialect/google_gemini/upstream.hpp"
#include "harness/dialect/one_piece.hpp"
#include "harness/json_member.hpp"

namespace splitproof::dialect {

using nlohmann::json;
using observe::Part;
using observe::PartKind;

std::string GeminiUpstream::whole_answer(const observe::Answer& answer) const {
  // Here the ids of calls may be missing, and are missing in most answers.
  observe::Answer with_ids = answer;
  std::size_t number = 0;
  for (Part& part : with_ids.parts)
    if (part.kind == PartKind::call) part.id = "call " + std::to_string(number++);
  if (!fits_one_piece(with_ids)) return "";
  json parts = json::array();
  for (const Part& part : answer.parts) {
    json said = json::object();
    if (part.kind == PartKind::call) {
      said["functionCall"] = {{"name", part.name}, {"args", json::parse(part.arguments)}};
      if (!part.id.empty()) said["functionCall"]["id"] = part.id;
    } else {
      said["text"] = part.text;
      if (part.kind == PartKind::thinking) said["thought"] = true;
      if (!part.signature.empty()) said["thoughtSignature"] = part.signature;
    }
    parts.push_back(std::move(said));
  }
  std::string reason = answer.finish->word;
  for (char& letter : reason)
    if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  const observe::Tokens& usage = answer.usage;
  json counts = known_counts({{"/promptTokenCount", usage.prompt},
                              {"/cachedContentTokenCount", usage.cached},
                              {"/candidatesTokenCount", usage.completion},
                              {"/thoughtsTokenCount", usage.reasoning},
                              {"/totalTokenCount", usage.total}});
  if (usage.completion && usage.reasoning)
    counts["candidatesTokenCount"] = *usage.completion - *usage.reasoning;
  const json whole = {
      {"candidates",
       {{{"content", {{"parts", parts}, {"role", "model"}}}, {"finishReason", reason}, {"index", 0}}}},
      {"usageMetadata", counts},
      {"modelVersion", answer.model},
      {"responseId", "in-one-piece"}};
  return written(whole);
}

}  // namespace splitproof::dialect
