#pragma once

#include <array>
#include <string_view>

namespace splitproof::dialect {

// Words of Kiro's stream, and of its other versions and gateways. If there are several, the first counts.
inline constexpr std::string_view kKiroText = "assistantResponseEvent";
inline constexpr std::string_view kKiroThinking = "reasoningContentEvent";
inline constexpr std::string_view kKiroCall = "toolUseEvent";
inline constexpr std::string_view kKiroMetadata = "metadataEvent";
inline constexpr std::string_view kKiroMetering = "meteringEvent";
inline constexpr std::array kKiroEvents = {kKiroText, kKiroThinking, kKiroCall, kKiroMetadata, kKiroMetering};

inline constexpr std::array<std::string_view, 4> kKiroIds = {"toolUseId", "toolUseID", "tool_use_id", "id"};
inline constexpr std::array<std::string_view, 3> kKiroNames = {"name", "toolName", "tool_name"};
inline constexpr std::array<std::string_view, 3> kKiroStops = {"stop", "isStop", "done"};

// Members that are read.
inline constexpr auto kKiroMembers = std::to_array<std::string_view>(
    {"content", "text", "signature", "toolUseId", "toolUseID", "tool_use_id", "id", "name", "toolName",
     "tool_name", "input", "stop", "isStop", "done", "stopReason"});

// Metadata of the service in any event: the model, the conversation, and counts.
inline constexpr auto kKiroMetadataMembers =
    std::to_array<std::string_view>({"modelId", "conversationId", "utteranceId", "contextUsagePercentage",
                                     "unit", "unitPlural", "usage", "tokenUsage"});

}  // namespace splitproof::dialect
