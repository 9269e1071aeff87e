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
  std::string arguments;  ///< a JSON object
  bool operator==(const WrittenCall&) const = default;
};

/// Follows a JSON object byte by byte, while it may be the arguments of a call or a whole call.
class ObjectProgress {
 public:
  explicit ObjectProgress(bool of_call) : of_call_(of_call) {}

  /// Takes the next byte; the first is `{`. Returns false for another kind of object. The keys of a call must be
  /// allowed together.
  bool take(char c);

  /// True after the end of the object.
  bool complete() const { return progress_.complete(); }

  bool operator==(const ObjectProgress&) const = default;

 private:
  bool follow_key(char c, bool was_key);
  bool end_key();

  bool of_call_;
  turn::JsonProgress progress_;
  std::string key_;           // raw, so far
  std::uint8_t seen_ = 0;     // keys at the top, a bit for each
  bool in_function_ = false;  // the second level is the function of the call
};

/// Reads a whole call from one object. Returns nothing for other objects and undeclared functions.
std::optional<WrittenCall> read_call(std::string_view json, const Functions& functions);

/// True for an object that can be a call's arguments.
bool is_arguments(std::string_view json);

/// True if the JSON has the schema's `type`, other than string.
bool is_of_type(std::string_view json, std::string_view type);

}  // namespace splitproof::text
