// Flaws of token counts in Responses.

#include <array>
#include <nlohmann/json.hpp>

#include "harness/dialect/openai_responses/edits.hpp"
#include "harness/dialect/openai_responses/self_test_tables.hpp"

namespace splitproof::dialect {
namespace {

using namespace responses_edits;

constexpr std::string_view kCount = "a client that adds the counts throws, or bills a wrong amount";

constexpr auto kUsageScenes = std::to_array<StreamMutation>({
    {"usage",
     {"null", Effect::shape, kCount},
     "usage",
     [](Draft& d) {
       return d.has({d.first("response.completed"), "/response/usage/input_tokens"}) &&
              set_at_end(d, "/response/usage", "null");
     }},
    {"usage",
     {"empty", Effect::shape, kCount},
     "usage",
     [](Draft& d) {
       return d.has({d.first("response.completed"), "/response/usage/input_tokens"}) &&
              set_at_end(d, "/response/usage", "{}");
     }},
    {"usage",
     {"of-chat", Effect::shape, kCount},
     "usage",
     [](Draft& d) {
       return d.has({d.first("response.completed"), "/response/usage/input_tokens"}) &&
              set_at_end(d, "/response/usage",
                         R"({"prompt_tokens":40,"completion_tokens":17,"total_tokens":57})");
     }},
    {"usage",
     {"without-details", Effect::shape, kCount},
     "usage",
     [](Draft& d) {
       return d.has({d.first("response.completed"), "/response/usage/input_tokens_details"}) &&
              set_at_end(d, "/response/usage", R"({"input_tokens":40,"output_tokens":17,"total_tokens":57})");
     }},
    {"usage",
     {"sum-wrong", Effect::shape, kCount},
     "usage",
     [](Draft& d) { return set_at_end(d, "/response/usage/total_tokens", "1"); }},
    {"usage",
     {"more-cached-than-read", Effect::shape, kCount},
     "usage",
     [](Draft& d) { return set_at_end(d, "/response/usage/input_tokens_details/cached_tokens", "4711"); }},
});

}  // namespace

std::span<const StreamMutation> responses_flaws_of_usage() { return kUsageScenes; }

}  // namespace splitproof::dialect
