#include "proxy/text/said_once.hpp"

#include <utility>

#include "proxy/wire/json.hpp"
#include "proxy/wire/json_text.hpp"
#include "proxy/wire/surrogates.hpp"

namespace splitproof::text {
namespace {

using turn::Event;
using wire::Json;
using wire::JsonKind;

constexpr std::size_t kArgumentsDepth = 128;  // the comparison recurses

// Appends a canonical form of JSON: keys sorted, and the last of repeated keys.
void append_canonical(std::string& json, const Json& value) {
  if (value.is(JsonKind::object)) {
    std::map<std::string, Json> members;
    for (Json key = value.first_key(); key; key = key.next()) members[key.text()] = key.value();
    char before = '{';
    for (const auto& [key, member] : members) {
      json += std::exchange(before, ',');
      wire::append_quoted(json, key);
      json += ':';
      append_canonical(json, member);
    }
    json += members.empty() ? "{}" : "}";
  } else if (value.is(JsonKind::array)) {
    char before = '[';
    for (Json element = value.first(); element; element = element.next()) {
      json += std::exchange(before, ',');
      append_canonical(json, element);
    }
    json += value.empty() ? "[]" : "]";
  } else if (value.is(JsonKind::string)) {
    wire::append_quoted(json, value.text());
  } else {
    json += value.raw();
  }
}

// Counts toward the limit of waiting bytes.
std::size_t cost_of(const turn::CallPiece& piece) {
  return piece.id.size() + piece.name.size() + piece.arguments.size();
}

template <class Waiting>
std::size_t cost_of(const Waiting& waiting) {
  std::size_t cost = sizeof waiting;
  if (const auto* call = std::get_if<WrittenCall>(&waiting))
    return cost + call->name.size() + call->arguments.size();
  if (const auto* event = std::get_if<Event>(&waiting)) {
    if (const auto* prose = std::get_if<turn::Prose>(event)) cost += prose->text.size();
    if (const auto* signature = std::get_if<turn::Signature>(event)) cost += signature->text.size();
    if (const auto* sealed = std::get_if<turn::Sealed>(event)) cost += sealed->data.size();
  }
  return cost;
}

// Decrements the count of a key, if positive.
template <class Counts, class Name>
bool take_one(Counts& counts, const Name& name) {
  const auto found = counts.find(name);
  if (found == counts.end()) return false;
  if (--found->second == 0) counts.erase(found);
  return true;
}

}  // namespace

std::optional<SaidOnce::Key> SaidOnce::key_of(const std::string& name, const std::string& arguments) {
  const bool none = arguments.find_first_not_of(turn::kBlanks) == std::string::npos;
  const std::string json = none ? "{}" : wire::whole(arguments);
  const wire::JsonDocument document(json, kArgumentsDepth);
  if (name.empty() || !document.root().is(JsonKind::object)) return std::nullopt;
  Key key{name, {}};
  append_canonical(key.second, document.root());
  return key;
}

void SaidOnce::take(WrittenCall call, std::vector<Event>& events) { wait(std::move(call), events); }

void SaidOnce::take(Event event, std::vector<Event>& events) {
  if (waiting_.empty())
    events.push_back(std::move(event));
  else
    wait(std::move(event), events);
}

void SaidOnce::take(turn::CallPiece piece, std::vector<Event>& events) {
  if (piece.call >= made_.size()) made_.resize(piece.call + 1);
  Made& made = made_[piece.call];
  if (made.place == Place::left_out) return;
  const bool passed = made.place == Place::passed;
  if (!passed) waiting_bytes_ += cost_of(piece);
  if (made.name.empty()) made.name = piece.name;
  made.arguments += piece.arguments;
  made.progress.feed(piece.arguments);
  turn::CallPiece& held = made.held;
  held.call = piece.call;
  held.rank = piece.rank;
  if (held.id.empty()) held.id = std::move(piece.id);
  if (held.name.empty()) held.name = std::move(piece.name);
  held.arguments += piece.arguments;
  held.no_id |= piece.no_id;
  if (passed) {
    send(made, events);
    count(made);
  } else if (made.place == Place::nameless && (!made.name.empty() || written_keys_.empty())) {
    made.place = Place::waiting;
    return wait(piece.call, events);
  }
  advance(events);
}

void SaidOnce::finish(std::vector<Event>& events) {
  over_ = true;
  for (std::size_t call = 0; call < made_.size(); ++call) {
    if (made_[call].place == Place::passed) count(made_[call]);
    if (made_[call].place != Place::nameless) continue;
    made_[call].place = Place::waiting;
    waiting_.emplace_back(call);
  }
  advance(events);
}

void SaidOnce::wait(Waiting waiting, std::vector<Event>& events) {
  waiting_bytes_ += cost_of(waiting);
  waiting_.push_back(std::move(waiting));
  advance(events);
}

// Passes on waiting items in order, as far as possible.
void SaidOnce::advance(std::vector<Event>& events) {
  while (!waiting_.empty()) {
    const std::size_t cost = cost_of(waiting_.front());
    if (!std::visit([&](auto& first) { return pass(first, events); }, waiting_.front())) break;
    waiting_.pop_front();
    waiting_bytes_ -= cost;
  }
  if (over_ || waiting_bytes_ <= most_waiting_) return;
  finish(events);
  events.push_back(
      turn::Failure{turn::ErrorKind::api,
                    "too much waits behind a tool call of the upstream that may have been said before"});
}

bool SaidOnce::pass(Event& event, std::vector<Event>& events) {
  events.push_back(std::move(event));
  return true;
}

bool SaidOnce::pass(WrittenCall& call, std::vector<Event>& events) {
  if (!over_ && (open_names_.count(call.name) > 0 || open_names_.count({}) > 0)) return false;
  const auto key = key_of(call.name, call.arguments);
  if (key && take_one(made_keys_, *key)) return true;
  if (key) ++written_keys_[*key];
  ++written_names_[call.name];
  const std::string id = "rescued_" + wire::hex(seed_) + "_" + std::to_string(written_++);
  const std::size_t number = numbers_++;
  events.push_back(turn::CallPiece{number, number, id, std::move(call.name), std::move(call.arguments)});
  return true;
}

bool SaidOnce::pass(std::size_t call, std::vector<Event>& events) {
  Made& made = made_[call];
  if (written_names_.count(made.name) > 0) {
    if (!settled(made)) return false;
    const auto key = key_of(made.name, made.arguments);
    if (key && take_one(written_keys_, *key)) {
      take_one(written_names_, made.name);
      waiting_bytes_ -= cost_of(made.held);
      made = {};
      made.place = Place::left_out;
      return true;
    }
  }
  waiting_bytes_ -= cost_of(made.held);
  made.place = Place::passed;
  made.number = numbers_++;
  send(made, events);
  count(made);
  return true;
}

// Sends the new part of a call.
void SaidOnce::send(Made& made, std::vector<Event>& events) {
  made.held.call = made.number;
  events.push_back(std::exchange(made.held, {}));
}

void SaidOnce::count(Made& made) {
  if (made.counted) return;
  const bool open = !settled(made);
  if (open && made.open_as == made.name) return;
  if (made.open_as) take_one(open_names_, *std::exchange(made.open_as, std::nullopt));
  if (open) {
    made.open_as = made.name;
    ++open_names_[made.name];
    return;
  }
  made.counted = true;
  if (const auto key = key_of(made.name, made.arguments)) ++made_keys_[*key];
  made.arguments = {};
}

}  // namespace splitproof::text
