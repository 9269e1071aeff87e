#include "harness/dialect/client.hpp"

#include <nlohmann/json.hpp>

namespace splitproof::dialect {

using nlohmann::json;

json user_turn() { return json::array({json{{"role", "user"}, {"content", "Say what the tide does."}}}); }

json open_schema() { return {{"type", "object"}, {"additionalProperties", true}}; }

json schema_of(const WantedTool& tool) {
  return tool.schema.empty() ? open_schema() : json::parse(tool.schema);
}

std::string description_of(const WantedTool& tool) {
  return tool.description.empty() ? kToolDescription : tool.description;
}

json Client::whole_request(json request) const {
  request["stream"] = false;
  request.erase("stream_options");
  return request;
}

json Client::streamed_request(json request) const {
  request["stream"] = true;
  return request;
}

observe::Answer Client::assemble(const observe::Trace& trace) const {
  observe::TraceStream stream(trace);
  return assemble(stream);
}

observe::NormalisedAnswer Client::side(const observe::Trace& trace) const {
  observe::TraceStream stream(trace);
  return side(stream);
}

}  // namespace splitproof::dialect
