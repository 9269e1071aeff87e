#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "harness/dialect/stream_draft.hpp"

namespace splitproof::dialect {

/// What clients make of a stream that was changed.
enum class Effect : std::uint8_t {
  content,  ///< they assemble another answer, or none
  shape,  ///< what they read is not there, or is not what they take it for: they stop, guess or pass it over
  none,   ///< the same answer: the variation is legal, and no rule may blame it
};

/// What is done, whatever it is done to.
struct Operator {
  std::string_view name;
  Effect effect;
  std::string_view then;  ///< what comes of it at a client, in one sentence
};

/// What comes of several kinds.
inline constexpr std::string_view kAnotherAnswer = "a different answer that is also valid";
inline constexpr std::string_view kTwoAnswers = "the client reads two answers as one";
inline constexpr std::string_view kUnknownType =
    "a client that checks types throws, and other clients ignore it";

/// An Operator that is a legal variation.
constexpr Operator legal(std::string_view name, std::string_view then) { return {name, Effect::none, then}; }

inline constexpr std::string_view kLegal = "legal";  ///< the family of all legal variations

/// A kind of flaw or variation that stands for itself, with what it does written out.
struct StreamMutation {
  std::string_view family;
  Operator what;
  std::string_view applied_to;
  bool (*change)(
      Draft& draft);           ///< returns whether the draft has what it takes; else the draft is thrown away
  bool keeps_numbers = false;  ///< else the events are numbered anew afterwards
};

/// Says something else in a strand: wherever the text stands, it becomes what `make` returns. Nothing where that text
/// has not what it takes.
struct TextOperator {
  Operator what;
  std::optional<std::string> (*make)(const std::string& text);
};

}  // namespace splitproof::dialect
