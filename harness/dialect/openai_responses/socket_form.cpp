#include "harness/dialect/openai_responses/socket_form.hpp"

#include <nlohmann/json.hpp>

#include "harness/json_member.hpp"
#include "harness/observe/wire_json.hpp"

namespace splitproof::dialect {
namespace {

using nlohmann::json;

constexpr const char* kCreate = "response.create";

json parsed_message(std::string_view text) { return json::parse(text, nullptr, false); }

// Escapes of lone surrogates are valid JSON, and upstreams cut characters into them.
std::string type_of(std::string_view message) {
  const auto document = observe::parse_wire_json(message);
  return document ? std::string(document->at("type").string()) : std::string();
}

json prepared_response(const char* status) {
  return {{"id", "resp_prepared"},
          {"object", "response"},
          {"created_at", 0},
          {"status", status},
          {"error", nullptr},
          {"incomplete_details", nullptr},
          {"instructions", nullptr},
          {"metadata", json::object()},
          {"model", "any"},
          {"output", json::array()},
          {"parallel_tool_calls", true},
          {"temperature", nullptr},
          {"tool_choice", "auto"},
          {"tools", json::array()},
          {"top_p", nullptr},
          {"usage",
           {{"input_tokens", 0},
            {"input_tokens_details", {{"cached_tokens", 0}}},
            {"output_tokens", 0},
            {"output_tokens_details", {{"reasoning_tokens", 0}}},
            {"total_tokens", 0}}}};
}

}  // namespace

std::string ResponsesSocketForm::asking(std::string_view request) const {
  json document = parsed_message(request);
  if (!document.is_object()) document = json::object();
  json message = {{"type", kCreate}};
  document.erase("stream");
  document.erase("background");
  message.update(document);
  return written(message);
}

std::optional<std::string> ResponsesSocketForm::asked(std::string_view message) const {
  json document = parsed_message(message);
  if (!document.is_object() || string_at(document, "type") != kCreate) return std::nullopt;
  document.erase("type");
  document["stream"] = true;
  return written(document);
}

bool ResponsesSocketForm::only_prepares(std::string_view message) const {
  const json document = parsed_message(message);
  return document.is_object() && member(document, "generate") == false;
}

std::string ResponsesSocketForm::prepared_answer() const {
  const json created = {
      {"type", "response.created"}, {"sequence_number", 0}, {"response", prepared_response("in_progress")}};
  const json completed = {
      {"type", "response.completed"}, {"sequence_number", 1}, {"response", prepared_response("completed")}};
  return event_of(written(created)) + event_of(written(completed));
}

bool ResponsesSocketForm::is_event(std::string_view message) const { return !type_of(message).empty(); }

bool ResponsesSocketForm::ends_answer(std::string_view message) const {
  const std::string type = type_of(message);
  return type == "response.completed" || type == "response.incomplete" || type == "response.failed" ||
         type == "error";
}

std::string ResponsesSocketForm::event_of(std::string_view message) const {
  const std::string type = type_of(message);
  std::string event = type.empty() || type.find_first_of("\r\n") != type.npos ? "" : "event: " + type + "\n";
  while (true) {  // JSON may have line ends between its tokens
    const std::size_t end = message.find_first_of("\r\n");
    event.append("data: ").append(message.substr(0, end)).append("\n");
    if (end == message.npos) return event + "\n";
    message.remove_prefix(end + 1);
  }
}

bool ResponsesSocketForm::has_message(std::string_view data) const { return data != "[DONE]"; }

std::string ResponsesSocketForm::error_message(int status, std::string_view body) const {
  const json document = parsed_message(body);
  json message = {{"type", "error"}, {"status", status}};
  message["error"] =
      document.is_object() && document.contains("error")
          ? document["error"]
          : json{{"type", "server_error"}, {"code", nullptr}, {"message", "An error of the upstream."}};
  return written(message);
}

}  // namespace splitproof::dialect
