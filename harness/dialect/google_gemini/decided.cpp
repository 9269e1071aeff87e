#include "harness/dialect/google_gemini/client.hpp"
#include "harness/dialect/google_gemini/self_test_tables.hpp"

namespace splitproof::dialect {

observe::Answer decided_by_gemini(const observe::Trace& trace) {
  observe::Answer answer = GeminiClient().assemble(trace);
  answer.model.clear();
  answer.usage.reasoning.reset();  // no client depends on the parts or the sum of a count
  answer.usage.total.reset();
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
