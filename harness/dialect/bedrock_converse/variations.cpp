// Legal variations in Converse: the same answer, or another sound one.

#include <array>
#include <nlohmann/json.hpp>

#include "harness/dialect/bedrock_converse/self_test_tables.hpp"

namespace splitproof::dialect {
namespace {

// Sets a field of every frame that has `having`. Returns false without such a frame.
bool set_in_all(Draft& draft, const char* having, const char* field, std::string_view value) {
  bool any = false;
  for (std::size_t i = 0; i < draft.size(); ++i) {
    if (!draft.has({i, having}) || draft.has({i, field})) continue;
    draft.set_json({i, field}, value);
    any = true;
  }
  return any;
}

constexpr auto kConverseVariations = std::to_array<StreamMutation>({
    {kLegal, legal("padding", "the service pads each payload"), "frames",
     [](Draft& d) { return set_in_all(d, "/:event-type", "/p", R"("abcdefgh")"); }},
    {kLegal, legal("tool-type", "the service adds members, and clients ignore them"), "calls",
     [](Draft& d) { return set_in_all(d, "/start/toolUse", "/start/toolUse/type", R"("server_tool_use")"); }},
    {kLegal, legal("guardrail-trace", "the service adds members, and clients ignore them"), "metadata",
     [](Draft& d) { return set_in_all(d, "/usage", "/trace", R"({"guardrail":{}})"); }},
    {kLegal, legal("start-of-text", "a block of text may have a start"), "text",
     [](Draft& d) {
       for (std::size_t i = 0; i < d.size(); ++i) {
         if (!d.has({i, "/delta/text"})) continue;
         d.insert(
             i,
             R"({":event-type":"contentBlockStart",":content-type":"application/json",":message-type":"event","contentBlockIndex":)" +
                 d.at({i, "/contentBlockIndex"}).dump() + R"(,"start":{}})");
         return true;
       }
       return false;
     }},
});

}  // namespace

std::span<const StreamMutation> converse_variations() { return kConverseVariations; }

}  // namespace splitproof::dialect
