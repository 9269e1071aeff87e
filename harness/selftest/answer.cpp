#include "harness/selftest/answer.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "harness/dialect/registry.hpp"
#include "harness/observe/call_arguments.hpp"
#include "harness/strict_json.hpp"

namespace splitproof::selftest {
namespace {

// Arguments that mean the same to a tool in the same words; what is no object stays as it is.
std::string settled(const std::string& arguments) {
  if (observe::kind_of_arguments(arguments) == observe::Arguments::none) return "{}";
  const auto input = parse_strict_json(arguments);
  return input && (*input)->is_object() ? (*input)->dump() : arguments;
}

dialect::AnthropicMessage settled(dialect::AnthropicMessage message) {
  message.model.clear();
  for (dialect::MessageBlock& block : message.blocks) block.arguments = settled(block.arguments);
  if (message.error) {
    message.error = dialect::MessageError{};
    message.usage = {};
    message.stop_reason.reset();
    message.stop_sequence.reset();
  }
  return message;
}

observe::Answer settled(observe::Answer meaning) {
  meaning.model.clear();
  for (observe::Part& part : meaning.parts) {
    part.rank = 0;
    if (part.kind == observe::PartKind::call) part.arguments = settled(part.arguments);
  }
  if (meaning.error) {
    meaning.error->clear();
    meaning.done = false;
    meaning.usage = {};
    meaning.finish.reset();
  }
  return meaning;
}

dialect::ResponsesAnswer settled(dialect::ResponsesAnswer answer) {
  if (answer.ending == "response.failed" || answer.ending == "error") {
    answer.input_tokens.reset();
    answer.output_tokens.reset();
    for (auto* items : {&answer.streamed, &answer.closed}) {
      for (dialect::ResponsesItem& item : *items) item.text = item.refusal = item.arguments = "";
    }
  }
  return answer;
}

}  // namespace

Answer answer_of(std::string_view protocol, const observe::Trace& trace) {
  if (protocol == "anthropic.messages") return settled(dialect::assemble_anthropic_message(trace));
  if (protocol == "openai.chat") return settled(dialect::client_of(protocol)->assemble(trace));
  if (protocol == "openai.responses") return settled(dialect::assemble_responses_answer(trace));
  return {};
}

}  // namespace splitproof::selftest
