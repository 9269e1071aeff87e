#include "harness/dialect/captured_requests.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/dialect/registry.hpp"
#include "harness/json_member.hpp"
#include "harness/lower_case.hpp"
#include "harness/observe/event_json.hpp"

namespace splitproof::dialect {
namespace {

using nlohmann::json;

constexpr const char* kForms =
    "pass the body of a request, an exchange with the members method, path, headers, body, "
    "client and answered, JSON lines of either, or evidence";

/// Reads header fields in an object, or in pairs of name and value.
std::shared_ptr<const json> headers_of(const json& given) {
  if (!given.is_structured()) return nullptr;
  json headers = json::object();
  for (const auto& [name, value] : given.items()) {
    const bool pair = given.is_array() && value.is_array() && value.size() == 2 && value[0].is_string();
    if (pair) headers[lower_case(value[0].get<std::string>())] = value[1];
    if (given.is_object())
      headers[lower_case(name)] = value.is_array() && value.size() == 1 ? value.front() : value;
  }
  return std::make_shared<const json>(std::move(headers));
}

/// Returns the first unreadable part of an exchange, or "". An unreadable part would silence rules about it,
/// and all comparisons.
std::string fault_of_exchange(const json& given) {
  for (const char* text : {"method", "path"})
    if (given.contains(text) && !given[text].is_string())
      return std::string("the member ") + text + " is not a string";
  if (given.contains("headers") && !given["headers"].is_structured())
    return "the member headers is neither an object nor a list of pairs";
  if (given.contains("client")) {
    const json& client = given["client"];
    if (!client.is_object()) return "the member client is not an object";
    const std::string protocol = string_at(client, "protocol");
    if (request_reader_of(protocol + std::string(kUpstreamSide)) == nullptr)
      return "splitproof cannot read requests of client/protocol, which is \"" + protocol + "\"";
    const json& body = member(client, "body");
    std::string fault;
    if (body.is_string() && body_of_request(body.get<std::string>(), fault) == nullptr)
      return "client/body is not JSON: " + fault;
    if (!body.is_object() && !body.is_string()) return "client/body is not the body of a request";
  }
  if (!given.contains("answered")) return "";
  const json& answered = given["answered"];
  if (upstream_of(string_at(answered, "protocol")) == nullptr || !member(answered, "body").is_string())
    return "the member answered has an unknown protocol, or its body is not a string";
  return "";
}

/// `path` is the name of the member with the path.
RequestMessage exchange_of(const json& given, const char* path) {
  RequestMessage message;
  message.method = string_at(given, "method");
  message.path = string_at(given, path);
  message.headers = headers_of(member(given, "headers"));
  const json& body = member(given, "body");
  const json& status = member(given, "status");
  if (!given.contains("body") && status.is_number_integer()) {
    message.status = status.get<int>();
  } else if (body.is_object() && body.size() == 1 && body.contains("base64")) {  // bytes as in evidence
    message.fault = "it is not UTF-8";
  } else if (body.is_string()) {
    message.body = body_of_request(body.get<std::string>(), message.fault);
  } else {
    message.body = std::make_shared<const json>(body);
  }
  const json& client = member(given, "client");
  message.client = string_at(client, "protocol");
  const json& asked = member(client, "body");
  if (asked.is_string()) {
    std::string fault;
    message.asked = body_of_request(asked.get<std::string>(), fault);
  } else if (!asked.is_null()) {
    message.asked = std::make_shared<const json>(asked);
  }
  const json& answered = member(given, "answered");
  if (const UpstreamDialect* upstream = upstream_of(string_at(answered, "protocol")))
    message.answered = std::make_shared<const observe::Answer>(read(*upstream, string_at(answered, "body")));
  return message;
}

Result<RequestMessage> message_of(const std::shared_ptr<const json>& given, const std::string& file,
                                  std::size_t line) {
  const auto has = [&given](const char* name) { return given->contains(name); };
  const auto wrong = [&](const std::string& what) { return tl::unexpected(Error{what, file, line, kForms}); };
  const bool is_exchange = has("method") || has("path") || has("headers") || has("client");
  if ((is_exchange && has("body")) || (has("client") && has("status"))) {
    if (const std::string fault = fault_of_exchange(*given); !fault.empty()) return wrong(fault);
    return exchange_of(*given, "path");
  }
  if (!has("model") && !has("messages") && !has("input") && !has("prompt"))
    return wrong("is JSON, but neither the body of a request nor an exchange with a request");
  RequestMessage message;
  message.body = given;
  return message;
}

}  // namespace

Result<std::vector<RequestMessage>> captured_requests(const std::string& file, std::string_view text) {
  std::vector<RequestMessage> messages;
  bool evidence = false;
  std::string client;  // client of the evidence, and client's request of the current exchange
  std::shared_ptr<const json> asked;
  const auto add = [&](const std::shared_ptr<const json>& given, std::size_t begin, std::size_t end,
                       std::size_t line) -> Result<void> {
    evidence = evidence || (line == 1 && given->contains("evidence"));
    if (evidence && given->contains("case")) asked = nullptr;
    if (evidence && given->contains("request") && (*given)["request"].is_string()) {
      std::string fault;
      asked = body_of_request((*given)["request"].get<std::string>(), fault);
    }
    if (evidence && line == 1) client = string_at(*given, "client");
    if (evidence && member(member(*given, "call"), "body").is_null()) return {};
    Result<RequestMessage> message =
        evidence ? exchange_of((*given)["call"], "target") : message_of(given, file, line);
    if (!message) return tl::unexpected(message.error());
    messages.push_back(*std::move(message));
    if (evidence) messages.back().client = client;
    if (evidence) messages.back().asked = asked;
    messages.back().begin = begin;
    messages.back().end = end;
    messages.back().line = line;
    return {};
  };
  const auto not_json = [&](std::size_t line, std::size_t at, const std::string& reason) {
    return tl::unexpected(
        Error{"is not JSON: " + reason + ", at byte " + std::to_string(at), file, line, kForms});
  };
  const auto whole = observe::parse_event_json(text);
  if (whole && whole->json->is_object()) {
    if (const auto added = add(whole->json, 0, text.size(), 1); !added) return tl::unexpected(added.error());
    return messages;
  }
  std::size_t line = 1;
  for (std::size_t begin = 0; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view one = text.substr(begin, end - begin);
    if (one.find_first_not_of(" \t\r") != one.npos) {
      const auto read = observe::parse_event_json(one);
      if (!read && messages.empty() && !whole) {  // one text in several lines with a syntax error
        const std::size_t at = whole.error().at;
        const auto lines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
        return not_json(static_cast<std::size_t>(lines) + 1, at, whole.error().reason);
      }
      if (!read) return not_json(line, begin + read.error().at, read.error().reason);
      if (!read->json->is_object())
        return tl::unexpected(Error{"is JSON, but not an object", file, line, kForms});
      if (const auto added = add(read->json, begin, end, line); !added) return tl::unexpected(added.error());
    }
    begin = end + 1;
  }
  if (messages.empty() && evidence) {
    return tl::unexpected(Error{"is evidence without a request to the upstream", file, 0,
                                "only evidence of targets over HTTP has requests"});
  }
  if (messages.empty()) return tl::unexpected(Error{"has no request", file, 0, kForms});
  return messages;
}

}  // namespace splitproof::dialect
