#include "proxy/dialect/openai_responses/reader.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "proxy/dialect/finish_word.hpp"
#include "proxy/dialect/openai_failure.hpp"
#include "proxy/dialect/reported.hpp"
#include "proxy/dialect/stream_frame.hpp"
#include "proxy/wire/surrogates.hpp"

namespace splitproof::proxy::dialect {
namespace {

using turn::Event;
using wire::Json;
using wire::JsonKind;

void fail(std::string message, std::vector<Event>& events) {
  events.push_back(turn::Failure{turn::ErrorKind::api, std::move(message)});
}

// Removes an ending from a type. Returns false if the type has another ending.
bool strip(std::string_view& type, std::string_view ending) {
  if (!type.ends_with(ending)) return false;
  type.remove_suffix(ending.size());
  return true;
}

// Returns the mark of a text, or 0 if there is none.
std::uint64_t mark_in(const Json& text) {
  const std::string said = text.text();
  return said.empty() ? 0 : mark_of(said);
}

// Returns the characters of a text, or the bytes of other JSON.
std::string arguments_in(const Json& arguments) {
  if (arguments.is(JsonKind::string)) return arguments.text();
  return arguments.is(JsonKind::null) ? std::string() : std::string(arguments.raw());
}

// Items that are calls for the client to run.
constexpr std::array<std::string_view, 5> kClientCalls = {"computer_call", "apply_patch_call", "shell_call",
                                                          "local_shell_call", "mcp_approval_request"};

// Items that the provider has completed, so that an answer may lack them.
constexpr std::array<std::string_view, 9> kServerItems = {
    "web_search_call",       "file_search_call", "code_interpreter_call",
    "image_generation_call", "mcp_call",         "mcp_list_tools",
    "tool_search_call",      "custom_tool_call", "compaction"};

bool is_in(const auto& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool waits_for_client(const Json& item) {
  const std::string type = item["type"].text();
  if (type == "tool_search_call") return item["execution"].text() == "client";
  return is_in(kClientCalls, type);
}

// `type`: of an event, without prefix and ending, or of a part.
bool is_audio(std::string_view type) {
  return type == "audio" || type == "audio.transcript" || type == "output_audio" ||
         type == "output_audio_transcript";
}

}  // namespace

constexpr std::array<ResponsesReader::Words, 4> ResponsesReader::kWords = {{
    {"output_text", "output_text", "content_index", "text", ItemType::message, turn::BlockKind::text},
    {"refusal", "refusal", "content_index", "refusal", ItemType::message, turn::BlockKind::refusal},
    {"reasoning_summary_text", "summary_text", "summary_index", "text", ItemType::reasoning,
     turn::BlockKind::thinking},
    {"reasoning_text", "reasoning_text", "content_index", "text", ItemType::reasoning,
     turn::BlockKind::thinking},
}};

void ResponsesReader::read(const wire::Frame& frame, Events& events) {
  const bool named_error = frame.event == "error";
  const StreamFrame read(frame, limits_, named_error ? Named::error : Named::nothing);
  const Json event = read.object();
  switch (read.kind()) {
    case StreamFrame::Kind::nothing:
    case StreamFrame::Kind::done:
    case StreamFrame::Kind::torn:
      return;
    case StreamFrame::Kind::bare:
      if (const Json error = event["error"]; error && !error.is(JsonKind::null))
        events.push_back(openai_failure(error));
      return;
    case StreamFrame::Kind::object:
      return read_event(event, named_error ? "error" : event["type"].text(), events);
    case StreamFrame::Kind::unreadable:
      break;
  }
  fail("an event of the upstream " + read.problem(), events);
}

void ResponsesReader::read_event(const Json& event, std::string_view type, Events& events) {
  constexpr std::string_view kPrefix = "response.";
  const Json error = event["error"];
  const bool nested = error.is(JsonKind::object) || error.is(JsonKind::string);
  if (type == "error" || (type.empty() && nested)) {
    settle_waiting(events);
    events.push_back(openai_failure(nested ? error : event));
    return;
  }
  if (!type.starts_with(kPrefix)) return;
  type.remove_prefix(kPrefix.size());
  const Json response = event["response"];
  if (type == "created" || type == "queued" || type == "in_progress") {
    const std::uint64_t id = type == "created" ? mark_in(response["id"]) : 0;
    if (id_ != 0 && id != 0 && id != id_) return fail("the upstream began another response", events);
    if (id != 0) id_ = id;
    return begin(response, events);
  }
  if (type == "completed" || type == "incomplete" || type == "failed" || type == "cancelled")
    return end(response, type, events);
  const Extent extent = strip(type, ".added")   ? Extent::start
                        : strip(type, ".delta") ? Extent::more
                        : strip(type, ".done")  ? Extent::all
                                                : Extent::none;
  if (extent != Extent::none) read_piece(event, type, extent, events);
}

// Reads an event that has a part of the answer. `type` has neither prefix nor ending.
void ResponsesReader::read_piece(const Json& event, std::string_view type, Extent extent, Events& events) {
  if (type == "output_item") return read_item(event, extent, events);
  if (is_audio(type) || is_audio(event["part"]["type"].text())) {
    events.push_back(turn::Unplaced{"audio"});
    return;
  }
  const bool is_delta = extent == Extent::more;
  if (type == "function_call_arguments") {
    const std::string said = arguments_in(event[is_delta ? "delta" : "arguments"]);
    if (const auto number = find_or_add(event, ItemType::call, events))
      say_arguments(items_[*number], said, extent, events);
    return;
  }
  const Json part = event["part"];
  const bool in_part = type == "content_part" || type == "reasoning_summary_part" || type == "reasoning_part";
  const auto named =
      std::find_if(kWords.begin(), kWords.end(), [&](const Words& words) { return words.event == type; });
  std::optional<WordsRow> row = in_part ? words_of_part(part) : std::nullopt;
  if (named != kWords.end()) row = named - kWords.begin();
  const bool has_text = !event["delta"].text().empty() || !event["text"].text().empty();
  if (!row && has_text && type.find("_call") == std::string_view::npos) events.push_back(unknown_content());
  if (!row) return;
  const Words& words = kWords[*row];
  const Json said = in_part ? part[words.text] : event[is_delta ? "delta" : words.text];
  if (const auto number = find_or_add(event, words.item, events))
    say(*number, *row, event[words.index].count().value_or(0), said.text(), extent, events);
}

void ResponsesReader::begin(const Json& response, Events& events) {
  events.push_back(turn::Begin{wire::whole(response["model"].text())});
  usage_.take(response["usage"]);
}

void ResponsesReader::end(const Json& response, std::string_view type, Events& events) {
  begin(response, events);
  // The status decides, whatever the event's type is. A failure in either of them is a failure.
  const std::string stated = response["status"].text();
  const std::string status = stated.empty() ? std::string(type) : stated;
  const auto says = [&](std::string_view word) { return status == word || type == word; };
  if (says("cancelled")) return fail("the upstream cancelled the response", events);
  if (says("failed")) {
    settle_waiting(events);
    events.push_back(openai_failure(response["error"]));
    return;
  }
  if (!response["output_text"].text().empty()) events.push_back(unknown_content());
  if (!response["error"].empty()) events.push_back(turn::Unplaced{"an error", true});
  Unrepeated unrepeated(items_);
  for (Json item = response["output"].first(); item; item = item.next()) repeat(item, unrepeated, events);
  for (Item& item : items_) settle(item, events);
  settle_waiting(events);
  const auto waits = [](const auto& call) { return call.second; };
  if (std::any_of(client_calls_.begin(), client_calls_.end(), waits))
    events.push_back(turn::Unplaced{"a call of a tool that is no function"});
  turn::Event end = turn::Finished{};
  if (says("incomplete")) {
    const std::string reason = response["incomplete_details"]["reason"].text();
    end = turn::Finished{turn::Finish::length};
    if (!reason.empty()) end = finish_of("openai.responses", reason);
  } else if (status != "completed") {
    end = turn::Finished{turn::Finish::unknown, {}, wire::whole(status)};
  }
  events.push_back(usage_.usage());
  events.push_back(std::move(end));
  events.push_back(turn::Done{});
}

std::optional<ResponsesReader::WordsRow> ResponsesReader::words_of_part(const Json& part) {
  const std::string type = part["type"].text();
  const auto row =
      std::find_if(kWords.begin(), kWords.end(), [&](const Words& words) { return words.part == type; });
  return row == kWords.end() ? std::nullopt : std::optional<WordsRow>(row - kWords.begin());
}

ResponsesReader::ItemType ResponsesReader::type_of(const Json& item) {
  const std::string type = item["type"].text();
  return type == "message"         ? ItemType::message
         : type == "reasoning"     ? ItemType::reasoning
         : type == "function_call" ? ItemType::call
         : type.empty()            ? ItemType::none
                                   : ItemType::other;
}

std::optional<std::size_t> ResponsesReader::find(const Address& address, ItemType type,
                                                 Events& events) const {
  const auto known = [](const auto& numbers, const auto& key) {
    const auto found = numbers.find(key);
    return found == numbers.end() ? std::nullopt : std::optional(found->second);
  };
  const auto exact = known(by_both_, std::pair(address.index, address.id));
  const auto by_id = exact ? exact : known(by_id_, address.id);
  const auto at_index = address.index || address.id == 0 ? known(by_index_, address.index) : std::nullopt;
  const auto by_index = exact ? exact : at_index;
  auto found = by_id ? by_id : by_index;
  const auto by_call_id = known(by_call_id_, address.call_id);
  if (!found && by_call_id && items_[*by_call_id].open) found = by_call_id;
  const ItemType other = found ? items_[*found].type : type;
  const bool two = by_id && by_index && by_id != by_index;
  const bool lost = !found && open_[static_cast<std::size_t>(type)] > 0;
  const bool told = type != ItemType::other || other != ItemType::other;
  if (told && (two || lost || other != type))
    fail("an event of the upstream does not tell which item it is of", events);
  return found;
}

// Returns the item that an event adds if its pieces came before the event.
std::optional<std::size_t> ResponsesReader::find_early(const Address& address, ItemType type) const {
  const auto fits = [&](const auto& numbers, const auto& key) {
    const auto found = numbers.find(key);
    if (found == numbers.end()) return false;
    const Item& item = items_[found->second];
    const bool same_id = item.id == 0 || address.id == 0 || item.id == address.id;
    return item.type == type && !item.announced && same_id;
  };
  if (fits(by_id_, address.id)) return by_id_.at(address.id);
  if (address.index && fits(by_index_, address.index)) return by_index_.at(address.index);
  return std::nullopt;
}

std::optional<std::size_t> ResponsesReader::find_or_add(const Json& event, ItemType type, Events& events) {
  const Address address{event["output_index"].count(), mark_in(event["item_id"]), 0};
  const auto found = find(address, type, events);
  return found ? found : add(address, type, events);
}

std::optional<std::size_t> ResponsesReader::add(const Address& address, ItemType type, Events& events) {
  if (!has_room(events)) return std::nullopt;
  const std::size_t number = items_.size();
  Item& item = items_.emplace_back();
  item.type = type;
  know(number, address);
  if (type == ItemType::call) {
    item.call = calls_++;
    item.rank = address.index.value_or(number);
    events.push_back(turn::CallPiece{item.call, item.rank, {}, {}, {}});
  }
  return number;
}

// Remembers the members by which later events name an item.
void ResponsesReader::know(std::size_t number, const Address& address) {
  if (items_[number].id == 0) items_[number].id = address.id;
  if (address.index || address.id == 0) by_index_[address.index] = number;
  if (address.id != 0) by_id_[address.id] = number;
  if (address.index && address.id != 0) by_both_[{address.index, address.id}] = number;
}

bool ResponsesReader::has_room(Events& events) const {
  const bool room = items_.size() + pieces_.size() < limits_.parts;
  if (!room) fail("the upstream sent more items than one message may hold", events);
  return room;
}

void ResponsesReader::read_item(const Json& event, Extent extent, Events& events) {
  const Json item = event["item"];
  const ItemType type = type_of(item);
  if (type == ItemType::none) return;
  const Address address{event["output_index"].count(), mark_in(item["id"]), mark_in(item["call_id"])};
  const bool starts = extent == Extent::start;
  std::optional<std::size_t> number = starts ? find_early(address, type) : find(address, type, events);
  if (starts && number) know(*number, address);
  if (!number) number = add(address, type, events);
  if (!number) return;
  if (type == ItemType::other) note_item(item, events);
  items_[*number].announced = true;
  if (address.id != 0) by_id_[address.id] = *number;
  say_item(*number, item, extent, events);
  const bool was_open = std::exchange(items_[*number].open, starts);
  open_[static_cast<std::size_t>(items_[*number].type)] += (starts ? 1 : 0) - (was_open ? 1 : 0);
}

// Notes an item that other protocols have no form for, if an answer without it would mislead.
void ResponsesReader::note_item(const Json& item, Events& events) {
  const std::string type = item["type"].text();
  const std::uint64_t call_id = mark_in(item["call_id"]);
  const std::uint64_t call = call_id != 0 ? call_id : mark_in(item["id"]);
  if (waits_for_client(item)) client_calls_.try_emplace(call, true);
  if (type.ends_with("_output")) client_calls_[call] = false;
  if (!type.ends_with("_output") && !is_in(kClientCalls, type) && !is_in(kServerItems, type))
    events.push_back(unknown_content());
  if (type != "image_generation_call") return;
  const bool has_image = !item["result"].text().empty();
  const bool failed = !has_image && item["status"].text() == "failed";
  if (has_image || failed)
    events.push_back(turn::Unplaced{failed ? "an image that failed" : "an image", failed});
}

ResponsesReader::Unrepeated::Unrepeated(const std::vector<Item>& items) : items_(items) {
  for (std::size_t number = items.size(); number-- > 0;) {
    const Item& item = items[number];
    if (item.id != 0) numbers_[{By::id, item.type, item.id}].push_back(number);
    if (item.call_id != 0) numbers_[{By::call_id, item.type, item.call_id}].push_back(number);
    numbers_[{By::type, item.type, 0}].push_back(number);
  }
}

std::optional<std::size_t> ResponsesReader::Unrepeated::first(By by, ItemType type, std::uint64_t mark) {
  const auto found = numbers_.find({by, type, mark});
  if (found == numbers_.end()) return std::nullopt;
  std::vector<std::size_t>& numbers = found->second;
  while (!numbers.empty() && items_[numbers.back()].repeated) numbers.pop_back();
  return numbers.empty() ? std::nullopt : std::optional(numbers.back());
}

// Reads an item of the last event, which has all items in their order, with the same ids or others.
void ResponsesReader::repeat(const Json& item, Unrepeated& unrepeated, Events& events) {
  const ItemType type = type_of(item);
  if (type == ItemType::other) note_item(item, events);
  if (type == ItemType::none || type == ItemType::other) return;
  const std::uint64_t id = mark_in(item["id"]);
  const std::uint64_t call_id = mark_in(item["call_id"]);
  using By = Unrepeated::By;
  std::optional<std::size_t> number;
  if (id != 0) number = unrepeated.first(By::id, type, id);
  if (!number && call_id != 0) number = unrepeated.first(By::call_id, type, call_id);
  if (!number) number = unrepeated.first(By::type, type, 0);
  if (!number) number = add({{}, id, 0}, type, events);
  if (!number) return;
  items_[*number].repeated = true;
  say_item(*number, item, Extent::all, events);
}

void ResponsesReader::say_item(std::size_t number, const Json& json, Extent extent, Events& events) {
  if (items_[number].type == ItemType::call) return say_call(number, json, extent, events);
  if (!json["content"].text().empty()) events.push_back(unknown_content());
  for (const char* list : {"summary", "content"}) {
    std::array<std::vector<std::uint64_t>, kWords.size()>
        listed;                                   // Places of the parts of each kind in the list.
    std::array<std::string, kWords.size()> last;  // Text of the last part of each kind.
    std::uint64_t place = 0;
    for (Json part = json[list].first(); part; part = part.next(), ++place) {
      const auto row = words_of_part(part);
      if (is_audio(part["type"].text()))
        events.push_back(turn::Unplaced{"audio"});
      else if (!row && items_[number].type == ItemType::message)
        events.push_back(unknown_content());
      if (!row) continue;
      listed[*row].push_back(place);
      last[*row] = part[kWords[*row].text].text();
    }
    // Some servers leave a gap in the numbers of parts. Then the order decides.
    for (WordsRow row = 0; row < kWords.size(); ++row) {
      std::vector<std::uint64_t>& places = listed[row];
      const auto found = spoken_.find({number, row});
      if (places.empty() || found == spoken_.end()) continue;
      const std::set<std::uint64_t>& spoken = found->second;
      const auto one = together_.find({number, row});
      if (one != together_.end() && places.size() == 1 && spoken.size() > 1 && one->second.says(last[row])) {
        places.assign(1, *spoken.begin());  // It is one part, whose number increased.
        continue;
      }
      // Compares the two only if they can be equal: a single event may list many parts.
      if (spoken.size() <= places.size() &&
          std::includes(places.begin(), places.end(), spoken.begin(), spoken.end()))
        continue;
      if (spoken.size() != places.size())
        return fail("the upstream repeated an item with other parts", events);
      places.assign(spoken.begin(), spoken.end());
    }
    std::array<std::size_t, kWords.size()> said = {};
    for (Json part = json[list].first(); part; part = part.next()) {
      const auto row = words_of_part(part);
      if (row && kWords[*row].item == items_[number].type)
        say(number, *row, listed[*row][said[*row]++], part[kWords[*row].text].text(), extent, events);
    }
  }
}

void ResponsesReader::say_call(std::size_t number, const Json& json, Extent extent, Events& events) {
  Item& item = items_[number];
  turn::CallPiece named{item.call, item.rank, {}, {}, {}};
  const auto name = [&](const char* member, std::uint64_t& known, std::string& said) {
    const std::uint64_t mark = mark_in(json[member]);
    if (known != 0 && mark != 0 && mark != known && &known == &item.call_id)
      by_call_id_[mark] = number;  // The block has the first call_id, and either is right.
    else if (known != 0 && mark != 0 && mark != known)
      fail(std::string("the upstream gave a tool call another ") + member, events);
    if (known != 0 || mark == 0) return;
    known = mark;
    said = wire::whole(json[member].text());
  };
  name("call_id", item.call_id, named.id);
  name("name", item.name, named.name);
  if (!named.id.empty()) by_call_id_[item.call_id] = number;
  if (!named.id.empty() || !named.name.empty()) events.push_back(std::move(named));
  say_arguments(item, arguments_in(json["arguments"]), extent, events);
  if (extent == Extent::all) settle(item, events);
}

void ResponsesReader::say(std::size_t number, WordsRow row, std::uint64_t index, std::string text,
                          Extent extent, Events& events) {
  Item& item = items_[number];
  if (item.reasons && item.reasons != row) return;
  if (extent == Extent::all && text.empty()) return;
  const auto key = std::tuple(number, row, index);
  auto found = pieces_.find(key);
  if (found == pieces_.end()) {
    if (!has_room(events)) return;
    found = pieces_.emplace(key, Piece{number * limits_.parts + item.pieces++, {}}).first;
  }
  Piece& piece = found->second;
  Together& together = together_[{number, row}];
  const std::size_t waited = piece.text.waiting().size();
  if (extent == Extent::all && together.says(text)) {
    together.repeats = true;
    piece.text.drop();
    count_waiting(piece.text, waited, events);
    events.push_back(turn::Close{piece.part});
    return;
  }
  const bool begins = piece.text.nothing();
  if (extent == Extent::start && !begins) return;
  if (extent == Extent::all) {
    std::optional<std::string> rest = piece.text.complete(text);
    if (!rest) return fail("the upstream repeated a text of its answer as another", events);
    text = std::move(*rest);
  } else {
    text = piece.text.take(std::move(text));
  }
  count_waiting(piece.text, waited, events);
  if (!text.empty()) {
    if (item.type == ItemType::reasoning) item.reasons = row;
    together.take(text, begins);
    spoken_[{number, row}].insert(index);
    events.push_back(turn::Prose{kWords[row].kind, std::move(text), piece.part});
  }
  if (extent != Extent::all) return;
  together = {};
  events.push_back(turn::Close{piece.part});
}

// Counts the bytes of a delta that began to wait, or waits no longer. `before` is the number of bytes that waited before.
void ResponsesReader::count_waiting(const Deltas& deltas, std::size_t before, Events& events) {
  waiting_bytes_ += deltas.waiting().size() - before;
  if (waiting_bytes_ > limits_.waiting_bytes)
    fail("too many bytes of the upstream wait until it is known that they are not a repetition", events);
}

// Settles the deltas that wait if no event decides about them. A text is new. Complete arguments are a repetition, since a call
// has them once.
void ResponsesReader::settle_waiting(Events& events) {
  if (std::exchange(waiting_bytes_, 0) == 0) return;
  for (auto& [key, piece] : pieces_) {
    const WordsRow row = std::get<1>(key);
    turn::Prose waited{kWords[row].kind, piece.text.release(), piece.part};
    if (!waited.text.empty()) events.push_back(std::move(waited));
  }
  for (Item& item : items_) {
    const std::string arguments = wire::whole(item.arguments.waiting());
    if (wire::check_json(arguments, limits_.json_depth) == wire::JsonFault::none) item.arguments.drop();
    send_arguments(item, item.arguments.release(), events);
  }
}

void ResponsesReader::finish(turn::BodyEnd /*end*/, Events& events) { settle_waiting(events); }

void ResponsesReader::Together::take(std::string_view text, bool begins) {
  pieces += begins ? 1 : 0;
  said.add(text);
}

bool ResponsesReader::Together::says(std::string_view all) const {
  return (repeats || pieces > 1) && said.is(all);
}

void ResponsesReader::say_arguments(Item& item, std::string text, Extent extent, Events& events) {
  if (text.empty()) return;
  if (extent == Extent::start) {
    start_bytes_ += text.size();
    if (start_bytes_ > limits_.call_bytes)
      return fail("the upstream's tool calls are larger than one message may hold", events);
    item.start = std::move(text);
    return;
  }
  const std::size_t waited = item.arguments.waiting().size();
  if (extent == Extent::all) {
    std::optional<std::string> rest = item.arguments.complete(text);
    if (!rest) return fail("the upstream repeated the arguments of a tool call as others", events);
    text = std::move(*rest);
  } else {
    text = item.arguments.take(std::move(text));
  }
  count_waiting(item.arguments, waited, events);
  item.start.clear();
  send_arguments(item, std::move(text), events);
}

void ResponsesReader::send_arguments(const Item& item, std::string text, Events& events) {
  if (text.empty()) return;
  events.push_back(turn::CallPiece{item.call, item.rank, {}, {}, std::move(text)});
}

// Takes the arguments in the start of a call if no other event had any.
void ResponsesReader::settle(Item& item, Events& events) {
  if (item.arguments.nothing()) say_arguments(item, std::exchange(item.start, {}), Extent::more, events);
}

}  // namespace splitproof::proxy::dialect
