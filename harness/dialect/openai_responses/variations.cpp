// Legal variations in Responses: the same answer, or another sound one.

#include <array>
#include <nlohmann/json.hpp>

#include "harness/dialect/openai_responses/self_test_tables.hpp"

namespace splitproof::dialect {
namespace {

using json = nlohmann::ordered_json;

constexpr std::string_view kGrows = "owners add members and events, and clients ignore them";

constexpr auto kVariationScenes = std::to_array<StreamMutation>({
    {kLegal, legal("obfuscation", kGrows), "deltas",
     [](Draft& d) {
       bool any = false;
       for (std::size_t i = 0; i < d.size(); ++i) {
         if (d.type(i) != "response.output_text.delta") continue;
         d.set({i, "/obfuscation"}, "x7Qz");
         d.set_json({i, "/logprobs"}, "[]");
         any = true;
       }
       return any;
     }},
    {kLegal, legal("settings-repeated", kGrows), "response",
     [](Draft& d) {
       bool any = false;
       for (std::size_t i = 0; i < d.size(); ++i) {
         if (!d.has({i, "/response"})) continue;
         d.set_json({i, "/response/metadata"}, R"({"tide":"4"})");
         d.set_json({i, "/response/reasoning"}, R"({"effort":null,"summary":null})");
         d.set({i, "/response/temperature"}, 1.0);
         d.set({i, "/response/service_tier"}, "default");
         any = true;
       }
       return any;
     }},
    {kLegal, legal("large", kAnotherAnswer), "usage",
     [](Draft& d) {
       const FieldRef spot{d.first("response.completed"), "/response/usage/output_tokens"};
       if (!d.has(spot)) return false;
       d.set(spot, 4398046511104LL);
       d.set({spot.event, "/response/usage/total_tokens"},
             4398046511104LL + d.at({spot.event, "/response/usage/input_tokens"}).get<long long>());
       return true;
     }},
    {kLegal, legal("without-in-progress", kGrows), "response.in_progress",
     [](Draft& d) {
       const std::size_t event = d.first("response.in_progress");
       if (event == d.size()) return false;
       d.remove(event);
       return true;
     }},
    {kLegal, legal("queued", kGrows), "response.queued",
     [](Draft& d) {
       if (d.type(0) != "response.created" || d.type(1) != "response.in_progress") return false;
       d.copy(1, 1);
       json data = d.data(1);
       data["type"] = "response.queued";
       data["response"]["status"] = "queued";
       d.remove(1);
       d.insert(1, data.dump(), "response.queued");
       return true;
     }},
});

}  // namespace

std::span<const StreamMutation> responses_variations() { return kVariationScenes; }

}  // namespace splitproof::dialect
