// Legal variations in Gemini: the same answer, or another sound one.

#include <array>
#include <nlohmann/json.hpp>

#include "harness/dialect/google_gemini/edits.hpp"
#include "harness/dialect/google_gemini/self_test_tables.hpp"

namespace splitproof::dialect {
namespace {

constexpr std::string_view kMoreMembers = "owners add members, and clients ignore them";
constexpr std::string_view kSameRun = "the frames of an answer have no meaning";

// Sets a field of every frame that has `having`. Returns false without such a frame.
bool set_everywhere(Draft& draft, const char* having, const char* field, std::string_view value) {
  bool any = false;
  for (std::size_t i = 0; i < draft.size(); ++i) {
    if (!draft.has({i, having}) || draft.has({i, field})) continue;
    draft.set_json({i, field}, value);
    any = true;
  }
  return any;
}

bool erase_everywhere(Draft& draft, const char* field) {
  bool any = false;
  for (std::size_t i = 0; i < draft.size(); ++i) {
    if (!draft.has({i, field})) continue;
    draft.erase({i, field});
    any = true;
  }
  return any;
}

constexpr auto kFrameVariations = std::to_array<StreamMutation>({
    {kLegal, legal("create-time", kMoreMembers), "frames",
     [](Draft& d) {
       return set_everywhere(d, "/candidates", "/createTime", R"("2026-10-22T07:14:03.141592Z")");
     }},
    {kLegal, legal("safety-ratings", kMoreMembers), "candidates",
     [](Draft& d) {
       return set_everywhere(d, "/candidates/0", "/candidates/0/safetyRatings",
                             R"([{"category":"HARM_CATEGORY_HARASSMENT","probability":"NEGLIGIBLE"}])");
     }},
    {kLegal, legal("details-of-the-prompt", kMoreMembers), "usage",
     [](Draft& d) {
       return set_everywhere(d, "/usageMetadata/promptTokenCount", "/usageMetadata/promptTokensDetails",
                             R"([{"modality":"TEXT","tokenCount":9}])");
     }},
    {kLegal, legal("no-index", "an absent index is 0"), "candidates",
     [](Draft& d) { return erase_everywhere(d, "/candidates/0/index"); }},
    {kLegal, legal("no-id-of-the-frame", "older servers send none"), "frames",
     [](Draft& d) { return erase_everywhere(d, "/responseId"); }},
    {kLegal, legal("no-id", kAnotherAnswer), "calls",
     [](Draft& d) { return erase_everywhere(d, "/candidates/0/content/parts/0/functionCall/id"); }},
    {kLegal, legal("no-thought", "false is the default"), "text",
     [](Draft& d) { return set_everywhere(d, gemini::kText, gemini::kThought, "false"); }},
    {kLegal, legal("two-parts-of-a-frame", kSameRun), "text",
     [](Draft& d) {
       const std::size_t event = gemini::text_event(d);
       const std::string text = d.text({event, gemini::kText});
       const bool divisible = text.size() > 1 && static_cast<unsigned char>(text[0]) < 0x80 &&
                              (static_cast<unsigned char>(text[1]) & 0xC0U) != 0x80;
       if (!divisible || d.has({event, "/candidates/0/content/parts/1"}) ||
           d.has({event, gemini::kSignature}))
         return false;
       d.set({event, gemini::kText}, text.substr(0, 1));
       d.set({event, "/candidates/0/content/parts/1"}, {{"text", text.substr(1)}});
       return true;
     }},
    {kLegal, legal("empty-text-first", kSameRun), "text",
     [](Draft& d) { return gemini::add_parts(d, 0, R"([{"text":""}])"); }},
    {kLegal, legal("large", kAnotherAnswer), "usage",
     [](Draft& d) {
       constexpr long long kMore = 4398046511104LL;
       bool any = false;
       for (std::size_t i = 0; i < d.size(); ++i) {
         for (const char* count : {"/usageMetadata/promptTokenCount", "/usageMetadata/totalTokenCount"}) {
           if (!d.at({i, count}).is_number_integer()) continue;
           d.set({i, count}, d.at({i, count}).get<long long>() + kMore);
           any = true;
         }
       }
       return any;
     }},
});

}  // namespace

std::span<const StreamMutation> gemini_variations() { return kFrameVariations; }

}  // namespace splitproof::dialect
