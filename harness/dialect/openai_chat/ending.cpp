#include "harness/dialect/openai_chat/ending.hpp"

#include <string_view>

#include "harness/dialect/openai_chat/finish.hpp"
#include "harness/observe/json_progress.hpp"

namespace splitproof::dialect {
namespace {

constexpr std::string_view kThink = "<think>";

void note_call(const observe::Part& call, bool cut, std::vector<ChatShape>& shapes) {
  if (call.name.empty()) shapes.push_back(ChatShape::name_never);
  const std::string_view arguments = observe::trim_json(call.arguments);
  if (arguments.empty()) {
    shapes.push_back(ChatShape::arguments_never);
  } else if (arguments == "null") {
    shapes.push_back(ChatShape::arguments_null);
  } else if (arguments.front() != '{' || !observe::is_one_json_value(arguments)) {
    shapes.push_back(cut ? ChatShape::arguments_cut : ChatShape::arguments_unreadable);
  }
}

void note_finish(observe::FinishKind finish, bool tools, std::vector<ChatShape>& shapes) {
  switch (finish) {
    case observe::FinishKind::stop:
      shapes.push_back(ChatShape::finish_stop);
      if (tools) shapes.push_back(ChatShape::finish_stop_with_tools);
      break;
    case observe::FinishKind::calls:
      shapes.push_back(ChatShape::finish_tool_calls);
      if (!tools) shapes.push_back(ChatShape::finish_tool_calls_without_tools);
      break;
    case observe::FinishKind::length:
      shapes.push_back(ChatShape::finish_length);
      break;
    case observe::FinishKind::filter:
      shapes.push_back(ChatShape::content_filter);
      break;
    case observe::FinishKind::breakdown:
    case observe::FinishKind::paused:
    case observe::FinishKind::unknown:
      shapes.push_back(ChatShape::finish_other);
  }
}

}  // namespace

std::vector<ChatShape> ending_shapes(const observe::Answer& answer, const ChatEnvelope& envelope) {
  std::vector<ChatShape> shapes;
  const bool silent = !answer.finish && !answer.done;
  const bool cut = answer.error || silent || (answer.finish && cuts_short(answer.finish->kind));
  bool tools = false;
  for (const observe::Part& part : answer.parts) {
    if (part.kind == observe::PartKind::call) {
      tools = true;
      note_call(part, cut, shapes);
    } else if (part.kind == observe::PartKind::text) {
      const bool leads = &part == &answer.parts.front() && part.text.starts_with(kThink);
      if (leads) shapes.push_back(ChatShape::think_tag);
      if (part.text.find(kThink, leads ? kThink.size() : 0) != part.text.npos) {
        shapes.push_back(ChatShape::think_tag_later);
      }
    }
  }
  if (answer.finish) note_finish(answer.finish->kind, tools, shapes);
  if (!answer.finish && answer.done) shapes.push_back(ChatShape::done_without_finish);
  const bool empty = answer.parts.empty() && !envelope.others;
  if (answer.done && empty && !answer.finish && !answer.error) shapes.push_back(ChatShape::done_alone);
  if (!answer.done) shapes.push_back(ChatShape::no_done);
  if (silent && !answer.error) shapes.push_back(ChatShape::nothing);
  const bool others_ended = envelope.others && (answer.done || envelope.other_finish);
  if (others_ended && !envelope.first_choice && !answer.error) shapes.push_back(ChatShape::no_first_choice);
  const observe::Tokens& usage = answer.usage;
  if (!usage.prompt && !usage.cached && !usage.completion) shapes.push_back(ChatShape::no_usage);
  if (envelope.choice_chunks > 0 && !envelope.role_said) shapes.push_back(ChatShape::no_role);
  if (envelope.choice_chunks > 1 && envelope.choice_chunks == envelope.choice_chunks_with_usage) {
    shapes.push_back(ChatShape::usage_every_chunk);
  }
  return shapes;
}

}  // namespace splitproof::dialect
