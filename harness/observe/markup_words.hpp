#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace splitproof::observe {

/// Words in which models write calls (contracts/specifications/leaked-markup.md). They are text and belong to no
/// protocol.

/// Grammar of calls by key.
struct ByKeyWords {
  std::span<const std::string_view> open;  ///< Before the name, in each spelling.
  std::string_view name_end;               ///< After the name.
  std::span<const std::string_view> key_open;
  std::string_view key_end;     ///< After the key.
  std::string_view value_open;  ///< After key_end and white space; empty: none.
  std::span<const std::string_view> value_end;
  std::span<const std::string_view> close;
  bool trims_line_feeds = false;  ///< One line feed at each end of a value belongs to the tags.
};

inline constexpr std::string_view kInvokeOpen[] = {"<invoke name=\"",
                                                   "<antml"
                                                   ":invoke name=\""};
inline constexpr std::string_view kInvokeKey[] = {"<parameter name=\"",
                                                  "<antml"
                                                  ":parameter name=\""};
inline constexpr std::string_view kInvokeValueEnd[] = {"</parameter>",
                                                       "</antml"
                                                       ":parameter>"};
inline constexpr std::string_view kInvokeClose[] = {"</invoke>",
                                                    "</antml"
                                                    ":invoke>"};
inline constexpr std::string_view kToolOpen[] = {"<tool name=\"",
                                                 "<antml"
                                                 ":tool name=\""};
inline constexpr std::string_view kToolKey[] = {"<param name=\"",
                                                "<antml"
                                                ":param name=\""};
inline constexpr std::string_view kToolValueEnd[] = {"</param>",
                                                     "</antml"
                                                     ":param>"};
inline constexpr std::string_view kToolClose[] = {"</tool>",
                                                  "</antml"
                                                  ":tool>"};
inline constexpr std::string_view kFunctionOpen[] = {"<function="};
inline constexpr std::string_view kFunctionKey[] = {"<parameter="};
inline constexpr std::string_view kFunctionValueEnd[] = {"</parameter>"};
inline constexpr std::string_view kFunctionClose[] = {"</function>"};
inline constexpr std::string_view kCallOpen[] = {"<tool_call>"};
inline constexpr std::string_view kPairKey[] = {"<arg_key>"};
inline constexpr std::string_view kPairValueEnd[] = {"</arg_value>"};
inline constexpr std::string_view kCallClose[] = {"</tool_call>"};

inline constexpr ByKeyWords kInvoke = {kInvokeOpen, "\">",           kInvokeKey,  "\">",
                                       "",          kInvokeValueEnd, kInvokeClose};
inline constexpr ByKeyWords kTool = {kToolOpen, "\">", kToolKey, "\">", "", kToolValueEnd, kToolClose};
inline constexpr ByKeyWords kFunction = {kFunctionOpen,  ">", kFunctionKey, ">", "", kFunctionValueEnd,
                                         kFunctionClose, true};
inline constexpr ByKeyWords kArgPairs = {kCallOpen,     "",        kPairKey, "</arg_key>", "<arg_value>",
                                         kPairValueEnd, kCallClose};

inline constexpr std::string_view kTokenOpen = "<|tool_call_begin|>functions.";
inline constexpr std::string_view kTokenArguments = "<|tool_call_argument_begin|>";
inline constexpr std::string_view kTokenClose[] = {"<|tool_call_end|>"};

/// Grammars that begin with a tag.
enum class TagGrammar : std::uint8_t {
  invoke,
  tool,
  function,
  function_json,
  arg_pairs,
  tag_json,
  special_tokens
};

/// Words around calls.
struct WrapperWords {
  std::string_view open;
  std::string_view close;
  std::array<TagGrammar, 2> around;  ///< Grammars of the calls; the same one twice if there is only one.

  constexpr bool stands_around(TagGrammar grammar) const {
    return around[0] == grammar || around[1] == grammar;
  }
};

inline constexpr std::array kWrappers = {
    WrapperWords{"<function_calls>", "</function_calls>", {TagGrammar::invoke, TagGrammar::invoke}},
    WrapperWords{"<antml"
                 ":function_calls>",
                 "</antml"
                 ":function_calls>",
                 {TagGrammar::invoke, TagGrammar::invoke}},
    WrapperWords{"<minimax:tool_call>", "</minimax:tool_call>", {TagGrammar::invoke, TagGrammar::invoke}},
    WrapperWords{"<tool_call>", "</tool_call>", {TagGrammar::function, TagGrammar::function_json}},
    WrapperWords{"<|tool_calls_section_begin|>",
                 "<|tool_calls_section_end|>",
                 {TagGrammar::special_tokens, TagGrammar::special_tokens}},
};

/// Words that open and close a call or a section of calls, well formed or not.
struct TagPair {
  std::span<const std::string_view> open;
  std::span<const std::string_view> close;
  bool begins_call = true;  ///< false: only a section of calls.
};

inline constexpr std::string_view kCallsOpen[] = {"<function_calls>",
                                                  "<antml"
                                                  ":function_calls>"};
inline constexpr std::string_view kCallsClose[] = {"</function_calls>",
                                                   "</antml"
                                                   ":function_calls>"};
inline constexpr std::string_view kMinimaxOpen[] = {"<minimax:tool_call>"};
inline constexpr std::string_view kMinimaxClose[] = {"</minimax:tool_call>"};
inline constexpr std::string_view kTokenBegin[] = {"<|tool_call_begin|>"};
inline constexpr std::string_view kSectionOpen[] = {"<|tool_calls_section_begin|>"};
inline constexpr std::string_view kSectionClose[] = {"<|tool_calls_section_end|>"};

inline constexpr std::array kTagPairs = {
    TagPair{kInvokeOpen, kInvokeClose},     TagPair{kToolOpen, kToolClose},
    TagPair{kFunctionOpen, kFunctionClose}, TagPair{kCallOpen, kCallClose},
    TagPair{kTokenBegin, kTokenClose},      TagPair{kCallsOpen, kCallsClose},
    TagPair{kMinimaxOpen, kMinimaxClose},   TagPair{kSectionOpen, kSectionClose, false}};

/// Words around the result of a call. White space or `>` follows the opening word.
inline constexpr std::string_view kResultOpen[] = {"<tool_result"};
inline constexpr std::string_view kResultClose[] = {"</tool_result>"};
inline constexpr std::string_view kResultsOpen[] = {"<function_results"};
inline constexpr std::string_view kResultsClose[] = {"</function_results>"};
inline constexpr std::array kResults = {TagPair{kResultOpen, kResultClose},
                                        TagPair{kResultsOpen, kResultsClose}};

/// Keys of a call in JSON.
inline constexpr std::string_view kNameKey = "name";
inline constexpr std::string_view kIdleKeys[] = {"id", "type"};
inline constexpr std::string_view kArgumentKeys[] = {"arguments", "input", "parameters"};
inline constexpr std::string_view kSchemaKey = "parameters";
inline constexpr std::string_view kCallKeys[] = {"id", "type", "name", "arguments", "input", "parameters"};
inline constexpr std::string_view kWrappedKeys[] = {"name", "arguments"};

struct WrappingKey {
  std::string_view key;
  bool beside_others;  ///< Next to keys other than kIdleKeys.
};
inline constexpr std::array kWrappingKeys = {WrappingKey{"function_call", false},
                                             WrappingKey{"function", true}};

/// Words that show that a text contains a call.
inline constexpr std::string_view kTellingWords[] = {"<invoke",      "</invoke>",        "<tool_call>",
                                                     "</tool_call>", "<function=",       "</function>",
                                                     "<tool_use>",   "<function_calls>", "</function_calls>"};

}  // namespace splitproof::observe
