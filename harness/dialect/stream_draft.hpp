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
  std::string field;  ///< JSON pointer

  bool operator==(const FieldRef&) const = default;
};

/// Characters of Unicode's private use that a text may hold to say what no text can. Where the data is written, each
/// becomes the bytes beside it.
inline constexpr std::string_view kHighSurrogate = "\xEE\x80\x80";  ///< `\ud83d`, a high surrogate
inline constexpr std::string_view kLowSurrogate = "\xEE\x80\x81";   ///< `\udca7`, its low surrogate
inline constexpr std::string_view kBadByte = "\xEE\x80\x82";  ///< the byte FF, which UTF-8 does not have
inline constexpr std::string_view kHalfCharacter = "\xEE\x80\x83";       ///< the byte C3, the first of two
inline constexpr std::string_view kOtherHalfCharacter = "\xEE\x80\x85";  ///< the byte BC, the second of two
inline constexpr std::string_view kRawControl = "\xEE\x80\x84";  ///< the byte 01, which JSON wants escaped

/// A body that is being changed: its events, of which those that are not touched keep their bytes.
class Draft {
 public:
  /// `number` points to an event's number in its data; empty where events have none.
  explicit Draft(std::string_view body, std::string_view number = {})
      : frames_(frames_of(body)), number_(number) {}

  std::size_t size() const { return frames_.size(); }
  const Frame& frame(std::size_t event) const { return frames_[event]; }

  /// The data of an event; null where it is no JSON.
  const nlohmann::ordered_json& data(std::size_t event) const;

  /// The value there; null where there is none.
  const nlohmann::ordered_json& at(const FieldRef& spot) const;
  bool has(const FieldRef& spot) const;

  /// What a string there says, else nothing.
  std::string text(const FieldRef& spot) const;

  /// `/type` of an event's data, or nothing.
  std::string type(std::size_t event) const;

  /// The first event whose type begins so; `size()` where there is none.
  std::size_t first(std::string_view type) const;
  std::size_t last(std::string_view type) const;

  void set_data(std::size_t event, const nlohmann::ordered_json& data);
  void set(const FieldRef& spot, const nlohmann::ordered_json& value);

  /// The same with the value as JSON text, which has to be sound.
  void set_json(const FieldRef& spot, std::string_view value);

  /// Takes a member, or an element of a list, away.
  void erase(const FieldRef& spot);

  /// Gives an event other bytes; its data stays what it was for those who ask.
  void set_bytes(std::size_t event, std::string bytes);

  /// Adds an event with that data before `event`, with an event line where the others have one. The data need not be JSON.
  void insert(std::size_t event, std::string_view data, std::string_view type = {});
  void insert_bytes(std::size_t event, std::string bytes);
  void copy(std::size_t from, std::size_t to);
  void remove(std::size_t event);
  void move(std::size_t from, std::size_t to);

  /// Numbers the events anew where they have numbers, so that only what was meant to be wrong is wrong.
  void renumber();

  std::string body() const { return joined(frames_); }

 private:
  std::vector<Frame> frames_;
  std::string number_;
};

}  // namespace splitproof::dialect
