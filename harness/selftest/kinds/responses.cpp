// What Responses alone can have wrong: items, parts, numbers, annotations, the response's own state.

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "harness/json_member.hpp"
#include "harness/selftest/kinds/scene.hpp"

namespace splitproof::selftest {
namespace {

using json = nlohmann::ordered_json;

std::size_t item_event(const Draft& draft, std::string_view event, std::string_view item) {
  std::size_t i = 0;
  while (i < draft.size() && (draft.type(i) != event || draft.text({i, "/item/type"}) != item)) ++i;
  return i;
}

bool set_in(Draft& draft, std::string_view type, const std::string& field, std::string_view value) {
  const std::size_t event = draft.first(type);
  if (!draft.has({event, field})) return false;
  draft.set_json({event, field}, value);
  return true;
}

// The event that ends the response.
std::size_t end_of(const Draft& draft) {
  for (const char* type : {"response.completed", "response.incomplete", "response.failed"}) {
    if (draft.first(type) < draft.size()) return draft.first(type);
  }
  return draft.size();
}

bool set_at_end(Draft& draft, const std::string& field, std::string_view value) {
  const std::size_t end = end_of(draft);
  if (!draft.has({end, field})) return false;
  draft.set_json({end, field}, value);
  return true;
}

// Gives the items from the second on other numbers, all over the body.
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

bool renumber_by(Draft& draft, long long (*other)(long long number)) {
  bool any = false;
  for (std::size_t i = 0; i < draft.size(); ++i) {
    const json& number = draft.at({i, "/sequence_number"});
    if (!number.is_number_integer()) continue;
    const long long was = number.get<long long>();
    if (other(was) != was) draft.set({i, "/sequence_number"}, other(was));
    any = any || other(was) != was;
  }
  return any;
}

// The list of annotations in that event.
constexpr const char* kInPart = "/part/annotations";
constexpr const char* kInItem = "/item/content/0/annotations";

Spot annotations_in_item(const Draft& draft) {
  return {item_event(draft, "response.output_item.done", "message"), kInItem};
}

Spot annotations_at_end(const Draft& draft) {
  const std::size_t end = end_of(draft);
  const json& output = draft.at({end, "/response/output"});
  for (std::size_t n = 0; output.is_array() && n < output.size(); ++n) {
    const Spot spot{end, "/response/output/" + std::to_string(n) + "/content/0/annotations"};
    if (draft.has(spot)) return spot;
  }
  return {draft.size(), ""};
}

Spot annotations_in_part(const Draft& draft) { return {draft.first("response.content_part.done"), kInPart}; }

bool has_annotations(const Draft& draft) {
  return draft.first("response.output_text.annotation.added") < draft.size();
}

bool drop_annotation(Draft& draft, const Spot& list) {
  if (!has_annotations(draft) || !draft.has({list.event, list.field + "/0"})) return false;
  draft.erase({list.event, list.field + "/0"});
  return true;
}

bool change_annotation(Draft& draft, const Spot& list) {
  if (!has_annotations(draft) || !draft.has({list.event, list.field + "/0/url"})) return false;
  draft.set({list.event, list.field + "/0/url"}, "https://other.example/");
  return true;
}

bool double_annotation(Draft& draft, const Spot& list) {
  if (!has_annotations(draft) || !draft.has({list.event, list.field + "/0"})) return false;
  json annotations = draft.at(list);
  annotations.push_back(annotations[0]);
  draft.set(list, annotations);
  return true;
}

bool shift_annotation(Draft& draft, const Spot& list) {
  if (!has_annotations(draft) || !draft.has({list.event, list.field + "/0/start_index"})) return false;
  draft.set({list.event, list.field + "/0/start_index"}, 900);
  return true;
}

bool empty_annotations(Draft& draft, const Spot& list) {
  if (!has_annotations(draft) || !draft.has(list)) return false;
  draft.set_json(list, "[]");
  return true;
}

constexpr std::string_view kWrongItem = "what belongs to one item is shown in another, or dropped";
constexpr std::string_view kOrder = "a client that goes by the numbers drops it or puts it elsewhere";
constexpr std::string_view kEnd = "a client takes a part for the whole, or a failure for an answer";
constexpr std::string_view kLate = "a client has stopped reading";
constexpr std::string_view kOutput = "a client that reads the output at the end loses it";
constexpr std::string_view kSource = "the source that is shown depends on where a client reads it";
constexpr std::string_view kUnknown = "a client that checks types throws, another passes it over";
constexpr std::string_view kCount = "a client that adds it up throws, or bills nonsense";

constexpr auto kNumbered = std::to_array<Scene>({
    {"numbers",
     {"gap", Effect::shape, kOrder},
     "sequence_number",
     [](Draft& d) { return renumber_by(d, [](long long n) { return n > 4 ? n + 3 : n; }); }},
    {"numbers",
     {"repeats", Effect::shape, kOrder},
     "sequence_number",
     [](Draft& d) { return renumber_by(d, [](long long n) { return n > 4 ? n - 1 : n; }); }},
    {"numbers",
     {"falls", Effect::shape, kOrder},
     "sequence_number",
     [](Draft& d) { return renumber_by(d, [](long long n) { return n > 4 ? n - 3 : n; }); }},
    {"numbers",
     {"from-one", Effect::shape, kOrder},
     "sequence_number",
     [](Draft& d) { return renumber_by(d, [](long long n) { return n + 1; }); }},
    {"numbers",
     {"backwards", Effect::shape, kOrder},
     "sequence_number",
     [](Draft& d) { return renumber_by(d, [](long long n) { return 900 - n; }); }},
    {"numbers",
     {"zero-throughout", Effect::shape, kOrder},
     "sequence_number",
     [](Draft& d) { return renumber_by(d, [](long long) { return 0LL; }); }},
    {"numbers",
     {"absent-throughout", Effect::shape, kOrder},
     "sequence_number",
     [](Draft& d) {
       for (std::size_t i = 0; i < d.size(); ++i) {
         if (d.has({i, "/sequence_number"})) d.erase({i, "/sequence_number"});
       }
       return true;
     }},
    {"numbers",
     {"absent-at-the-end", Effect::shape, kOrder},
     "sequence_number",
     [](Draft& d) {
       const Spot spot{end_of(d), "/sequence_number"};
       if (!d.has(spot)) return false;
       d.erase(spot);
       return true;
     }},
});

constexpr auto kScenes = std::to_array<Scene>({
    {"items", {"from-one", Effect::shape, kWrongItem}, "output_index", [](Draft& d) { return reindex(d, 0, 1); }},
    {"items", {"gap", Effect::shape, kWrongItem}, "output_index", [](Draft& d) { return reindex(d, 1, 1); }},
    {"items", {"reused", Effect::shape, kWrongItem}, "output_index", [](Draft& d) { return reindex(d, 1, -1); }},
    {"items", {"moves", Effect::shape, kWrongItem}, "output_index",
     [](Draft& d) { return set_in(d, "response.output_item.done", "/output_index", "3"); }},
    {"items", {"for-unknown-item", Effect::shape, kWrongItem}, "text-delta",
     [](Draft& d) { return set_in(d, "response.output_text.delta", "/item_id", "\"msg_none\""); }},
    {"items", {"for-unknown-item", Effect::shape, kWrongItem}, "arguments-delta",
     [](Draft& d) { return set_in(d, "response.function_call_arguments.delta", "/item_id", "\"fc_none\""); }},
    {"items", {"for-unknown-item", Effect::shape, kWrongItem}, "refusal-delta",
     [](Draft& d) { return set_in(d, "response.refusal.delta", "/item_id", "\"msg_none\""); }},
    {"items", {"for-unknown-item", Effect::shape, kWrongItem}, "annotation",
     [](Draft& d) { return set_in(d, "response.output_text.annotation.added", "/item_id", "\"msg_none\""); }},
    {"items", {"of-another-item", Effect::shape, kWrongItem}, "text-delta",
     [](Draft& d) {
       const std::size_t call = item_event(d, "response.output_item.added", "function_call");
       return call < d.size() && set_in(d, "response.output_text.delta", "/item_id", d.at({call, "/item/id"}).dump());
     }},
    {"items", {"filled-when-added", Effect::shape, "a client shows it twice"}, "message",
     [](Draft& d) {
       const std::size_t event = item_event(d, "response.output_item.added", "message");
       if (event == d.size()) return false;
       d.set_json({event, "/item/content"}, R"([{"type":"output_text","text":"tide","annotations":[]}])");
       return true;
     }},
    {"items", {"filled-when-added", Effect::shape, "a client joins them to the pieces"}, "function_call",
     [](Draft& d) {
       const std::size_t event = item_event(d, "response.output_item.added", "function_call");
       if (event == d.size()) return false;
       d.set_json({event, "/item/arguments"}, R"("{\"town\":\"Oban\"}")");
       return true;
     }},
    {"items", {"completed-when-added", Effect::shape, "a client takes it for whole"}, "function_call",
     [](Draft& d) {
       const std::size_t event = item_event(d, "response.output_item.added", "function_call");
       if (event == d.size()) return false;
       d.set({event, "/item/status"}, "completed");
       return true;
     }},
    {"items", {"in-progress-when-done", Effect::shape, "a client goes on waiting"}, "message",
     [](Draft& d) {
       const std::size_t event = item_event(d, "response.output_item.done", "message");
       if (event == d.size()) return false;
       d.set({event, "/item/status"}, "in_progress");
       return true;
     }},
    {"items", {"in-progress-when-done", Effect::shape, "a client goes on waiting"}, "function_call",
     [](Draft& d) {
       const std::size_t event = item_event(d, "response.output_item.done", "function_call");
       if (event == d.size()) return false;
       d.set({event, "/item/status"}, "in_progress");
       return true;
     }},
    {"items", {"done-as-another-type", Effect::shape, kUnknown}, "function_call",
     [](Draft& d) {
       const std::size_t event = item_event(d, "response.output_item.done", "function_call");
       if (event == d.size()) return false;
       d.set({event, "/item/type"}, "custom_tool_call");
       return true;
     }},
    {"items", {"unknown-type", Effect::shape, kUnknown}, "item",
     [](Draft& d) {
       const std::size_t end = end_of(d);
       if (end == d.size() || d.last("response.output_item.done") == d.size()) return false;
       json item = json::parse(R"({"type":"response.output_item.added","output_index":0,"item":{"id":"hg_dock","type":"hologram","status":"in_progress"},"sequence_number":0})");
       item["output_index"] = d.at({d.last("response.output_item.done"), "/output_index"}).get<long long>() + 1;
       d.insert(end, item.dump(), "response.output_item.added");
       item["type"] = "response.output_item.done";
       item["item"]["status"] = "completed";
       d.insert(end + 1, item.dump(), "response.output_item.done");
       const Spot output{end + 2, "/response/output"};
       json whole = d.at(output);
       if (!whole.is_array()) return true;
       whole.push_back(item["item"]);
       d.set(output, whole);
       return true;
     }},
    {"items", {"unknown-type", Effect::shape, kUnknown}, "part",
     [](Draft& d) { return set_in(d, "response.content_part.added", "/part/type", "\"hologram\""); }},
    {"items", {"unknown-type", Effect::shape, kUnknown}, "event",
     [](Draft& d) {
       const std::size_t end = end_of(d);
       if (end == d.size()) return false;
       d.insert(end, R"({"type":"response.tide.turned","sequence_number":0})", "response.tide.turned");
       return true;
     }},
    {"items", {"delta-after-done", Effect::shape, kLate}, "output_text",
     [](Draft& d) {
       const std::size_t done = d.first("response.output_text.done");
       if (done == d.size() || d.type(done - 1) != "response.output_text.delta") return false;
       d.move(done - 1, done);
       return true;
     }},
    {"items", {"delta-after-done", Effect::shape, kLate}, "function_call.arguments",
     [](Draft& d) {
       const std::size_t done = d.first("response.function_call_arguments.done");
       if (done == d.size() || d.type(done - 1) != "response.function_call_arguments.delta") return false;
       d.move(done - 1, done);
       return true;
     }},
    {"items", {"empty-everywhere", Effect::shape, "a client parses an empty text and throws"}, "function_call.arguments",
     [](Draft& d) {
       const std::size_t done = item_event(d, "response.output_item.done", "function_call");
       if (done == d.size()) return false;
       const json id = d.at({done, "/item/id"});
       for (std::size_t i = d.size(); i-- > 0;) {
         if (d.type(i) == "response.function_call_arguments.delta" && d.at({i, "/item_id"}) == id) d.remove(i);
       }
       for (std::size_t i = 0; i < d.size(); ++i) {
         if (d.at({i, "/item_id"}) == id && d.has({i, "/arguments"})) d.set({i, "/arguments"}, "");
         if (d.at({i, "/item/id"}) == id) d.set({i, "/item/arguments"}, "");
         const json output = d.at({i, "/response/output"});
         for (std::size_t n = 0; output.is_array() && n < output.size(); ++n) {
           if (member(output[n], "id") == id) d.set({i, "/response/output/" + std::to_string(n) + "/arguments"}, "");
         }
       }
       return true;
     }},
    {"ends", {"completed-as-failed", Effect::shape, kEnd}, "status", [](Draft& d) { return d.first("response.completed") < d.size() && set_at_end(d, "/response/status", "\"failed\""); }},
    {"ends", {"completed-as-in-progress", Effect::shape, kEnd}, "status", [](Draft& d) { return d.first("response.completed") < d.size() && set_at_end(d, "/response/status", "\"in_progress\""); }},
    {"ends", {"incomplete-as-completed", Effect::shape, kEnd}, "status", [](Draft& d) { return d.first("response.incomplete") < d.size() && set_at_end(d, "/response/status", "\"completed\""); }},
    {"ends", {"completed-with-error", Effect::shape, kEnd}, "error",
     [](Draft& d) { return d.first("response.completed") < d.size() && set_at_end(d, "/response/error", R"({"code":"server_error","message":"Too many ships."})"); }},
    {"ends", {"completed-with-reason", Effect::shape, kEnd}, "incomplete_details",
     [](Draft& d) { return d.first("response.completed") < d.size() && set_at_end(d, "/response/incomplete_details", R"({"reason":"max_output_tokens"})"); }},
    {"ends", {"done-of-older-servers", Effect::shape, kEnd}, "completed",
     [](Draft& d) {
       const std::size_t end = d.first("response.completed");
       if (end == d.size()) return false;
       const json data = d.data(end);
       d.remove(end);
       json renamed = data;
       renamed["type"] = "response.done";
       d.insert(end, renamed.dump(), "response.done");
       return true;
     }},
    {"ends", {"failed-then-completed", Effect::shape, kEnd}, "failed",
     [](Draft& d) {
       const std::size_t end = d.first("response.completed");
       if (end == d.size()) return false;
       d.insert(end, R"({"type":"response.failed","response":{"id":"resp_dock01","object":"response","created_at":1790000000,"status":"failed","error":{"code":"server_error","message":"Too many ships."},"incomplete_details":null,"model":"dock-mini","output":[],"usage":null},"sequence_number":0})", "response.failed");
       return true;
     }},
    {"ends", {"error-then-completed", Effect::shape, kEnd}, "error",
     [](Draft& d) {
       const std::size_t end = d.first("response.completed");
       if (end == d.size()) return false;
       d.insert(end, R"({"type":"error","code":"server_error","message":"Too many ships.","param":null,"sequence_number":0})", "error");
       return true;
     }},
    {"ends", {"created-again", Effect::shape, "two answers are read as one"}, "created",
     [](Draft& d) {
       const std::size_t middle = d.size() / 2;
       if (d.type(0) != "response.created") return false;
       d.copy(0, middle);
       d.set({middle, "/response/id"}, "resp_other");
       return true;
     }},
    {"ends", {"text-behind-the-end", Effect::shape, kLate}, "output_text",
     [](Draft& d) {
       const std::size_t delta = d.first("response.output_text.delta");
       if (delta == d.size()) return false;
       d.copy(delta, d.size());
       return true;
     }},
    {"ends", {"error-nested", Effect::shape, "a client that reads the message says undefined"}, "error",
     [](Draft& d) {
       const std::size_t end = end_of(d);
       if (end == d.size()) return false;
       d.remove(end);
       d.insert(end, R"({"type":"error","error":{"type":"server_error","code":"server_error","message":"Too many ships.","param":null},"sequence_number":0})", "error");
       return true;
     }},
    {"output", {"empty", Effect::shape, kOutput}, "output/completed",
     [](Draft& d) { return end_of(d) < d.size() && d.has({end_of(d), "/response/output/0"}) && set_at_end(d, "/response/output", "[]"); }},
    {"output", {"first-lost", Effect::shape, kOutput}, "output/completed",
     [](Draft& d) {
       const Spot spot{end_of(d), "/response/output/0"};
       if (!d.has({spot.event, "/response/output/1"})) return false;
       d.erase(spot);
       return true;
     }},
    {"output", {"last-lost", Effect::shape, kOutput}, "output/completed",
     [](Draft& d) {
       const std::size_t end = end_of(d);
       if (!d.has({end, "/response/output/1"})) return false;
       d.erase({end, "/response/output/" + std::to_string(d.at({end, "/response/output"}).size() - 1)});
       return true;
     }},
    {"output", {"item-twice", Effect::shape, kOutput}, "output/completed",
     [](Draft& d) {
       const Spot spot{end_of(d), "/response/output"};
       if (!d.has({spot.event, "/response/output/0"})) return false;
       json output = d.at(spot);
       output.push_back(output[0]);
       d.set(spot, output);
       return true;
     }},
    {"output", {"ghost-item", Effect::shape, kOutput}, "output/completed",
     [](Draft& d) {
       const Spot spot{end_of(d), "/response/output"};
       if (!d.has({spot.event, "/response/output/0"})) return false;
       json output = d.at(spot);
       output.push_back(json::parse(R"({"id":"fc_none","type":"function_call","status":"completed","call_id":"call_none","name":"find_dock","arguments":"{}"})"));
       d.set(spot, output);
       return true;
     }},
    {"output", {"backwards", Effect::shape, kOutput}, "output/completed",
     [](Draft& d) {
       const Spot spot{end_of(d), "/response/output"};
       if (!d.has({spot.event, "/response/output/1"})) return false;
       json output = d.at(spot);
       std::reverse(output.begin(), output.end());
       d.set(spot, output);
       return true;
     }},
    {"output", {"part-lost", Effect::shape, kOutput}, "output/item-done",
     [](Draft& d) {
       const Spot spot{item_event(d, "response.output_item.done", "message"), "/item/content/0"};
       if (!d.has(spot)) return false;
       d.erase(spot);
       return true;
     }},
    {"output", {"summary-lost", Effect::shape, kOutput}, "output/item-done",
     [](Draft& d) {
       const Spot spot{item_event(d, "response.output_item.done", "reasoning"), "/item/summary/0"};
       if (!d.has(spot)) return false;
       d.erase(spot);
       return true;
     }},
    {"annotations", {"lost", Effect::shape, kSource}, "annotations/part-done", [](Draft& d) { return drop_annotation(d, annotations_in_part(d)); }},
    {"annotations", {"lost", Effect::shape, kSource}, "annotations/item-done", [](Draft& d) { return drop_annotation(d, annotations_in_item(d)); }},
    {"annotations", {"lost", Effect::shape, kSource}, "annotations/completed", [](Draft& d) { return drop_annotation(d, annotations_at_end(d)); }},
    {"annotations", {"all-lost", Effect::shape, kSource}, "annotations/part-done", [](Draft& d) { return empty_annotations(d, annotations_in_part(d)); }},
    {"annotations", {"all-lost", Effect::shape, kSource}, "annotations/item-done", [](Draft& d) { return empty_annotations(d, annotations_in_item(d)); }},
    {"annotations", {"all-lost", Effect::shape, kSource}, "annotations/completed", [](Draft& d) { return empty_annotations(d, annotations_at_end(d)); }},
    {"annotations", {"differs", Effect::shape, kSource}, "annotations/part-done", [](Draft& d) { return change_annotation(d, annotations_in_part(d)); }},
    {"annotations", {"differs", Effect::shape, kSource}, "annotations/item-done", [](Draft& d) { return change_annotation(d, annotations_in_item(d)); }},
    {"annotations", {"differs", Effect::shape, kSource}, "annotations/completed", [](Draft& d) { return change_annotation(d, annotations_at_end(d)); }},
    {"annotations", {"twice", Effect::shape, kSource}, "annotations/part-done", [](Draft& d) { return double_annotation(d, annotations_in_part(d)); }},
    {"annotations", {"twice", Effect::shape, kSource}, "annotations/item-done", [](Draft& d) { return double_annotation(d, annotations_in_item(d)); }},
    {"annotations", {"twice", Effect::shape, kSource}, "annotations/completed", [](Draft& d) { return double_annotation(d, annotations_at_end(d)); }},
    {"annotations", {"starts-behind-its-end", Effect::shape, kSource}, "annotations/part-done", [](Draft& d) { return shift_annotation(d, annotations_in_part(d)); }},
    {"annotations", {"starts-behind-its-end", Effect::shape, kSource}, "annotations/item-done", [](Draft& d) { return shift_annotation(d, annotations_in_item(d)); }},
    {"annotations", {"event-lost", Effect::shape, kSource}, "annotations/added",
     [](Draft& d) {
       if (!has_annotations(d)) return false;
       d.remove(d.first("response.output_text.annotation.added"));
       return true;
     }},
    {"annotations", {"last-event-lost", Effect::shape, kSource}, "annotations/added",
     [](Draft& d) {
       if (!has_annotations(d)) return false;
       d.remove(d.last("response.output_text.annotation.added"));
       return true;
     }},
    {"annotations", {"event-twice", Effect::shape, kSource}, "annotations/added",
     [](Draft& d) {
       if (!has_annotations(d)) return false;
       d.copy(d.first("response.output_text.annotation.added"), d.first("response.output_text.annotation.added"));
       return true;
     }},
    {"annotations", {"index-repeats", Effect::shape, kSource}, "annotations/added",
     [](Draft& d) {
       if (!has_annotations(d)) return false;
       d.set({d.last("response.output_text.annotation.added"), "/annotation_index"}, 0);
       return true;
     }},
    {"annotations", {"index-gap", Effect::shape, kSource}, "annotations/added",
     [](Draft& d) {
       if (!has_annotations(d)) return false;
       d.set({d.last("response.output_text.annotation.added"), "/annotation_index"}, 9);
       return true;
     }},
    {"annotations", {"before-its-part", Effect::shape, kSource}, "annotations/added",
     [](Draft& d) {
       const std::size_t part = d.first("response.content_part.added");
       if (!has_annotations(d) || part == d.size()) return false;
       d.move(d.first("response.output_text.annotation.added"), part);
       return true;
     }},
    {"annotations", {"unknown-type", Effect::shape, kUnknown}, "annotations/added",
     [](Draft& d) { return set_in(d, "response.output_text.annotation.added", "/annotation/type", "\"hologram\""); }},
    {"usage", {"null", Effect::shape, kCount}, "usage",
     [](Draft& d) { return d.has({d.first("response.completed"), "/response/usage/input_tokens"}) && set_at_end(d, "/response/usage", "null"); }},
    {"usage", {"empty", Effect::shape, kCount}, "usage",
     [](Draft& d) { return d.has({d.first("response.completed"), "/response/usage/input_tokens"}) && set_at_end(d, "/response/usage", "{}"); }},
    {"usage", {"of-chat", Effect::shape, kCount}, "usage",
     [](Draft& d) {
       return d.has({d.first("response.completed"), "/response/usage/input_tokens"}) &&
              set_at_end(d, "/response/usage", R"({"prompt_tokens":40,"completion_tokens":17,"total_tokens":57})");
     }},
    {"usage", {"without-details", Effect::shape, kCount}, "usage",
     [](Draft& d) {
       return d.has({d.first("response.completed"), "/response/usage/input_tokens_details"}) &&
              set_at_end(d, "/response/usage", R"({"input_tokens":40,"output_tokens":17,"total_tokens":57})");
     }},
    {"usage", {"sum-wrong", Effect::shape, kCount}, "usage", [](Draft& d) { return set_at_end(d, "/response/usage/total_tokens", "1"); }},
    {"usage", {"more-cached-than-read", Effect::shape, kCount}, "usage",
     [](Draft& d) { return set_at_end(d, "/response/usage/input_tokens_details/cached_tokens", "4711"); }},
});

}  // namespace

void add_responses_kinds(KindList& kinds) {
  add_scenes(kinds, kNumbered, false);
  add_scenes(kinds, kScenes, true);
}

}  // namespace splitproof::selftest
