#include "harness/dialect/bedrock_converse/client.hpp"
#include "harness/dialect/bedrock_converse/self_test_tables.hpp"

namespace splitproof::dialect {

observe::Answer decided_by_converse(const observe::Trace& trace) {
  observe::Answer answer = ConverseClient().assemble(trace);
  answer.usage.total.reset();  // no client depends on the parts or the sum of a count
  answer.usage.written.reset();
  if (answer.usage.cached == 0) answer.usage.cached.reset();  // a missing count is 0
  for (observe::Part& part : answer.parts) {
    part.rank = 0;
    if (part.kind == observe::PartKind::call) part.arguments = settled_arguments(part.arguments);
  }
  if (answer.error) {
    answer.error->clear();
    answer.error_classes = {};
    answer.usage = {};
    answer.finish.reset();
  }
  return answer;
}

}  // namespace splitproof::dialect
