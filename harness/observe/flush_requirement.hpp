#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "harness/observe/answer.hpp"
#include "harness/observe/choices.hpp"
#include "harness/observe/cleaning.hpp"
#include "harness/observe/client_capabilities.hpp"
#include "harness/observe/json_progress.hpp"
#include "harness/observe/rescue.hpp"
#include "harness/observe/stable_arguments.hpp"
#include "harness/observe/stable_text.hpp"

namespace splitproof::observe {

/// Minimum that a client must have received by now. Sizes are bytes of UTF-8 as the provider sent them, or
/// after a profile's text removal.
struct Due {
  std::size_t prose = 0;      ///< Text, thinking and refusals together.
  std::size_t arguments = 0;  ///< Arguments of calls.
  std::size_t calls = 0;      ///< Started calls.

  bool operator==(const Due&) const = default;
};

/// Computes the minimum while an answer grows, if nothing forces a translator to wait. It may wait for a decision:
///
///   prose         text that may become <think>, or </think> in such a span; an incomplete character
///   prose         if text is removed: until the filters of contracts/specifications/cleaning.md can
///                 decide (StableText), or the next
///                 part begins; after a stop sequence, for ever
///   a call        until its id and name are known; meanwhile other parts are still due
///   arguments     for ever, if a map of names may change them, because the translator chooses their length
///   arguments     leading white space, arguments that do not begin an object, and input of a custom tool
///   arguments     if paths are removed: as StableArguments waits
///   text          if calls in text are rescued: from the first byte that may belong to a call (Cleaning); a call
///                 is due with its last byte
///   a call        for ever, if the client gets calls whole: nothing shows that no more arguments follow
///   what follows  until the arguments of a call are one JSON value (JsonProgress), or a custom tool's call ends
///   a said call   with the name of a rescued call: until complete; for ever if it is the same call
///   other parts   for ever, because some clients have no place for them; if refused, also all parts after them
///
/// An answer grows as in dialect::AnswerReader::so_far(). New parts come at the end. Text grows in the last part, and
/// arguments in any incomplete call. Calls are among the parts once they have id and name. Each byte is read once,
/// except undecided text, which is read again whenever more comes. If text is removed, a part is read as a whole
/// when it has ended.
class FlushRequirement {
 public:
  explicit FlushRequirement(const Choices& choices, const ClientCapabilities& carries = {})
      : carries_(carries), filters_{choices, carries.model, carries.stops} {}

  /// Returns the minimum once all of `so_far` has come. It must extend the previous `so_far`.
  Due after(const Answer& so_far);

 private:
  /// Progress in the upstream's current part.
  struct PartCursor {
    std::size_t read = 0;      ///< In a think span, bytes without a closing tag; in arguments, all bytes.
    std::size_t blanks = 0;    ///< Leading blanks of arguments.
    JsonProgress progress;     ///< Progress of arguments.
    bool ends_inside = false;  ///< A think span is open after the part.
    std::size_t thought = 0;   ///< Bytes of a think span that were taken.
    std::size_t said = 0;      ///< Bytes of other prose that were taken since the last call.
    Cleaning cleaning;         ///< Text only, if calls in it are rescued.
    std::size_t rescued = 0;   ///< Calls in the text that were handled.
    bool is_told = false;      ///< A call that nothing in text repeats.
    StableArguments settled;   ///< Arguments only, if paths are removed.
    std::size_t redacted = 0;  ///< Bytes of arguments that `settled` has read.
    std::string without_paths;
  };

  void take_prose(const Part& part, bool leads, bool is_last);
  void take_text(std::string_view text, std::size_t begun, bool is_last);
  void take_words(PartKind kind, std::string_view words, std::size_t& taken, bool goes_on);
  void end_prose();
  Due call_of(const Part& part, bool is_over);
  std::size_t arguments_of(const Part& part, bool is_over);
  bool may_be_said_already(const Part& part, bool is_last);
  Due total(const Due& of_call = {}) const;
  bool stopped() const { return stopped_ || (prose_ && prose_->stopped()); }

  ClientCapabilities carries_;
  TextFilters filters_;
  std::size_t at_ = 0;              ///< Current part: the last one, or a call that blocks what follows.
  std::optional<PartKind> before_;  ///< Kind of the previous part, unless that is dropped.
  bool inside_ = false;             ///< A think span is open before it.
  PartCursor part_;
  Due passed_;  ///< Finished parts: prose, rescued calls, and calls before the current part.
  std::optional<StableText> prose_;  ///< Prose of the client's current part.
  bool stopped_ = false;             ///< At a stop sequence, in prose that has ended.
  SaidOnce said_;
};

}  // namespace splitproof::observe
