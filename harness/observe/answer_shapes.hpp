#pragma once

#include <string_view>

#include "harness/observe/expected.hpp"

namespace splitproof::observe {

struct AnswerShapeEntry {
  std::string_view name;   ///< As in Expected::shapes and in `given`.
  std::string_view means;  ///< When an answer has it.
};

/// Name of the only shape that depends on the HTTP exchange and not on the body.
inline constexpr std::string_view kStatusError = "status_error";

/// Name of the only shape that depends on the target.
inline constexpr std::string_view kRelayed = "relayed";

/// Shapes that depend on the answer as a whole, on the end of its body and on the profile. Dialects note the
/// shapes that single chunks show.
inline constexpr AnswerShapeEntry kAnswerShapes[] = {
    {"nothing_came", "the body has no answer and no end"},
    {"nothing_said", "a success without any part"},
    {"cut_off", "the body ended before the end of the answer"},
    {"failed_first", "the provider reported an error before anything that counts"},
    {"only_done", "the closing mark came without a finish or an error, after some content"},
    {"done_came", "a success with the closing mark"},
    {"done_never", "a finish came without a closing mark, and the body ended normally"},
    {"broke_down", "the finish reports that generation failed"},
    {"mixed", "the answer has parts of several kinds: text, thinking, calls"},
    {"thinking_only", "a success with only thinking"},
    {"think_unclosed", "the answer begins with <think> and has no </think>"},
    {"call_cut_off", "the answer broke off or failed inside the arguments of a call"},
    {"garbled_call", "the arguments of a call are not even the beginning of one JSON value"},
    {"odd_name", "a call has a name that is not 1 to 128 letters, digits, _ and -"},
    {"dropped", "the answer has a part that this client protocol cannot carry and that is dropped"},
    {"refused", "the answer has a part that this client protocol cannot carry, so it must end in an error"},
    {"finish_unknown", "the answer ends with an unknown reason and has content"},
    {"finish_unknown_alone", "the answer ends with an unknown reason and has no content"},
    {"ended_empty", "the answer ends without content, and no finish reason explains that"},
    {"code_in_text", "the text has code or possible JSON, which must not be rewritten"},
    {"rescued", "the profile requires that a call is made from text"},
    {"said_twice", "the text repeats a call of the answer, so one of the two is left out"},
    {"markup_left", "the remaining text has tags of calls"},
    {"markup_in_code", "a call is inside code, or in JSON that the text explains"},
    {"markup_undeclared", "the text has a call of a function that the client did not declare"},
    {"markup_unclosed", "the text begins a call of a declared function and never closes it"},
    {kRelayed, "the target relays within one protocol, so what came has left before the end is known"},
    {kStatusError, "the provider answered with an HTTP error status, which the transport rules judge"},
    {"names_known", "under a map of names, a call of a tool that it knows has one JSON object for arguments"},
    {"names_known_arguments_not", "the same, and the call has other arguments or none"},
    {"names_filled", "the map removes a member from the arguments of a call, or adds one"},
    {"names_unknown", "under a map of names, a call of a tool that it does not know"},
    {"call_cut_short", "the same in a success: the provider reported that it stopped early"},
};

/// Adds these shapes to `expected.shapes`, so that rules can ask for them with `given`. `expected` must be
/// the result of expected_of() for the same arguments.
void add_answer_shapes(const Answer& meaning, recording::End end, const Choices& choices, Expected& expected);

}  // namespace splitproof::observe
