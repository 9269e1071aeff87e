#include "harness/dialect/openai_responses/upstream.hpp"

#include <nlohmann/json.hpp>

#include "harness/dialect/openai_responses/reading.hpp"
#include "harness/dialect/openai_responses/shapes.hpp"

namespace splitproof::dialect {

using Json = nlohmann::ordered_json;

std::unique_ptr<AnswerReader> ResponsesUpstream::reader(const observe::Choices&) const {
  return std::make_unique<ResponsesReading>();
}

std::vector<std::string_view> ResponsesUpstream::shapes() const {
  std::vector<std::string_view> names;
  for (const ResponsesShapeEntry& entry : kResponsesShapes) names.push_back(entry.name);
  return names;
}

std::vector<std::string> ResponsesUpstream::tiny_answer() const {
  std::vector<std::string> events;
  const auto add = [&](const std::string& type, const Json& members) {
    Json event = {{"type", type}};
    event.update(members);
    event["sequence_number"] = events.size();
    events.push_back("event: " + type + "\ndata: " + event.dump() + "\n\n");
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
  const auto text = [](const char* said) {
    return Json{{"type", "output_text"}, {"text", said}, {"annotations", Json::array()}};
  };
  const auto item = [](const char* status, const Json& content) {
    return Json{{"id", "msg_1"},
                {"type", "message"},
                {"status", status},
                {"role", "assistant"},
                {"content", content}};
  };
  const auto in_part = [](const char* member, const Json& value) {
    return Json{{"item_id", "msg_1"}, {"output_index", 0}, {"content_index", 0}, {member, value}};
  };
  const Json said = item("completed", Json::array({text("Ebb")}));
  const Json usage = {{"input_tokens", 4},
                      {"input_tokens_details", {{"cached_tokens", 0}}},
                      {"output_tokens", 1},
                      {"output_tokens_details", {{"reasoning_tokens", 0}}},
                      {"total_tokens", 5}};
  add("response.created", response("in_progress", Json::array(), nullptr));
  add("response.output_item.added", {{"output_index", 0}, {"item", item("in_progress", Json::array())}});
  add("response.content_part.added", in_part("part", text("")));
  add("response.output_text.delta", in_part("delta", "Ebb"));
  add("response.output_text.done", in_part("text", "Ebb"));
  add("response.content_part.done", in_part("part", text("Ebb")));
  add("response.output_item.done", {{"output_index", 0}, {"item", said}});
  add("response.completed", response("completed", Json::array({said}), usage));
  return events;
}

}  // namespace splitproof::dialect
