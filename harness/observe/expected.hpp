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

/// Reason for an answer's end, in one vocabulary for all protocols.
enum class Finish : std::uint8_t { stop, length, calls, filter, stop_text };

/// Returns its word in documents.
std::string_view name(Finish finish);

/// Reason for a required error.
enum class Failure : std::uint8_t {
  reported,   ///< The provider reported an error, or sent something unreadable.
  cut_off,    ///< The body ended before the answer.
  refused,    ///< The client's protocol has no place for a part, and omitting it would mislead.
  elsewhere,  ///< All content is in other choices than the first: an error, or another choice's content.
  nameless,   ///< A call has no name, and the profile makes this an error.
  arguments,  ///< A call's arguments are not one JSON object although it was declared complete, or nothing
              ///< declared it complete.
  nothing,    ///< The answer is empty, and the reason for its end is unknown.
  demanded    ///< The recording's `expect` requires it.
};

/// The answer that a translator must deliver for one upstream answer.
struct Expected {
  /// Parts in the required order, as a client must read them. A call's id is empty if the translator chooses
  /// it. It does so if the id is missing, repeated, invalid for the client, or perhaps later than the finish.
  /// A call's name is empty if the translator invents it. Arguments that do not begin an object are empty. A
  /// custom tool's arguments are its input so far.
  std::vector<Part> parts;
  /// The same with think tags in the text, if that is as good.
  std::optional<std::vector<Part>> with_think_tags;
  /// Calls that a translator may deliver after the others, or omit: calls without id or name in a failing answer.
  /// For clients whose calls are one piece also calls that may not have been complete.
  std::vector<Part> unsettled;
  std::vector<std::string> sealed;  ///< Blocks as JSON that a translator may send in this order, or omit.
  bool order_open = false;          ///< Only the order among parts of one kind is known.
  bool ambiguous = false;           ///< The answer has several readings: an error is as good.
  bool kinds_apart = false;         ///< Clients get the kinds separately, each in its order.
  bool refusals = false;            ///< A refusal is a kind of its own; otherwise it is text.
  bool may_be_incomplete = false;   ///< An incomplete answer is as good as an error.
  Finish finish = Finish::stop;     ///< Without meaning if the answer fails.
  std::string finish_word;          ///< The upstream's own word for it; empty: none.
  bool finish_unknown = false;      ///< The word is unknown: any end is correct, and so is an error.
  std::optional<Failure> failure;   ///< nullopt in a success.
  ErrorClasses error_classes;       ///< Classes of a reported error.
  Tokens usage;                     ///< The provider's counts; nullopt if open.
  // Texts for messages on the upstream's answer:
  std::string ending;    ///< The reported end: its word, and a call that contradicts it.
  std::string reported;  ///< The reason for the failure, in the provider's words, or why it is unreadable.
  std::string
      unreadable_call;  ///< The first call whose arguments are not one JSON object: its name and arguments.
  std::string refused_part;  ///< The first part or note that the client's protocol has no place for.
  /// Shapes that `given` may ask for: shapes of the meaning, and shapes of the whole answer
  /// (answer_shapes.hpp).
  std::set<std::string> shapes;

  bool operator==(const Expected&) const = default;
};

/// Returns the required answer for an upstream answer with this meaning and end, under a profile's choices
/// and the client's capabilities. Turns calls in text into calls if the choices require it
/// (contracts/specifications/leaked-markup.md).
///
/// The answer is a success if its end came and nothing contradicts it. The end is the closing mark, unless
/// the profile also requires a finish. It is also a finish in a body that ended properly, unless the profile
/// requires the mark. A failing answer delivers all content so far, and an error.
Expected expected_of(const Answer& meaning, recording::End end, const Choices& choices,
                     const ClientCapabilities& carries = {});

}  // namespace splitproof::observe
