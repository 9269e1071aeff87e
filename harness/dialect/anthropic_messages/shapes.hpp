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
    {"unknown_block", "a block of a type that is not documented comes, or a member that nobody knows"},
    {"content_in_start", "message_start has content: the response goes on where another stopped"},
    {"piece_in_start", "the start of a block says text, thinking, a signature or citations"},
    {"empty_pieces", "a delta says nothing"},
    {"repeated_pieces", "two deltas in a row say the same"},
    {"think_tag", "the text begins with <think>"},
    {"halves", "two deltas hold the halves of one character"},
    {"half_alone", "half a surrogate pair stands alone"},
    {"thinking_after_text", "thinking comes behind text"},
    {"thinking_before_tool", "a call comes behind thinking"},
    {"thinking_after_tool", "thinking comes behind a call"},
    {"text_after_tool", "text comes behind a call"},

    // Calls.
    {"parallel_tools", "two calls come"},
    {"id_never", "a call has no id"},
    {"foreign_id", "an id has a character other than letters, digits, _ and -"},
    {"shared_id", "two calls have one id"},
    {"name_never", "a call has no name"},
    {"prose_meanwhile", "text or thinking comes behind a call that lacks its id or its name"},
    {"arguments_never", "a call has no arguments but white space. Ends"},
    {"arguments_object", "the start of a call has its arguments, as JSON"},
    {"arguments_unreadable",
     "a call's arguments are neither one JSON object nor none, in an answer that was not cut short. Ends"},
    {"arguments_cut",
     "they are neither, in an answer that was cut short: by its finish, an error or the end of the body. Ends"},

    // Order of events.
    {"no_start", "something comes before message_start, or without one"},
    {"started_twice", "message_start comes again"},
    {"interleaved_blocks", "a delta comes for a block behind which another began"},
    {"index_reused", "a block starts under the number of an earlier one"},
    {"index_gap", "a block has another number than the count of blocks before it"},
    {"stray_piece", "a delta comes for no block, or is of another kind than its block"},
    {"ambiguous",
     "arguments come for a block that has stopped or has all of them, behind the start of another; or a delta comes for a "
     "block that never started: a proxy may give up"},
    {"block_never_stopped", "a block has no end. Ends"},
    {"ping", "a ping comes"},
    {"unknown_keys", "an event or a delta comes of a type that is not documented"},

    // End of the answer.
    {"finish_stop", "the stop_reason is end_turn or stop_sequence. Ends"},
    {"finish_tool_calls", "the stop_reason is tool_use. Ends"},
    {"finish_length", "the stop_reason is max_tokens or model_context_window_exceeded. Ends"},
    {"content_filter", "the stop_reason is refusal. Ends"},
    {"finish_pause", "the stop_reason says that the turn was paused. Ends"},
    {"finish_other", "the stop_reason is an unknown word. Ends"},
    {"finish_stop_with_tools", "finish_stop and tools. Ends"},
    {"finish_tool_calls_without_tools", "finish_tool_calls without tools. Ends"},
    {"finish_repeated", "a second stop_reason comes"},
    {"after_finish", "content comes behind a stop_reason"},
    {"done_without_finish", "message_stop comes, but no stop_reason. Ends"},
    {"finish_without_done", "a stop_reason comes, but no message_stop. Ends"},
    {"no_done", "no message_stop comes. Ends"},
    {"nothing", "nothing says that the answer ended: no stop_reason, message_stop or error. Ends"},
    {"error", "an error is reported, or something cannot be read"},
    {"after_done", "something comes behind message_stop"},

    // Counts and members.
    {"usage_zero_later", "a count is followed by a 0"},
    {"no_usage", "no token is ever counted. Ends"},
    {"cached_tokens", "some input was read from a cache"},
    {"context_management", "the answer says what was edited of its context"},
    {"container", "the answer names a container"},
    {"no_role", "message_start names no role"},
    {"null_fields", "a count, the text of a delta, or of a start, is null"},
    {"unnamed_event", "an event has no name"},
    {"no_final_blank_line", "the last event that counts has no blank line behind it"},
};

}  // namespace splitproof::dialect
