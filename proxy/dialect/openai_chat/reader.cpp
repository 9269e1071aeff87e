#include "proxy/dialect/openai_chat/reader.hpp"

#include <optional>
#include <utility>

#include "proxy/dialect/finish_word.hpp"
#include "proxy/dialect/openai_chat/chunk.hpp"
#include "proxy/dialect/openai_chat/failure.hpp"
#include "proxy/dialect/reported.hpp"
#include "proxy/wire/surrogates.hpp"

namespace splitproof::proxy::dialect {
namespace {

using turn::BlockKind;
using turn::Event;
using turn::Finish;
using wire::Json;
using wire::JsonKind;

void add_prose(BlockKind kind, std::string text, std::vector<Event>& events) {
  if (!text.empty()) events.push_back(turn::Prose{kind, std::move(text)});
}

void add_finish(const Json& choice, std::vector<Event>& events) {
  const std::string said = chat_finish(choice);
  if (said.empty()) return;
  // vLLM and SGLang name what ended the answer: a text, or the number of a token.
  std::string stopped_at = choice["stop_reason"].text();
  if (stopped_at.empty()) stopped_at = choice["matched_stop"].text();
  events.push_back(finish_of(kChat, said, wire::whole(std::move(stopped_at))));
}

}  // namespace

void ChatReader::read(const wire::Frame& frame, std::vector<Event>& events) {
  const StreamFrame read = chat_frame(frame, limits_);
  frames_ += frame.bare ? 0 : 1;
  switch (read.kind()) {
    case StreamFrame::Kind::nothing:
    case StreamFrame::Kind::torn:
      return;
    case StreamFrame::Kind::bare:
      return read_bare_body(read.object(), events);
    case StreamFrame::Kind::object:
      return read_chunk(read.object(), frame.event == "error", events);
    case StreamFrame::Kind::unreadable:
      events.push_back(turn::Failure{turn::ErrorKind::api,
                                     "upstream event " + std::to_string(frames_) + " " + read.problem()});
      return;
    case StreamFrame::Kind::done:
      break;
  }
  if (others_chosen_ && !first_chosen_) {
    events.push_back(turn::Failure{turn::ErrorKind::api, "the upstream gave no first choice, only others"});
  }
  events.push_back(turn::Done{});
}

void ChatReader::read_bare_body(const Json& object, std::vector<Event>& events) const {
  std::optional<turn::Failure> failure = find_failure(object, !object["choices"].is(JsonKind::array));
  if (failure) events.push_back(std::move(*failure));
}

void ChatReader::read_chunk(const Json& chunk, bool named_error, std::vector<Event>& events) {
  const std::vector<Json> choices = first_choices(chunk["choices"]);
  // Vendors keep counts of their own under x_ keys; the chunk's own have the last word.
  for (const Json& choice : choices) add_usage(choice["usage"], events);
  for (Json key = chunk.first_key(); key; key = key.next()) {
    if (key.text().starts_with("x_")) add_usage(key.value()["usage"], events);
  }
  add_usage(chunk["usage"], events);
  if (!choices.empty()) events.push_back(turn::Begin{wire::whole(chunk["model"].text())});
  for (const Json& choice : choices) {
    read_delta(choice["delta"], events);
    read_message(choice["message"], events);
  }
  // An error says more than the finish_reason beside it.
  std::optional<turn::Failure> failure = find_failure(chunk, named_error);
  for (const Json& choice : choices) {
    if (!failure) failure = find_failure(choice, false, true);
  }
  if (failure) {
    events.push_back(std::move(*failure));
  } else {
    for (const Json& choice : choices) add_finish(choice, events);
  }
}

// The entries for choice 0. A choice without an index has that of its place.
std::vector<Json> ChatReader::first_choices(const Json& choices) {
  std::vector<Json> first;
  std::size_t place = 0;
  for (Json choice = choices.first(); choice; choice = choice.next(), ++place) {
    if (!choice.is(JsonKind::object)) continue;
    const bool is_first = choice["index"].count().value_or(place) == 0;
    (is_first ? first_chosen_ : others_chosen_) = true;
    if (is_first) first.push_back(choice);
  }
  return first;
}

void ChatReader::read_delta(const Json& delta, std::vector<Event>& events) {
  const std::size_t begin = events.size();
  thoughts_.read(delta, events);
  read_content(delta["content"], events);
  const std::size_t before = events.size();
  add_prose(BlockKind::refusal, delta["refusal"].text(), events);
  read_calls(delta, events);
  for (const auto& [key, what] : {std::pair("images", "an image"), std::pair("audio", "audio")}) {
    const Json made = delta[key];
    if ((made.is(JsonKind::array) || made.is(JsonKind::object)) && !made.empty())
      events.push_back(turn::Unplaced{what});
  }
  if (events.size() > before) thoughts_.interrupt();
  begun_ |= events.size() > begin;
}

// Parts that are thinking hold their text in a member of their own, or in a list of text parts.
void ChatReader::read_content(const Json& content, std::vector<Event>& events) {
  const auto add_text = [&](std::string text) {
    if (!text.empty()) thoughts_.interrupt();
    add_prose(BlockKind::text, std::move(text), events);
  };
  add_text(content.text());
  for (Json part = content.first(); part; part = part.next()) {
    const std::string type = part["type"].text();
    if (type == "text") add_text(part["text"].text());
    if (type != "thinking") continue;
    const Json thinking = part["thinking"];
    thoughts_.take("content", thinking.text(), events);
    for (Json piece = thinking.first(); piece; piece = piece.next())
      thoughts_.take("content", piece["text"].text(), events);
  }
}

// A message repeats the deltas. What they left out is read from it: everything, or calls by their ids.
void ChatReader::read_message(const Json& message, std::vector<Event>& events) {
  if (!begun_) return read_delta(message, events);
  std::size_t place = 0;
  for (Json call = message["tool_calls"].first(); call; call = call.next()) {
    ++place;
    const std::string id = scalar_of(call["id"]);
    if (!id.empty() && !calls_.knows(id))
      read_call(call["function"], {std::nullopt, id, {}, {}}, place, events);
  }
}

void ChatReader::add_usage(const Json& usage, std::vector<Event>& events) {
  if (!usage.is(JsonKind::object)) return;
  usage_.take(usage);
  events.push_back(usage_.usage());
}

void ChatReader::read_calls(const Json& delta, std::vector<Event>& events) {
  const Json calls = delta["tool_calls"];
  std::size_t place = 0;
  bool any = false;
  for (Json call = calls.first(); call; call = call.next()) {
    ++place;  // 0 is that of function_call
    if (!call.is(JsonKind::object)) continue;
    any = true;
    const std::string id = scalar_of(call["id"]);
    read_call(call["function"], {call["index"].count(), id, {}, {}}, place, events);
    if (calls_.size() > limits_.calls) return;  // one more than the ledger lets pass
  }
  // The form that came before tool_calls: one call, without index and id. Some send both forms of the same call.
  const Json legacy = delta["function_call"];
  if (legacy.is(JsonKind::object) && !any) read_call(legacy, {}, 0, events);
}

// Arguments sent as JSON instead of text are passed on as they stand.
void ChatReader::read_call(const Json& function, ChatCallMark mark, std::size_t place,
                           std::vector<Event>& events) {
  const Json arguments = function["arguments"];
  const bool other = !arguments.is(JsonKind::string) && !arguments.is(JsonKind::null);
  const std::string said = other ? std::string(arguments.raw()) : arguments.text();
  const std::string name = wire::whole(function["name"].text());
  mark.name = name;
  mark.arguments = said;
  const std::size_t call = calls_.match(mark, place, same_index_new_id_);
  const bool is_new = calls_.take_arguments(call, mark);
  events.push_back(turn::CallPiece{call, calls_.rank(call), std::string(mark.id), name, is_new ? said : ""});
}

}  // namespace splitproof::proxy::dialect
