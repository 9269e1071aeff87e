#include "harness/dialect/openai_chat/call_layouts.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "harness/split/utf16.hpp"

namespace splitproof::dialect {
namespace {

using Json = nlohmann::ordered_json;
using Later = CallLayout::Later;

constexpr std::array<std::string_view, 5> kLaterNames = {"", ":repeat-id", ":repeat-name", ":empty", ":null"};

/// Returns the text in two parts, or in one if it cannot be split.
std::vector<std::string> halved(const std::u16string& text) {
  std::size_t middle = text.size() / 2;
  if (middle > 0 && !split::begins_character(text, middle)) --middle;
  if (middle == 0) return {split::narrow(text)};
  return {split::narrow(text.substr(0, middle)), split::narrow(text.substr(middle))};
}

/// Builds the elements of one call, event by event.
class CallDealer {
 public:
  CallDealer(const RechunkedCall& call, const Json& element, Later later)
      : call_(call), element_(element), later_(later) {}

  /// Returns the element with the fields of `letters`.
  Json next(std::string_view letters, const std::string& arguments) {
    Json made = first_ ? element_ : Json::object();
    made["index"] = *call_.index;
    if (made.contains("function")) {
      made["function"].erase("name");
      made["function"].erase("arguments");
    }
    const bool id = letters.find('i') != std::string_view::npos;
    const bool name = letters.find('n') != std::string_view::npos;
    const auto field = [&](Json& object, const char* key, const std::string& value, bool brought, bool seen,
                           Later repeat) {
      if (brought || (seen && later_ == repeat)) {
        object[key] = value;
      } else if (later_ == Later::empty) {
        object[key] = "";
      } else if (later_ == Later::null) {
        object[key] = nullptr;
      } else {
        object.erase(key);
      }
    };
    field(made, "id", call_.id, id, id_seen_, Later::repeat_id);
    Json& function = made["function"];
    if (!function.is_object()) function = Json::object();
    field(function, "name", call_.name, name, name_seen_, Later::repeat_name);
    if (letters.find('a') != std::string_view::npos) function["arguments"] = arguments;
    if (function.empty()) made.erase("function");
    first_ = false;
    id_seen_ = id_seen_ || id;
    name_seen_ = name_seen_ || name;
    return made;
  }

 private:
  const RechunkedCall& call_;
  const Json& element_;
  Later later_;
  bool first_ = true;
  bool id_seen_ = false;
  bool name_seen_ = false;
};

}  // namespace

const std::vector<CallLayout>& all_call_deals() {
  static const std::vector<CallLayout> kDeals = {
      {{"ina"}, Later::absent},
      {{"in", "a"}, Later::absent},
      {{"ia", "n"}, Later::absent},
      {{"na", "i"}, Later::absent},
      {{"i", "na"}, Later::absent},
      {{"n", "ia"}, Later::absent},
      {{"a", "in"}, Later::absent},
      {{"i", "n", "a"}, Later::absent},
      {{"i", "a", "n"}, Later::absent},
      {{"n", "i", "a"}, Later::absent},
      {{"n", "a", "i"}, Later::absent},
      {{"a", "i", "n"}, Later::absent},
      {{"a", "n", "i"}, Later::absent},
      {{"in", "a", "a"}, Later::repeat_id},
      {{"in", "a", "a"}, Later::repeat_name},
      {{"in", "a", "a"}, Later::empty},
      {{"in", "a", "a"}, Later::null},
  };
  return kDeals;
}

std::string label_of(const CallLayout& deal) {
  std::string text = "call:";
  for (const std::string& event : deal.events) text += (&event == &deal.events.front() ? "" : ".") + event;
  return text + std::string(kLaterNames[static_cast<std::size_t>(deal.later)]);
}

bool begins_regular_call(const ChatBody& body, const RechunkedCalls& calls, const ChatRun& run) {
  if (!run.starts_call) return false;
  const RechunkedCall& call = calls.calls[*run.call];
  const ChatSaid& said = body.frames[call.first].said;
  return call.own_index && said.voice == ChatVoice::call && !said.calls[0].id.empty() &&
         !said.calls[0].name.empty();
}

ChatReplacements deal_calls(const ChatBody& body, const RechunkedCalls& calls,
                            const std::vector<ChatRun>& runs, const CallLayout& deal) {
  ChatReplacements replacements;
  for (const ChatRun& run : runs) {
    if (!begins_regular_call(body, calls, run)) continue;
    const RechunkedCall& call = calls.calls[*run.call];
    const Json& chunk = body.chunk(call.first);
    std::vector<std::string> arguments = {split::narrow(run.text)};
    if (deal.events.size() == 3 && deal.events[1] == deal.events[2]) arguments = halved(run.text);

    CallDealer dealer(call, chunk["choices"][0]["delta"]["tool_calls"][0], deal.later);
    std::vector<Json> deltas;
    std::size_t next = 0;
    for (const std::string& letters : deal.events) {
      const bool brings = letters.find('a') != std::string::npos;
      if (brings && next == arguments.size()) break;
      deltas.push_back(calling({dealer.next(letters, brings ? arguments[next++] : "")}));
    }
    for (const std::size_t frame : run.events) {
      replacements[frame] = kept(body, frame, emptied(body.chunk(frame)));
    }
    replacements[call.first] = dealt(chunk, deltas);
  }
  return replacements;
}

}  // namespace splitproof::dialect
