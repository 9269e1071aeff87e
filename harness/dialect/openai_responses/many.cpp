#include <nlohmann/json.hpp>
#include <string>

#include "harness/dialect/openai_responses/upstream.hpp"

namespace splitproof::dialect {

std::string ResponsesUpstream::stream_of_many(Many what, std::size_t count, std::size_t first) const {
  using Json = nlohmann::ordered_json;
  if (what != Many::calls) return {};
  std::string body;
  std::size_t number = 0;
  const auto add = [&](const std::string& type, Json members) {
    Json event = {{"type", type}};
    event.update(members);
    event["sequence_number"] = number++;
    body += "event: " + type + "\ndata: " + event.dump() + "\n\n";
  };
  const auto response = [](const char* status, const Json& output, const Json& usage) {
    return Json{{"response",
                 {{"id", "resp_1"},
                  {"object", "response"},
                  {"created_at", 0},
                  {"status", status},
                  {"error", nullptr},
                  {"incomplete_details", nullptr},
                  {"model", "m"},
                  {"output", output},
                  {"usage", usage}}}};
  };
  const auto item = [first](std::size_t i, const char* status, const char* arguments) {
    return Json{{"id", "fc_" + std::to_string(first + i)},
                {"type", "function_call"},
                {"status", status},
                {"call_id", "call_" + std::to_string(first + i)},
                {"name", kManyTool},
                {"arguments", arguments}};
  };
  Json output = Json::array();
  add("response.created", response("in_progress", Json::array(), nullptr));
  for (std::size_t i = 0; i < count; ++i) {
    const Json place = {{"item_id", "fc_" + std::to_string(first + i)}, {"output_index", i}};
    const auto with = [&place](const char* member, const char* value) {
      Json members = place;
      members[member] = value;
      return members;
    };
    add("response.output_item.added", {{"output_index", i}, {"item", item(i, "in_progress", "")}});
    add("response.function_call_arguments.delta", with("delta", "{}"));
    add("response.function_call_arguments.done", with("arguments", "{}"));
    output.push_back(item(i, "completed", "{}"));
    add("response.output_item.done", {{"output_index", i}, {"item", output.back()}});
  }
  add("response.completed", response("completed", output,
                                     {{"input_tokens", 4},
                                      {"input_tokens_details", {{"cached_tokens", 0}}},
                                      {"output_tokens", 1},
                                      {"output_tokens_details", {{"reasoning_tokens", 0}}},
                                      {"total_tokens", 5}}));
  return body;
}

}  // namespace splitproof::dialect
