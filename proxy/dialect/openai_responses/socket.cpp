#include "proxy/dialect/openai_responses/socket.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "proxy/dialect/openai_error.hpp"
#include "proxy/request/refuse.hpp"
#include "proxy/wire/ascii.hpp"
#include "proxy/wire/json.hpp"
#include "proxy/wire/json_text.hpp"

namespace splitproof::proxy::dialect {
namespace {

using request::given;
using turn::ErrorKind;
using wire::Json;
using wire::JsonKind;

constexpr std::size_t kSocketDepth = 512;  // of events, which the translator has checked, or checks later

constexpr std::string_view kExpired = "websocket_connection_limit_reached";

tl::unexpected<Answer> bad_turn(std::string_view message, std::string_view code,
                                std::string_view param = {}) {
  return tl::make_unexpected(
      Answer{400, openai_error_json(ErrorKind::invalid_request, message, code, param)});
}

// Members that have a meaning only for one transport.
bool is_of_transport(std::string_view member) {
  constexpr std::array kMembers = {std::string_view("type"), std::string_view("generate"),
                                   std::string_view("stream"), std::string_view("stream_options"),
                                   std::string_view("background")};
  return std::find(kMembers.begin(), kMembers.end(), member) != kMembers.end();
}

// Appends the members of an object except those that `leaves_out` names.
template <class LeavesOut>
void append_members(const Json& object, std::string& out, LeavesOut leaves_out) {
  for (Json key = object.first_key(); key; key = key.next()) {
    if (leaves_out(key.text())) continue;
    if (!out.ends_with('{')) out += ",";
    out.append(key.raw()).append(":").append(key.value().raw());
  }
}

// Joins lists of items by commas.
void append_items(std::string& all, std::string_view more) {
  if (!all.empty() && !more.empty()) all += ",";
  all += more;
}

// Returns the new items of a request, joined by commas.
std::string new_items(const Json& input) {
  if (input.is(JsonKind::string))
    return R"({"type":"message","role":"user","content":[{"type":"input_text","text":)" +
           std::string(input.raw()) + "}]}";
  std::string items;
  for (Json item = input.first(); item; item = item.next()) append_items(items, item.raw());
  return items;
}

// Returns an item of an answer as a later request repeats it. Its id goes, because a provider that keeps nothing does
// not know it. Reasoning without its encrypted content would be only such a reference.
std::string repeated_item(const Json& item) {
  if (!item.is(JsonKind::object)) return {};
  const bool reasoning = item["type"].text() == "reasoning";
  if (reasoning && item["encrypted_content"].text().empty()) return {};
  std::string repeated = "{";
  append_members(item, repeated, [&](std::string_view member) { return !reasoning && member == "id"; });
  return repeated + "}";
}

tl::expected<std::optional<SocketTurn>, Answer> read_turn(std::string_view message, const TurnRules& rules,
                                                          const FindConversation& find) {
  const wire::JsonDocument document(message, rules.depth);
  const Json request = document.root();
  if (!request.is(JsonKind::object))
    return bad_turn(
        "a message has to be a JSON object with at most " + std::to_string(rules.depth) + " levels",
        "invalid_json");
  const std::string type = request["type"].text();
  // Codex acknowledges an answer so. Nothing depends on it.
  if (type == "response.processed") return std::nullopt;
  if (type != "response.create")
    return bad_turn("type: only 'response.create' is supported", "unsupported_message", "type");
  if (given(request["stream_id"]))
    return bad_turn("stream_id: is not supported: use a connection for each conversation",
                    "unsupported_parameter", "stream_id");
  const Json generate = request["generate"];
  if (given(generate) && !generate.is(JsonKind::boolean))
    return bad_turn("generate: has to be true or false", "invalid_type", "generate");
  SocketTurn turn;
  turn.generates = generate.raw() != "false";
  std::optional<std::string_view> before;
  if (const Json previous = request["previous_response_id"]; given(previous)) {
    turn.previous = previous.text();
    before = find(turn.previous);
    if (!before && !rules.stored_too)
      return bad_turn("Previous response with id '" + turn.previous + "' not found on this connection.",
                      "previous_response_not_found", "previous_response_id");
  }
  if (message.size() + before.value_or("").size() > rules.most)
    return tl::make_unexpected(openai_error(
        ErrorKind::request_too_large,
        "the request with its conversation is larger than " + std::to_string(rules.most) + " bytes"));
  const Json input = request["input"];
  turn.items = before.value_or("");
  append_items(turn.items, new_items(input));
  turn.body = "{\"stream\":true";
  const bool readable = !input || input.is(JsonKind::string) || input.is(JsonKind::array);
  append_members(request, turn.body, [&](std::string_view member) {
    return is_of_transport(member) || (before && member == "previous_response_id") ||
           (readable && member == "input");
  });
  if (readable) turn.body.append(",\"input\":[").append(turn.items).append("]");
  turn.body += "}";
  return turn;
}

std::string error_message(const Answer& answer) {
  const wire::JsonDocument document(answer.body, kSocketDepth);
  const Json error = document.root()["error"];
  const std::string headers = answer.retry_after.empty()
                                  ? ""
                                  : ",\"headers\":{\"retry-after\":" + wire::quoted(answer.retry_after) + "}";
  return "{\"type\":\"error\",\"status\":" + std::to_string(answer.status) +
         ",\"error\":" + (error ? std::string(error.raw()) : std::string("null")) + headers + "}";
}

Answer too_old(std::size_t minutes) {
  return {400, openai_error_json(ErrorKind::invalid_request,
                                 "The connection has reached its age limit (" + std::to_string(minutes) +
                                     " minutes). Create a new WebSocket connection to continue.",
                                 kExpired)};
}

std::string repeat_previous(std::string members, std::string_view previous) {
  constexpr std::string_view kNone = R"("previous_response_id":null)";
  const std::size_t at = members.find(kNone);
  if (at == std::string::npos || previous.empty()) return members;
  return members.replace(at, kNone.size(), R"("previous_response_id":)" + wire::quoted(previous));
}

SocketEvent read_event(std::string_view json) {
  constexpr std::array kEnds = {std::string_view("response.completed"),
                                std::string_view("response.incomplete"), std::string_view("response.failed"),
                                std::string_view("error")};
  constexpr std::string_view kItem = "response.output_item.done";
  // Most events are neither. In a text the quotes of such a word would be escaped.
  const auto has = [&](std::string_view word) { return json.find(wire::quoted(word)) != json.npos; };
  const bool may_end = std::any_of(kEnds.begin(), kEnds.end(), has);
  if (!may_end && !has(kItem)) return {};
  const wire::JsonDocument document(json, kSocketDepth);
  const std::string type = document.root()["type"].text();
  SocketEvent event;
  if (type == kItem) event.item = repeated_item(document.root()["item"]);
  event.last = std::find(kEnds.begin(), kEnds.end(), type) != kEnds.end();
  if (type != kEnds[0] && type != kEnds[1]) return event;
  const Json response = document.root()["response"];
  event.answered = response["id"].text();
  for (Json item = response["output"].first(); item; item = item.next())
    append_items(event.output, repeated_item(item));
  return event;
}

std::string request_message(std::string_view body) {
  const wire::JsonDocument document(body, kSocketDepth);
  std::string message = R"({"type":"response.create")";
  append_members(document.root(), message, is_of_transport);
  return message + "}";
}

void append_event(std::string& out, std::string_view message) {
  const wire::JsonDocument document(message, kSocketDepth);
  const std::string type = document.root()["type"].text();
  const bool clean = std::all_of(type.begin(), type.end(), [](char c) { return c > ' ' && c <= '~'; });
  if (clean && !type.empty()) out.append("event: ").append(type).append("\n");
  out += "data: ";
  while (!message.empty()) {
    const std::size_t end = std::min(message.find_first_of("\r\n"), message.size());
    out += message.substr(0, end);
    if (end < message.size()) out += "\ndata: ";
    message.remove_prefix(std::min(end + 1, message.size()));
  }
  out += "\n\n";
}

std::optional<SocketError> read_error(std::string_view message) {
  if (message.find("\"error\"") == std::string_view::npos) return std::nullopt;
  const wire::JsonDocument document(message, kSocketDepth);
  const Json root = document.root();
  if (root["type"].text() != "error") return std::nullopt;
  const Json error = root["error"].is(JsonKind::object) ? root["error"] : root;
  const auto status = (root["status"] ? root["status"] : root["status_code"]).count().value_or(0);
  const bool fits = status >= 400 && status <= 599;
  SocketError read{{fits ? static_cast<int>(status) : 500, "{\"error\":" + std::string(error.raw()) + "}"},
                   error["code"].text() == kExpired};
  const std::string retry = root["headers"]["retry-after"].text();
  const bool clean = std::all_of(retry.begin(), retry.end(), [](char c) { return c >= ' ' && c <= '~'; });
  if (clean) read.answer.retry_after = retry;
  return read;
}

bool asks_for_socket(std::string_view name, std::string_view value) {
  return name == "openai-beta" && value.find("websocket") != std::string_view::npos;
}

}  // namespace

const Socket kResponsesSocket = {
    .read_turn = read_turn,
    .error_message = error_message,
    .too_old = too_old,
    .repeat_previous = repeat_previous,
    .read_event = read_event,
    .request_message = request_message,
    .append_event = append_event,
    .read_error = read_error,
    .asks_for_socket = asks_for_socket,
};

}  // namespace splitproof::proxy::dialect
