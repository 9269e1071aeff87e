#include "harness/dialect/openai_responses/made_response.hpp"

#include <nlohmann/json.hpp>
#include <utility>

namespace splitproof::dialect {
namespace {

nlohmann::ordered_json made_object(const char* status, const nlohmann::ordered_json& output,
                                   const nlohmann::ordered_json& usage) {
  return {{"response",
           {{"id", "resp_1"},
            {"object", "response"},
            {"created_at", 0},
            {"status", status},
            {"error", nullptr},
            {"incomplete_details", nullptr},
            {"model", "m"},
            {"output", output},
            {"usage", usage}}}};
}

}  // namespace

MadeResponse::MadeResponse() {
  add("response.created", made_object("in_progress", nlohmann::ordered_json::array(), nullptr));
}

void MadeResponse::add(const std::string& type, const nlohmann::ordered_json& members) {
  nlohmann::ordered_json event = {{"type", type}};
  event.update(members);
  event["sequence_number"] = events_.size();
  events_.push_back("event: " + type + "\ndata: " + event.dump() + "\n\n");
}

std::vector<std::string> MadeResponse::complete(const nlohmann::ordered_json& output) {
  add("response.completed", made_object("completed", output,
                                        {{"input_tokens", 4},
                                         {"input_tokens_details", {{"cached_tokens", 0}}},
                                         {"output_tokens", 1},
                                         {"output_tokens_details", {{"reasoning_tokens", 0}}},
                                         {"total_tokens", 5}}));
  return std::move(events_);
}

}  // namespace splitproof::dialect
