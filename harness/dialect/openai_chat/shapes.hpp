#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace splitproof::dialect {

/// Features of a Chat Completions stream that can confuse a translator. "Ends" marks those of the whole
/// answer, which are known only at the body's end. All others are known as soon as they were read.
enum class ChatShape : std::uint8_t {
  text,
  thinking,
  refusal,
  signature,
  tools,
  content_parts,
  unknown_part,
  empty_pieces,
  repeated_pieces,
  think_tag,
  think_tag_later,
  halves,
  half_alone,
  thinking_with_text,
  thinking_after_text,
  thinking_before_tool,
  thinking_after_tool,
  text_after_tool,
  reasoning_two_keys,
  thinking_again,
  signed_in_parts,
  thinking_unclear,
  text_unclear,
  spliced,
  ambiguous,

  parallel_tools,
  several_calls_one_chunk,
  interleaved_tools,
  no_index,
  same_index_new_id,
  late_id,
  id_after_finish,
  late_name,
  id_alone,
  id_never,
  id_number,
  id_repeated,
  foreign_id,
  shared_id,
  name_never,
  name_number,
  name_repeated,
  renamed,
  prose_meanwhile,
  arguments_first,
  arguments_never,
  arguments_null,
  arguments_object,
  arguments_placeholder,
  arguments_unreadable,
  arguments_cut,
  legacy_function_call,

  finish_stop,
  finish_tool_calls,
  finish_length,
  content_filter,
  finish_other,
  finish_stop_with_tools,
  finish_tool_calls_without_tools,
  finish_empty,
  finish_repeated,
  finish_with_content,
  after_finish,
  done_without_finish,
  done_alone,
  no_done,
  nothing,
  error,
  after_done,

  usage_before_finish,
  usage_with_finish,
  usage_trailing,
  usage_every_chunk,
  usage_null,
  usage_zero_later,
  no_usage,
  cached_tokens,
  reasoning_beside_completion,
  vendor_usage,

  no_role,
  null_fields,
  empty_choices,
  no_choices,
  several_choices,
  no_first_choice,
  message_beside_delta,
  unknown_keys,
  late_model,
  named_event,
  no_final_blank_line
};

struct ChatShapeEntry {
  ChatShape shape;
  std::string_view name;   ///< As in Answer::shapes and in `given`.
  std::string_view means;  ///< When an answer has it.
};

/// All shapes, in the order of the enumeration.
inline constexpr ChatShapeEntry kChatShapes[] = {
    // Content.
    {ChatShape::text, "text", "there is text"},
    {ChatShape::thinking, "thinking", "there is reasoning"},
    {ChatShape::refusal, "refusal", "there is a refusal in words"},
    {ChatShape::signature, "signature", "reasoning is signed"},
    {ChatShape::tools, "tools", "a call has an id, a name or arguments"},
    {ChatShape::content_parts, "content_parts", "content comes as an array of parts"},
    {ChatShape::unknown_part, "unknown_part", "a part of content has a type that nobody knows"},
    {ChatShape::empty_pieces, "empty_pieces", "a piece of prose or arguments is an empty string"},
    {ChatShape::repeated_pieces, "repeated_pieces",
     "a piece of text or arguments equals the piece before it"},
    {ChatShape::think_tag, "think_tag", "the answer begins with <think> in its text. Ends"},
    {ChatShape::think_tag_later, "think_tag_later", "<think> is elsewhere in the text. Ends"},
    {ChatShape::halves, "halves", "two pieces have the halves of one surrogate pair"},
    {ChatShape::half_alone, "half_alone", "half of a surrogate pair has no other half"},
    {ChatShape::thinking_with_text, "thinking_with_text", "one chunk has both reasoning and text"},
    {ChatShape::thinking_after_text, "thinking_after_text", "reasoning begins after text"},
    {ChatShape::thinking_before_tool, "thinking_before_tool", "a call follows reasoning directly"},
    {ChatShape::thinking_after_tool, "thinking_after_tool", "reasoning begins after a call"},
    {ChatShape::text_after_tool, "text_after_tool", "text begins after a call"},
    {ChatShape::reasoning_two_keys, "reasoning_two_keys", "one chunk has reasoning under two keys"},
    {ChatShape::thinking_again, "thinking_again", "thinking comes again, as a whole"},
    {ChatShape::signed_in_parts, "signed_in_parts", "the repetition of one thought has several signatures"},
    {ChatShape::thinking_unclear, "thinking_unclear", "thinking may be repeated or new"},
    {ChatShape::text_unclear, "text_unclear", "a piece of text equals several pieces before it, joined"},
    {ChatShape::spliced, "spliced",
     "another id comes with another role after content: another answer may begin"},
    {ChatShape::ambiguous, "ambiguous", "the answer has several readings, so a proxy may give up"},

    // Calls.
    {ChatShape::parallel_tools, "parallel_tools", "there is more than one call"},
    {ChatShape::several_calls_one_chunk, "several_calls_one_chunk", "one chunk has pieces of several calls"},
    {ChatShape::interleaved_tools, "interleaved_tools",
     "a piece of a call comes after a piece of a later call"},
    {ChatShape::no_index, "no_index", "a piece of a call has no index, or a negative index"},
    {ChatShape::same_index_new_id, "same_index_new_id", "a second id has the same index"},
    {ChatShape::late_id, "late_id", "the id comes later than the call's first piece"},
    {ChatShape::id_after_finish, "id_after_finish", "the id comes after the chunk with the finish_reason"},
    {ChatShape::late_name, "late_name", "the name comes later than the call's first piece"},
    {ChatShape::id_alone, "id_alone", "the piece with the id has no function"},
    {ChatShape::id_never, "id_never", "a call has no id, although it could have one. Ends"},
    {ChatShape::id_number, "id_number", "an id is a number"},
    {ChatShape::id_repeated, "id_repeated", "the id comes again with a later piece"},
    {ChatShape::foreign_id, "foreign_id", "an id has a character other than letters, digits, _ and -"},
    {ChatShape::shared_id, "shared_id", "two calls have one id"},
    {ChatShape::name_never, "name_never", "a call has no name. Ends"},
    {ChatShape::name_number, "name_number", "a name is neither text nor null"},
    {ChatShape::name_repeated, "name_repeated", "the name comes again with a later piece"},
    {ChatShape::renamed, "renamed", "another name comes for a call that has one"},
    {ChatShape::prose_meanwhile, "prose_meanwhile",
     "text or reasoning comes while a call lacks its id or its name"},
    {ChatShape::arguments_first, "arguments_first", "arguments come before the id or the name is known"},
    {ChatShape::arguments_never, "arguments_never", "a call has no arguments but white space. Ends"},
    {ChatShape::arguments_null, "arguments_null", "the text of a call's arguments is null. Ends"},
    {ChatShape::arguments_object, "arguments_object", "arguments come as JSON, not as text"},
    {ChatShape::arguments_placeholder, "arguments_placeholder",
     "the first piece of a call's arguments is {}, and another object follows"},
    {ChatShape::arguments_unreadable, "arguments_unreadable",
     "a call's arguments are neither one JSON object nor one of the two cases above, in an answer "
     "that was not cut short. Ends"},
    {ChatShape::arguments_cut, "arguments_cut",
     "a call's arguments are neither, in an answer that was cut short by its finish, an error or "
     "the end of the body. Ends"},
    {ChatShape::legacy_function_call, "legacy_function_call", "a call comes as function_call"},

    // End of the answer.
    {ChatShape::finish_stop, "finish_stop", "finish_reason is stop. Ends"},
    {ChatShape::finish_tool_calls, "finish_tool_calls", "finish_reason is tool_calls or function_call. Ends"},
    {ChatShape::finish_length, "finish_length", "finish_reason is length, max_tokens or model_length. Ends"},
    {ChatShape::content_filter, "content_filter", "finish_reason is content_filter or sensitive. Ends"},
    {ChatShape::finish_other, "finish_other",
     "finish_reason is an unknown word, or reports that the turn was paused. Ends"},
    {ChatShape::finish_stop_with_tools, "finish_stop_with_tools", "finish_stop and tools. Ends"},
    {ChatShape::finish_tool_calls_without_tools, "finish_tool_calls_without_tools",
     "finish_tool_calls without tools. Ends"},
    {ChatShape::finish_empty, "finish_empty", "a finish_reason is an empty string"},
    {ChatShape::finish_repeated, "finish_repeated", "a second finish_reason comes"},
    {ChatShape::finish_with_content, "finish_with_content", "a chunk with content finishes the answer"},
    {ChatShape::after_finish, "after_finish",
     "content comes in a chunk after the chunk with the finish_reason"},
    {ChatShape::done_without_finish, "done_without_finish", "[DONE] comes, but no finish_reason. Ends"},
    {ChatShape::done_alone, "done_alone",
     "[DONE] comes, and no choice has content, a call, a refusal or a finish_reason. Ends"},
    {ChatShape::no_done, "no_done", "no [DONE] comes. Ends"},
    {ChatShape::nothing, "nothing", "the answer has no end: no finish_reason, [DONE] or error. Ends"},
    {ChatShape::error, "error", "an error is reported, or something cannot be read"},
    {ChatShape::after_done, "after_done", "an event comes after [DONE]"},

    // Usage.
    {ChatShape::usage_before_finish, "usage_before_finish", "usage comes before a finish_reason"},
    {ChatShape::usage_with_finish, "usage_with_finish", "usage comes in the chunk with the finish_reason"},
    {ChatShape::usage_trailing, "usage_trailing", "usage comes after the chunk with the finish_reason"},
    {ChatShape::usage_every_chunk, "usage_every_chunk",
     "two or more chunks have a choice, all with usage. Ends"},
    {ChatShape::usage_null, "usage_null", "usage is null"},
    {ChatShape::usage_zero_later, "usage_zero_later", "a count is 0 after another value"},
    {ChatShape::no_usage, "no_usage", "no token is ever counted. Ends"},
    {ChatShape::cached_tokens, "cached_tokens", "some input was read from a cache"},
    {ChatShape::reasoning_beside_completion, "reasoning_beside_completion",
     "completion_tokens lack the reasoning tokens that total_tokens include. Ends"},
    {ChatShape::vendor_usage, "vendor_usage", "usage comes under an x_ key or in the choice"},

    // Envelope and framing.
    {ChatShape::no_role, "no_role", "a choice comes, but never a role. Ends"},
    {ChatShape::null_fields, "null_fields",
     "a delta, or a member of one, of a call or of its function is null"},
    {ChatShape::empty_choices, "empty_choices", "choices is an empty array"},
    {ChatShape::no_choices, "no_choices", "a chunk has no array of choices"},
    {ChatShape::several_choices, "several_choices", "a choice other than the first comes"},
    {ChatShape::no_first_choice, "no_first_choice", "all choices end, and the first choice is missing. Ends"},
    {ChatShape::message_beside_delta, "message_beside_delta", "a choice has a message next to its delta"},
    {ChatShape::unknown_keys, "unknown_keys",
     "a chunk, choice, delta or call has a key that OpenAI does not send"},
    {ChatShape::late_model, "late_model",
     "the first chunk with a choice has no model, and a later chunk has one"},
    {ChatShape::named_event, "named_event", "an event has a name"},
    {ChatShape::no_final_blank_line, "no_final_blank_line",
     "the last event that counts has no blank line after it"},
};

inline constexpr std::size_t kChatShapeCount = sizeof kChatShapes / sizeof kChatShapes[0];

/// Returns the name in kChatShapes.
constexpr std::string_view name(ChatShape shape) { return kChatShapes[static_cast<std::size_t>(shape)].name; }

namespace detail {
constexpr bool shapes_in_order() {
  for (std::size_t i = 0; i < kChatShapeCount; ++i) {
    if (kChatShapes[i].shape != static_cast<ChatShape>(i)) return false;
  }
  return kChatShapeCount == static_cast<std::size_t>(ChatShape::no_final_blank_line) + 1;
}
}  // namespace detail

static_assert(detail::shapes_in_order(), "name() looks shapes up by their number");

}  // namespace splitproof::dialect
