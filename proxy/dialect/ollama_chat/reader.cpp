#include "proxy/dialect/ollama_chat/reader.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "proxy/dialect/finish_word.hpp"
#include "proxy/dialect/reported.hpp"
#include "proxy/dialect/usage_member.hpp"
#include "proxy/wire/surrogates.hpp"

namespace splitproof::proxy::dialect {
namespace {

using turn::BlockKind;
using turn::Event;
using wire::Json;
using wire::JsonKind;

void add_prose(BlockKind kind, std::string text, std::vector<Event>& events) {
  if (!text.empty()) events.push_back(turn::Prose{kind, std::move(text)});
}

// Reads an error. Ollama sends a text, and gateways send an object with a message.
std::optional<turn::Failure> failure_of(const Json& error) {
  const bool text = error.is(JsonKind::string);
  if (text ? error.text().empty() : error.empty()) return std::nullopt;
  return turn::Failure{turn::ErrorKind::api, message_of(error)};
}

// Returns the characters of a text, or the bytes of other JSON.
std::string arguments_of(const Json& arguments) {
  if (arguments.is(JsonKind::string)) return wire::whole(arguments.text());
  return arguments.is(JsonKind::null) ? std::string() : std::string(arguments.raw());
}

void add_end(const Json& line, std::vector<Event>& events) {
  UsageReader usage("ollama.chat", false);
  usage.take(line);
  events.push_back(usage.usage());
  const std::string reason = line["done_reason"].text();
  events.push_back(reason.empty() ? turn::Event(turn::Finished{}) : finish_of("ollama.chat", reason));
  events.push_back(turn::Done{});
}

}  // namespace

void OllamaReader::read(const wire::Frame& frame, std::vector<Event>& events) {
  ++lines_;
  const auto fail = [&](const std::string& what) {
    events.push_back(
        turn::Failure{turn::ErrorKind::api, "upstream line " + std::to_string(lines_) + " " + what});
  };
  const wire::JsonDocument document(frame.data, limits_.json_depth);
  if (const std::string fault = why_unreadable(frame, document, limits_); !fault.empty()) {
    if (frame.oversized || frame.terminated) fail(fault);
    return;
  }
  const Json line = document.root();
  const Json message = line["message"];
  const Json done = line["done"];
  const bool ends = done.is(JsonKind::boolean) && done.raw() == "true";
  if (ends || message.is(JsonKind::object)) events.push_back(turn::Begin{wire::whole(line["model"].text())});
  add_prose(BlockKind::thinking, message["thinking"].text(), events);
  add_prose(BlockKind::text, message["content"].text(), events);
  read_calls(message["tool_calls"], events);
  if (!message["images"].empty()) events.push_back(turn::Unplaced{"an image"});
  if (!line["response"].text().empty() || !message["content"].empty()) events.push_back(unknown_content());
  if (std::optional<turn::Failure> failure = failure_of(line["error"])) {
    events.push_back(std::move(*failure));
  } else if (ends) {
    add_end(line, events);
  }
}

void OllamaReader::read_calls(const Json& calls, std::vector<Event>& events) {
  if (!calls.is(JsonKind::array)) return;
  for (Json call = calls.first(); call; call = call.next()) {
    const Json function = call["function"];
    turn::CallPiece piece{calls_, calls_, wire::whole(call["id"].text()),
                          wire::whole(function["name"].text()), arguments_of(function["arguments"])};
    if (piece.id.empty() && piece.name.empty() && piece.arguments.empty()) continue;
    if (const auto index = call["index"].count()) piece.rank = *index;
    if (const auto index = function["index"].count()) piece.rank = *index;
    events.push_back(std::move(piece));
    if (++calls_ > limits_.calls) return;  // The ledger fails at one call beyond the limit.
  }
}

}  // namespace splitproof::proxy::dialect
