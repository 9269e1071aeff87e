#include "harness/dialect/openai_responses/reading.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>

#include "harness/dialect/openai_responses/shapes.hpp"
#include "harness/observe/call_arguments.hpp"
#include "harness/observe/carries.hpp"
#include "harness/observe/think_tags.hpp"
#include "harness/observe/trace.hpp"
#include "harness/utf8.hpp"

namespace splitproof::dialect {
namespace {

using Kind = observe::WireJson::Kind;
using observe::FinishKind;
using observe::PartKind;

/// What is not JSON under `event: error` is the error's message, unless it is too long for one.
constexpr std::size_t kMaxErrorText = 2000;

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// A number that is written as an integer and fits.
std::optional<std::uint64_t> count_of(const observe::WireJson& value) {
  std::uint64_t number = 0;
  if (!value.is(Kind::number)) return std::nullopt;
  const char* const end = value.raw.data() + value.raw.size();
  const auto read = std::from_chars(value.raw.data(), end, number);
  return read.ec == std::errc() && read.ptr == end ? std::optional(number) : std::nullopt;
}

std::string text_at(const observe::WireJson& object, std::string_view key) {
  return observe::replace_surrogates(object.at(key).string());
}

bool is_call(std::string_view type) { return type == "function_call" || type == "custom_tool_call"; }

bool is_opaque(std::string_view type) { return type != "message" && type != "reasoning" && !is_call(type); }

bool is_documented_item(std::string_view type) {
  constexpr std::array<std::string_view, 4> kOthers = {"compaction", "mcp_list_tools", "mcp_approval_request",
                                                       "tool_search_output"};
  return !is_opaque(type) || type.ends_with("_call") || type.ends_with("_call_output") ||
         is_one_of(type, kOthers);
}

bool is_documented_event(std::string_view type) {
  constexpr std::array<std::string_view, 9> kFamilies = {"web_search_call",
                                                         "file_search_call",
                                                         "code_interpreter_call",
                                                         "image_generation_call",
                                                         "mcp_call",
                                                         "mcp_list_tools",
                                                         "shell_call",
                                                         "apply_patch_call",
                                                         "audio"};
  constexpr std::string_view kPrefix = "response.";
  if (!type.starts_with(kPrefix)) return false;
  const std::string_view rest = type.substr(kPrefix.size());
  return rest == "output_text.annotation.added" ||
         std::any_of(kFamilies.begin(), kFamilies.end(),
                     [&](std::string_view family) { return rest.starts_with(family); });
}

bool ends_response(std::string_view type) {
  constexpr std::array<std::string_view, 4> kEnds = {"response.completed", "response.incomplete",
                                                     "response.failed", "response.cancelled"};
  return is_one_of(type, kEnds);
}

PartKind kind_of_part(std::string_view type) {
  if (type == "output_text") return PartKind::text;
  if (type == "refusal") return PartKind::refusal;
  return type == "summary_text" || type == "reasoning_text" ? PartKind::thinking : PartKind::other;
}

/// What an error says of itself.
std::string message_of(const observe::WireJson& error) {
  const std::string_view said = error.is(Kind::string) ? error.string() : error.at("message").string();
  return said.empty() ? "the server reported an error" : observe::replace_surrogates(said);
}

/// The members of an object as JSON, but for those named and for null.
std::map<std::string, std::string> members_of(const observe::WireJson& object,
                                              std::initializer_list<std::string_view> told) {
  std::map<std::string, std::string> members;
  if (!object.is(Kind::object)) return members;
  for (const observe::WireJson& child : object.children) {
    if (child.is(Kind::null) || std::find(told.begin(), told.end(), child.key) != told.end()) continue;
    members[observe::replace_surrogates(child.key)] = observe::compact(child);
  }
  return members;
}

std::string object_of(const std::map<std::string, std::string>& members) {
  std::string text;
  for (const auto& [key, value] : members)
    text += (text.empty() ? "" : ",") + observe::json_string(key) + ":" + value;
  return "{" + text + "}";
}

/// Puts members of an item or a part into the answer: some by themselves, the others together.
void keep_members(const std::string& of, std::map<std::string, std::string> members,
                  std::initializer_list<const char*> alone, observe::Answer& answer) {
  for (const char* key : alone) {
    const auto found = members.find(key);
    if (found == members.end()) continue;
    answer.extra["the " + found->first + of] = found->second;
    members.erase(found);
  }
  if (!members.empty()) answer.extra["the members" + of] = object_of(members);
}

/// Whether the name says nothing: none, an empty one, or what the standard gives an event without one.
bool is_unnamed(const observe::SseEvent& event) {
  return !event.event || event.event->empty() || *event.event == "message";
}

/// The shapes marked "Ends" of an answer that is complete but for its shapes.
std::vector<const char*> ending_shapes(const observe::Answer& answer) {
  std::vector<const char*> shapes;
  const auto add = [&](const char* shape, bool holds) {
    if (holds) shapes.push_back(shape);
  };
  const auto is = [&](FinishKind kind) { return answer.finish && answer.finish->kind == kind; };
  const bool cut_short = !answer.finish || answer.error || cuts_short(answer.finish->kind);
  for (const observe::Part& part : answer.parts) {
    add("think_tag", part.kind == PartKind::text && observe::think_span(part.text).opens);
    if (part.kind != PartKind::call) continue;
    add("id_never", part.id.empty());
    add("name_never", part.name.empty());
    const observe::Arguments kind = observe::kind_of_arguments(part.arguments);
    const bool whole = part.custom || kind == observe::Arguments::object || kind == observe::Arguments::none;
    add("arguments_never", observe::leading_blanks(part.arguments) == part.arguments.size());
    add(cut_short ? "arguments_cut" : "arguments_unreadable", !whole);
  }
  add("finish_stop", is(FinishKind::stop));
  add("finish_length", is(FinishKind::length));
  add("content_filter", is(FinishKind::filter));
  add("finish_stop_with_tools", is(FinishKind::stop) && answer.shapes.contains("tools"));
  add("no_done", !answer.done);
  add("nothing", !answer.done && !answer.error);
  const observe::Tokens& usage = answer.usage;
  add("no_usage", !usage.prompt && !usage.cached && !usage.completion);
  return shapes;
}

/// Where the events that say a string say it: ".delta" a piece of it in `delta`, ".done" all of it.
struct Said {
  std::string_view event;
  std::string_view item;  ///< of which type of item
  PartKind kind;
  std::string_view index;  ///< the member with the part's number; empty of a call
  std::string_view all;    ///< the member of ".done"
};

constexpr std::array<Said, 6> kSaid = {{
    {"response.output_text", "message", PartKind::text, "content_index", "text"},
    {"response.refusal", "message", PartKind::refusal, "content_index", "refusal"},
    {"response.reasoning_summary_text", "reasoning", PartKind::thinking, "summary_index", "text"},
    {"response.reasoning_text", "reasoning", PartKind::thinking, "content_index", "text"},
    {"response.function_call_arguments", "function_call", PartKind::call, "", "arguments"},
    {"response.custom_tool_call_input", "custom_tool_call", PartKind::call, "", "input"},
}};

}  // namespace

void ResponsesReading::take(const observe::SseEvent& event) {
  if (answer_.done) return note("after_done");
  const bool error_event = event.event == "error";
  const std::string_view data = observe::trim_json(event.data);
  if (data.empty() && !error_event) return;
  const auto read = event.ill_formed_data ? tl::unexpected(JsonFault{0, "not UTF-8"})
                    : event.data.size() > kMaxResponsesEvent
                        ? tl::unexpected(JsonFault{kMaxResponsesEvent, "too large"})
                        : observe::parse_wire_json(event.data);
  const bool whole = read && read->is(Kind::object);
  if (!whole && !event.terminated) return;
  if (whole) {
    const std::string type(read->at("type").string());
    if (answer_.error) {
      answer_.done = ends_response(type);
      return;
    }
    if (!event.terminated) note("no_final_blank_line");
    if (is_unnamed(event)) note("unnamed_event");
    return take_event(*read, error_event ? "error" : type);
  }
  if (answer_.error) return;
  if (data == observe::kDoneMark && !error_event) return note("unknown_keys");
  const bool said = error_event && !read && !data.empty() && data.size() <= kMaxErrorText;
  if (error_event) return fail(said ? std::string(data) : message_of(observe::WireJson()));
  fail("an event cannot be read: " +
       (read ? "no JSON object" : read.error().reason + " at byte " + std::to_string(read.error().at)));
}

void ResponsesReading::take_plain_body(std::string_view body) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (answer_.done || answer_.error || body.size() > kMaxResponsesEvent) return;
  if (find_ill_formed_utf8(body) != body.npos) return;
  if (body.starts_with(kMark)) body.remove_prefix(kMark.size());
  const auto document = observe::parse_wire_json(body);
  if (!document || !document->is(Kind::object)) return;
  const observe::WireJson& error = document->at("error");
  if (!error.absent() && !error.is(Kind::null)) take_event(*document, "error");
}

void ResponsesReading::take_event(const observe::WireJson& event, const std::string& type) {
  const observe::WireJson& error = event.at("error");
  if (type == "error" || (type.empty() && (error.is(Kind::object) || error.is(Kind::string)))) {
    const observe::WireJson& said = error.absent() || error.is(Kind::null) ? event : error;
    const std::string code = text_at(said, "code");
    if (!code.empty()) answer_.extra["the error's code"] = code;
    return fail(message_of(said));
  }
  if (type == "keepalive" || type == "ping") return note("keepalive");
  const auto sequence = count_of(event.at("sequence_number"));
  if (!sequence) note("no_sequence");
  if (sequence && sequence_ && *sequence != *sequence_ + 1) note("sequence_gap");
  if (sequence) sequence_ = sequence;
  if (!event.at("obfuscation").absent()) note("obfuscation");
  if (type == "response.created") {
    if (started_) note("started_twice");
    started_ = true;
    const std::string id = text_at(event.at("response"), "id");
    if (!id_.empty() && !id.empty() && id != id_) return fail("another response begins before this one ends");
    if (!id.empty()) id_ = id;
    return take_response(event.at("response"));
  }
  if (type == "response.in_progress" || type == "response.queued") return take_response(event.at("response"));
  if (ends_response(type)) return end(event, type);
  const bool item_added = type == "response.output_item.added";
  if (item_added || type == "response.output_item.done") {
    if (!started_) note("no_start");
    const observe::WireJson& item = event.at("item");
    std::string item_type = text_at(item, "type");
    if (item_type.empty()) return note("unknown_keys");
    const auto found = item_added ? std::nullopt : find(event, item, item_type);
    if (!item_added && !found) note("item_never_added");
    const auto number = found ? found : begin_item(event, item, std::move(item_type));
    if (number) take_item(*number, item, item_added ? Stage::start : Stage::all);
    if (!number || item_added || answer_.error) return;
    close_item(*number);
    take_start(*number);
    end_item(*number);
    items_[*number].done = true;
    return;
  }
  if (!take_said(event, type) && !take_part_event(event, type) && !is_documented_event(type))
    note("unknown_keys");
}

void ResponsesReading::take_response(const observe::WireJson& response) {
  const std::string model = text_at(response, "model");
  if (!model.empty()) answer_.model = model;
  const observe::WireJson& usage = response.at("usage");
  if (!usage.is(Kind::object)) return;
  const auto take = [](const observe::WireJson& value, std::optional<std::uint64_t>& count) {
    const auto said = count_of(value);
    if (said) count = said;
  };
  take(usage.at("input_tokens"), answer_.usage.prompt);
  take(usage.at("output_tokens"), answer_.usage.completion);
  take(usage.at("input_tokens_details").at("cached_tokens"), answer_.usage.cached);
  if (answer_.usage.cached.value_or(0) > 0) note("cached_tokens");
  const auto rest = members_of(usage, {"input_tokens", "output_tokens"});
  if (!rest.empty()) answer_.extra["usage"] = object_of(rest);
}

/// The end of the response. What has failed says no more than it has said.
void ResponsesReading::end(const observe::WireJson& event, const std::string& type) {
  const observe::WireJson& response = event.at("response");
  if (!started_) note("no_start");
  take_response(response);
  if (type == "response.failed" || type == "response.cancelled") {
    const std::string code = text_at(response.at("error"), "code");
    if (!code.empty()) answer_.extra["the error's code"] = code;
    fail(message_of(response.at("error")));
    answer_.done = true;
    return;
  }
  const observe::WireJson& output = response.at("output");
  if (output.children.empty() && !items_.empty()) note("output_empty");
  if (output.is(Kind::array)) {
    for (const observe::WireJson& item : output.children) repeat(item);
  }
  answer_.done = true;
  if (answer_.error) return;
  for (std::size_t number = 0; number < items_.size(); ++number) {
    close_item(number);
    take_start(number);
    if (!items_[number].done) note("item_never_done");
  }
  const std::string reason = text_at(response.at("incomplete_details"), "reason");
  answer_.finish = observe::FinishReason{FinishKind::stop, "completed"};
  if (type == "response.completed") return;
  answer_.finish->kind = reason == "content_filter" ? FinishKind::filter : FinishKind::length;
  answer_.finish->word = reason.empty() ? "incomplete" : reason;
}

/// An item as the last event has it.
void ResponsesReading::repeat(const observe::WireJson& item) {
  if (answer_.error || item.at("type").string().empty()) return;
  auto number = find_repeated(item);
  if (!number) {
    note("item_never_added");
    number = begin_item(observe::WireJson(), item, text_at(item, "type"));
    if (!number) return;
  }
  items_[*number].repeated = true;
  take_item(*number, item, Stage::all);
  end_item(*number);
}

/// Takes an event that says a string or a piece of it; false: it is none.
bool ResponsesReading::take_said(const observe::WireJson& event, const std::string& type) {
  const bool piecewise = type.ends_with(".delta");
  if (!piecewise && !type.ends_with(".done")) return false;
  const std::string_view name = std::string_view(type).substr(0, type.rfind('.'));
  const auto said =
      std::find_if(kSaid.begin(), kSaid.end(), [&](const Said& one) { return one.event == name; });
  if (said == kSaid.end()) return false;
  if (!started_) note("no_start");
  auto number = find(event, observe::WireJson(), said->item);
  if (!number) {
    note("item_never_added");
    number = begin_item(event, observe::WireJson(), std::string(said->item));
    if (!number) return true;
  }
  const Item& item = items_[*number];
  const std::string_view id = event.at("item_id").string();
  if (!id.empty() && !item.id.empty() && observe::replace_surrogates(id) != item.id) note("id_drift");
  if (*number + 1 != items_.size()) note("interleaved_items");
  const List list = said->kind == PartKind::call     ? List::call
                    : said->index == "summary_index" ? List::summary
                                                     : List::content;
  const auto piece = piece_of(*number, list, said->kind,
                              said->index.empty() ? 0 : count_of(event.at(said->index)).value_or(0));
  if (!piece) return true;
  if (piecewise) {
    say(*number, *piece, event.at("delta"));
  } else {
    say_all(*number, *piece, event.at(said->all));
  }
  return true;
}

/// Takes an event that starts or ends a part; false: it is none.
bool ResponsesReading::take_part_event(const observe::WireJson& event, const std::string& type) {
  const bool starts = type.ends_with("_part.added");
  if (!starts && !type.ends_with("_part.done")) return false;
  constexpr std::array<std::string_view, 3> kParts = {"response.content_part", "response.reasoning_part",
                                                      "response.reasoning_summary_part"};
  const std::string_view name = std::string_view(type).substr(0, type.rfind('.'));
  if (!is_one_of(name, kParts)) return false;
  if (!started_) note("no_start");
  const observe::WireJson& part = event.at("part");
  if (part.at("type").string().empty()) return true;
  const bool reasons = kind_of_part(part.at("type").string()) == PartKind::thinking;
  const std::string_view item_type = reasons ? "reasoning" : "message";
  auto number = find(event, observe::WireJson(), item_type);
  if (!number) {
    note("item_never_added");
    number = begin_item(event, observe::WireJson(), std::string(item_type));
    if (!number) return true;
  }
  const bool summary = name.ends_with("summary_part");
  take_part(*number, summary ? List::summary : List::content,
            count_of(event.at(summary ? "summary_index" : "content_index")).value_or(0), part,
            starts ? Stage::start : Stage::all);
  return true;
}

/// The item that an event belongs to, which is of this type.
std::optional<std::size_t> ResponsesReading::find(const observe::WireJson& event,
                                                  const observe::WireJson& item,
                                                  std::string_view type) const {
  const auto index = count_of(event.at("output_index"));
  const std::string id = item.absent() ? text_at(event, "item_id") : text_at(item, "id");
  const std::string call = text_at(item, "call_id");
  std::optional<std::size_t> found;
  const auto look = [&](const auto& map, const auto& key) {
    if (found) return;
    const auto at = map.find(key);
    if (at == map.end()) return;
    const std::string& other = items_[at->second].type;
    if (other == type || (is_call(type) && is_call(other))) found = at->second;
  };
  if (index && !id.empty()) look(by_both_, std::pair(*index, id));
  if (!id.empty()) look(by_id_, id);
  if (index) look(by_index_, *index);
  const auto same_call = by_call_.find(call);
  if (!call.empty() && same_call != by_call_.end() && !items_[same_call->second].done) look(by_call_, call);
  return found;
}

/// The item that the last event repeats: known by its id or its call_id, else the first of its type that was not repeated.
std::optional<std::size_t> ResponsesReading::find_repeated(const observe::WireJson& item) const {
  const std::string type = text_at(item, "type");
  const auto fits = [&](std::size_t number) {
    return items_[number].type == type && !items_[number].repeated;
  };
  const auto in = [&](const std::map<std::string, std::size_t>& map, const std::string& key) {
    const auto at = map.find(key);
    return at != map.end() && fits(at->second) ? std::optional(at->second) : std::nullopt;
  };
  if (const auto found = in(by_id_, text_at(item, "id"))) return found;
  if (const auto found = in(by_call_, text_at(item, "call_id"))) return found;
  for (std::size_t number = 0; number < items_.size(); ++number)
    if (fits(number)) return number;
  return std::nullopt;
}

std::optional<std::size_t> ResponsesReading::begin_item(const observe::WireJson& event,
                                                        const observe::WireJson& item, std::string type) {
  if (items_.size() == kMaxResponsesItems) {
    fail("more items than can be read");
    return std::nullopt;
  }
  const std::size_t number = items_.size();
  const auto index = count_of(event.at("output_index"));
  if (index && *index != number) note("index_gap");
  if (index && by_index_.contains(*index)) note("index_reused");
  if (!is_documented_item(type)) note("unknown_block");
  if (is_opaque(type) && is_documented_item(type)) note("server_tools");
  Item& begun = items_.emplace_back();
  begun.type = std::move(type);
  begun.id = item.absent() ? text_at(event, "item_id") : text_at(item, "id");
  begun.rank = index.value_or(number);
  begun.announced = !item.absent();
  order_.push_back(number);
  name_item(number, event, item);
  return number;
}

/// Notes under which names an item is known.
void ResponsesReading::name_item(std::size_t number, const observe::WireJson& event,
                                 const observe::WireJson& item) {
  const auto index = count_of(event.at("output_index"));
  const std::string id = item.absent() ? text_at(event, "item_id") : text_at(item, "id");
  const std::string call = text_at(item, "call_id");
  if (index) by_index_[*index] = number;
  if (!id.empty()) by_id_[id] = number;
  if (index && !id.empty()) by_both_[{*index, id}] = number;
  if (!call.empty()) by_call_[call] = number;
}

void ResponsesReading::take_item(std::size_t number, const observe::WireJson& item, Stage stage) {
  const std::string id = text_at(item, "id");
  Item& known = items_[number];
  if (known.id.empty()) known.id = id;
  if (!id.empty() && id != known.id) note("id_drift");
  name_item(number, observe::WireJson(), item);
  announce(number);
  if (is_opaque(known.type)) {
    const auto piece = piece_of(number, List::whole, PartKind::other, 0);
    if (!piece) return;
    pieces_[*piece].start = observe::compact(item);
    return;
  }
  known.members =
      members_of(item, {"content", "summary", "encrypted_content", "call_id", "name", "arguments", "input"});
  if (known.members.contains("phase")) note("phase");
  const std::string sealed = text_at(item, "encrypted_content");
  if (!sealed.empty()) {
    note("signature");
    known.sealed = sealed;
  }
  if (is_call(known.type)) return take_call(number, item, stage);
  for (const auto& [list, key] : {std::pair(List::summary, "summary"), {List::content, "content"}}) {
    const observe::WireJson& parts = item.at(key);
    if (!parts.is(Kind::array)) continue;
    take_parts(number, list, parts.children, stage);
  }
}

/// The parts that an item has. Where none came under a part's place in the item, it is the next of those that came under a
/// number which the item has no place for.
void ResponsesReading::take_parts(std::size_t number, List list, const std::vector<observe::WireJson>& parts,
                                  Stage stage) {
  const auto& by_index = items_[number].by_index;
  std::map<PartKind, std::uint64_t> next;
  for (std::uint64_t place = 0; place < parts.size() && !answer_.error; ++place) {
    const PartKind kind = kind_of_part(parts[place].at("type").string());
    std::uint64_t index = place;
    if (!by_index.contains({list, kind, place})) {
      const auto beyond =
          by_index.lower_bound({list, kind, next.try_emplace(kind, parts.size()).first->second});
      if (beyond != by_index.end() && std::get<0>(beyond->first) == list &&
          std::get<1>(beyond->first) == kind) {
        index = std::get<2>(beyond->first);
        next[kind] = index + 1;
      }
    }
    take_part(number, list, index, parts[place], stage);
  }
}

void ResponsesReading::take_call(std::size_t number, const observe::WireJson& item, Stage stage) {
  const bool is_late = stage == Stage::all && !items_[number].pieces.empty();
  const auto made = piece_of(number, List::call, PartKind::call, 0);
  if (!made) return;
  Piece& piece = pieces_[*made];
  observe::Part& call = part_of(piece);
  for (const auto& [key, field] :
       {std::pair("call_id", &observe::Part::id), {"name", &observe::Part::name}}) {
    const std::string said = text_at(item, key);
    if (said.empty() || said == call.*field) continue;
    if (!(call.*field).empty()) {
      note("contradiction");
      return fail(std::string("a call has another ") + key + " than before");
    }
    if (is_late) note("late_name");
    call.*field = said;
    if (key != std::string_view("call_id")) continue;
    if (!observe::is_plain_id(said)) note("foreign_id");
    if (!ids_.insert(said).second) note("shared_id");
  }
  if (!piece.place && !call.id.empty() && !call.name.empty()) {
    if (is_late) {
      std::erase(order_, number);
      order_.push_back(number);
    }
    place(number, *made);
  }
  const observe::WireJson& arguments =
      item.at(items_[number].type == "custom_tool_call" ? "input" : "arguments");
  if (stage == Stage::all) return say_all(number, *made, arguments);
  if (!arguments.string().empty()) note("piece_in_start");
  pieces_[*made].start = observe::replace_surrogates(arguments.string());
}

void ResponsesReading::take_part(std::size_t number, List list, std::uint64_t index,
                                 const observe::WireJson& part, Stage stage) {
  const PartKind kind = kind_of_part(part.at("type").string());
  const auto made = piece_of(number, list, kind, index);
  if (!made) return;
  Piece& piece = pieces_[*made];
  if (kind == PartKind::other) {
    note("unknown_part");
    piece.start = observe::compact(part);
    return;
  }
  const std::string_view key = kind == PartKind::refusal ? "refusal" : "text";
  piece.members = members_of(part, {"type", key});
  for (const auto& [list_key, shape] : {std::pair("annotations", "citations"), {"logprobs", "logprobs"}}) {
    const auto found = piece.members.find(list_key);
    if (found == piece.members.end()) continue;
    if (found->second == "[]") {
      piece.members.erase(found);
    } else {
      note(shape);
    }
  }
  if (stage == Stage::all) return say_all(number, *made, part.at(key));
  const observe::WireJson& said = part.at(key);
  if (said.string().empty()) return;
  note("piece_in_start");
  say(number, *made, said);
}

/// The piece at this place of an item, perhaps a new one.
std::optional<std::size_t> ResponsesReading::piece_of(std::size_t number, List list, PartKind kind,
                                                      std::uint64_t index) {
  const auto [at, is_new] = items_[number].by_index.try_emplace({list, kind, index}, pieces_.size());
  if (!is_new) return at->second;
  if (index > items_[number].pieces.size()) note("part_index_gap");
  if (pieces_.size() == kMaxResponsesPieces) {
    fail("more parts than can be read");
    return std::nullopt;
  }
  items_[number].pieces.push_back(pieces_.size());
  Piece& piece = pieces_.emplace_back();
  piece.list = list;
  piece.part.kind = kind;
  piece.part.rank = items_[number].rank;
  piece.part.custom = items_[number].type == "custom_tool_call";
  piece.part.ended = false;
  if (kind != PartKind::call) return at->second;
  piece.begun = calls_++;
  if (piece.begun > 0) note("parallel_tools");
  const auto& parts = answer_.parts;
  if (!parts.empty() && parts.back().kind == PartKind::thinking) note("thinking_before_tool");
  begun_ = true;
  note("tools");
  if (piece.part.custom) note("custom_tools");
  return at->second;
}

/// A delta.
void ResponsesReading::say(std::size_t number, std::size_t piece, const observe::WireJson& delta) {
  if (!delta.is(Kind::string)) return;
  if (delta.string().empty()) return note("empty_pieces");
  Piece& said = pieces_[piece];
  if (delta.string() == said.last_delta) note("repeated_pieces");
  said.last_delta = delta.string();
  const std::string text = said.halves.join(delta.string());
  if (said.halves.joined()) note("halves");
  if (said.halves.broken()) note("half_alone");
  add(number, piece, text);
}

/// All of a string: of what was said of it before, the rest.
void ResponsesReading::say_all(std::size_t number, std::size_t piece, const observe::WireJson& text) {
  const std::string all = observe::replace_surrogates(text.string());
  if (all.empty()) return;
  Piece& said = pieces_[piece];
  const observe::Part& part = part_of(said);
  const std::string before = (part.kind == PartKind::call ? part.arguments : part.text) + said.late;
  if (!all.starts_with(before)) {
    note("contradiction");
    return fail("an event says all of what deltas said otherwise");
  }
  if (all.size() == before.size()) return;
  note(before.empty() && !said.halves.waiting() ? "no_deltas" : "done_continues");
  said.halves = {};
  add(number, piece, all.substr(before.size()));
}

/// Adds what a piece says, or keeps it for the end.
void ResponsesReading::add(std::size_t number, std::size_t which, const std::string& said) {
  if (said.empty()) return;
  Piece& piece = pieces_[which];
  const PartKind kind = part_of(piece).kind;
  if (!items_[number].announced) {
    piece.late += said;
    return;
  }
  if (kind == PartKind::thinking) {
    std::optional<List>& reasons = items_[number].reasons;
    if (!reasons) reasons = piece.list;
    if (*reasons != piece.list) {
      note("reasoning_two_kinds");
      piece.late += said;
      return;
    }
  }
  if (kind != PartKind::call && !piece.place) place(number, which);
  const bool is_last = !piece.place || *piece.place + 1 == answer_.parts.size();
  const bool whole = part_of(piece).custom ? items_[number].done : piece.progress.complete();
  const bool goes_on = kind == PartKind::call && piece.late.empty() && !whole;
  if (kind == PartKind::call) piece.progress.take(said);
  if (!is_last && !goes_on) {
    piece.late += said;
    return;
  }
  observe::Part& part = part_of(piece);
  (kind == PartKind::call ? part.arguments : part.text) += said;
}

/// Puts a part at the end of the answer's.
void ResponsesReading::place(std::size_t number, std::size_t which) {
  Piece& piece = pieces_[which];
  if (piece.place) return;
  const PartKind kind = piece.part.kind;
  const auto seen = [&](const char* shape) { return answer_.shapes.contains(shape); };
  if (number + 1 < spoken_) note("prose_meanwhile");
  spoken_ = std::max(spoken_, number + 1);
  if (kind != PartKind::call) {
    if (!begun_) answer_.begins_with_text = kind == PartKind::text;
    if (kind == PartKind::text && seen("text")) note("several_texts");
    if (kind == PartKind::text && seen("tools")) note("text_after_tool");
    if (kind == PartKind::thinking && seen("tools")) note("thinking_after_tool");
    if (kind == PartKind::thinking && seen("text")) note("thinking_after_text");
    if (piece.list == List::content && kind == PartKind::thinking) note("reasoning_text");
    note(kind == PartKind::text ? "text" : kind == PartKind::thinking ? "thinking" : "refusal");
  }
  begun_ = true;
  piece.place = answer_.parts.size();
  answer_.parts.push_back(std::exchange(piece.part, {}));
}

/// A piece says no more, as far as is known.
void ResponsesReading::close(std::size_t number, std::size_t which) {
  add(number, which, pieces_[which].halves.close());
  Piece& piece = pieces_[which];
  if (piece.halves.broken()) note("half_alone");
}

void ResponsesReading::close_item(std::size_t number) {
  announce(number);
  for (const std::size_t which : items_[number].pieces) close(number, which);
}

/// An item has ended, or the response has: what only its start said counts.
void ResponsesReading::take_start(std::size_t number) {
  for (const std::size_t which : items_[number].pieces) {
    Piece& piece = pieces_[which];
    const observe::Part& part = part_of(piece);
    if (part.kind == PartKind::call && part.arguments.empty() && piece.late.empty())
      add(number, which, std::exchange(piece.start, {}));
  }
}

/// What an item said before it was added is said now.
void ResponsesReading::announce(std::size_t number) {
  if (std::exchange(items_[number].announced, true)) return;
  for (const std::size_t which : items_[number].pieces)
    add(number, which, std::exchange(pieces_[which].late, {}));
}

void ResponsesReading::end_item(std::size_t number) {
  for (const std::size_t piece : items_[number].pieces) part_of(pieces_[piece]).ended = true;
}

void ResponsesReading::fail(std::string reason) {
  answer_.error = std::move(reason);
  note("error");
  for (std::size_t number = 0; number < items_.size(); ++number) close_item(number);
}

observe::Answer ResponsesReading::finished() const {
  ResponsesReading last = *this;
  observe::Answer& answer = last.answer_;
  std::vector<observe::Part> parts;
  std::vector<std::pair<std::size_t, observe::Part>> unsettled;
  for (std::size_t number = 0; number < last.items_.size(); ++number) last.close_item(number);
  for (const std::size_t number : last.order_) {
    const Item& item = last.items_[number];
    const std::string name = " of item " + std::to_string(number);
    if (!is_opaque(item.type)) keep_members(name, item.members, {"phase"}, answer);
    std::string sealed = item.sealed;
    for (std::size_t i = 0; i < item.pieces.size(); ++i) {
      Piece& piece = last.pieces_[item.pieces[i]];
      observe::Part part = std::move(last.part_of(piece));
      const PartKind kind = part.kind;
      (kind == PartKind::call ? part.arguments : part.text) += piece.late;
      if (kind == PartKind::other) part.text = piece.start;
      keep_members(" of part " + std::to_string(i) + name, piece.members, {"annotations", "logprobs"},
                   answer);
      if (kind == PartKind::thinking && item.reasons && *item.reasons != piece.list) {
        answer.extra["the other reasoning" + name] += part.text;
        continue;
      }
      if (part.text.empty() && kind != PartKind::call) continue;
      if (kind != PartKind::call) {
        if (kind == PartKind::thinking) part.signature = std::exchange(sealed, {});
        parts.push_back(std::move(part));
        continue;
      }
      if (part.id.empty() || part.name.empty()) {
        unsettled.emplace_back(piece.begun, std::move(part));
        continue;
      }
      answer.begun.push_back(piece.begun);
      parts.push_back(std::move(part));
    }
    if (sealed.empty()) continue;
    observe::Part& part = parts.emplace_back();
    part.kind = PartKind::thinking;
    part.signature = std::move(sealed);
    part.rank = item.rank;
    part.ended = item.done || item.repeated;
  }
  for (auto& [begun, call] : unsettled) {
    answer.begun.push_back(begun);
    parts.push_back(std::move(call));
  }
  answer.parts = std::move(parts);
  for (const char* shape : ending_shapes(answer)) last.note(shape);
  return std::move(answer);
}

}  // namespace splitproof::dialect
