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

/// What a client must have been sent by now, at the least. Sizes in bytes of UTF-8, as the provider dealt them out, or
/// of what is left of that where a profile has text taken out.
struct Due {
  std::size_t prose = 0;      ///< of text, thinking and refusals together
  std::size_t arguments = 0;  ///< of calls' arguments
  std::size_t calls = 0;      ///< calls started

  bool operator==(const Due&) const = default;
};

/// What is due while an answer grows, where nothing forces a translator to wait. It may wait for what would decide:
///
///   prose         text that may yet become <think>, or </think> within such a span; the start of a character
///   prose         where text is taken out, what the filters of docs/cleaning.md may wait for, as StableText has it, until
///                 the next part begins; behind a stop sequence, all for good
///   a call        until both its id and its name are known; it blocks nothing meanwhile
///   arguments     for good, where a map of names may change them: how many bytes they come to is the translator's affair
///   arguments     white space before them, all of what does not begin an object, and those that become the input of a
///                 custom tool
///   arguments     where paths are taken out, what StableArguments has wait
///   text          where calls in it are rescued, all from the first byte that may yet belong to one, as Cleaning has it; a
///                 call is due with its last byte
///   what follows  a call whose arguments are not yet one whole JSON value, as JsonProgress has it; where they are the input
///                 of a custom tool, until the call ends
///   a said call   under the name of a rescued one: until it is whole; for good where it says the same
///   other parts   for good: not every client can be told of them; where they are refused, all behind them too
///
/// An answer grows as dialect::AnswerReader::so_far() says: parts are added at the end, text to the last part and arguments to any
/// call that is not whole with something behind it, and calls are among the parts once they have id and name. Then
/// each byte of it is read once, but for those of what may yet be a call in text, or what a filter waits for: these are
/// read again whenever more comes. Where text is taken out, a part is read as a whole once it has ended.
class FlushRequirement {
 public:
  explicit FlushRequirement(const Choices& choices, const ClientCapabilities& carries = {})
      : carries_(carries), filters_{choices, carries.model, carries.stops} {}

  /// What is due once everything in `so_far` has come. It holds what the last one held, and perhaps more.
  Due after(const Answer& so_far);

 private:
  /// How far the upstream's part at hand was read.
  struct PartCursor {
    std::size_t read = 0;      ///< of a think span, what has no closing tag in it; of arguments, all
    std::size_t blanks = 0;    ///< before arguments
    JsonProgress progress;     ///< of arguments
    bool ends_inside = false;  ///< a think span is open behind it
    std::size_t thought = 0;   ///< bytes of a think span that were taken
    std::size_t said =
        0;              ///< likewise of other prose; of text with calls in it, of what stands behind the last
    Cleaning cleaning;  ///< of text, where calls in it are rescued
    std::size_t rescued = 0;   ///< calls of it that were looked at
    bool is_told = false;      ///< a call that nothing in text said
    StableArguments settled;   ///< arguments, where paths are taken out of them
    std::size_t redacted = 0;  ///< bytes of arguments that these have read
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
  std::size_t at_ = 0;  ///< the part at hand: the last one, or a call for which what follows waits
  std::optional<PartKind> before_;  ///< of the part before it, unless that is dropped
  bool inside_ = false;             ///< a think span is open before it
  PartCursor part_;
  Due passed_;  ///< of what has ended: prose, rescued calls, and calls before the part at hand
  std::optional<StableText> prose_;  ///< of the client's part at hand
  bool stopped_ = false;             ///< at a stop sequence, in prose that has ended
  SaidOnce said_;
};

}  // namespace splitproof::observe
