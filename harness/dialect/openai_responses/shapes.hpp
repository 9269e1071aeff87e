#pragma once

#include <string_view>

namespace splitproof::dialect {

/// Features of a stream of Responses that can confuse a proxy; rules ask for them with `given`. Shared
/// features have the same names as in other upstreams. "Ends" marks those that are known only at the body's
/// end.
struct ResponsesShapeEntry {
  std::string_view name;
  std::string_view means;
};

inline constexpr ResponsesShapeEntry kResponsesShapes[] = {
    // Content.
    {"text", "text comes"},
    {"thinking", "reasoning comes, as a summary or in full"},
    {"reasoning_text", "reasoning comes in full"},
    {"reasoning_two_kinds", "an item has reasoning as a summary and in full"},
    {"signature", "reasoning comes encrypted"},
    {"refusal", "there is a refusal in words"},
    {"tools", "a call of a client's tool comes"},
    {"custom_tools", "a call of a custom tool comes, whose input is text"},
    {"server_tools", "a documented item comes that is not a message, reasoning or such a call"},
    {"unknown_block", "an item of an undocumented type comes"},
    {"failed_image", "the generation of an image failed, and its item has no image. Ends"},
    {"unknown_part", "a message has a part other than text and refusals"},
    {"citations", "text has annotations"},
    {"logprobs", "text has logprobs"},
    {"phase", "a message names its phase"},
    {"several_texts", "text follows in another part or another message"},
    {"number_counts_up", "the number of a part counts up with its deltas"},
    {"piece_in_start", "the start of an item or of a part has content"},
    {"empty_pieces", "a delta is empty"},
    {"repeated_pieces", "two consecutive deltas are equal"},
    {"think_tag", "the text begins with <think>. Ends"},
    {"halves", "two deltas have the halves of one character"},
    {"half_alone", "half a surrogate pair has no other half"},
    {"thinking_after_text", "reasoning comes after text"},
    {"thinking_before_tool", "a call comes after reasoning"},
    {"thinking_after_tool", "reasoning comes after a call"},
    {"text_after_tool", "text comes after a call"},

    // Calls.
    {"parallel_tools", "two calls come"},
    {"id_never", "a call has no call_id. Ends"},
    {"foreign_id", "a call_id has a character other than letters, digits, _ and -"},
    {"shared_id", "two calls have one call_id"},
    {"name_never", "a call has no name. Ends"},
    {"late_name", "a call starts without its name or call_id and gets it later"},
    {"prose_meanwhile", "the first content of an item comes after the content of a later item"},
    {"arguments_never", "a call has no arguments but white space. Ends"},
    {"arguments_unreadable",
     "a call's arguments are neither one JSON object nor none, in an answer that was not cut short. Ends"},
    {"arguments_cut",
     "a call's arguments are neither, in an answer that was cut short by its finish, an error or "
     "the end of the body. Ends"},

    // The order of events.
    {"no_start", "an event comes before response.created, or response.created is missing"},
    {"started_twice", "response.created comes again"},
    {"interleaved_items", "a delta comes for an item after another item began"},
    {"index_gap", "the output_index of an item differs from the count of items before it"},
    {"part_index_gap", "the index of a part is greater than the count of earlier parts of its item"},
    {"index_reused", "an item has the output_index of an earlier item"},
    {"id_drift", "the id of an item differs from its id when it was added"},
    {"item_never_added",
     "an event of an item comes before response.output_item.added, or that event is missing"},
    {"item_never_done", "an item comes without response.output_item.done. Ends"},
    {"no_deltas", "content comes first in an event with all of it"},
    {"done_continues", "an event with all of a content has more than its deltas"},
    {"contradiction", "an event with all of a content contradicts its deltas"},
    {"ambiguous", "the answer has several readings, so a proxy may give up"},
    {"text_unclear",
     "the last delta of a text equals all deltas before it, and no event has the whole text. Ends"},
    {"thinking_unclear", "the same for reasoning. Ends"},
    {"status_differs", "the response's status does not fit the type of the last event"},
    {"output_empty", "the last event repeats no item, although items came"},
    {"sequence_gap", "a sequence_number is not the previous number plus one"},
    {"no_sequence", "an event has no sequence_number"},
    {"obfuscation", "a delta has a field that hides its length"},
    {"keepalive", "an event only keeps the connection alive"},
    {"unknown_keys", "an event has an undocumented type"},

    // End of the answer.
    {"finish_stop", "the response is completed. Ends"},
    {"finish_length", "the response is incomplete, but not because of a filter. Ends"},
    {"content_filter", "the response is incomplete because of a filter. Ends"},
    {"finish_stop_with_tools", "finish_stop and tools. Ends"},
    {"no_done", "no event ends the response. Ends"},
    {"nothing", "the answer has no end: no such event and no error. Ends"},
    {"error", "an error is reported, or something cannot be read"},
    {"after_done", "an event comes after the event that ends the response"},

    // Counts and framing.
    {"no_usage", "no token is ever counted. Ends"},
    {"cached_tokens", "some input was read from a cache"},
    {"unnamed_event", "an event has no name"},
    {"no_final_blank_line", "the last event that counts has no blank line after it"},
};

}  // namespace splitproof::dialect
