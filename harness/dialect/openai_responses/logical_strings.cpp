// Content of a stream of Responses and its places, up to four for most of it.

#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "harness/dialect/openai_responses/self_test_tables.hpp"
#include "harness/json_member.hpp"

namespace splitproof::dialect {
namespace {

using json = nlohmann::ordered_json;

// Content in deltas: the events' common prefix, the member of `.done` with the content, the counter of its
// part, and the list of parts in its item. Both are empty if the item itself holds the content.
struct ResponsesDeltaString {
  std::string_view event;
  std::string_view whole;
  std::string_view what;
  std::string_view counter;
  std::string_view parts;
};

constexpr ResponsesDeltaString kDeltaStrands[] = {
    {"response.output_text", "text", "output_text", "content_index", "content"},
    {"response.refusal", "refusal", "refusal", "content_index", "content"},
    {"response.reasoning_text", "text", "reasoning_text", "content_index", "content"},
    {"response.reasoning_summary_text", "text", "summary", "summary_index", "summary"},
    {"response.function_call_arguments", "arguments", "function_call.arguments", "", ""},
    {"response.mcp_call_arguments", "arguments", "mcp_call.arguments", "", ""},
    {"response.custom_tool_call_input", "input", "custom_tool_call.input", "", ""},
};

struct OfItem {
  std::string_view type;
  std::string_view field;
  std::string_view what;
};

constexpr OfItem kItemStrands[] = {
    {"function_call", "name", "function_call.name"},
    {"function_call", "call_id", "function_call.call_id"},
    {"custom_tool_call", "name", "custom_tool_call.name"},
    {"custom_tool_call", "call_id", "custom_tool_call.call_id"},
    {"mcp_call", "name", "mcp_call.name"},
    {"message", "id", "message.id"},
    {"function_call", "id", "function_call.id"},
    {"custom_tool_call", "id", "custom_tool_call.id"},
    {"reasoning", "id", "reasoning.id"},
};

class ResponsesStrings {
 public:
  explicit ResponsesStrings(const Draft& draft) : draft_(draft) {}

  std::vector<LogicalString> all() && {
    for (std::size_t i = 0; i < draft_.size(); ++i) {
      const std::string type = draft_.type(i);
      for (const ResponsesDeltaString& of : kDeltaStrands) {
        if (type == std::string(of.event) + ".delta")
          key(of.what, i, of.counter).pieces.push_back({i, "/delta"});
        if (type == std::string(of.event) + ".done")
          again(key(of.what, i, of.counter), "done", {i, "/" + std::string(of.whole)});
      }
      if (type == "response.created") strands_[slot("response.id")].pieces.push_back({i, "/response/id"});
      if (type == "response.in_progress")
        again(strands_[slot("response.id")], "in-progress", {i, "/response/id"});
      if (type == "response.output_item.added")
        item(i, "/item", "added", draft_.at({i, "/output_index"}).dump());
      if (type == "response.output_item.done")
        item(i, "/item", "item-done", draft_.at({i, "/output_index"}).dump());
      if (type.ends_with("part.done")) part(i);
      mention(i, type);
      if (type == "response.completed" || type == "response.incomplete") output(i);
    }
    // Content that never came in pieces is not needed here.
    std::erase_if(strands_, [](const LogicalString& strand) { return strand.pieces.empty(); });
    return std::move(strands_);
  }

 private:
  std::size_t slot(const std::string& key) {
    const auto [place, is_new] = open_.emplace(key, strands_.size());
    if (is_new) strands_.push_back({what_of(key), {}, {}});
    return place->second;
  }

  static std::string_view what_of(const std::string& key) {
    const std::string what = key.substr(0, key.find(' '));
    for (const LogicalStringClass& known : responses_strand_classes()) {
      if (known.what == what) return known.what;
    }
    return "";
  }

  LogicalString& key(std::string_view what, std::size_t event, std::string_view counter) {
    std::string key = std::string(what) + " " + draft_.at({event, "/output_index"}).dump();
    if (!counter.empty()) key += " " + draft_.at({event, "/" + std::string(counter)}).dump();
    return strands_[slot(key)];
  }

  void again(LogicalString& strand, std::string_view where, FieldRef spot) {
    if (draft_.at(spot).is_string()) strand.repeats.push_back({where, std::move(spot)});
  }

  // Takes the content of an item and of its parts, at its addition, at its end, or in the output.
  void item(std::size_t event, const std::string& base, std::string_view where, const std::string& index) {
    const std::string type = draft_.text({event, base + "/type"});
    for (const OfItem& of : kItemStrands) {
      if (of.type != type) continue;
      const FieldRef spot{event, base + "/" + std::string(of.field)};
      LogicalString& strand = strands_[slot(std::string(of.what) + " " + index)];
      if (where == "added") {
        if (draft_.at(spot).is_string()) strand.pieces.push_back(spot);
      } else {
        again(strand, where, spot);
      }
    }
    if (where == "added") {
      ids_[draft_.text({event, base + "/id"})] = {type, index};
      return;
    }
    for (const ResponsesDeltaString& of : kDeltaStrands) {
      const std::string whole(of.whole);
      if (of.counter.empty()) {
        if (of.what.substr(0, of.what.find('.')) == type)
          again(strands_[slot(std::string(of.what) + " " + index)], where, {event, base + "/" + whole});
        continue;
      }
      const json& parts = draft_.at({event, base + "/" + std::string(of.parts)});
      for (std::size_t k = 0; parts.is_array() && k < parts.size(); ++k) {
        const std::string key = std::string(of.what) + " " + index + " " + std::to_string(k);
        if (open_.count(key) == 0) continue;
        again(strands_[slot(key)], where,
              {event, base + "/" + std::string(of.parts) + "/" + std::to_string(k) + "/" + whole});
      }
    }
  }

  void part(std::size_t event) {
    for (const ResponsesDeltaString& of : kDeltaStrands) {
      if (of.counter.empty() || !draft_.has({event, "/" + std::string(of.counter)})) continue;
      const std::string key = std::string(of.what) + " " + draft_.at({event, "/output_index"}).dump() + " " +
                              draft_.at({event, "/" + std::string(of.counter)}).dump();
      if (open_.count(key) > 0)
        again(strands_[slot(key)], "part-done", {event, "/part/" + std::string(of.whole)});
    }
  }

  // Takes an event that names its item.
  void mention(std::size_t event, const std::string& type) {
    const auto named = ids_.find(draft_.text({event, "/item_id"}));
    if (named == ids_.end()) return;
    const std::string key = named->second.first + ".id " + named->second.second;
    if (what_of(key).empty()) return;
    again(strands_[slot(key)], type.ends_with(".delta") ? "in-delta" : "in-event", {event, "/item_id"});
  }

  void output(std::size_t event) {
    again(strands_[slot("response.id")], "end", {event, "/response/id"});
    const json& output = draft_.at({event, "/response/output"});
    for (std::size_t n = 0; output.is_array() && n < output.size(); ++n)
      item(event, "/response/output/" + std::to_string(n), "end", std::to_string(n));
  }

  const Draft& draft_;
  std::vector<LogicalString> strands_;
  std::map<std::string, std::size_t> open_;
  std::map<std::string, std::pair<std::string, std::string>> ids_;  // type and index of an item
};

}  // namespace

std::span<const LogicalStringClass> responses_strand_classes() {
  static constexpr auto kPart = std::to_array<std::string_view>({"done", "part-done", "item-done", "end"});
  static constexpr auto kWhole = std::to_array<std::string_view>({"done", "item-done", "end"});
  static constexpr auto kItem = std::to_array<std::string_view>({"item-done", "end"});
  static constexpr auto kId = std::to_array<std::string_view>({"in-delta", "in-event", "item-done", "end"});
  static constexpr auto kResponse = std::to_array<std::string_view>({"in-progress", "end"});
  static constexpr auto kAll = std::to_array<LogicalStringClass>({
      {"output_text", StringKind::prose, true, kPart},
      {"refusal", StringKind::prose, true, kPart, true},
      {"reasoning_text", StringKind::prose, true, kPart, true},
      {"summary", StringKind::prose, true, kPart},
      {"function_call.arguments", StringKind::arguments, true, kWhole, true},
      {"mcp_call.arguments", StringKind::arguments, true, kWhole, true},
      {"custom_tool_call.input", StringKind::input, true, kWhole},
      {"function_call.name", StringKind::name, false, kItem, true},
      {"custom_tool_call.name", StringKind::name, false, kItem},
      {"mcp_call.name", StringKind::name, false, kItem, true},
      {"function_call.call_id", StringKind::id, false, kItem},
      {"custom_tool_call.call_id", StringKind::id, false, kItem},
      {"response.id", StringKind::id, false, kResponse, true},
      {"message.id", StringKind::id, false, kId, true},
      {"function_call.id", StringKind::id, false, kId},
      {"custom_tool_call.id", StringKind::id, false, kId},
      {"reasoning.id", StringKind::id, false, kId, true},
  });
  return kAll;
}

std::vector<LogicalString> responses_strands(const Draft& draft) { return ResponsesStrings(draft).all(); }

}  // namespace splitproof::dialect
