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
    std::optional<std::size_t> index;  ///< where the name can be an array index

    bool operator==(const Step&) const = default;
  };

  /// Throws Mistake at `line` where `text` is not a pointer.
  static Pointer parse(std::string_view text, std::size_t line);

  /// What the pointer points at; null where there is nothing. Costs one look-up a step.
  const Json* resolve(const Json* document) const;

  /// As `resolve`, for a response head: the step after "headers" is compared in any case.
  const Json* resolve_in_response(const Json* head) const;

  const std::vector<Step>& steps() const { return steps_; }

  /// All but its last step, which there must be.
  Pointer parent() const;
  bool operator==(const Pointer&) const = default;

 private:
  std::vector<Step> steps_;
};

/// What is known of an event besides its JSON.
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

/// A place where a rule finds a value: a pseudo-field ("@event"), a pointer into the event ("/index"), or a
/// pointer into what encloses an element of an `explode` ("^/index"; "^^/id" one further out).
struct Field {
  std::string text;  ///< as written
  std::optional<Pseudo> pseudo;
  std::size_t climb = 0;  ///< how many enclosing elements or events up the pointer starts
  Pointer pointer;

  /// Throws Mistake at `line`.
  static Field parse(std::string_view text, std::size_t line);
};

}  // namespace splitproof::contract
