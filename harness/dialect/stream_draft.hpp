#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/stream_frames.hpp"

namespace splitproof::dialect {

/// A value in the data of one event.
struct FieldRef {
  std::size_t event = 0;
  std::string field;  ///< JSON pointer.

  bool operator==(const FieldRef&) const = default;
};

/// Private-use characters of Unicode for bytes that a text cannot hold. When the data is written, each
/// becomes the bytes in its comment.
inline constexpr std::string_view kHighSurrogate = "\xEE\x80\x80";       ///< `\ud83d`, a high surrogate.
inline constexpr std::string_view kLowSurrogate = "\xEE\x80\x81";        ///< `\udca7`, its low surrogate.
inline constexpr std::string_view kBadByte = "\xEE\x80\x82";             ///< The byte FF, which is not UTF-8.
inline constexpr std::string_view kHalfCharacter = "\xEE\x80\x83";       ///< The byte C3, the first of two.
inline constexpr std::string_view kOtherHalfCharacter = "\xEE\x80\x85";  ///< The byte BC, the second of two.
inline constexpr std::string_view kRawControl = "\xEE\x80\x84";  ///< The byte 01, which JSON must escape.

/// A body under change. Unchanged events keep their bytes.
class Draft {
 public:
  /// `number` points to an event's number in its data; empty if events have none.
  explicit Draft(std::string_view body, std::string_view number = {})
      : frames_(frames_of(body)), number_(number) {}

  std::size_t size() const { return frames_.size(); }
  const Frame& frame(std::size_t event) const { return frames_[event]; }

  /// Returns the data of an event, or null if it is not JSON.
  const nlohmann::ordered_json& data(std::size_t event) const;

  /// Returns the value, or null without one.
  const nlohmann::ordered_json& at(const FieldRef& spot) const;
  bool has(const FieldRef& spot) const;

  /// Returns the text of a string, or "".
  std::string text(const FieldRef& spot) const;

  /// Returns `/type` of an event's data, or "".
  std::string type(std::size_t event) const;

  /// Returns the first event whose type begins with `type`, or `size()`.
  std::size_t first(std::string_view type) const;
  std::size_t last(std::string_view type) const;

  void set_data(std::size_t event, const nlohmann::ordered_json& data);
  void set(const FieldRef& spot, const nlohmann::ordered_json& value);

  /// Sets a value from JSON text, which must be valid.
  void set_json(const FieldRef& spot, std::string_view value);

  /// Removes a member, or an element of a list.
  void erase(const FieldRef& spot);

  /// Gives an event other bytes. data() still returns the old data.
  void set_bytes(std::size_t event, std::string bytes);

  /// Inserts an event with this data before `event`, with an event line if the others have one. The data need
  /// not be JSON.
  void insert(std::size_t event, std::string_view data, std::string_view type = {});
  void insert_bytes(std::size_t event, std::string bytes);
  void copy(std::size_t from, std::size_t to);
  void remove(std::size_t event);
  void move(std::size_t from, std::size_t to);

  /// Renumbers the events if they have numbers, so that only the intended flaw remains.
  void renumber();

  std::string body() const { return joined(frames_); }

 private:
  std::vector<Frame> frames_;
  std::string number_;
};

}  // namespace splitproof::dialect
