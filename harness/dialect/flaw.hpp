#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "harness/dialect/stream_draft.hpp"

namespace splitproof::dialect {

/// Effect of a changed stream on clients.
enum class Effect : std::uint8_t {
  content,  ///< They assemble another answer, or none.
  shape,    ///< Data is missing or not as expected: they stop, guess or ignore it.
  none,     ///< The same answer: the variation is legal, and no rule may blame it.
};

/// A change, independent of its target.
struct Operator {
  std::string_view name;
  Effect effect;
  std::string_view then;  ///< Effect on a client, in one sentence.
};

/// What comes of several kinds.
inline constexpr std::string_view kAnotherAnswer = "a different answer that is also valid";
inline constexpr std::string_view kTwoAnswers = "the client reads two answers as one";
inline constexpr std::string_view kUnknownType =
    "a client that checks types throws, and other clients ignore it";

/// Returns an Operator for a legal variation.
constexpr Operator legal(std::string_view name, std::string_view then) { return {name, Effect::none, then}; }

inline constexpr std::string_view kLegal = "legal";  ///< The family of all legal variations.

/// A single kind of flaw or variation, with its own code.
struct StreamMutation {
  std::string_view family;
  Operator what;
  std::string_view applied_to;
  bool (*change)(Draft& draft);  ///< Returns false if the draft is unsuitable; then discard it.
  bool keeps_numbers = false;    ///< false: the events are renumbered afterwards.
};

/// Changes the text of a strand at all its places to the result of `make`, or to nothing if `make` returns
/// nullopt.
struct TextOperator {
  Operator what;
  std::optional<std::string> (*make)(const std::string& text);
};

}  // namespace splitproof::dialect
