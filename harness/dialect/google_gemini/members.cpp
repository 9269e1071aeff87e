// Members of the frames of Gemini, and their required form.

#include <array>

#include "harness/dialect/google_gemini/self_test_tables.hpp"

namespace splitproof::dialect {
namespace {

constexpr auto kMembersOfFrame = std::to_array<KnownMember>({
    {"candidates", "", "", "/candidates", MemberShape::list},
    {"candidate", "", "", "/candidates/*", MemberShape::object},
    {"candidate.index", "", "", "/candidates/*/index", MemberShape::index, Need::may_lack},
    {"candidate.content", "", "", "/candidates/*/content", MemberShape::object},
    {"finishReason", "", "", "/candidates/*/finishReason", MemberShape::word},
    {"content.role", "", "", "/candidates/*/content/role", MemberShape::word, Need::may_lack},
    {"content.parts", "", "", "/candidates/*/content/parts", MemberShape::list},
    {"part", "", "", "/candidates/*/content/parts/*", MemberShape::object},
    {"part.text", "", "", "/candidates/*/content/parts/*/text", MemberShape::text},
    {"part.thought", "", "", "/candidates/*/content/parts/*/thought", MemberShape::flag},
    {"part.thoughtSignature", "", "", "/candidates/*/content/parts/*/thoughtSignature", MemberShape::text,
     Need::may_lack},
    {"call", "", "", "/candidates/*/content/parts/*/functionCall", MemberShape::object},
    {"call.name", "", "", "/candidates/*/content/parts/*/functionCall/name", MemberShape::text},
    {"call.id", "", "", "/candidates/*/content/parts/*/functionCall/id", MemberShape::text, Need::may_lack},
    {"call.args", "", "", "/candidates/*/content/parts/*/functionCall/args", MemberShape::object,
     Need::may_lack},
    {"usage", "", "", "/usageMetadata", MemberShape::object, Need::may_lack},
    {"usage.prompt", "", "", "/usageMetadata/promptTokenCount", MemberShape::count, Need::may_lack},
    {"usage.candidates", "", "", "/usageMetadata/candidatesTokenCount", MemberShape::count, Need::may_lack},
    {"usage.thoughts", "", "", "/usageMetadata/thoughtsTokenCount", MemberShape::count, Need::may_lack},
    {"usage.cached", "", "", "/usageMetadata/cachedContentTokenCount", MemberShape::count, Need::may_lack},
    {"usage.tools", "", "", "/usageMetadata/toolUsePromptTokenCount", MemberShape::count, Need::may_lack},
    {"usage.total", "", "", "/usageMetadata/totalTokenCount", MemberShape::count, Need::may_lack},
    {"promptFeedback", "", "", "/promptFeedback", MemberShape::object},
    {"blockReason", "", "", "/promptFeedback/blockReason", MemberShape::word},
    {"error", "", "", "/error", MemberShape::object},
    {"error.code", "", "", "/error/code", MemberShape::count},
    {"error.message", "", "", "/error/message", MemberShape::text},
    {"error.status", "", "", "/error/status", MemberShape::text},
});

}  // namespace

std::span<const KnownMember> gemini_members() { return kMembersOfFrame; }

}  // namespace splitproof::dialect
