#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/contract/json_value.hpp"

namespace splitproof::contract {

/// A JSON pointer (RFC 6901): "" is the whole document, "/a/0" a member's first element.
class Pointer {
 public:
  struct Step {
    std::string name;                  ///< unescaped
    std::optional<std::size_t> index;  ///< set if the name can be an array index

    bool operator==(const Step&) const = default;
  };

  /// Throws Mistake at `line` if `text` is not a pointer.
  static Pointer parse(std::string_view text, std::size_t line);

  /// Returns the value at the pointer, or null. Costs one look-up a step.
  const Json* resolve(const Json* document) const;

  /// Like `resolve`, for a response head: ignores the case of the step after "headers".
  const Json* resolve_in_response(const Json* head) const;

  const std::vector<Step>& steps() const { return steps_; }

  /// Returns all but its last step, which must exist.
  Pointer parent() const;
  bool operator==(const Pointer&) const = default;

 private:
  std::vector<Step> steps_;
};

/// Properties of an event besides its JSON.
enum class Pseudo {
  event,
  data,
  id,
  ended,
  fault,
  fault_reason,
  lone_surrogate,
  line_ends,
  lost,
  lost_line,
  stray,
  stray_line,
  dataless,
  dataless_line
};

/// The place of a value: a pseudo-field ("@event"), or a pointer into the event ("/index"). In an element of
/// an `explode` also a pointer into the value around it ("^/index"; "^^/id" one further out).
struct Field {
  std::string text;  ///< as written
  std::optional<Pseudo> pseudo;
  std::size_t climb = 0;  ///< number of enclosing values between the element and the pointer's root
  Pointer pointer;

  /// Throws Mistake at `line`.
  static Field parse(std::string_view text, std::size_t line);
};

}  // namespace splitproof::contract
