#include "harness/dialect/openai_responses/body.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/dialect/openai_responses/words.hpp"
#include "harness/json_member.hpp"

namespace splitproof::dialect {
namespace {

using namespace responses_words;
using Json = nlohmann::ordered_json;
using Role = ResponsesRole;

/// Returns the key of one string of an item.
std::string key_of(const Json& index, std::string_view event, std::size_t part) {
  return index.dump() + " " + std::string(event) + " " + std::to_string(part);
}

void read_role(bool ids_matter, ResponsesFrame& frame) {
  if (frame.says_nothing || frame.type == "keepalive" || frame.type == "ping") frame.role = Role::nothing;
  if (frame.json == nullptr) return;
  const std::string& type = frame.type;
  if (type == "response.output_item.added") frame.role = Role::item_start;
  if (type == "response.output_item.done") frame.role = Role::item_end;
  if (type.ends_with("_part.added")) frame.role = Role::part_start;
  if (type.ends_with("_part.done")) frame.role = Role::part_end;
  const std::size_t dot = type.rfind('.');
  if (dot == type.npos || frame.role != Role::other || !frame.json->contains("output_index")) return;
  frame.role = Role::about;
  const std::string_view name = std::string_view(type).substr(0, dot);
  const auto said = std::find_if(kStringEvents.begin(), kStringEvents.end(),
                                 [&](const StringEvents& one) { return one.event == name; });
  const bool is_delta = type.ends_with(".delta");
  if (said == kStringEvents.end() || (!is_delta && !type.ends_with(".done"))) return;
  const std::string_view member_name = is_delta ? "delta" : said->all;
  const Json& text = member(*frame.json, std::string(member_name).c_str());
  const Json& part = said->index.empty() ? Json(0u) : member(*frame.json, std::string(said->index).c_str());
  if (!text.is_string() || !part.is_number_unsigned()) {
    frame.role = Role::other;
    return;
  }
  frame.role = is_delta ? Role::delta : Role::all;
  frame.member = member_name;
  frame.said = text_of(text);
  frame.key = key_of((*frame.json)["output_index"], name, part.get<std::size_t>());
  if (ids_matter) frame.key += " " + string_at(*frame.json, "item_id");
}

/// Returns the strings of an item by key, including empty ones.
std::map<std::string, std::string> strings_of(std::size_t number, const Json& item) {
  std::map<std::string, std::string> strings;
  const std::string type = string_at(item, "type");
  const auto put = [&](std::string_view event, std::size_t part, const std::string& text) {
    strings[key_of(Json(number), event, part)] = text;
  };
  if (type == "function_call") put("response.function_call_arguments", 0, string_at(item, "arguments"));
  if (type == "custom_tool_call") put("response.custom_tool_call_input", 0, string_at(item, "input"));
  for (const char* list : {"summary", "content"}) {
    const Json& parts = member(item, list);
    if (!parts.is_array() || is_call(type)) continue;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::string kind = string_at(parts[i], "type");
      if (kind == "output_text") put("response.output_text", i, string_at(parts[i], "text"));
      if (kind == "refusal") put("response.refusal", i, string_at(parts[i], "refusal"));
      if (kind == "summary_text") put("response.reasoning_summary_text", i, string_at(parts[i], "text"));
      if (kind == "reasoning_text") put("response.reasoning_text", i, string_at(parts[i], "text"));
    }
  }
  return strings;
}

/// True if an item has reasoning both as a summary and in full. The order decides which one counts.
bool has_both(const Json& item) {
  return !member(item, "summary").empty() && !member(item, "content").empty();
}

bool is_same_call(const Json& item, const Json& other) {
  return member(item, "call_id") == member(other, "call_id") && member(item, "name") == member(other, "name");
}

/// Checks that a body is regular in the sense of body.hpp.
class Regularity {
 public:
  explicit Regularity(ResponsesBody& body) : body_(body) {}

  bool holds() {
    if (!body_.started || body_.end == body_.frames.size()) return false;
    for (std::size_t i = 0; i < body_.end; ++i)
      if (!take(i)) return false;
    for (const auto& [key, all] : body_.strings)
      body_.spoken = body_.spoken && (all.empty() || joined_.contains(key) || ended_.contains(key));
    const ResponsesFrame& last = body_.frames[body_.end];
    if (last.type != "response.completed" && last.type != "response.incomplete") return false;
    const std::string status = string_at(member(*last.json, "response"), "status");
    if (status == "failed" || status == "cancelled") return false;
    if (done_.size() != body_.items.size()) return false;
    for (const auto& [key, joined] : joined_) {
      const auto all = body_.strings.find(key);
      if (all == body_.strings.end() || joined.empty() || !all->second.starts_with(joined)) return false;
    }
    return repeats(member(member(*last.json, "response"), "output"));
  }

 private:
  bool take(std::size_t number) {
    const ResponsesFrame& frame = body_.frames[number];
    if (frame.role == Role::nothing) return true;
    if (frame.json == nullptr) return false;
    const bool about_response = frame.type == "response.created" || frame.type == "response.in_progress" ||
                                frame.type == "response.queued";
    if (about_response) return frame.type != "response.created" || !std::exchange(created_, true);
    if (frame.role == Role::other) return false;
    const Json& index = member(*frame.json, "output_index");
    if (!index.is_number_unsigned()) return false;
    const auto item_number = index.get<std::size_t>();
    const Json& item = member(*frame.json, "item");
    if (frame.role == Role::item_start) {
      const bool is_next = item_number == body_.items.size();
      ids_.push_back(string_at(item, "id"));
      added_.push_back(item);
      body_.items.push_back({number});
      const auto starts = strings_of(item_number, item);
      return is_next && !ids_.back().empty() && std::set(ids_.begin(), ids_.end()).size() == ids_.size() &&
             std::all_of(starts.begin(), starts.end(),
                         [](const auto& start) { return start.second.empty(); });
    }
    if (item_number >= body_.items.size() || done_.contains(item_number)) return false;
    body_.items[item_number].push_back(number);
    const bool is_end = frame.role == Role::item_end;
    if (string_at(is_end ? item : *frame.json, is_end ? "id" : "item_id") != ids_[item_number])
      return frame.role == Role::about && !frame.json->contains("item_id");
    if (is_end) {
      body_.in_order = body_.in_order && (done_.empty() || done_.rbegin()->first < item_number);
      done_[item_number] = item;
      body_.strings.merge(strings_of(item_number, item));
      return !has_both(item) && is_same_call(added_[item_number], item);
    }
    if (frame.role == Role::part_start) {
      const Json& part = member(*frame.json, "part");
      return string_at(part, "text").empty() && string_at(part, "refusal").empty();
    }
    if (frame.role == Role::delta) joined_[frame.key] += frame.said;
    if (frame.role == Role::all) ended_[frame.key] = frame.said;
    return true;
  }

  bool repeats(const Json& output) {
    for (const auto& [key, said] : ended_) {
      const auto all = body_.strings.find(key);
      if (all == body_.strings.end() || all->second != said) return false;
    }
    if (!output.is_array() || output.empty()) return true;
    if (output.size() != done_.size()) return false;
    body_.repeats = true;
    body_.repeats_exactly = true;
    for (std::size_t i = 0; i < output.size(); ++i) {
      if (string_at(output[i], "id") != ids_[i] ||
          string_at(output[i], "type") != string_at(done_[i], "type") ||
          strings_of(i, output[i]) != strings_of(i, done_[i]) || !is_same_call(output[i], done_[i]))
        return false;
      body_.repeats_exactly = body_.repeats_exactly && nlohmann::json(output[i]) == nlohmann::json(done_[i]);
    }
    return true;
  }

  ResponsesBody& body_;
  bool created_ = false;
  std::vector<std::string> ids_;
  std::map<std::size_t, Json> done_;
  std::map<std::string, std::string> joined_;  ///< Deltas, by key.
  std::map<std::string, std::string> ended_;   ///< Complete strings of `.done` events, by key.
  std::vector<Json> added_;
};

}  // namespace

ResponsesBody read_responses_body(std::string_view body) {
  ResponsesBody all;
  std::set<std::string> indices;
  bool ids_matter = false;
  bool ended = false;
  bool first = true;
  for (std::size_t begin = 0; begin < body.size(); begin += all.frames.back().bytes.size()) {
    ResponsesFrame& frame =
        all.frames.emplace_back(ResponsesFrame{event_frame_at(body, begin), {}, {}, {}, {}});
    const bool speaks = !frame.says_nothing && frame.type != "keepalive";
    if (first && speaks) all.started = frame.type == "response.created";
    first = first && !speaks;
    if (ended || !all.started) frame.json = nullptr;
    if (frame.json == nullptr) frame.type.clear();
    if (frame.type == "response.output_item.added")
      ids_matter = !indices.insert(member(*frame.json, "output_index").dump()).second || ids_matter;
    if (ended || !ends_response(frame.type)) continue;
    all.end = all.frames.size() - 1;
    ended = true;
  }
  if (!ended) all.end = all.frames.size();
  for (ResponsesFrame& frame : all.frames) read_role(ids_matter, frame);
  all.regular = !ids_matter && Regularity(all).holds();
  return all;
}

}  // namespace splitproof::dialect
