// Part of the reading of Responses that builds items, parts and calls from events.

#include <algorithm>
#include <array>
#include <utility>

#include "harness/dialect/json_events.hpp"
#include "harness/dialect/openai_responses/reading.hpp"
#include "harness/dialect/openai_responses/words.hpp"
#include "harness/observe/client_capabilities.hpp"
#include "harness/observe/unread.hpp"

namespace splitproof::dialect {
namespace {

using namespace responses_words;
using Kind = observe::WireJson::Kind;
using observe::PartKind;

bool is_documented_item(std::string_view type) {
  constexpr std::array<std::string_view, 4> kOthers = {"compaction", "mcp_list_tools", "mcp_approval_request",
                                                       "tool_search_output"};
  return !is_opaque(type) || type.ends_with("_call") || type.ends_with("_call_output") ||
         is_one_of(type, kOthers);
}

/// True if an item of this type calls a built-in tool that the client runs.
bool is_call_of_client(std::string_view type) {
  constexpr std::array<std::string_view, 4> kTypes = {"computer_call", "apply_patch_call", "shell_call",
                                                      "local_shell_call"};
  return is_one_of(type, kTypes);
}
/// Overwrites known members by new ones. Members without a new value stay.
void take_over(const MemberTexts& said, MemberTexts& known) {
  for (const auto& [key, value] : said) known[key] = value;
}

/// Returns the object as JSON, including its earlier members that are now missing.
std::string object_with(const observe::WireJson& object, MemberTexts& known) {
  std::string text = observe::compact(object);
  for (const auto& [key, value] : known) {
    if (object.at(key).absent())
      text.insert(text.size() - 1,
                  (object.children.empty() ? "" : ",") + observe::json_string(key) + ":" + value);
  }
  take_over(members_of(object, {}), known);
  return text;
}

}  // namespace

/// Returns the event's item, which must have this type.
std::optional<std::size_t> ResponsesReading::find(const observe::WireJson& event,
                                                  const observe::WireJson& item,
                                                  std::string_view type) const {
  const auto index = integer(event.at("output_index"));
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

/// Returns the item that an event adds, if earlier events named it.
std::optional<std::size_t> ResponsesReading::find_early(const observe::WireJson& event,
                                                        const observe::WireJson& item,
                                                        std::string_view type) {
  const auto found = find(event, item, type);
  if (!found || items_[*found].announced) return std::nullopt;
  const std::string id = text_at(item, "id");
  const std::string& known = items_[*found].id;
  if (id.empty() || known.empty() || id == known) return found;
  note("ambiguous");
  return std::nullopt;
}

/// True if an event of an item of this type is ambiguous: it names two items, one of another type, or none
/// although one is open.
bool ResponsesReading::is_ambiguous(const observe::WireJson& event, const observe::WireJson& item,
                                    std::string_view type) const {
  const auto index = integer(event.at("output_index"));
  const std::string id = item.absent() ? text_at(event, "item_id") : text_at(item, "id");
  const auto fits = [&](std::size_t number) {
    const std::string& other = items_[number].type;
    return other == type || (is_call(type) && is_call(other));
  };
  const auto exact = by_both_.find({index.value_or(0), id});
  if (index && exact != by_both_.end()) return !fits(exact->second);
  const auto named = by_id_.find(id);
  const auto placed = index ? by_index_.find(*index) : by_index_.end();
  const bool is_named = named != by_id_.end();
  const bool is_placed = placed != by_index_.end();
  if (is_named && is_placed && named->second != placed->second) return true;
  if (is_named || is_placed) return !fits(is_named ? named->second : placed->second);
  const auto called = by_call_.find(text_at(item, "call_id"));
  if (called != by_call_.end() && !items_[called->second].done) return !fits(called->second);
  for (std::size_t number = 0; number < items_.size(); ++number)
    if (items_[number].announced && !items_[number].done && fits(number)) return true;
  return false;
}

/// Returns the item that the last event repeats. It is the first with its type and id, otherwise with its
/// type and call_id, otherwise the first of its type that was not repeated.
std::optional<std::size_t> ResponsesReading::find_repeated(const observe::WireJson& item) const {
  const std::string type = text_at(item, "type");
  const std::string id = text_at(item, "id");
  const std::string call = text_at(item, "call_id");
  const auto first = [&](const auto& test) -> std::optional<std::size_t> {
    for (std::size_t number = 0; number < items_.size(); ++number)
      if (items_[number].type == type && !items_[number].repeated && test(items_[number])) return number;
    return std::nullopt;
  };
  const auto calls = [&](const Item& other) {
    return is_call(type) && !other.pieces.empty() && part_of(pieces_[other.pieces[0]]).id == call;
  };
  auto found = id.empty() ? std::nullopt : first([&](const Item& other) { return other.id == id; });
  if (!found && !call.empty()) found = first(calls);
  return found ? found : first([](const Item&) { return true; });
}

std::optional<std::size_t> ResponsesReading::begin_item(const observe::WireJson& event,
                                                        const observe::WireJson& item, std::string type) {
  if (items_.size() == kMaxResponsesItems) {
    fail("more items than can be read");
    return std::nullopt;
  }
  const std::size_t number = items_.size();
  const auto index = integer(event.at("output_index"));
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

/// Stores the names under which an item is known.
void ResponsesReading::name_item(std::size_t number, const observe::WireJson& event,
                                 const observe::WireJson& item) {
  const auto index = integer(event.at("output_index"));
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
    Piece& opaque = pieces_[*piece];
    opaque.start = object_with(item, opaque.members);
    // The last event may repeat the item differently.
    if (const std::string call = text_at(item, "call_id"); !call.empty()) known.calls.insert(call);
    known.failed = known.failed || text_at(item, "status") == "failed";
    known.of_client = known.of_client || text_at(item, "execution") == "client";
    return;
  }
  take_over(
      members_of(item, {"content", "summary", "encrypted_content", "call_id", "name", "arguments", "input"}),
      known.members);
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

/// Takes the parts of an item. If no delta had a part's place in the item, the part is the next one whose
/// deltas had a number outside the item.
void ResponsesReading::take_parts(std::size_t number, List list, const std::vector<observe::WireJson>& parts,
                                  Stage stage) {
  const auto& by_index = items_[number].by_index;
  std::map<PartKind, std::uint64_t> next;
  std::map<PartKind, std::set<std::size_t>> listed;
  const auto spoke = [&](std::size_t which) { return has_text(pieces_[which]); };
  for (std::uint64_t place = 0; place < parts.size() && !answer_.error; ++place) {
    const PartKind kind = kind_of_part(parts[place].at("type").string());
    std::uint64_t index = place;
    const auto there = by_index.find({list, kind, place});
    if (there == by_index.end() || !spoke(there->second)) {
      auto beyond = by_index.lower_bound({list, kind, next.try_emplace(kind, parts.size()).first->second});
      while (beyond != by_index.end() && !spoke(beyond->second)) ++beyond;
      if (beyond != by_index.end() && std::get<0>(beyond->first) == list &&
          std::get<1>(beyond->first) == kind) {
        index = std::get<2>(beyond->first);
        next[kind] = index + 1;
      }
    }
    take_part(number, list, index, parts[place], stage);
    const auto piece = by_index.find({list, kind, index});
    if (piece != by_index.end()) listed[kind].insert(piece->second);
  }
  for (const auto& [at, piece] : by_index) {
    const auto kind = listed.find(std::get<1>(at));
    if (std::get<0>(at) == list && spoke(piece) && !pieces_[piece].goes_on && kind != listed.end() &&
        !kind->second.contains(piece))
      note("ambiguous");
  }
}

void ResponsesReading::take_call(std::size_t number, const observe::WireJson& item, Stage stage) {
  const bool is_late = !items_[number].pieces.empty();
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
      if (call.custom) {
        note("ambiguous");
        continue;
      }
      if (field == &observe::Part::id) {
        call.id_open = true;
        by_call_[said] = number;
        continue;
      }
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
    const std::string type = text_at(part, "type");
    if (type != "output_audio") note("unknown_block");
    part_of(piece).type = "content." + (type.empty() ? "untyped" : observe::type_in_note(type));
    piece.start = object_with(part, piece.members);
    return;
  }
  const std::string_view key = kind == PartKind::refusal ? "refusal" : "text";
  take_over(members_of(part, {"type", key}), piece.members);
  for (const auto& [list_key, shape] : {std::pair("annotations", "citations"), {"logprobs", "logprobs"}}) {
    const auto found = piece.members.find(list_key);
    if (found == piece.members.end()) continue;
    if (found->second == "[]") {
      piece.members.erase(found);
    } else {
      note(shape);
    }
  }
  const observe::WireJson& said = part.at(key);
  if (stage == Stage::all && has_text(piece) && said.absent()) note("ambiguous");
  if (stage == Stage::all) return say_all(number, *made, said);
  if (said.string().empty()) return;
  note("piece_in_start");
  const observe::Part& known = part_of(piece);
  const std::string before = known.text + piece.late;
  if (before.empty()) return say(number, *made, said);
  // A prefix of the earlier text adds nothing.
  if (!before.starts_with(observe::replace_surrogates(said.string()))) note("ambiguous");
}

/// Returns the piece at this place of an item, perhaps a new one.
std::optional<std::size_t> ResponsesReading::piece_of(std::size_t number, List list, PartKind kind,
                                                      std::uint64_t index) {
  const auto [at, is_new] = items_[number].by_index.try_emplace({list, kind, index}, pieces_.size());
  if (!is_new) return at->second;
  if (index > items_[number].pieces.size()) note("part_index_gap");
  if (pieces_.size() == kMaxResponsesPieces) {
    fail("more parts than can be read");
    return std::nullopt;
  }
  Piece& piece = pieces_.emplace_back();
  piece.position = items_[number].pieces.size();
  items_[number].pieces.push_back(pieces_.size() - 1);
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

/// Returns the text of an event's member for a piece. The protocol requires a text; arguments in an object
/// become its JSON.
std::string ResponsesReading::said_in(const observe::WireJson& member, std::size_t piece) {
  if (member.absent() || member.is(Kind::null) || member.is(Kind::string))
    return std::string(member.string());
  note("ambiguous");
  const bool is_input = part_of(pieces_[piece]).kind == PartKind::call && member.is(Kind::object);
  return is_input ? std::string(member.raw) : std::string();
}

/// Takes a delta.
void ResponsesReading::say(std::size_t number, std::size_t piece, const observe::WireJson& delta) {
  const std::string more = said_in(delta, piece);
  if (more.empty()) {
    if (delta.is(Kind::string)) note("empty_pieces");
    return;
  }
  Piece& said = pieces_[piece];
  if (more == said.last_delta) note("repeated_pieces");
  said.last_delta = more;
  if (said.whole) note("ambiguous");
  take_turn(number, said);
  release(number, piece, {});
  const std::string text = said.halves.join(more);
  if (said.halves.joined()) note("halves");
  if (said.halves.broken()) note("half_alone");
  if (may_repeat(said, text)) {
    said.held = text;
    return;
  }
  if (!text.empty()) ++said.deltas;
  add(number, piece, text);
}

/// True if a delta equals all earlier deltas together, and there are several.
bool ResponsesReading::may_repeat(const Piece& piece, const std::string& text) const {
  const observe::Part& part = part_of(piece);
  const bool is_call = part.kind == PartKind::call;
  if (!is_call && part.kind != PartKind::text && part.kind != PartKind::thinking) return false;
  const std::string& said = is_call ? part.arguments : part.text;
  return piece.deltas > 1 && !piece.halves.waiting() && text.size() == said.size() + piece.late.size() &&
         text.starts_with(said) && text.ends_with(piece.late);
}

/// Adds the held text of a piece, unless `all` proves that it was a repetition.
void ResponsesReading::release(std::size_t number, std::size_t piece, std::string_view all) {
  const std::string held = std::exchange(pieces_[piece].held, {});
  if (held.empty() || held == all) return;
  ++pieces_[piece].deltas;
  add(number, piece, held);
}

bool ResponsesReading::has_text(const Piece& piece) const {
  return !part_of(piece).text.empty() || !piece.late.empty();
}

void ResponsesReading::note_unclear(const Piece& piece) {
  const PartKind kind = part_of(piece).kind;
  if (kind != PartKind::call) note(kind == PartKind::thinking ? "thinking_unclear" : "text_unclear");
}

/// Notes that held text stays undecided.
void ResponsesReading::note_held() {
  for (const Piece& piece : pieces_) {
    if (piece.held.empty()) continue;
    note("ambiguous");
    note_unclear(piece);
  }
}

/// Takes a complete string, and adds the rest after its deltas.
void ResponsesReading::say_all(std::size_t number, std::size_t piece, const observe::WireJson& text) {
  const std::string all = observe::replace_surrogates(said_in(text, piece));
  if (all.empty()) return;
  if (says_all_of_several(number, piece, all)) return;
  const bool was_held = !pieces_[piece].held.empty();
  release(number, piece, all);
  Piece& said = pieces_[piece];
  const bool was_whole = std::exchange(said.whole, true);
  const observe::Part& part = part_of(said);
  const std::string before = (part.kind == PartKind::call ? part.arguments : part.text) + said.late;
  if (!all.starts_with(before) || !said.halves.goes_on_in(std::string_view(all).substr(before.size()))) {
    note("contradiction");
    if (was_held) note("ambiguous");
    const std::optional<List>& reasons = items_[number].reasons;
    if (!part.custom && (part.kind != PartKind::thinking || reasons == said.list))
      return fail("an event with the whole content contradicts its deltas");
    return note("ambiguous");
  }
  if (all.size() == before.size()) return;
  if (was_whole) note("ambiguous");
  note(before.empty() && !said.halves.waiting() ? "no_deltas" : "done_continues");
  said.halves = {};
  take_turn(number, said);
  add(number, piece, all.substr(before.size()));
}

/// True if `all` is the joined text of adjacent pieces of the item. Then they are one part, whose number
/// counted up with its deltas.
bool ResponsesReading::says_all_of_several(std::size_t number, std::size_t piece, std::string_view all) {
  const PartKind kind = part_of(pieces_[piece]).kind;
  if (kind == PartKind::call || kind == PartKind::other) return false;
  const List list = pieces_[piece].list;
  std::string& together = items_[number].together[{list, kind}];
  if (together == all) return true;
  std::vector<std::size_t> run;
  std::string joined;
  bool is_torn = false;  // a number changed within a character
  for (const std::size_t other : items_[number].pieces) {
    const Piece& one = pieces_[other];
    const std::string said = part_of(one).text + one.late;
    if (one.list != list || part_of(one).kind != kind || one.whole || said.empty()) continue;
    run.push_back(other);
    is_torn = is_torn || one.halves.waiting();
    joined += said;
  }
  if (run.size() < 2 || (joined != all && !(is_torn && all.starts_with(part_of(pieces_[run[0]]).text))))
    return false;
  if (is_torn) note_unclear(pieces_[run[0]]);
  note("number_counts_up");
  together = all;
  for (const std::size_t other : run) {
    pieces_[other].whole = true;
    pieces_[other].goes_on = other != run.front();
  }
  return true;
}

/// Notes that prose comes now. After prose of a later part, its order is unknown.
void ResponsesReading::take_turn(std::size_t number, const Piece& piece) {
  const PartKind kind = part_of(piece).kind;
  const std::optional<List>& reasons = items_[number].reasons;
  const bool counts = kind != PartKind::thinking || reasons.value_or(piece.list) == piece.list;
  if (kind == PartKind::call || !counts) return;
  const std::pair at = {number, piece.position};
  auto& furthest = furthest_[kind == PartKind::thinking];
  if (at < furthest) note("ambiguous");
  furthest = std::max(furthest, at);
}

/// Adds text to a piece, or keeps it for the end.
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
    if (kind != PartKind::call) note("prose_meanwhile");
    if (kind == PartKind::call && whole && !observe::is_blank_json(said)) note("ambiguous");
    piece.late += said;
    return;
  }
  observe::Part& part = part_of(piece);
  (kind == PartKind::call ? part.arguments : part.text) += said;
}

/// Puts a part at the end of the answer's parts.
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

/// Closes a piece, as far as is known.
void ResponsesReading::close(std::size_t number, std::size_t which) {
  add(number, which, pieces_[which].halves.close());
  Piece& piece = pieces_[which];
  if (piece.halves.broken()) note("half_alone");
}

void ResponsesReading::close_item(std::size_t number) {
  announce(number);
  for (const std::size_t which : items_[number].pieces) close(number, which);
}

/// Uses the content of an item's start when the item or the response has ended, if no other event had it.
void ResponsesReading::take_start(std::size_t number) {
  for (const std::size_t which : items_[number].pieces) {
    Piece& piece = pieces_[which];
    const observe::Part& part = part_of(piece);
    if (part.kind == PartKind::call && part.arguments.empty() && piece.late.empty())
      add(number, which, std::exchange(piece.start, {}));
  }
}

/// True if an item has no content yet.
bool ResponsesReading::is_silent(std::size_t number) const {
  const auto& pieces = items_[number].pieces;
  return std::none_of(pieces.begin(), pieces.end(), [&](std::size_t which) {
    const observe::Part& part = part_of(pieces_[which]);
    return !part.text.empty() || !part.arguments.empty() || !pieces_[which].late.empty();
  });
}

/// Announces an item: adds its content from before its addition. An item without content begins now.
void ResponsesReading::announce(std::size_t number) {
  if (std::exchange(items_[number].announced, true)) return;
  if (is_silent(number)) {
    std::erase(order_, number);
    order_.push_back(number);
  }
  for (const std::size_t which : items_[number].pieces)
    add(number, which, std::exchange(pieces_[which].late, {}));
}

/// Gives opaque items the types by which contracts/lossy.yaml knows them.
void ResponsesReading::name_opaque_items() {
  const auto result_of = [this](const Item& item) {
    const MemberTexts& members = pieces_[item.pieces[0]].members;
    const auto found = members.find("result");
    return found == members.end() ? std::string() : found->second;
  };
  std::set<std::pair<std::string, std::string>> outputs;
  for (const Item& item : items_)
    for (const std::string& call : item.calls) outputs.emplace(item.type, call);
  for (const Item& item : items_) {
    if (!is_opaque(item.type) || item.pieces.empty()) continue;
    std::string& type = part_of(pieces_[item.pieces[0]]).type;
    type = item.type;
    const std::string result = result_of(item);
    const bool is_answered = std::any_of(item.calls.begin(), item.calls.end(), [&](const std::string& call) {
      return outputs.contains({item.type + "_output", call});
    });
    if (is_call_of_client(type) && is_answered) {
      type = "answered_call";
      note("ambiguous");
    } else if (type == "tool_search_call" && item.of_client) {
      type = "client_tool_search_call";
    } else if (type == "image_generation_call" && !result.empty() && result != "\"\"") {
      type = "generated_image";
    } else if (type == "image_generation_call" && item.failed) {
      type = "failed_image";
      note("failed_image");
    }
  }
}

void ResponsesReading::end_item(std::size_t number) {
  for (const std::size_t piece : items_[number].pieces) part_of(pieces_[piece]).ended = true;
}

}  // namespace splitproof::dialect
