#include <iostream>
#include <nlohmann/json.hpp>

#include "harness/cli/commands.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/sources.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/observe/trace.hpp"
#include "harness/read_file.hpp"

namespace splitproof::cli {

int decode(const DecodeCommand& command) {
  const dialect::Dialect* dialect = dialect::find(command.protocol);
  if (dialect == nullptr) {
    return complain(Error{
        "there is no protocol '" + command.protocol + "'", {}, 0, "there are " + dialect::protocol_names()});
  }
  if (dialect->is_binary) {
    return complain(Error{command.protocol + " is a binary protocol, which decode does not read", {}, 0, {}});
  }
  const Result<std::string> body = read_file(command.file);
  if (!body) return complain(body.error());
  observe::DataKind kind = dialect->is_format ? observe::DataKind::text : observe::DataKind::json;
  const std::string mark = dialect::format_of(command.protocol).closing_mark;
  if (!mark.empty()) kind.marks.push_back(mark);
  for (const observe::Event& event : observe::read_trace(*body, kind).events) {
    // The standard drops what no blank line ended: it is told, not printed as an event.
    if (event.fault == observe::Fault::unterminated_event) {
      std::cerr << "splitproof: " << command.file << ": bytes " << event.begin << "-" << event.end << ": "
                << event.fault_reason << "\n";
      continue;
    }
    nlohmann::ordered_json line = {{"event", event.event && !event.event->empty() ? *event.event : "message"},
                                   {"data", event.data},
                                   {"id", event.id},
                                   {"bytes", {event.begin, event.end}}};
    if (event.retry) line["retry"] = *event.retry;
    if (event.fault != observe::Fault::none) line["fault"] = observe::name(event.fault);
    std::cout << line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
  }
  return kConforms;
}

}  // namespace splitproof::cli
