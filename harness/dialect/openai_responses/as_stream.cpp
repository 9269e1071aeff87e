#include <nlohmann/json.hpp>
#include <string>

#include "harness/dialect/openai_responses/client.hpp"
#include "harness/json_member.hpp"

namespace splitproof::dialect {

using nlohmann::json;

std::string ResponsesClient::as_stream(const json& whole) const {
  const std::string status = string_at(whole, "status");
  const json& output = member(whole, "output");
  const bool ended = status == "completed" || status == "incomplete" || status == "failed";
  if (!ended || !output.is_array()) return "";
  std::string stream;
  const auto say = [&stream](const std::string& type, json data) {
    data["type"] = type;
    stream += "event: " + type + "\ndata: " + written(data) + "\n\n";
  };
  say("response.created", {{"response", whole}});
  for (std::size_t i = 0; i < output.size(); ++i) {
    say("response.output_item.added", {{"output_index", i}, {"item", output[i]}});
    say("response.output_item.done", {{"output_index", i}, {"item", output[i]}});
  }
  say("response." + status, {{"response", whole}});
  return stream;
}

}  // namespace splitproof::dialect
