#include "harness/dialect/openai_responses/upstream.hpp"

#include <nlohmann/json.hpp>

#include "harness/dialect/openai_responses/made_response.hpp"
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
  MadeResponse made;
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
  made.add("response.output_item.added", {{"output_index", 0}, {"item", item("in_progress", Json::array())}});
  made.add("response.content_part.added", in_part("part", text("")));
  made.add("response.output_text.delta", in_part("delta", "Ebb"));
  made.add("response.output_text.done", in_part("text", "Ebb"));
  made.add("response.content_part.done", in_part("part", text("Ebb")));
  made.add("response.output_item.done", {{"output_index", 0}, {"item", said}});
  return made.complete(Json::array({said}));
}

}  // namespace splitproof::dialect
