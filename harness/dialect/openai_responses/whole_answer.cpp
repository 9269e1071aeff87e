#include <nlohmann/json.hpp>
#include <string>

#include "harness/dialect/one_piece.hpp"
#include "harness/dialect/openai_responses/upstream.hpp"
#include "harness/json_member.hpp"

namespace splitproof::dialect {
namespace {

using nlohmann::json;
using observe::FinishKind;
using observe::Part;
using observe::PartKind;

json item_of(const Part& part, const std::string& number) {
  switch (part.kind) {
    case PartKind::thinking: {
      json item = {{"type", "reasoning"},
                   {"id", "rs_" + number},
                   {"summary", {{{"type", "summary_text"}, {"text", part.text}}}}};
      if (!part.signature.empty()) item["encrypted_content"] = part.signature;
      return item;
    }
    case PartKind::call:
      return {{"type", "function_call"}, {"id", "fc_" + number},        {"call_id", part.id},
              {"name", part.name},       {"arguments", part.arguments}, {"status", "completed"}};
    default: {
      const json content =
          part.kind == PartKind::refusal
              ? json{{"type", "refusal"}, {"refusal", part.text}}
              : json{{"type", "output_text"}, {"text", part.text}, {"annotations", json::array()}};
      return {{"type", "message"},
              {"id", "msg_" + number},
              {"role", "assistant"},
              {"status", "completed"},
              {"content", {content}}};
    }
  }
}

}  // namespace

std::string ResponsesUpstream::whole_answer(const observe::Answer& answer) const {
  if (!fits_one_piece(answer)) return "";
  json output = json::array();
  for (const Part& part : answer.parts) output.push_back(item_of(part, std::to_string(output.size())));
  const observe::Tokens& usage = answer.usage;
  json whole = {{"id", "resp_in_one_piece"},
                {"object", "response"},
                {"created_at", 1},
                {"model", answer.model},
                {"status", "completed"},
                {"error", nullptr},
                {"incomplete_details", nullptr},
                {"output", output},
                {"usage", known_counts({{"/input_tokens", usage.prompt},
                                        {"/input_tokens_details/cached_tokens", usage.cached},
                                        {"/input_tokens_details/cache_write_tokens", usage.written},
                                        {"/output_tokens", usage.completion},
                                        {"/output_tokens_details/reasoning_tokens", usage.reasoning},
                                        {"/total_tokens", usage.total}})}};
  if (observe::cuts_short(answer.finish->kind)) {
    const bool filtered = answer.finish->kind == FinishKind::filter;
    whole["status"] = "incomplete";
    whole["incomplete_details"] = {{"reason", filtered ? "content_filter" : "max_output_tokens"}};
  }
  return written(whole);
}

}  // namespace splitproof::dialect
