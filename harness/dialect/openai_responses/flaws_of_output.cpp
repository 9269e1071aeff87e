// Flaws of content that Responses repeat at the end: output and annotations.

#include <array>
#include <nlohmann/json.hpp>

#include "harness/dialect/openai_responses/edits.hpp"
#include "harness/dialect/openai_responses/self_test_tables.hpp"

namespace splitproof::dialect {
namespace {

using namespace responses_edits;
using json = nlohmann::ordered_json;

// Returns the place of a list of annotations.
FieldRef annotations_in_item(const Draft& draft) {
  return {item_event(draft, "response.output_item.done", "message"), "/item/content/0/annotations"};
}

FieldRef annotations_at_end(const Draft& draft) {
  const std::size_t end = end_of(draft);
  const json& output = draft.at({end, "/response/output"});
  for (std::size_t n = 0; output.is_array() && n < output.size(); ++n) {
    const FieldRef spot{end, "/response/output/" + std::to_string(n) + "/content/0/annotations"};
    if (draft.has(spot)) return spot;
  }
  return {draft.size(), ""};
}

FieldRef annotations_in_part(const Draft& draft) {
  return {draft.first("response.content_part.done"), "/part/annotations"};
}

bool has_annotations(const Draft& draft) {
  return draft.first("response.output_text.annotation.added") < draft.size();
}

bool drop_annotation(Draft& draft, const FieldRef& list) {
  if (!has_annotations(draft) || !draft.has({list.event, list.field + "/0"})) return false;
  draft.erase({list.event, list.field + "/0"});
  return true;
}

bool change_annotation(Draft& draft, const FieldRef& list) {
  if (!has_annotations(draft) || !draft.has({list.event, list.field + "/0/url"})) return false;
  draft.set({list.event, list.field + "/0/url"}, "https://other.example/");
  return true;
}

bool double_annotation(Draft& draft, const FieldRef& list) {
  if (!has_annotations(draft) || !draft.has({list.event, list.field + "/0"})) return false;
  json annotations = draft.at(list);
  annotations.push_back(annotations[0]);
  draft.set(list, annotations);
  return true;
}

bool shift_annotation(Draft& draft, const FieldRef& list) {
  if (!has_annotations(draft) || !draft.has({list.event, list.field + "/0/start_index"})) return false;
  draft.set({list.event, list.field + "/0/start_index"}, 900);
  return true;
}

bool empty_annotations(Draft& draft, const FieldRef& list) {
  if (!has_annotations(draft) || !draft.has(list)) return false;
  draft.set_json(list, "[]");
  return true;
}

constexpr std::string_view kOutput = "a client that reads the output at the end loses it";
constexpr std::string_view kSource = "different clients show different sources";

constexpr auto kOutputScenes = std::to_array<StreamMutation>({
    {"output",
     {"empty", Effect::shape, kOutput},
     "output/completed",
     [](Draft& d) {
       return end_of(d) < d.size() && d.has({end_of(d), "/response/output/0"}) &&
              set_at_end(d, "/response/output", "[]");
     }},
    {"output",
     {"first-lost", Effect::shape, kOutput},
     "output/completed",
     [](Draft& d) {
       const FieldRef spot{end_of(d), "/response/output/0"};
       if (!d.has({spot.event, "/response/output/1"})) return false;
       d.erase(spot);
       return true;
     }},
    {"output",
     {"last-lost", Effect::shape, kOutput},
     "output/completed",
     [](Draft& d) {
       const std::size_t end = end_of(d);
       if (!d.has({end, "/response/output/1"})) return false;
       d.erase({end, "/response/output/" + std::to_string(d.at({end, "/response/output"}).size() - 1)});
       return true;
     }},
    {"output",
     {"item-twice", Effect::shape, kOutput},
     "output/completed",
     [](Draft& d) {
       const FieldRef spot{end_of(d), "/response/output"};
       if (!d.has({spot.event, "/response/output/0"})) return false;
       json output = d.at(spot);
       output.push_back(output[0]);
       d.set(spot, output);
       return true;
     }},
    {"output",
     {"ghost-item", Effect::shape, kOutput},
     "output/completed",
     [](Draft& d) {
       const FieldRef spot{end_of(d), "/response/output"};
       if (!d.has({spot.event, "/response/output/0"})) return false;
       json output = d.at(spot);
       output.push_back(json::parse(
           R"({"id":"fc_none","type":"function_call","status":"completed","call_id":"call_none","name":"find_dock","arguments":"{}"})"));
       d.set(spot, output);
       return true;
     }},
    {"output",
     {"backwards", Effect::shape, kOutput},
     "output/completed",
     [](Draft& d) {
       const FieldRef spot{end_of(d), "/response/output"};
       if (!d.has({spot.event, "/response/output/1"})) return false;
       json output = d.at(spot);
       std::reverse(output.begin(), output.end());
       d.set(spot, output);
       return true;
     }},
    {"output",
     {"part-lost", Effect::shape, kOutput},
     "output/item-done",
     [](Draft& d) {
       const FieldRef spot{item_event(d, "response.output_item.done", "message"), "/item/content/0"};
       if (!d.has(spot)) return false;
       d.erase(spot);
       return true;
     }},
    {"output",
     {"summary-lost", Effect::shape, kOutput},
     "output/item-done",
     [](Draft& d) {
       const FieldRef spot{item_event(d, "response.output_item.done", "reasoning"), "/item/summary/0"};
       if (!d.has(spot)) return false;
       d.erase(spot);
       return true;
     }},
    {"annotations",
     {"lost", Effect::shape, kSource},
     "annotations/part-done",
     [](Draft& d) { return drop_annotation(d, annotations_in_part(d)); }},
    {"annotations",
     {"lost", Effect::shape, kSource},
     "annotations/item-done",
     [](Draft& d) { return drop_annotation(d, annotations_in_item(d)); }},
    {"annotations",
     {"lost", Effect::shape, kSource},
     "annotations/completed",
     [](Draft& d) { return drop_annotation(d, annotations_at_end(d)); }},
    {"annotations",
     {"all-lost", Effect::shape, kSource},
     "annotations/part-done",
     [](Draft& d) { return empty_annotations(d, annotations_in_part(d)); }},
    {"annotations",
     {"all-lost", Effect::shape, kSource},
     "annotations/item-done",
     [](Draft& d) { return empty_annotations(d, annotations_in_item(d)); }},
    {"annotations",
     {"all-lost", Effect::shape, kSource},
     "annotations/completed",
     [](Draft& d) { return empty_annotations(d, annotations_at_end(d)); }},
    {"annotations",
     {"differs", Effect::shape, kSource},
     "annotations/part-done",
     [](Draft& d) { return change_annotation(d, annotations_in_part(d)); }},
    {"annotations",
     {"differs", Effect::shape, kSource},
     "annotations/item-done",
     [](Draft& d) { return change_annotation(d, annotations_in_item(d)); }},
    {"annotations",
     {"differs", Effect::shape, kSource},
     "annotations/completed",
     [](Draft& d) { return change_annotation(d, annotations_at_end(d)); }},
    {"annotations",
     {"twice", Effect::shape, kSource},
     "annotations/part-done",
     [](Draft& d) { return double_annotation(d, annotations_in_part(d)); }},
    {"annotations",
     {"twice", Effect::shape, kSource},
     "annotations/item-done",
     [](Draft& d) { return double_annotation(d, annotations_in_item(d)); }},
    {"annotations",
     {"twice", Effect::shape, kSource},
     "annotations/completed",
     [](Draft& d) { return double_annotation(d, annotations_at_end(d)); }},
    {"annotations",
     {"starts-behind-its-end", Effect::shape, kSource},
     "annotations/part-done",
     [](Draft& d) { return shift_annotation(d, annotations_in_part(d)); }},
    {"annotations",
     {"starts-behind-its-end", Effect::shape, kSource},
     "annotations/item-done",
     [](Draft& d) { return shift_annotation(d, annotations_in_item(d)); }},
    {"annotations",
     {"event-lost", Effect::shape, kSource},
     "annotations/added",
     [](Draft& d) {
       if (!has_annotations(d)) return false;
       d.remove(d.first("response.output_text.annotation.added"));
       return true;
     }},
    {"annotations",
     {"last-event-lost", Effect::shape, kSource},
     "annotations/added",
     [](Draft& d) {
       if (!has_annotations(d)) return false;
       d.remove(d.last("response.output_text.annotation.added"));
       return true;
     }},
    {"annotations",
     {"event-twice", Effect::shape, kSource},
     "annotations/added",
     [](Draft& d) {
       if (!has_annotations(d)) return false;
       d.copy(d.first("response.output_text.annotation.added"),
              d.first("response.output_text.annotation.added"));
       return true;
     }},
    {"annotations",
     {"index-repeats", Effect::shape, kSource},
     "annotations/added",
     [](Draft& d) {
       if (!has_annotations(d)) return false;
       d.set({d.last("response.output_text.annotation.added"), "/annotation_index"}, 0);
       return true;
     }},
    {"annotations",
     {"index-gap", Effect::shape, kSource},
     "annotations/added",
     [](Draft& d) {
       if (!has_annotations(d)) return false;
       d.set({d.last("response.output_text.annotation.added"), "/annotation_index"}, 9);
       return true;
     }},
    {"annotations",
     {"before-its-part", Effect::shape, kSource},
     "annotations/added",
     [](Draft& d) {
       const std::size_t part = d.first("response.content_part.added");
       if (!has_annotations(d) || part == d.size()) return false;
       d.move(d.first("response.output_text.annotation.added"), part);
       return true;
     }},
    {"annotations",
     {"unknown-type", Effect::shape, kUnknownType},
     "annotations/added",
     [](Draft& d) {
       return set_in(d, "response.output_text.annotation.added", "/annotation/type", "\"hologram\"");
     }},
});

}  // namespace

std::span<const StreamMutation> responses_flaws_of_output() { return kOutputScenes; }

}  // namespace splitproof::dialect
