#include "harness/evidence/stream_marks.hpp"

#include <nlohmann/json.hpp>
#include <string>

#include "harness/json_member.hpp"
#include "harness/observe/trace.hpp"

namespace splitproof::evidence {
namespace {

using nlohmann::json;

bool says_something(const json& value) {
  return (value.is_string() || value.is_array() || value.is_object()) && !value.empty() && value != "";
}

struct Said {
  bool output = false;
  bool success = false;
  bool error = false;
};

Said said_by_messages(const json& event) {
  const std::string type = text_of(member(event, "type"));
  const bool tool =
      type == "content_block_start" &&
      text_of(member(member(event, "content_block"), "type")).find("tool_use") != std::string::npos;
  return {type == "content_block_delta" || tool, type == "message_stop", type == "error"};
}

Said said_by_chat(const json& chunk) {
  Said said;
  said.error = says_something(member(chunk, "error"));
  const json& choices = member(chunk, "choices");
  if (!choices.is_array()) return said;
  for (const json& choice : choices) {
    const json& delta = member(choice, "delta");
    for (const char* voice : {"content", "reasoning_content", "reasoning", "refusal", "tool_calls"}) {
      said.output = said.output || says_something(member(delta, voice));
    }
    said.success = said.success || member(choice, "finish_reason").is_string();
  }
  return said;
}

Said said_by_responses(const json& event) {
  const std::string type = text_of(member(event, "type"));
  return {type.ends_with(".delta"), type == "response.completed" || type == "response.incomplete",
          type == "response.failed" || type == "error"};
}

}  // namespace

StreamMarks stream_marks(std::string_view body, std::string_view client) {
  StreamMarks marks;
  const observe::Trace trace = observe::read_trace(body, observe::DataKind::json);
  for (const observe::Event& event : trace.events) {
    marks.events += event.data.empty() ? 0 : 1;  // any text ends in a line that says nothing
    Said said;
    if (client == "openai.chat" && event.data == "[DONE]" && event.fault == observe::Fault::none) {
      said.success = true;
    } else if (!event.json) {
      continue;
    } else if (client == "anthropic.messages") {
      said = said_by_messages(*event.json);
    } else if (client == "openai.chat") {
      said = said_by_chat(*event.json);
    } else if (client == "openai.responses") {
      said = said_by_responses(*event.json);
    }
    if (said.output && !marks.output) marks.output = event.end;
    marks.success = marks.success || said.success;
    marks.error = marks.error || said.error;
  }
  return marks;
}

}  // namespace splitproof::evidence
