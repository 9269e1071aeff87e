#include "harness/dialect/openai_responses/marks.hpp"

#include <nlohmann/json.hpp>

#include "harness/json_member.hpp"

namespace splitproof::dialect {

EventMarks marks_of_responses(const observe::Event& event) {
  if (!event.json) return {};
  const std::string type = string_at(*event.json, "type");
  return {type.ends_with(".delta"), type == "response.completed" || type == "response.incomplete",
          type == "response.failed" || type == "error"};
}

}  // namespace splitproof::dialect
