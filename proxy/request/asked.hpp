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

// A request in one form for all protocols: that of the client is read into it, that of the upstream is written from it.
// It keeps the bytes that the client wrote, so that big integers, the order of keys and escapes survive: texts are
// escaped, as they stand between the quotes of a JSON string, and what is called JSON is a JSON value.

/// Something said.
struct Text {
  std::string text;
  bool operator==(const Text&) const = default;
};

/// Either a URL, or the data in base64 with their media type.
struct Image {
  std::string url;
  std::string media_type;
  std::string data;
  bool operator==(const Image&) const = default;
};

/// A call of a tool that the assistant made.
struct Call {
  std::string id;
  std::string name;
  std::string input;  ///< JSON, an object
  bool operator==(const Call&) const = default;
};

/// What a call gave.
struct Result {
  std::string call;  ///< its id
  std::vector<std::variant<Text, Image>> content;
  bool error = false;
  bool operator==(const Result&) const = default;
};

using Block = std::variant<Text, Image, Call, Result>;

/// `system` only where it comes after another side has spoken.
enum class Role : std::uint8_t { user, assistant, system };

/// What one side said. A text is empty only where it is all that was said.
struct Turn {
  Role role = Role::user;
  std::vector<Block> blocks;
  bool operator==(const Turn&) const = default;
};

/// A tool that may be called.
struct Tool {
  std::string name;
  std::optional<std::string> description;
  std::string schema;   ///< JSON, an object
  bool strict = false;  ///< arguments have to fit the schema
  bool operator==(const Tool&) const = default;
};

/// What the text of an answer has to be: anything, JSON, or JSON of a schema.
struct Format {
  bool json = false;
  std::string name;         ///< of the schema; empty: there is none
  std::string description;  ///< of the schema; empty: none
  std::string schema;       ///< JSON, an object
  bool strict = false;      ///< the text has to fit the schema
  bool operator==(const Format&) const = default;
};

enum class Choice : std::uint8_t { automatic, none, any, one };

/// What a client asks for.
struct Asked {
  std::string model;
  bool stream = false;
  std::string max_tokens;           ///< JSON, a whole number; empty: not said
  std::vector<std::string> system;  ///< none of them empty
  std::vector<Turn> turns;
  /// What the conversation is known by, where its first turn holds what the client did not say; else empty.
  std::string opening;
  std::vector<Tool> tools;
  Choice choice = Choice::automatic;  ///< of tools
  std::string chosen;                 ///< under Choice::one: the name of the tool
  bool parallel = true;               ///< more than one call at a time
  std::string temperature;            ///< JSON, a number; empty: not said
  std::string top_p;                  ///< the same
  std::vector<std::string> stop;      ///< texts that end the answer
  std::string effort;                 ///< of thinking, in the client's word; empty: not said
  Format format;
  Aliases aliases;    ///< tools that the client knows as something else
  bool usage = true;  ///< a stream says the token counts at its end
  std::string echo;   ///< what the answer repeats of the request, in the form of the client's protocol
  bool operator==(const Asked&) const = default;
};

/// What an escaped text says, in UTF-8.
inline std::string plain(const std::string& text) {
  const std::string json = "\"" + text + "\"";
  return wire::whole(wire::JsonDocument(json, 1).root().text());
}

/// Why a request cannot be translated.
struct Refusal {
  std::string message;       ///< "FIELD: WHAT", the field as a path: "system.2.type"; never holds contents
  std::string details = {};  ///< a JSON object that clients act on, if their protocol has a place for it

  /// The field; empty if the refusal is of the request as a whole.
  std::string_view field() const {
    const std::size_t end = message.find(": ");
    return end == std::string::npos ? std::string_view() : std::string_view(message).substr(0, end);
  }

  bool operator==(const Refusal&) const = default;
};

}  // namespace splitproof::request
