#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/observe/answer.hpp"
#include "harness/observe/choices.hpp"
#include "harness/observe/client_capabilities.hpp"
#include "harness/recording/recording.hpp"

namespace splitproof::observe {

/// Why an answer ended, in one vocabulary for all protocols.
enum class Finish : std::uint8_t { stop, length, calls, filter, stop_text };

/// The word for it in documents.
std::string_view name(Finish finish);

/// Why an answer must end in an error.
enum class Failure : std::uint8_t {
  reported,   ///< the provider said so, or sent what cannot be read
  cut_off,    ///< the body ended before the answer's end was said
  refused,    ///< it holds what the client's protocol has no place for, and leaving that out would mislead
  elsewhere,  ///< all that came is in other choices than the first: it is an error, or another choice is told
  nameless,   ///< a call has no name, and the profile makes that an error
  arguments,  ///< a call was declared complete, but its arguments are not one JSON object; or nothing declared it complete
  nothing,  ///< nothing was said, and the reason for the end is unknown
  demanded  ///< the recording's `expect` says so
};

/// What a translator must deliver of one upstream answer.
struct Expected {
  /// In the order in which they must come; prose and calls as a client shall read them. A call's id is empty where the translator chooses it: where the provider sent none, one
  /// that an earlier call has, one that the client refuses, or one that may have come behind the finish.
  /// Its name is empty where the provider sent
  /// none and the translator makes one up. Its arguments are empty where they do not begin an object; of a custom tool
  /// they are its input, as far as it came.
  std::vector<Part> parts;
  /// The same with think tags left in the text, where that is as good.
  std::optional<std::vector<Part>> with_think_tags;
  /// Calls of an answer that fails, without an id or a name so far: it may deliver them behind the others or not.
  std::vector<Part> unsettled;
  std::vector<std::string> sealed;  ///< blocks, as JSON, that may be told in this order or left out
  bool order_open = false;          ///< the order of `parts` is not known, only that among parts of one kind
  bool ambiguous = false;           ///< it can be read in more than one way: an error is as good
  bool kinds_apart = false;         ///< clients are told kinds apart from each other, each in its order
  bool refusals = false;            ///< a refusal is a kind of its own; else it is text like other
  bool may_be_incomplete = false;   ///< that it is incomplete is as good as an error
  Finish finish = Finish::stop;     ///< without meaning where the answer fails
  std::string finish_word;          ///< the upstream's own word for it; empty: none
  bool finish_unknown = false;  ///< nobody knows what that word means: any end will do, and so will an error
  std::optional<Failure> failure;  ///< none in a success
  ErrorClasses error_classes;      ///< of one that was reported
  Tokens usage;                    ///< as the provider counted; none is left open
  // What messages say of the upstream's answer.
  std::string ending;    ///< the end as the upstream said it: its word, and a call that contradicts it
  std::string reported;  ///< why it failed: in the provider's words, or why it cannot be read
  std::string
      unreadable_call;  ///< the first call whose arguments are not one JSON object: its name and arguments
  std::string refused_part;  ///< the first part or note that the client's protocol has no place for
  /// What `given` may ask for: the shapes of the meaning, and those that follow from the answer as a whole; see
  /// answer_shapes.hpp.
  std::set<std::string> shapes;

  bool operator==(const Expected&) const = default;
};

/// What must come of an answer that means `meaning` and whose body ended so, under a profile's choices, for clients that
/// can be told so much. Calls that stand in text are made where the choices say so (docs/leaked-markup.md).
///
/// It is a success when its end was said and nothing speaks against it. The end is the closing mark (not where a
/// finish is missing and the profile wants one), or a finish in a body that ended by itself (not where the profile wants
/// the mark). An answer that fails delivers all that had come, and an error.
Expected expected_of(const Answer& meaning, recording::End end, const Choices& choices,
                     const ClientCapabilities& carries = {});

}  // namespace splitproof::observe
