#include "harness/dialect/anthropic_messages/message.hpp"
#include "harness/dialect/anthropic_messages/self_test_tables.hpp"

namespace splitproof::dialect {

observe::Answer decided_by_anthropic(const observe::Trace& trace) {
  AnthropicMessage message = assemble_anthropic_message(trace);
  message.model.clear();
  message.usage.cache_write.reset();
  message.usage.thinking.reset();  // no client depends on the parts of a count
  for (MessageBlock& block : message.blocks) {
    block.arguments = settled_arguments(block.arguments);
    block.citations.clear();
  }
  if (message.error) {
    message.error = MessageError{};
    message.usage = {};
    message.stop_reason.reset();
    message.stop_sequence.reset();
  }
  return answer_of(message);
}

}  // namespace splitproof::dialect
