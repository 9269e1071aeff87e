#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <tl/expected.hpp>

#include "harness/observe/sse_reader.hpp"
#include "harness/observe/wire_json.hpp"
#include "harness/strict_json.hpp"

namespace splitproof::dialect {

// How readers of all dialects read the JSON of an event, and what they say where it cannot be read.

/// The data that closes the streams of several dialects, though it is no JSON.
inline constexpr std::string_view kDoneMark = "[DONE]";

/// What is not JSON under `event: error` is the error's message, unless it is too long for one.
inline constexpr std::size_t kMaxErrorText = 2000;

using ReadJson = tl::expected<observe::WireJson, JsonFault>;

/// The JSON of an event, which must outlive it. A fault where its data is not UTF-8 or longer than `most` bytes.
ReadJson read_json(const observe::SseEvent& event, std::size_t most);

/// Why that is no object, to stand behind "cannot be read: ".
std::string why_unread(const ReadJson& read);

/// What an event of a dialect holds whose events are all JSON objects.
struct JsonEvent {
  enum class Kind : std::uint8_t {
    nothing,     ///< blank, or unterminated and no object: no client gets it
    object,      ///< `json`
    done,        ///< another dialect's closing mark
    unreadable,  ///< or an error by its name that holds no object: `fault` says which
  };
  Kind kind = Kind::nothing;
  observe::WireJson json = {};
  std::string fault = {};
};

/// `event` must outlive what is read. Data of more than `most` bytes is unreadable.
JsonEvent read_json_event(const observe::SseEvent& event, std::size_t most);

/// The object that a whole body is, if it is one of at most `most` bytes; a byte order mark is passed over.
std::optional<observe::WireJson> read_document(std::string_view body, std::size_t most);

/// Whether the name says nothing: none, an empty one, or what the standard gives an event without one.
bool is_unnamed(const observe::SseEvent& event);

/// A number that is written as an integer and fits.
template <class Integer = std::uint64_t>
std::optional<Integer> integer(const observe::WireJson& value) {
  Integer number = 0;
  if (!value.is(observe::WireJson::Kind::number)) return std::nullopt;
  const char* const end = value.raw.data() + value.raw.size();
  const auto read = std::from_chars(value.raw.data(), end, number);
  return read.ec == std::errc() && read.ptr == end ? std::optional(number) : std::nullopt;
}

/// What an error says of itself: a text, or its `message`. Never empty.
std::string reported_message(const observe::WireJson& error);

/// Members of an object, each as JSON.
using MemberTexts = std::map<std::string, std::string>;

/// Those of `object`, but for those named and for null.
MemberTexts members_of(const observe::WireJson& object, std::initializer_list<std::string_view> told);

/// The object that has these members.
std::string object_of(const MemberTexts& members);

}  // namespace splitproof::dialect
