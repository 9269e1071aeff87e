// Legal variations in Chat Completions: the same answer, or another sound one.

#include <array>
#include <nlohmann/json.hpp>

#include "harness/dialect/openai_chat/self_test_tables.hpp"

namespace splitproof::dialect {
namespace {

using json = nlohmann::ordered_json;

constexpr std::string_view kGrows = "owners add members and events, and clients ignore them";
constexpr std::string_view kDealt = "the pieces of an answer have no meaning";

constexpr auto kVariationScenes = std::to_array<StreamMutation>({
    {kLegal, legal("usage-null", kGrows), "chunks",
     [](Draft& d) {
       bool any = false;
       for (std::size_t i = 0; i < d.size(); ++i) {
         if (!d.has({i, "/choices/0"}) || d.has({i, "/usage"})) continue;
         d.set({i, "/usage"}, nullptr);
         any = true;
       }
       return any;
     }},
    {kLegal, legal("logprobs-null", kGrows), "choices",
     [](Draft& d) {
       bool any = false;
       for (std::size_t i = 0; i < d.size(); ++i) {
         if (!d.has({i, "/choices/0"}) || d.has({i, "/choices/0/logprobs"})) continue;
         d.set({i, "/choices/0/logprobs"}, nullptr);
         any = true;
       }
       return any;
     }},
    {kLegal, legal("fingerprint", kGrows), "chunks",
     [](Draft& d) {
       bool any = false;
       for (std::size_t i = 0; i < d.size(); ++i) {
         if (!d.has({i, "/choices"})) continue;
         d.set({i, "/system_fingerprint"}, "fp_tide");
         d.set({i, "/service_tier"}, "default");
         d.set({i, "/obfuscation"}, "x7Qz");
         any = true;
       }
       return any;
     }},
    {kLegal, legal("empty-text-first", kDealt), "content",
     [](Draft& d) {
       std::size_t i = 0;
       while (i < d.size() && d.text({i, "/choices/0/delta/content"}).empty()) ++i;
       if (i == d.size() || d.at({i, "/choices/0/index"}) != 0 || d.has({i, "/choices/0/delta/role"}) ||
           !d.at({i, "/choices/0/finish_reason"}).is_null())
         return false;
       d.copy(i, i);
       d.set({i, "/choices/0/delta/content"}, "");
       return true;
     }},
    {kLegal, legal("empty-delta", kDealt), "choices",
     [](Draft& d) {
       std::size_t i = 0;
       while (i < d.size() && d.text({i, "/choices/0/delta/content"}).empty()) ++i;
       if (i == d.size() || d.has({i, "/choices/0/delta/role"}) || d.has({i, "/choices/1"}) ||
           !d.at({i, "/choices/0/finish_reason"}).is_null())
         return false;
       d.copy(i, i);
       d.set_json({i, "/choices/0/delta"}, "{}");
       return true;
     }},
    {kLegal, legal("large", kAnotherAnswer), "usage",
     [](Draft& d) {
       bool any = false;
       for (std::size_t i = 0; i < d.size(); ++i) {
         if (!d.has({i, "/usage/completion_tokens"})) continue;
         d.set({i, "/usage/prompt_tokens"}, 4398046511104LL);
         d.set({i, "/usage/total_tokens"},
               4398046511104LL + d.at({i, "/usage/completion_tokens"}).get<long long>());
         any = true;
       }
       return any;
     }},
});

}  // namespace

std::span<const StreamMutation> chat_variations() { return kVariationScenes; }

}  // namespace splitproof::dialect
