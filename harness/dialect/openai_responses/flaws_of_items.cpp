// Flaws of items in Responses.

#include <array>
#include <nlohmann/json.hpp>

#include "harness/dialect/openai_responses/edits.hpp"
#include "harness/dialect/openai_responses/self_test_tables.hpp"
#include "harness/json_member.hpp"

namespace splitproof::dialect {
namespace {

using namespace responses_edits;
using json = nlohmann::ordered_json;

// Changes the numbers of the items from `from` on, in the whole body.
bool reindex(Draft& draft, long long from, long long by) {
  bool any = false;
  for (std::size_t i = 0; i < draft.size(); ++i) {
    const json& index = draft.at({i, "/output_index"});
    if (!index.is_number_integer() || index.get<long long>() < from) continue;
    draft.set({i, "/output_index"}, index.get<long long>() + by);
    any = true;
  }
  return any;
}

constexpr std::string_view kWrongItem = "the client shows content of one item in another, or drops it";

constexpr auto kItemScenes = std::to_array<StreamMutation>({
    {"items",
     {"from-one", Effect::shape, kWrongItem},
     "output_index",
     [](Draft& d) { return reindex(d, 0, 1); }},
    {"items", {"gap", Effect::shape, kWrongItem}, "output_index", [](Draft& d) { return reindex(d, 1, 1); }},
    {"items",
     {"reused", Effect::shape, kWrongItem},
     "output_index",
     [](Draft& d) { return reindex(d, 1, -1); }},
    {"items",
     {"moves", Effect::shape, kWrongItem},
     "output_index",
     [](Draft& d) { return set_in(d, "response.output_item.done", "/output_index", "3"); }},
    {"items",
     {"for-unknown-item", Effect::shape, kWrongItem},
     "text-delta",
     [](Draft& d) { return set_in(d, "response.output_text.delta", "/item_id", "\"msg_none\""); }},
    {"items",
     {"for-unknown-item", Effect::shape, kWrongItem},
     "arguments-delta",
     [](Draft& d) { return set_in(d, "response.function_call_arguments.delta", "/item_id", "\"fc_none\""); }},
    {"items",
     {"for-unknown-item", Effect::shape, kWrongItem},
     "refusal-delta",
     [](Draft& d) { return set_in(d, "response.refusal.delta", "/item_id", "\"msg_none\""); }},
    {"items",
     {"for-unknown-item", Effect::shape, kWrongItem},
     "annotation",
     [](Draft& d) { return set_in(d, "response.output_text.annotation.added", "/item_id", "\"msg_none\""); }},
    {"items",
     {"of-another-item", Effect::shape, kWrongItem},
     "text-delta",
     [](Draft& d) {
       const std::size_t call = item_event(d, "response.output_item.added", "function_call");
       return call < d.size() &&
              set_in(d, "response.output_text.delta", "/item_id", d.at({call, "/item/id"}).dump());
     }},
    {"items",
     {"filled-when-added", Effect::shape, "a client shows it twice"},
     "message",
     [](Draft& d) {
       const std::size_t event = item_event(d, "response.output_item.added", "message");
       if (event == d.size()) return false;
       d.set_json({event, "/item/content"}, R"([{"type":"output_text","text":"tide","annotations":[]}])");
       return true;
     }},
    {"items",
     {"filled-when-added", Effect::shape, "a client joins them to the pieces"},
     "function_call",
     [](Draft& d) {
       const std::size_t event = item_event(d, "response.output_item.added", "function_call");
       if (event == d.size()) return false;
       d.set_json({event, "/item/arguments"}, R"("{\"town\":\"Oban\"}")");
       return true;
     }},
    {"items",
     {"completed-when-added", Effect::shape, "a client accepts it as complete"},
     "function_call",
     [](Draft& d) {
       const std::size_t event = item_event(d, "response.output_item.added", "function_call");
       if (event == d.size()) return false;
       d.set({event, "/item/status"}, "completed");
       return true;
     }},
    {"items",
     {"in-progress-when-done", Effect::shape, "a client waits forever"},
     "message",
     [](Draft& d) {
       const std::size_t event = item_event(d, "response.output_item.done", "message");
       if (event == d.size()) return false;
       d.set({event, "/item/status"}, "in_progress");
       return true;
     }},
    {"items",
     {"in-progress-when-done", Effect::shape, "a client waits forever"},
     "function_call",
     [](Draft& d) {
       const std::size_t event = item_event(d, "response.output_item.done", "function_call");
       if (event == d.size()) return false;
       d.set({event, "/item/status"}, "in_progress");
       return true;
     }},
    {"items",
     {"done-as-another-type", Effect::shape, kUnknownType},
     "function_call",
     [](Draft& d) {
       const std::size_t event = item_event(d, "response.output_item.done", "function_call");
       if (event == d.size()) return false;
       d.set({event, "/item/type"}, "custom_tool_call");
       return true;
     }},
    {"items",
     {"unknown-type", Effect::shape, kUnknownType},
     "item",
     [](Draft& d) {
       const std::size_t end = end_of(d);
       if (end == d.size() || d.last("response.output_item.done") == d.size()) return false;
       json item = json::parse(
           R"({"type":"response.output_item.added","output_index":0,"item":{"id":"hg_dock","type":"hologram","status":"in_progress"},"sequence_number":0})");
       item["output_index"] =
           d.at({d.last("response.output_item.done"), "/output_index"}).get<long long>() + 1;
       d.insert(end, item.dump(), "response.output_item.added");
       item["type"] = "response.output_item.done";
       item["item"]["status"] = "completed";
       d.insert(end + 1, item.dump(), "response.output_item.done");
       const FieldRef output{end + 2, "/response/output"};
       json whole = d.at(output);
       if (!whole.is_array()) return true;
       whole.push_back(item["item"]);
       d.set(output, whole);
       return true;
     }},
    {"items",
     {"unknown-type", Effect::shape, kUnknownType},
     "part",
     [](Draft& d) { return set_in(d, "response.content_part.added", "/part/type", "\"hologram\""); }},
    {"items",
     {"unknown-type", Effect::shape, kUnknownType},
     "event",
     [](Draft& d) {
       const std::size_t end = end_of(d);
       if (end == d.size()) return false;
       d.insert(end, R"({"type":"response.tide.turned","sequence_number":0})", "response.tide.turned");
       return true;
     }},
    {"items",
     {"delta-after-done", Effect::shape, kStoppedReading},
     "output_text",
     [](Draft& d) {
       const std::size_t done = d.first("response.output_text.done");
       if (done == d.size() || d.type(done - 1) != "response.output_text.delta") return false;
       d.move(done - 1, done);
       return true;
     }},
    {"items",
     {"delta-after-done", Effect::shape, kStoppedReading},
     "function_call.arguments",
     [](Draft& d) {
       const std::size_t done = d.first("response.function_call_arguments.done");
       if (done == d.size() || d.type(done - 1) != "response.function_call_arguments.delta") return false;
       d.move(done - 1, done);
       return true;
     }},
    {"items",
     {"empty-everywhere", Effect::shape, "a client parses an empty text and throws"},
     "function_call.arguments",
     [](Draft& d) {
       const std::size_t done = item_event(d, "response.output_item.done", "function_call");
       if (done == d.size()) return false;
       const json id = d.at({done, "/item/id"});
       for (std::size_t i = d.size(); i-- > 0;) {
         if (d.type(i) == "response.function_call_arguments.delta" && d.at({i, "/item_id"}) == id)
           d.remove(i);
       }
       for (std::size_t i = 0; i < d.size(); ++i) {
         if (d.at({i, "/item_id"}) == id && d.has({i, "/arguments"})) d.set({i, "/arguments"}, "");
         if (d.at({i, "/item/id"}) == id) d.set({i, "/item/arguments"}, "");
         const json output = d.at({i, "/response/output"});
         for (std::size_t n = 0; output.is_array() && n < output.size(); ++n) {
           if (member(output[n], "id") == id)
             d.set({i, "/response/output/" + std::to_string(n) + "/arguments"}, "");
         }
       }
       return true;
     }},
});

}  // namespace

std::span<const StreamMutation> responses_flaws_of_items() { return kItemScenes; }

}  // namespace splitproof::dialect
