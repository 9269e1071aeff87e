// Flaws of token counts in Anthropic Messages.

#include <array>
#include <nlohmann/json.hpp>

#include "harness/dialect/anthropic_messages/edits.hpp"
#include "harness/dialect/anthropic_messages/self_test_tables.hpp"

namespace splitproof::dialect {
namespace {

using namespace anthropic_edits;

constexpr std::string_view kCount = "a client that adds the counts bills a wrong amount";

constexpr auto kUsageScenes = std::to_array<StreamMutation>({
    {"usage",
     {"falls", Effect::shape, kCount},
     "output_tokens",
     [](Draft& d) {
       const std::size_t tail = d.last("message_delta");
       if (tail == d.size()) return false;
       return at_the_start(d, "/message/usage/output_tokens", "900");
     }},
    {"usage",
     {"differs", Effect::content, kCount},
     "output_tokens",
     [](Draft& d) {
       const std::size_t tail = d.last("message_delta");
       if (tail == d.size()) return false;
       d.set({tail, "/usage/output_tokens"}, 4711);
       return true;
     }},
    {"usage",
     {"of-chat", Effect::shape, kCount},
     "message_delta",
     [](Draft& d) {
       const std::size_t tail = d.last("message_delta");
       if (tail == d.size()) return false;
       d.set_json({tail, "/usage"}, R"({"prompt_tokens":31,"completion_tokens":24,"total_tokens":55})");
       return true;
     }},
    {"usage",
     {"empty", Effect::shape, kCount},
     "message_delta",
     [](Draft& d) {
       const std::size_t tail = d.last("message_delta");
       if (tail == d.size()) return false;
       d.set_json({tail, "/usage"}, "{}");
       return true;
     }},
    {"usage",
     {"empty", Effect::shape, kCount},
     "message_start",
     [](Draft& d) { return at_the_start(d, "/message/usage", "{}"); }},
    {"usage",
     {"inside-delta", Effect::shape, kCount},
     "message_delta",
     [](Draft& d) {
       const std::size_t tail = d.last("message_delta");
       if (tail == d.size()) return false;
       d.set({tail, "/delta/usage"}, d.at({tail, "/usage"}));
       d.erase({tail, "/usage"});
       return true;
     }},
    {"usage",
     {"zero-for-a-long-answer", Effect::content, kCount},
     "output_tokens",
     [](Draft& d) {
       const std::size_t tail = d.last("message_delta");
       if (tail == d.size()) return false;
       d.set({tail, "/usage/output_tokens"}, 0);
       return at_the_start(d, "/message/usage/output_tokens", "0");
     }},
});

}  // namespace

std::span<const StreamMutation> anthropic_flaws_of_usage() { return kUsageScenes; }

}  // namespace splitproof::dialect
