#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "harness/observe/functions.hpp"
#include "harness/observe/markup_json.hpp"
#include "harness/observe/markup_words.hpp"

namespace splitproof::observe {

/// A call of more bytes is text.
inline constexpr std::size_t kMostCallBytes = 65536;

/// More white space beside a call is text like any other.
inline constexpr std::size_t kMostSpaceBytes = 65536;

/// What begins at a place in a text.
struct MarkupAttempt {
  enum class State : std::uint8_t {
    none,  ///< no call, whatever comes
    open,  ///< perhaps a call, once more has come
    call
  };

  State state = State::none;
  bool named = false;     ///< it had the shape of a call, of a function that nobody declared
  bool unclosed = false;  ///< it began as a call of a declared one, whose closing tag has not come
  std::size_t end = 0;    ///< of a call, one past its last byte
  std::string name = {};
  std::string arguments = {};
};

/// The call of that grammar that begins at `begin`.
MarkupAttempt tag_call_at(JsonSpans& spans, std::size_t begin, TagGrammar grammar,
                          const DeclaredFunctions& functions);

/// Whether `text` has `word` at `begin`; `may_yet`: it ends before that can be told.
bool has_word(std::string_view text, std::size_t begin, std::string_view word, bool& may_yet);

/// One past the white space at `begin`.
std::size_t skip_markup_space(std::string_view text, std::size_t begin);

/// Whether a function of that name can be written in markup.
bool can_stand_in_markup(std::string_view name);

}  // namespace splitproof::observe
