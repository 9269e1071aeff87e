#include "harness/dialect/client.hpp"

#include <nlohmann/json.hpp>

namespace splitproof::dialect {

using nlohmann::json;

json user_turn() { return json::array({json{{"role", "user"}, {"content", "Say what the tide does."}}}); }

json open_schema() { return {{"type", "object"}, {"additionalProperties", true}}; }

json Client::whole_request(json request) const {
  request["stream"] = false;
  request.erase("stream_options");
  return request;
}

observe::Answer Client::assemble(const observe::Trace& trace) const {
  observe::TraceStream stream(trace);
  return assemble(stream);
}

observe::Side Client::side(const observe::Trace& trace) const {
  observe::TraceStream stream(trace);
  return side(stream);
}

}  // namespace splitproof::dialect
