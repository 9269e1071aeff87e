#include <nlohmann/json.hpp>
#include <string>

#include "harness/dialect/openai_responses/made_response.hpp"
#include "harness/dialect/openai_responses/upstream.hpp"

namespace splitproof::dialect {

std::string ResponsesUpstream::stream_of_many(Many what, std::size_t count, std::size_t first) const {
  using Json = nlohmann::ordered_json;
  if (what != Many::calls) return {};
  MadeResponse made;
  const auto item = [first](std::size_t i, const char* status, const char* arguments) {
    return Json{{"id", "fc_" + std::to_string(first + i)},
                {"type", "function_call"},
                {"status", status},
                {"call_id", "call_" + std::to_string(first + i)},
                {"name", kManyTool},
                {"arguments", arguments}};
  };
  Json output = Json::array();
  for (std::size_t i = 0; i < count; ++i) {
    const Json place = {{"item_id", "fc_" + std::to_string(first + i)}, {"output_index", i}};
    const auto with = [&place](const char* member, const char* value) {
      Json members = place;
      members[member] = value;
      return members;
    };
    made.add("response.output_item.added", {{"output_index", i}, {"item", item(i, "in_progress", "")}});
    made.add("response.function_call_arguments.delta", with("delta", "{}"));
    made.add("response.function_call_arguments.done", with("arguments", "{}"));
    output.push_back(item(i, "completed", "{}"));
    made.add("response.output_item.done", {{"output_index", i}, {"item", output.back()}});
  }
  std::string body;
  for (const std::string& event : made.complete(output)) body += event;
  return body;
}

}  // namespace splitproof::dialect
