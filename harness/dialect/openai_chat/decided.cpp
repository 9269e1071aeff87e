#include "harness/dialect/openai_chat/client.hpp"
#include "harness/dialect/openai_chat/self_test_tables.hpp"

namespace splitproof::dialect {

observe::Answer decided_by_chat(const observe::Trace& trace) {
  observe::Answer answer = ChatClient().assemble(trace);
  answer.model.clear();
  forget_unread(answer);
  for (const char* note : {"usage", "the other choices"}) answer.extra.erase(note);  // only for a relay
  answer.usage.reasoning.reset();  // no client depends on the parts or the sum of a count
  answer.usage.total.reset();
  answer.usage.written.reset();
  for (observe::Part& part : answer.parts) {
    part.rank = 0;
    if (part.kind == observe::PartKind::call) part.arguments = settled_arguments(part.arguments);
  }
  if (answer.error) {
    answer.error->clear();
    answer.error_classes = {};
    answer.done = false;
    answer.usage = {};
    answer.finish.reset();
  }
  return answer;
}

}  // namespace splitproof::dialect
