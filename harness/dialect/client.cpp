#include "harness/dialect/client.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "harness/json_member.hpp"

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

json text_message(const MessageForm& form, std::string_view role, const std::vector<std::string>& texts) {
  json message = {{"role", role}};
  json& content = message[std::string(form.content)];
  if (texts.size() == 1 && !form.text_type.empty()) {
    content = texts.front();
    return message;
  }
  content = json::array();
  for (const std::string& text : texts) {
    json part = {{"text", text}};
    if (!form.text_type.empty()) part["type"] = form.text_type;
    content.push_back(std::move(part));
  }
  return message;
}

ClientCall Client::call(const std::string& path, const json& request) const {
  return {path, written(request)};
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
