#pragma once

#include <cstddef>
#include <string_view>

namespace splitproof::observe {

/// The words in which a proxy speaks of tools to an upstream that has no place for them (docs/in-words.md). They
/// belong to no protocol: it is text.

inline constexpr std::string_view kCallOpens = "<tool_call>";
inline constexpr std::string_view kCallCloses = "</tool_call>";
inline constexpr std::string_view kResultOpens = "<tool_result";  ///< attributes follow, or '>'
inline constexpr std::string_view kResultCloses = "</tool_result>";
inline constexpr std::string_view kResultId = "tool_call_id=\"";
inline constexpr std::string_view kUnknownId = "unknown";  ///< of a result whose call has none
inline constexpr std::size_t kLongestId = 128;

inline constexpr std::string_view kToolsHeading = "## Tools";
inline constexpr std::string_view kToolHeading = "### ";  ///< then the name
inline constexpr std::string_view kFactsHeading = "## Environment facts";
inline constexpr std::string_view kBannerBegins = "Tools available this turn:";

/// A banner has so many characters at most, for so many tools; each further tool may cost its name and a few more.
inline constexpr std::size_t kLongestBanner = 640;
inline constexpr std::size_t kLongestDemandingBanner = 768;
inline constexpr std::size_t kToolsOfABanner = 3;
inline constexpr std::size_t kLeewayOfAName = 16;

/// What demands a call, in lower case.
inline constexpr std::string_view kDemand = "must call";

/// Other ways in which models write calls, and proxies tell them.
inline constexpr std::string_view kForeignCalls[] = {"<invoke",
                                                     "<function=",
                                                     "<function_calls>",
                                                     "<tool_use>",
                                                     "[TOOL_CALLS]",
                                                     "<|tool_calls_section_begin|>",
                                                     "<|tool_call_begin|>"};

/// How a call begins that is told in brackets, as proxies have put it into histories.
inline constexpr std::string_view kNarratedCall = "[Called tool ";

/// How a call is told in prose.
inline constexpr std::string_view kNarrations[] = {"[Called ",  "[Calling ",    "[Tool call",
                                                   "[Tool use", "[Tool result", "[Used tool "};

/// What bids a model go on that has nothing to go on with, at the head of a line.
inline constexpr std::string_view kNudges[] = {"### Continue", "Continue:", "Please continue"};

/// Names that agents have for themselves in what they tell their models.
inline constexpr std::string_view kOwnNames[] = {"Claude Code", "OpenCode", "opencode",
                                                 "Codex",       "Kiro",     "Cascade"};

/// What stands where a path was taken out (docs/cleaning.md).
inline constexpr std::string_view kMarkers[] = {
    "…", "<workspace>", "<redacted", "[internal]", "[redacted", "redacted internal", "(internal path"};

}  // namespace splitproof::observe
