#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include "harness/observe/answer.hpp"
#include "harness/observe/carries.hpp"
#include "harness/observe/choices.hpp"
#include "harness/observe/cleaning.hpp"
#include "harness/observe/json_progress.hpp"
#include "harness/observe/rescue.hpp"

namespace splitproof::observe {

/// What a client must have been sent by now, at the least. Sizes in bytes of UTF-8, as the provider dealt them out.
struct Due {
  std::size_t prose = 0;      ///< of text, thinking and refusals together
  std::size_t arguments = 0;  ///< of calls' arguments
  std::size_t calls = 0;      ///< calls started

  bool operator==(const Due&) const = default;
};

/// What is due while an answer grows, where nothing forces a translator to wait. It may wait for what would decide:
///
///   prose         text that may yet become <think>, or </think> within such a span; the start of a character
///   a call        until both its id and its name are known; it blocks nothing meanwhile
///   arguments     for good, where a map of names may change them: how many bytes they come to is the translator's affair
///   arguments     white space before them, all of what does not begin an object, and those that become the input of a
///                 custom tool
///   text          where calls in it are rescued, all from the first byte that may yet belong to one, as Cleaning has it; a
///                 call is due with its last byte
///   what follows  a call whose arguments are not yet one whole JSON value, as JsonProgress has it; where they are the input
///                 of a custom tool, until the call ends
///   a said call   under the name of a rescued one: until it is whole; for good where it says the same
///   other parts   for good: not every client can be told of them; where they are refused, all behind them too
///
/// An answer grows as dialect::AnswerReader::so_far() says: parts are added at the end, text to the last part and arguments to any
/// call that is not whole with something behind it, and calls are among the parts once they have id and name. Then
/// each byte of it is read once, but for those of what may yet be a call in text, which are read again whenever more comes.
class DueCount {
 public:
  explicit DueCount(const Choices& choices, const Carries& carries = {})
      : reroute_(choices.reroute_think_tags), rescues_(choices.rescue_markup), carries_(carries) {}

  /// What is due once everything in `so_far` has come. It holds what the last one held, and perhaps more.
  Due after(const Answer& so_far);

 private:
  /// How far the part at hand was read.
  struct PartCursor {
    std::size_t read = 0;      ///< of a think span, what has no closing tag in it; of arguments, all
    std::size_t blanks = 0;    ///< before arguments
    JsonProgress progress;     ///< of arguments
    bool ends_inside = false;  ///< a think span is open behind it
    Cleaning cleaning;         ///< of text, where calls in it are rescued
    std::size_t rescued = 0;   ///< calls of it that were looked at
    Due of_rescued;            ///< what they come to
    bool is_told = false;      ///< a call that nothing in text said
  };

  Due prose_of(const Part& part, bool leads, bool is_last);
  Due text_of(std::string_view text, std::size_t begun, bool is_last);
  Due call_of(const Part& part);
  bool may_be_said_already(const Part& part, bool is_last);

  bool reroute_;
  bool rescues_;
  Carries carries_;
  std::size_t at_ = 0;   ///< the part at hand: the last one, or a call for which what follows waits
  Due passed_;           ///< of the parts before it
  bool inside_ = false;  ///< a think span is open before it
  PartCursor part_;
  SaidOnce said_;
};

}  // namespace splitproof::observe
