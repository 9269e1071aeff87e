// Judges any bytes as a stream of each protocol. Verdicts and a client's result do not depend on how much of the stream
// is read at a time. Each violation has an existing place.
//
// Bytes 0-1 choose how much is read at a time, byte 4 the protocol; the rest is the stream.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/reference.hpp"
#include "harness/contract/judge.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/observe/event_stream.hpp"
#include "harness/observe/trace.hpp"
#include "harness/utf8.hpp"

using namespace splitproof;

namespace {

bool same(const contract::Judged& left, const contract::Judged& right) {
  return left.obligation == right.obligation && left.verdict == right.verdict &&
         left.reason == right.reason && left.event == right.event && left.begin == right.begin &&
         left.end == right.end && left.line == right.line && left.violation == right.violation &&
         left.message == right.message;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 6) return 0;
  const fuzz::CutInput input = fuzz::chosen_input(data, size);
  const dialect::Dialect& dialect = dialect::all()[data[4] / 4 % dialect::all().size()];
  const std::string_view protocol = dialect.protocol;
  const observe::DataKind kind = fuzz::contracts().data_kind(protocol);

  const observe::Trace trace = observe::read_trace(input.body, kind);
  observe::TraceStream whole(trace);
  observe::BodyStream windows(input.body, kind, 1 + input.first);

  const auto at_once = contract::judge(fuzz::contracts(), protocol, fuzz::profile(), trace, {});
  const auto by_windows = contract::judge(fuzz::contracts(), protocol, fuzz::profile(), windows, {});
  if (at_once.size() != by_windows.size())
    fuzz::give_up("another number of obligations", std::string(input.body));
  for (std::size_t i = 0; i < at_once.size(); ++i) {
    const contract::Judged& judged = at_once[i];
    if (!same(judged, by_windows[i]))
      fuzz::give_up(judged.obligation->id + " depends on the windows: " + judged.message + " | " +
                        by_windows[i].message,
                    std::string(input.body));
    if (judged.verdict != contract::Verdict::violated) continue;
    const bool placed = judged.begin <= judged.end && judged.end <= input.body.size() &&
                        (!judged.event || *judged.event < trace.events.size());
    if (!placed || find_ill_formed_utf8(judged.message) != std::string::npos)
      fuzz::give_up(judged.obligation->id + " has no place: " + judged.message, std::string(input.body));
  }

  if (dialect.client && !(dialect.client->assemble(whole) == dialect.client->assemble(windows)))
    fuzz::give_up("what is assembled depends on the windows", std::string(input.body));
  return 0;
}
