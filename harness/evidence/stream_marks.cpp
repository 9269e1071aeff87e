#include "harness/evidence/stream_marks.hpp"

#include "harness/dialect/registry.hpp"
#include "harness/observe/trace.hpp"

namespace splitproof::evidence {

StreamMarks stream_marks(std::string_view body, std::string_view client) {
  StreamMarks marks;
  const dialect::Dialect* dialect = dialect::find(client);
  const observe::Trace trace = observe::read_trace(body, observe::DataKind::json);
  for (const observe::Event& event : trace.events) {
    marks.events += event.data.empty() ? 0 : 1;  // a last line without data is not counted
    if (dialect == nullptr || dialect->marks == nullptr) continue;
    const dialect::EventMarks said = dialect->marks(event);
    if (said.output && !marks.output) marks.output = event.end;
    marks.success = marks.success || said.success;
    marks.error = marks.error || said.error;
  }
  return marks;
}

}  // namespace splitproof::evidence
