#include "harness/dialect/asked_trace.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "harness/observe/event_json.hpp"
#include "harness/observe/preamble_reading.hpp"
#include "harness/observe/prose_encoding.hpp"
#include "harness/observe/shapes_in_words.hpp"

namespace splitproof::dialect {
namespace {

// For `given`: the request contains an answer that its proxy sent.
constexpr const char* kSecondTurn = "second-turn";

std::string_view without_query(std::string_view path) { return path.substr(0, path.find('?')); }

// True for members that the shared form does not have.
bool uses_legacy_functions(const nlohmann::json& body) {
  return body.contains("functions") || body.contains("function_call");
}

// True if a request forbids calls, or offers no tools, and has earlier calls.
bool tells_calls_in_words(const observe::AskedRequest& asked) {
  const bool forbids = asked.tools.empty() || (asked.choice && asked.choice->mode == "none");
  return forbids && std::any_of(asked.turns.begin(), asked.turns.end(), [](const observe::AskedTurn& turn) {
           return std::any_of(turn.blocks.begin(), turn.blocks.end(), [](const observe::AskedBlock& block) {
             return block.kind == observe::AskedKind::call || block.kind == observe::AskedKind::result;
           });
         });
}

const RequestDialect* reader_of_client(const RequestMessage& message) {
  return request_reader_of(message.client + std::string(kUpstreamSide));
}

nlohmann::json banners_of(const observe::AskedRequest& got, const RequestMessage& message) {
  const RequestDialect* client = reader_of_client(message);
  std::optional<observe::AskedRequest> asked;
  if (client != nullptr && message.asked != nullptr) asked = client->asked(*message.asked);
  return observe::banner_documents(got, asked ? &*asked : nullptr);
}

}  // namespace

std::shared_ptr<const nlohmann::json> body_of_request(std::string_view text, std::string& fault) {
  auto read = observe::parse_event_json(text);
  if (read) return std::move(read->json);
  fault = read.error().reason;
  return nullptr;
}

ComparedRequests compared(const RequestDialect& reader, const RequestMessage& message,
                          const observe::AskedRules& rules) {
  ComparedRequests comparison;
  const RequestDialect* client = reader_of_client(message);
  if (message.answered != nullptr) comparison.shapes.insert(kSecondTurn);
  if (message.asked == nullptr) {
    comparison.unread = "splitproof does not know the client's request";
  } else if (message.status) {
    comparison.unread = "no request reached the upstream";
    if (client != nullptr) comparison.shapes.merge(observe::shapes_of_refused(client->asked(*message.asked)));
  } else if (!is_request_of(reader, message)) {
    comparison.unread = "the call goes to " + message.path;
  } else if (client == nullptr) {
    comparison.unread = "splitproof cannot read requests of " + message.client;
  } else if (uses_legacy_functions(*message.asked)) {
    comparison.unread = "the client uses functions, which tools replace";
  } else if (message.body == nullptr) {
    comparison.unread = "the request to the upstream is not JSON";
  } else {
    const observe::AskedRequest asked = client->asked(*message.asked);
    comparison.shapes.merge(observe::shapes_of(asked));
    if (reader.needs_tools && client != &reader && tells_calls_in_words(asked))
      comparison.shapes.emplace("calls-in-words");
    // A server of the same protocol has the client server's tools.
    if (client == &reader) comparison.shapes.erase("choice-hosted");
    comparison.documents =
        observe::asked_meaning(asked, reader.asked(*message.body),
                               {client == &reader, reader.keeps_order, reader.forgets_thinking,
                                reader.least_limit, reader.takes_id, message.answered.get(), rules});
  }
  return comparison;
}

bool asks_for_stream(const std::string& protocol, std::string_view path, std::string_view body) {
  const RequestDialect* reader = request_reader_of(protocol + std::string(kUpstreamSide));
  if (reader != nullptr && !reader->whole_path.empty())
    return !without_query(path).ends_with(reader->whole_path);
  std::string fault;
  const auto request = body_of_request(body, fault);
  return reader == nullptr || request == nullptr || reader->asked(*request).stream;
}

bool is_request_of(const RequestDialect& reader, const RequestMessage& message) {
  const std::string_view path = without_query(message.path);
  const bool is_whole = !reader.whole_path.empty() && path.ends_with(reader.whole_path);
  return path.empty() || path.ends_with(reader.path) || is_whole;
}

observe::Trace asked_trace(const RequestDialect& reader, const RequestMessage& message) {
  nlohmann::json document = {{"type", "asked"}, {"protocol", reader.protocol}};
  if (!message.method.empty()) document["method"] = message.method;
  if (!message.path.empty()) document["path"] = message.path;
  if (message.headers) document["headers"] = *message.headers;
  observe::Event event;
  if (message.status) {
    document = {{"type", "uncalled"}, {"status", *message.status}};
  } else if (!is_request_of(reader, message)) {
    document = {{"type", "astray"}, {"path", message.path}};
  } else if (message.body) {
    document["body"] = *message.body;
    const observe::AskedRequest asked = reader.asked(*message.body);
    document["asked"] = observe::asked_document(asked);
    document["asked"]["banners"] = banners_of(asked, message);
  } else {
    event.fault = observe::StreamFault::broken_json;
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
