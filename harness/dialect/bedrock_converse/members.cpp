// Members of the frames of Converse, and their required form.

#include <array>

#include "harness/dialect/bedrock_converse/self_test_tables.hpp"

namespace splitproof::dialect {
namespace {

constexpr auto kMembersOfConverse = std::to_array<KnownMember>({
    {"message-type", "", "", "/:message-type", MemberShape::word},
    {"event-type", "", "", "/:event-type", MemberShape::word},
    {"exception-type", "", "", "/:exception-type", MemberShape::word},
    {"role", "", "", "/role", MemberShape::word},
    {"index", "", "", "/contentBlockIndex", MemberShape::index},
    {"start", "", "", "/start", MemberShape::object},
    {"call", "", "", "/start/toolUse", MemberShape::object},
    {"call.id", "", "", "/start/toolUse/toolUseId", MemberShape::text},
    {"call.name", "", "", "/start/toolUse/name", MemberShape::text},
    {"delta", "", "", "/delta", MemberShape::object},
    {"delta.text", "", "", "/delta/text", MemberShape::text},
    {"delta.call", "", "", "/delta/toolUse", MemberShape::object},
    {"delta.input", "", "", "/delta/toolUse/input", MemberShape::text},
    {"delta.thought", "", "", "/delta/reasoningContent", MemberShape::object},
    {"thought.text", "", "", "/delta/reasoningContent/text", MemberShape::text},
    {"thought.signature", "", "", "/delta/reasoningContent/signature", MemberShape::text},
    {"stopReason", "", "", "/stopReason", MemberShape::word},
    {"usage", "", "", "/usage", MemberShape::object},
    {"usage.input", "", "", "/usage/inputTokens", MemberShape::count, Need::may_lack},
    {"usage.output", "", "", "/usage/outputTokens", MemberShape::count, Need::may_lack},
    {"usage.total", "", "", "/usage/totalTokens", MemberShape::count, Need::may_lack},
    {"usage.read", "", "", "/usage/cacheReadInputTokens", MemberShape::count, Need::may_lack},
    {"usage.written", "", "", "/usage/cacheWriteInputTokens", MemberShape::count, Need::may_lack},
    {"message", "", "", "/message", MemberShape::text},
});

}  // namespace

std::span<const KnownMember> converse_members() { return kMembersOfConverse; }

}  // namespace splitproof::dialect
