#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "proxy/text/functions.hpp"
#include "proxy/turn/json_progress.hpp"

namespace splitproof::text {

/// A call that a model wrote.
struct WrittenCall {
  std::string name;
  std::string arguments;  ///< JSON, an object
  bool operator==(const WrittenCall&) const = default;
};

/// Follows a JSON object byte by byte, as far as it may be the arguments of a call, or a whole call.
class ObjectProgress {
 public:
  explicit ObjectProgress(bool of_call) : of_call_(of_call) {}

  /// Takes the next byte; the first is `{`. False: it is no such object. Of a call's keys only those are taken that may
  /// stand together in one.
  bool take(char c);

  /// The object has ended.
  bool complete() const { return progress_.complete(); }

  bool operator==(const ObjectProgress&) const = default;

 private:
  bool follow_key(char c, bool was_key);
  bool end_key();

  bool of_call_;
  turn::JsonProgress progress_;
  std::string key_;           // as it is written, as far as it came
  std::uint8_t seen_ = 0;     // keys at the top, a bit for each
  bool in_function_ = false;  // what stands at the second level is the function of the call
};

/// Reads a whole call that is written as one object. Nothing: it is none, or one of no declared function.
std::optional<WrittenCall> read_call(std::string_view json, const Functions& functions);

/// Whether this is an object that a call may have for arguments.
bool is_arguments(std::string_view json);

/// Whether this is, as it stands, a value that a schema calls `type`: no string.
bool is_of_type(std::string_view json, std::string_view type);

}  // namespace splitproof::text
