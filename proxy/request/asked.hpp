#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "proxy/request/reply.hpp"
#include "proxy/wire/json.hpp"
#include "proxy/wire/surrogates.hpp"

namespace splitproof::request {

// A request in one form for all protocols. The client's request is read into it, and the upstream's is written from it.
// It keeps the client's bytes, so that big integers, key order and escapes survive. Texts are escaped, as between the
// quotes of a JSON string. JSON fields are JSON values.

/// A text of either side.
struct Text {
  std::string text;
  bool operator==(const Text&) const = default;
};

/// Either a URL, or base64 data with their media type.
struct Image {
  std::string url;
  std::string media_type;
  std::string data;
  bool operator==(const Image&) const = default;
};

/// A tool call of the assistant.
struct Call {
  std::string id;
  std::string name;
  std::string input;  ///< A JSON object.
  bool operator==(const Call&) const = default;
};

/// The result of a call.
struct Result {
  std::string call;  ///< Id of the call.
  std::vector<std::variant<Text, Image>> content;
  bool error = false;
  bool operator==(const Result&) const = default;
};

using Block = std::variant<Text, Image, Call, Result>;

/// `system`: only after another side has spoken.
enum class Role : std::uint8_t { user, assistant, system };

/// Content of one side. A text is empty only if it is the whole content.
struct Turn {
  Role role = Role::user;
  std::vector<Block> blocks;
  bool operator==(const Turn&) const = default;
};

/// A callable tool.
struct Tool {
  std::string name;
  std::optional<std::string> description;
  std::string schema;   ///< A JSON object.
  bool strict = false;  ///< Arguments have to fit the schema.
  bool operator==(const Tool&) const = default;
};

/// Format of the answer's text: anything, JSON, or JSON with a schema.
struct Format {
  bool json = false;
  std::string name;         ///< Name of the schema; empty: none.
  std::string description;  ///< Description of the schema; empty: none.
  std::string schema;       ///< A JSON object.
  bool strict = false;      ///< The text has to fit the schema.
  bool operator==(const Format&) const = default;
};

enum class Choice : std::uint8_t { automatic, none, any, one };

/// A client's request.
struct Asked {
  std::string model;
  bool stream = false;
  std::string max_tokens;           ///< A whole number as JSON; empty: absent.
  std::vector<std::string> system;  ///< None of them empty.
  std::vector<Turn> turns;
  /// Identifies the conversation if its first turn contains added text; otherwise empty.
  std::string opening;
  std::vector<Tool> tools;
  Choice choice = Choice::automatic;  ///< Choice of tools.
  std::string chosen;                 ///< For Choice::one: the name of the tool.
  bool parallel = true;               ///< More than one call at a time.
  std::string temperature;            ///< A number as JSON; empty: absent.
  std::string top_p;                  ///< The same.
  std::vector<std::string> stop;      ///< Texts that end the answer.
  std::string effort;                 ///< Effort of thinking, in the client's word; empty: absent.
  Format format;
  Aliases aliases;     ///< Tools that the client knows as something else.
  bool usage = true;   ///< A stream ends with the token counts.
  bool array = false;  ///< A stream is one JSON array instead of events.
  std::string echo;    ///< The part of the request that the answer repeats, in the client's protocol.
  bool operator==(const Asked&) const = default;
};

/// Decodes an escaped text to UTF-8.
inline std::string plain(const std::string& text) {
  const std::string json = "\"" + text + "\"";
  return wire::whole(wire::JsonDocument(json, 1).root().text());
}

/// Reason why a request cannot be translated.
struct Refusal {
  std::string message;  ///< "FIELD: WHAT", the field as a path: "system.2.type"; never contains contents.
  std::string details = {};  ///< A JSON object for clients, if their protocol has a place for it.

  /// Returns the field; empty if the refusal concerns the whole request.
  std::string_view field() const {
    const std::size_t end = message.find(": ");
    return end == std::string::npos ? std::string_view() : std::string_view(message).substr(0, end);
  }

  bool operator==(const Refusal&) const = default;
};

}  // namespace splitproof::request
