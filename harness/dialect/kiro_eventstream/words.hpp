#pragma once

#include <array>
#include <string_view>

namespace splitproof::dialect {

// The words of Kiro's stream, and those that other versions of it and gateways have in their place. Of several the first
// counts.
inline constexpr std::string_view kKiroText = "assistantResponseEvent";
inline constexpr std::string_view kKiroThinking = "reasoningContentEvent";
inline constexpr std::string_view kKiroCall = "toolUseEvent";
inline constexpr std::string_view kKiroMetadata = "metadataEvent";
inline constexpr std::string_view kKiroMetering = "meteringEvent";
inline constexpr std::array kKiroEvents = {kKiroText, kKiroThinking, kKiroCall, kKiroMetadata, kKiroMetering};

inline constexpr std::array<std::string_view, 4> kKiroIds = {"toolUseId", "toolUseID", "tool_use_id", "id"};
inline constexpr std::array<std::string_view, 3> kKiroNames = {"name", "toolName", "tool_name"};
inline constexpr std::array<std::string_view, 3> kKiroStops = {"stop", "isStop", "done"};

// What is read of them.
inline constexpr auto kKiroMembers = std::to_array<std::string_view>(
    {"content", "text", "signature", "toolUseId", "toolUseID", "tool_use_id", "id", "name", "toolName",
     "tool_name", "input", "stop", "isStop", "done", "stopReason"});

// What the service says of itself in any event: who answered in which conversation, and what that counted.
inline constexpr auto kKiroMetadataMembers =
    std::to_array<std::string_view>({"modelId", "conversationId", "utteranceId", "contextUsagePercentage",
                                     "unit", "unitPlural", "usage", "tokenUsage"});

}  // namespace splitproof::dialect
