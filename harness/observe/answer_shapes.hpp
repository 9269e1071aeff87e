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

/// Shapes that depend on the answer as a whole, on the end of its body and on the profile. Dialects note the
/// shapes that single chunks show.
inline constexpr AnswerShapeEntry kAnswerShapes[] = {
    {"nothing_came", "the body held no answer and said no end"},
    {"nothing_said", "a success without any part"},
    {"cut_off", "it ended before the answer's end was said"},
    {"failed_first", "the provider reported an error before anything that counts"},
    {"only_done", "the closing mark came without a finish, and without an error, after some content"},
    {"done_came", "a success that the closing mark closed"},
    {"done_never", "a finish came and no closing mark, and the body ended as bodies do"},
    {"broke_down", "the finish says that generation broke down"},
    {"mixed", "there are parts of more than one kind: text, thinking, calls"},
    {"thinking_only", "a success of which all that came is thinking"},
    {"think_unclosed", "it begins with <think>, and no </think> follows"},
    {"call_cut_off", "it broke off or down, and a call's arguments had begun and are not whole"},
    {"garbled_call", "the arguments of a call are not even the beginning of one JSON value"},
    {"odd_name", "a call has a name that is not 1 to 128 letters, digits, _ and -"},
    {"dropped", "it holds what clients of this protocol cannot be told, and are not"},
    {"refused", "it holds what they cannot be told, so that it must end in an error"},
    {"finish_unknown", "it ends for a reason that nobody knows, and holds something"},
    {"finish_unknown_alone", "it ends for a reason that nobody knows, and holds nothing"},
    {"ended_empty", "it ends without content, and no word for the end explains that"},
    {"code_in_text", "the text holds code, or what may be JSON, in which nothing is rewritten"},
    {"rescued", "a call was made of text, as the profile asks for it"},
    {"said_twice", "text holds a call that is there as such, too, so that one of the two is left out"},
    {"markup_left", "the text that is left holds tags of calls"},
    {"markup_in_code", "there is a call in code, or one as JSON that is explained"},
    {"markup_undeclared", "text holds a call of a function that the client did not declare"},
    {"markup_unclosed", "text begins a call of a declared function and never closes it"},
    {kStatusError,
     "the provider answered with an HTTP status of an error, which rules of the transport judge"},
    {"names_known", "under a map of names, a call of a tool that it knows has one JSON object for arguments"},
    {"names_known_arguments_not", "likewise, and has other arguments or none"},
    {"names_filled", "the map takes a member out of the arguments of a call, or puts one in"},
    {"names_unknown", "under a map of names, a call of a tool that it does not know"},
    {"call_cut_short", "the same in a success: the provider said that it stopped early"},
};

/// Adds these shapes to `expected.shapes`, so that rules can ask for them with `given`. `expected` must be
/// the result of expected_of() for the same arguments.
void add_answer_shapes(const Answer& meaning, recording::End end, const Choices& choices, Expected& expected);

}  // namespace splitproof::observe
