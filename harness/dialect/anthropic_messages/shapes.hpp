#pragma once

#include <string_view>

namespace splitproof::dialect {

/// Features of a stream of Anthropic Messages that can confuse a proxy; rules ask for them with `given`.
/// Shared features have the same names as in Chat Completions. "Ends" marks those that are known only at the
/// body's end.
struct AnthropicShapeEntry {
  std::string_view name;
  std::string_view means;
};

inline constexpr AnthropicShapeEntry kAnthropicShapes[] = {
    // Content.
    {"text", "text comes"},
    {"thinking", "thinking comes"},
    {"signature", "thinking is signed"},
    {"tools", "a call of a client's tool comes"},
    {"several_texts", "a text block follows another"},
    {"redacted_thinking", "a block of redacted thinking comes"},
    {"server_tools", "a server runs a tool: a call, or a result"},
    {"citations", "text cites a source"},
    {"compaction", "a block of compaction comes"},
    {"unknown_block", "a block of an undocumented type comes, or an unknown member"},
    {"content_in_start", "message_start has content: the response continues another response"},
    {"piece_in_start", "the start of a block has text, thinking, a signature or citations"},
    {"empty_pieces", "a delta is empty"},
    {"repeated_pieces", "two consecutive deltas are equal"},
    {"think_tag", "the text begins with <think>"},
    {"halves", "two deltas have the halves of one character"},
    {"half_alone", "half a surrogate pair has no other half"},
    {"thinking_after_text", "thinking comes after text"},
    {"thinking_before_tool", "a call comes after thinking"},
    {"thinking_after_tool", "thinking comes after a call"},
    {"text_after_tool", "text comes after a call"},

    // Calls.
    {"parallel_tools", "two calls come"},
    {"id_never", "a call has no id"},
    {"foreign_id", "an id has a character other than letters, digits, _ and -"},
    {"shared_id", "two calls have one id"},
    {"name_never", "a call has no name"},
    {"prose_meanwhile", "text or thinking comes after a call that lacks its id or its name"},
    {"arguments_never", "a call has no arguments but white space. Ends"},
    {"arguments_object", "the start of a call has its arguments, as JSON"},
    {"arguments_unreadable",
     "a call's arguments are neither one JSON object nor none, in an answer that was not cut short. Ends"},
    {"arguments_cut",
     "a call's arguments are neither, in an answer that was cut short by its finish, an error or "
     "the end of the body. Ends"},

    // The order of events.
    {"no_start", "an event comes before message_start, or message_start is missing"},
    {"started_twice", "message_start comes again"},
    {"interleaved_blocks", "a delta comes for a block after another block began"},
    {"index_reused", "a block starts with the index of an earlier block"},
    {"index_gap", "the index of a block differs from the count of blocks before it"},
    {"stray_piece", "a delta has no block, or its type does not fit its block"},
    {"ambiguous",
     "arguments come for a block that has stopped or has all of them, after another block began; or a delta "
     "comes for a block that never started. A proxy may give up"},
    {"block_never_stopped", "a block has no end. Ends"},
    {"ping", "a ping comes"},
    {"unknown_keys", "an event or a delta has an undocumented type"},

    // End of the answer.
    {"finish_stop", "the stop_reason is end_turn or stop_sequence. Ends"},
    {"finish_tool_calls", "the stop_reason is tool_use. Ends"},
    {"finish_length", "the stop_reason is max_tokens or model_context_window_exceeded. Ends"},
    {"content_filter", "the stop_reason is refusal. Ends"},
    {"finish_pause", "the stop_reason reports that the turn was paused. Ends"},
    {"finish_other", "the stop_reason is an unknown word. Ends"},
    {"finish_stop_with_tools", "finish_stop and tools. Ends"},
    {"finish_tool_calls_without_tools", "finish_tool_calls without tools. Ends"},
    {"finish_repeated", "a second stop_reason comes"},
    {"after_finish", "content comes after a stop_reason"},
    {"done_without_finish", "message_stop comes, but no stop_reason. Ends"},
    {"finish_without_done", "a stop_reason comes, but no message_stop. Ends"},
    {"no_done", "no message_stop comes. Ends"},
    {"nothing", "the answer has no end: no stop_reason, message_stop or error. Ends"},
    {"error", "an error is reported, or something cannot be read"},
    {"after_done", "an event comes after message_stop"},

    // Counts and members.
    {"usage_zero_later", "a count is 0 after another value"},
    {"no_usage", "no token is ever counted. Ends"},
    {"cached_tokens", "some input was read from a cache"},
    {"context_management", "the answer lists edits of its context"},
    {"container", "the answer names a container"},
    {"no_role", "message_start names no role"},
    {"null_fields", "a count, the text of a delta, or of a start, is null"},
    {"unnamed_event", "an event has no name"},
    {"no_final_blank_line", "the last event that counts has no blank line after it"},
};

}  // namespace splitproof::dialect
