#include "harness/dialect/asked_trace.hpp"

#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

namespace splitproof::dialect {

bool is_request_of(const RequestReader& reader, const RequestMessage& message) {
  const std::string_view path = std::string_view(message.path).substr(0, message.path.find('?'));
  return path.empty() || path.ends_with(reader.path);
}

observe::Trace asked_trace(const RequestReader& reader, const RequestMessage& message) {
  nlohmann::json document = {{"type", "asked"}, {"protocol", reader.protocol}};
  if (!message.method.empty()) document["method"] = message.method;
  if (!message.path.empty()) document["path"] = message.path;
  if (message.headers) document["headers"] = *message.headers;
  observe::Event event;
  if (message.body) {
    document["body"] = *message.body;
    document["asked"] = observe::asked_document(reader.asked(*message.body));
  } else {
    event.fault = observe::Fault::broken_json;
    event.fault_at = message.begin;
    event.fault_reason = message.fault;
  }
  event.json = std::make_shared<const nlohmann::json>(std::move(document));
  event.begin = message.begin;
  event.end = message.end;
  event.line = message.line;
  observe::Trace trace;
  trace.events.push_back(std::move(event));
  return trace;
}

}  // namespace splitproof::dialect
