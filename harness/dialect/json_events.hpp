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

// Functions with which readers of all dialects read the JSON of events, and their messages for unreadable
// JSON.

/// Data that closes the streams of several dialects, although it is not JSON.
inline constexpr std::string_view kDoneMark = "[DONE]";

/// Data under `event: error` that is not JSON is the error's message, up to this size.
inline constexpr std::size_t kMaxErrorText = 2000;

using ReadJson = tl::expected<observe::WireJson, JsonFault>;

/// Returns the JSON of an event, which must outlive it. A fault if its data is not UTF-8 or longer than
/// `most` bytes.
ReadJson read_json(const observe::SseEvent& event, std::size_t most);

/// Returns why that is not an object, to follow "cannot be read: ".
std::string why_unread(const ReadJson& read);

/// Content of an event in a dialect whose events are all JSON objects.
struct JsonEvent {
  enum class Kind : std::uint8_t {
    nothing,     ///< Blank, or unterminated without an object: no client gets it.
    object,      ///< A `json` object.
    done,        ///< Another dialect's closing mark.
    unreadable,  ///< Unreadable, or an error by its name without an object: `fault` has the reason.
  };
  Kind kind = Kind::nothing;
  observe::WireJson json = {};
  std::string fault = {};
};

/// `event` must outlive the result. Data of more than `most` bytes is unreadable.
JsonEvent read_json_event(const observe::SseEvent& event, std::size_t most);

/// Returns the object of a whole body of at most `most` bytes, after an optional byte order mark.
std::optional<observe::WireJson> read_document(std::string_view body, std::size_t most);

/// True if the name has no meaning: missing, empty, or the standard's default.
bool is_unnamed(const observe::SseEvent& event);

/// Returns a number that is written as an integer and fits, otherwise nullopt.
template <class Integer = std::uint64_t>
std::optional<Integer> integer(const observe::WireJson& value) {
  Integer number = 0;
  if (!value.is(observe::WireJson::Kind::number)) return std::nullopt;
  const char* const end = value.raw.data() + value.raw.size();
  const auto read = std::from_chars(value.raw.data(), end, number);
  return read.ec == std::errc() && read.ptr == end ? std::optional(number) : std::nullopt;
}

/// Returns the text of an error, or its `message`. Never empty.
std::string reported_message(const observe::WireJson& error);

/// Members of an object, each as JSON.
using MemberTexts = std::map<std::string, std::string>;

/// Returns the members of `object`, except the named ones and null.
MemberTexts members_of(const observe::WireJson& object, std::initializer_list<std::string_view> told);

/// Returns the object with these members.
std::string object_of(const MemberTexts& members);

}  // namespace splitproof::dialect
