#pragma once

#include <cstddef>
#include <string_view>

namespace splitproof::observe {

/// Words for tools that a proxy sends to an upstream without tools (contracts/specifications/in-words.md). They are
/// text and belong to no protocol.

inline constexpr std::string_view kCallOpens = "<tool_call>";
inline constexpr std::string_view kCallCloses = "</tool_call>";
inline constexpr std::string_view kResultOpens = "<tool_result";  ///< Attributes or '>' follow.
inline constexpr std::string_view kResultCloses = "</tool_result>";
inline constexpr std::string_view kResultId = "tool_call_id=\"";
inline constexpr std::string_view kUnknownId = "unknown";  ///< Id of a result whose call has none.
inline constexpr std::size_t kLongestId = 128;

inline constexpr std::string_view kToolsHeading = "## Tools";
inline constexpr std::string_view kToolHeading = "### ";  ///< The name follows.
inline constexpr std::string_view kFactsHeading = "## Environment facts";
inline constexpr std::string_view kBannerBegins = "Tools available this turn:";

/// Maximum length of a banner in characters, for kToolsOfABanner tools. Each further tool adds its name and
/// kLeewayOfAName.
inline constexpr std::size_t kLongestBanner = 640;
inline constexpr std::size_t kLongestDemandingBanner = 768;
inline constexpr std::size_t kToolsOfABanner = 3;
inline constexpr std::size_t kLeewayOfAName = 16;

/// Words that require a call, in lower case.
inline constexpr std::string_view kDemand = "must call";

/// Other notations for calls that models and proxies write.
inline constexpr std::string_view kForeignCalls[] = {"<invoke",
                                                     "<function=",
                                                     "<function_calls>",
                                                     "<tool_use>",
                                                     "[TOOL_CALLS]",
                                                     "<|tool_calls_section_begin|>",
                                                     "<|tool_call_begin|>"};

/// Beginning of a call in brackets, as proxies write it into histories.
inline constexpr std::string_view kNarratedCall = "[Called tool ";

/// Beginnings of calls in prose.
inline constexpr std::string_view kNarrations[] = {"[Called ",  "[Calling ",    "[Tool call",
                                                   "[Tool use", "[Tool result", "[Used tool "};

/// Line beginnings that ask a model to continue without new content.
inline constexpr std::string_view kNudges[] = {"### Continue", "Continue:", "Please continue"};

/// Names that agents use for themselves in prompts.
inline constexpr std::string_view kOwnNames[] = {"Claude Code", "OpenCode", "opencode",
                                                 "Codex",       "Kiro",     "Cascade"};

/// Markers that replace a path (contracts/specifications/cleaning.md).
inline constexpr std::string_view kMarkers[] = {
    "…", "<workspace>", "<redacted", "[internal]", "[redacted", "redacted internal", "(internal path"};

}  // namespace splitproof::observe
