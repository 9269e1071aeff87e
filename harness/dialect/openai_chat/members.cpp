// Members of the events of Chat Completions, and their required form.

#include <array>

#include "harness/dialect/openai_chat/self_test_tables.hpp"

namespace splitproof::dialect {
namespace {

constexpr auto kMembers = std::to_array<KnownMember>({
    {"object", "", "", "/object", MemberShape::word},
    {"created", "", "", "/created", MemberShape::count},
    {"choices", "", "", "/choices", MemberShape::list},
    {"choice", "", "", "/choices/*", MemberShape::object},
    {"choice.index", "", "", "/choices/*/index", MemberShape::index},
    {"choice.delta", "", "", "/choices/*/delta", MemberShape::object},
    {"finish_reason", "", "", "/choices/*/finish_reason", MemberShape::word},
    {"delta.role", "", "", "/choices/*/delta/role", MemberShape::word},
    {"tool_calls", "", "", "/choices/*/delta/tool_calls", MemberShape::list},
    {"call", "", "", "/choices/*/delta/tool_calls/*", MemberShape::object},
    {"call.index", "", "", "/choices/*/delta/tool_calls/*/index", MemberShape::index},
    {"call.type", "", "", "/choices/*/delta/tool_calls/*/type", MemberShape::word},
    {"call.function", "", "", "/choices/*/delta/tool_calls/*/function", MemberShape::object},
    {"call.custom", "", "", "/choices/*/delta/tool_calls/*/custom", MemberShape::object},
    {"function_call", "", "", "/choices/*/delta/function_call", MemberShape::object, Need::may_lack},
    {"usage", "", "", "/usage", MemberShape::object, Need::may_lack},
    {"usage.prompt_tokens", "", "", "/usage/prompt_tokens", MemberShape::count},
    {"usage.completion_tokens", "", "", "/usage/completion_tokens", MemberShape::count},
    {"usage.total_tokens", "", "", "/usage/total_tokens", MemberShape::count},
    {"usage.prompt_details", "", "", "/usage/prompt_tokens_details", MemberShape::object, Need::may_lack},
    {"usage.cached_tokens", "", "", "/usage/prompt_tokens_details/cached_tokens", MemberShape::count,
     Need::may_lack},
    {"usage.audio_in", "", "", "/usage/prompt_tokens_details/audio_tokens", MemberShape::count,
     Need::may_lack},
    {"usage.completion_details", "", "", "/usage/completion_tokens_details", MemberShape::object,
     Need::may_lack},
    {"usage.reasoning_tokens", "", "", "/usage/completion_tokens_details/reasoning_tokens",
     MemberShape::count, Need::may_lack},
    {"usage.accepted_tokens", "", "", "/usage/completion_tokens_details/accepted_prediction_tokens",
     MemberShape::count, Need::may_lack},
    {"usage.rejected_tokens", "", "", "/usage/completion_tokens_details/rejected_prediction_tokens",
     MemberShape::count, Need::may_lack},
    {"error", "", "", "/error", MemberShape::object},
    {"error.message", "", "", "/error/message", MemberShape::text},
    {"error.type", "", "", "/error/type", MemberShape::text, Need::may_lack},
    {"annotations", "", "", "/choices/*/delta/annotations", MemberShape::list, Need::may_lack},
    {"annotation.type", "", "", "/choices/*/delta/annotations/*/type", MemberShape::word},
    {"annotation.url_citation", "", "", "/choices/*/delta/annotations/*/url_citation", MemberShape::object},
    {"annotation.url", "", "", "/choices/*/delta/annotations/*/url_citation/url", MemberShape::text},
    {"annotation.start_index", "", "", "/choices/*/delta/annotations/*/url_citation/start_index",
     MemberShape::count},
    {"annotation.end_index", "", "", "/choices/*/delta/annotations/*/url_citation/end_index",
     MemberShape::count},
    {"logprobs.content", "", "", "/choices/*/logprobs/content", MemberShape::list, Need::may_lack},
    {"logprobs.token", "", "", "/choices/*/logprobs/content/*/token", MemberShape::text},
});

}  // namespace

std::span<const KnownMember> chat_members() { return kMembers; }

}  // namespace splitproof::dialect
