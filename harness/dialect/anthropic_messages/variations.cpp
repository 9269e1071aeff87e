// Legal variations in Anthropic Messages: the same answer, or another sound one.

#include <array>
#include <nlohmann/json.hpp>

#include "harness/dialect/anthropic_messages/self_test_tables.hpp"

namespace splitproof::dialect {
namespace {

using json = nlohmann::ordered_json;

constexpr std::string_view kGrows = "owners add members and events, and clients ignore them";
constexpr std::string_view kDealt = "the pieces of an answer have no meaning";

constexpr auto kVariationScenes = std::to_array<StreamMutation>({
    {kLegal, legal("ping", kGrows), "after-message_start",
     [](Draft& d) {
       if (d.type(0) != "message_start") return false;
       d.insert(1, R"({"type": "ping"})", "ping");
       return true;
     }},
    {kLegal, legal("ping", kGrows), "in-a-block",
     [](Draft& d) {
       const std::size_t stop = d.first("content_block_stop");
       if (stop == d.size()) return false;
       d.insert(stop, R"({"type": "ping"})", "ping");
       return true;
     }},
    {kLegal, legal("ping", kGrows), "before-message_delta",
     [](Draft& d) {
       const std::size_t tail = d.last("message_delta");
       if (tail == d.size()) return false;
       d.insert(tail, R"({"type": "ping"})", "ping");
       return true;
     }},
    {kLegal, legal("two-pings", kGrows), "between-blocks",
     [](Draft& d) {
       const std::size_t stop = d.first("content_block_stop");
       if (stop == d.size()) return false;
       d.insert(stop + 1, R"({"type": "ping"})", "ping");
       d.insert(stop + 1, R"({"type": "ping"})", "ping");
       return true;
     }},
    {kLegal, legal("empty-arguments-first", kDealt), "tool_use",
     [](Draft& d) {
       for (const LogicalString& strand : anthropic_strands(d)) {
         if (strand.what != "tool_use.arguments") continue;
         const FieldRef piece = strand.pieces.front();
         d.copy(piece.event, piece.event);
         d.set(piece, "");
         return true;
       }
       return false;
     }},
    {kLegal, legal("direct-caller", kGrows), "tool_use",
     [](Draft& d) {
       std::size_t i = 0;
       while (i < d.size() && d.text({i, "/content_block/type"}) != "tool_use") ++i;
       if (i == d.size() || d.has({i, "/content_block/caller"})) return false;
       d.set_json({i, "/content_block/caller"}, R"({"type":"direct"})");
       return true;
     }},
    {kLegal, legal("large", kAnotherAnswer), "input_tokens",
     [](Draft& d) {
       const std::size_t start = d.first("message_start");
       if (start == d.size()) return false;
       d.set({start, "/message/usage/input_tokens"}, 4398046511104LL);
       const std::size_t tail = d.last("message_delta");
       if (d.has({tail, "/usage/input_tokens"})) d.set({tail, "/usage/input_tokens"}, 4398046511104LL);
       return true;
     }},
    {kLegal, legal("service-tier", kGrows), "usage",
     [](Draft& d) {
       const std::size_t start = d.first("message_start");
       if (start == d.size()) return false;
       d.set({start, "/message/usage/service_tier"}, "priority");
       d.set({start, "/message/usage/inference_geo"}, "not_available");
       return true;
     }},
    {kLegal, legal("container-null", kGrows), "message",
     [](Draft& d) {
       const std::size_t start = d.first("message_start");
       if (start == d.size()) return false;
       d.set({start, "/message/container"}, nullptr);
       d.set({start, "/message/stop_details"}, nullptr);
       return true;
     }},
});

}  // namespace

std::span<const StreamMutation> anthropic_variations() { return kVariationScenes; }

}  // namespace splitproof::dialect
