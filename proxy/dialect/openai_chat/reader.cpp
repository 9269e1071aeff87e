#include "proxy/dialect/openai_chat/reader.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <variant>

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
  // vLLM and SGLang name the text, or the number of the token, that ended the answer.
  std::string stopped_at = choice["stop_reason"].text();
  if (stopped_at.empty()) stopped_at = choice["matched_stop"].text();
  events.push_back(finish_of(kChat, said, wire::whole(std::move(stopped_at))));
}

// True if a part of the content only names sources of the text. Clients of other protocols do not get them.
bool is_source(const Json& part) {
  if (!part.is(JsonKind::object)) return !part.is(JsonKind::string);
  const std::string type = part["type"].text();
  if (!type.empty()) return type == "citation" || type == "reference";
  for (Json key = part.first_key(); key; key = key.next()) {
    if (key.text() != "citation" && key.text() != "citations" && key.text() != "type") return false;
  }
  return true;
}

// Members of a delta that are read, and metadata that is no content.
constexpr std::array<std::string_view, 19> kDeltaMembers = {"role",
                                                            "content",
                                                            "refusal",
                                                            "reasoning",
                                                            "reasoning_content",
                                                            "reasoning_details",
                                                            "thinking_blocks",
                                                            "tool_calls",
                                                            "function_call",
                                                            "annotations",
                                                            "citations",
                                                            "executed_tools",
                                                            "extra_content",
                                                            "provider_metadata",
                                                            "provider_specific_fields",
                                                            "copilot_annotations",
                                                            "hidden_states",
                                                            "token_ids",
                                                            "obfuscation"};

// Members of a text part that are no content, if it has no text.
constexpr std::array<std::string_view, 3> kTextMembers = {"type", "annotations", "citations"};

// Members of an element of tool_calls that are no call of an unknown kind.
constexpr std::array<std::string_view, 6> kCallMembers = {
    "index", "id", "type", "function", "extra_content", "provider_specific_fields"};

// True if an object has content in a member that is not in the list.
bool has_others(const Json& object, std::span<const std::string_view> known) {
  for (Json key = object.first_key(); key; key = key.next()) {
    const Json value = key.value();
    const bool is_empty = value.empty() && value.text().empty();
    if (!is_empty && std::find(known.begin(), known.end(), key.text()) == known.end()) return true;
  }
  return false;
}

}  // namespace

void ChatReader::read(const wire::Frame& frame, std::vector<Event>& events) {
  const std::size_t before = events.size();
  read_frame(frame, events);
  const auto ends = [](const Event& event) {
    return std::holds_alternative<turn::Done>(event) || std::holds_alternative<turn::Failure>(event);
  };
  const auto end = std::find_if(events.begin() + static_cast<std::ptrdiff_t>(before), events.end(), ends);
  if (end != events.end()) release_arguments(static_cast<std::size_t>(end - events.begin()), events);
}

void ChatReader::read_frame(const wire::Frame& frame, std::vector<Event>& events) {
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
  // If several members have counts, the chunk's own count last.
  for (const Json& choice : choices) add_usage(choice["usage"], events);
  add_usage(chunk["x_groq"]["usage"], events);
  add_usage(chunk["usage"], events);
  if (!choices.empty()) events.push_back(turn::Begin{wire::whole(chunk["model"].text())});
  for (const Json& choice : choices) {
    read_delta(choice["delta"], events);
    read_message(choice["message"], events);
    if (!choice["text"].text().empty())
      events.push_back(turn::unknown_content());  // A completion of the older API.
  }
  // An error counts more than a finish_reason in the same chunk.
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

// Returns the entries for choice 0. The index of a choice is its place if it has none.
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
  for (const auto& [key, what] :
       {std::pair("images", "an image"), std::pair("audio", "audio"), std::pair("audio_content", "audio")}) {
    const Json made = delta[key];
    if (!made.empty() || !made.text().empty()) events.push_back(turn::Unplaced{what});
  }
  if (events.size() > before) thoughts_.interrupt();
  if (events.size() > begin)
    begun_ = true;
  else if (has_others(delta, kDeltaMembers) || delta["content"].is(JsonKind::object))
    events.push_back(turn::unknown_content());
}

// Reads a content that is a text or a list of parts.
void ChatReader::read_content(const Json& content, std::vector<Event>& events) {
  const auto add = [&](BlockKind kind, std::string text) {
    if (!text.empty()) thoughts_.interrupt();
    add_prose(kind, std::move(text), events);
  };
  add(BlockKind::text, content.text());
  for (Json part = content.first(); part; part = part.next()) {
    const std::string type = part["type"].text();
    if (type == "text" || type == "output_text") {
      if (part["text"].text().empty() && has_others(part, kTextMembers))
        events.push_back(turn::unknown_content());
      add(BlockKind::text, part["text"].text());
    } else if (type == "refusal") {
      add(BlockKind::refusal, part["refusal"].text());
    } else if (type == "thinking" || type == "reasoning" || type == "summary_text") {
      read_thought(part, type, events);
    } else if (!is_source(part)) {
      events.push_back(turn::Unplaced{"content of an unknown type"});
    }
  }
}

// Reads a part that is thinking. Providers differ in the member that has the text or the list of texts, and in the
// place of the signature.
void ChatReader::read_thought(const Json& part, std::string_view type, std::vector<Event>& events) {
  const auto sign = [&](const Json& signed_part) {
    thoughts_.take_signature(wire::whole(signed_part["signature"].text()), events);
  };
  const Json list = part[type == "thinking" ? "thinking" : "summary"];
  if (type != "summary_text" && list.is(JsonKind::array) && !list.empty()) {
    for (Json piece = list.first(); piece; piece = piece.next()) {
      const std::string kind = piece["type"].text();
      if (!kind.empty() && kind != "text" && kind != "summary_text") continue;
      thoughts_.take("content", piece["text"].text(), events);
      sign(piece);
    }
  } else {
    thoughts_.take("content", part[type == "thinking" ? "thinking" : "text"].text(), events);
  }
  sign(part);
}

// Reads a message, which repeats the deltas. It counts if they have no content. Otherwise only calls with new ids
// count.
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
    ++place;  // Place 0 is function_call.
    if (!call.is(JsonKind::object)) continue;
    any = true;
    const std::string id = scalar_of(call["id"]);
    if (call["custom"].is(JsonKind::object) || !call["name"].text().empty())
      events.push_back(turn::Unplaced{"a call of a tool that is no function"});
    else if (!call["function"].is(JsonKind::object) && has_others(call, kCallMembers))
      events.push_back(turn::unknown_content());
    read_call(call["function"], {call["index"].count(), id, {}, {}}, place, events);
    if (calls_.size() > limits_.calls) return;  // The ledger fails at one call beyond the limit.
  }
  // The older form is one call without index and id. Some servers send a call in both forms.
  const Json legacy = delta["function_call"];
  if (legacy.is(JsonKind::object) && !any) read_call(legacy, {}, 0, events);
}

// Passes on the bytes of arguments that are JSON instead of text.
void ChatReader::read_call(const Json& function, ChatCallMark mark, std::size_t place,
                           std::vector<Event>& events) {
  const Json arguments = function["arguments"];
  const bool other = !arguments.is(JsonKind::string) && !arguments.is(JsonKind::null);
  const std::string said = other ? std::string(arguments.raw()) : arguments.text();
  const std::string name = wire::whole(function["name"].text());
  mark.name = name;
  mark.arguments = said;
  const std::size_t call = calls_.match(mark, place, same_index_new_id_);
  for (std::string& piece : calls_.take_arguments(call, mark))
    events.push_back(turn::CallPiece{call, calls_.rank(call), std::string(mark.id), name, std::move(piece)});
}

// Adds the arguments that wait to the events before the one at `place`.
void ChatReader::release_arguments(std::size_t place, std::vector<Event>& events) {
  std::vector<Event> released;
  for (std::size_t call = 0; call < calls_.size(); ++call) {
    if (std::string said = calls_.release(call); !said.empty())
      released.push_back(turn::CallPiece{call, calls_.rank(call), {}, {}, std::move(said)});
  }
  events.insert(events.begin() + static_cast<std::ptrdiff_t>(place), released.begin(), released.end());
}

void ChatReader::finish(turn::BodyEnd /*end*/, std::vector<Event>& events) {
  release_arguments(events.size(), events);
}

}  // namespace splitproof::proxy::dialect
