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
    {"custom_tools", "a call of a custom tool comes: its input is text"},
    {"server_tools", "an item comes that is no message, no reasoning and no such call, and is documented"},
    {"unknown_block", "an item of a type that is not documented comes"},
    {"failed_image", "the generation of an image failed, and its item has no image. Ends"},
    {"unknown_part", "a message has a part other than text and refusals"},
    {"citations", "text has annotations"},
    {"logprobs", "text has logprobs"},
    {"phase", "a message names its phase"},
    {"several_texts", "text follows in another part or another message"},
    {"number_counts_up", "the number of a part counts up with its deltas"},
    {"piece_in_start", "the start of an item or of a part says something"},
    {"empty_pieces", "a delta says nothing"},
    {"repeated_pieces", "two deltas in a row say the same"},
    {"think_tag", "the text begins with <think>. Ends"},
    {"halves", "two deltas hold the halves of one character"},
    {"half_alone", "half a surrogate pair stands alone"},
    {"thinking_after_text", "reasoning comes behind text"},
    {"thinking_before_tool", "a call comes behind reasoning"},
    {"thinking_after_tool", "reasoning comes behind a call"},
    {"text_after_tool", "text comes behind a call"},

    // Calls.
    {"parallel_tools", "two calls come"},
    {"id_never", "a call has no call_id. Ends"},
    {"foreign_id", "a call_id has a character other than letters, digits, _ and -"},
    {"shared_id", "two calls have one call_id"},
    {"name_never", "a call has no name. Ends"},
    {"late_name", "a call starts without its name or call_id, and has it later"},
    {"prose_meanwhile", "something is first said of an item behind which another has said something"},
    {"arguments_never", "a call has no arguments but white space. Ends"},
    {"arguments_unreadable",
     "a call's arguments are neither one JSON object nor none, in an answer that was not cut short. Ends"},
    {"arguments_cut",
     "they are neither, in an answer that was cut short: by its finish, an error or the end of the body. Ends"},

    // Order of events.
    {"no_start", "something comes before response.created, or without one"},
    {"started_twice", "response.created comes again"},
    {"interleaved_items", "a delta comes for an item behind which another began"},
    {"index_gap", "an item has another output_index than the count of items before it"},
    {"part_index_gap", "a part has a number above the count of parts of its item before it"},
    {"index_reused", "an item comes under the output_index of an earlier one"},
    {"id_drift", "an item has another id than when it was added"},
    {"item_never_added", "something comes of an item before response.output_item.added, or without it"},
    {"item_never_done", "an item comes without response.output_item.done. Ends"},
    {"no_deltas", "something is first said by an event that says all of it"},
    {"done_continues", "an event that says all of something says more than its deltas"},
    {"contradiction", "an event that says all of something says other than its deltas"},
    {"ambiguous", "it can be read in more than one way, so that a proxy may give up"},
    {"text_unclear",
     "the last delta of a text is equal to all before it, and no event says all of the text. Ends"},
    {"thinking_unclear", "the same of reasoning. Ends"},
    {"status_differs", "the response's status is not that of the last event's type"},
    {"output_empty", "the last event repeats no item, though some came"},
    {"sequence_gap", "a sequence_number is another than the one before it and one"},
    {"no_sequence", "an event has no sequence_number"},
    {"obfuscation", "a delta has a field that hides its length"},
    {"keepalive", "an event says only that the connection lives"},
    {"unknown_keys", "an event comes of a type that is not documented"},

    // End of the answer.
    {"finish_stop", "the response is completed. Ends"},
    {"finish_length", "it is incomplete for another reason than a filter. Ends"},
    {"content_filter", "it is incomplete because of a filter. Ends"},
    {"finish_stop_with_tools", "finish_stop and tools. Ends"},
    {"no_done", "no event ends the response. Ends"},
    {"nothing", "nothing says that the answer ended: no such event and no error. Ends"},
    {"error", "an error is reported, or something cannot be read"},
    {"after_done", "something comes behind the event that ends the response"},

    // Counts and framing.
    {"no_usage", "no token is ever counted. Ends"},
    {"cached_tokens", "some input was read from a cache"},
    {"unnamed_event", "an event has no name"},
    {"no_final_blank_line", "the last event that counts has no blank line behind it"},
};

}  // namespace splitproof::dialect
