#include "harness/dialect/openai_chat/reading.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>

#include "harness/dialect/json_events.hpp"
#include "harness/dialect/openai_chat/content_parts.hpp"
#include "harness/dialect/openai_chat/envelope.hpp"
#include "harness/dialect/openai_chat/error.hpp"
#include "harness/dialect/openai_chat/finish.hpp"
#include "harness/dialect/openai_chat/thinking.hpp"
#include "harness/dialect/openai_chat/unread.hpp"
#include "harness/lower_case.hpp"
#include "harness/observe/call_arguments.hpp"
#include "harness/observe/client_capabilities.hpp"
#include "harness/observe/trace.hpp"
#include "harness/observe/unread.hpp"

namespace splitproof::dialect {
namespace {

using Kind = observe::WireJson::Kind;

/// Returns an id as text. A number becomes its digits.
std::string id_of(const observe::WireJson& id) {
  return id.is(Kind::number) ? std::string(id.raw) : observe::replace_surrogates(id.string());
}

/// Returns all contents of a choice as JSON.
std::string choice_as_json(const observe::Answer& choice) {
  MemberTexts said;
  std::string parts;
  for (const observe::Part& part : choice.parts) {
    MemberTexts members;
    for (const auto& [key, value] : {std::pair("text", &part.text),
                                     {"signature", &part.signature},
                                     {"id", &part.id},
                                     {"name", &part.name},
                                     {"arguments", &part.arguments}})
      if (!value->empty()) members[key] = observe::json_string(*value);
    parts += (parts.empty() ? "" : ",") + object_of({{observe::kind_of(part), object_of(members)}});
  }
  said["parts"] = "[" + parts + "]";
  if (choice.finish) said["finish_reason"] = observe::json_string(choice.finish->word);
  for (const auto& [what, value] : choice.extra) said[what] = observe::json_string(value);
  return object_of(said);
}

/// Arguments that some servers send first for every call, and the true ones after them.
constexpr std::string_view kPlaceholder = "{}";

/// The type of parts that come after another answer may have begun.
constexpr const char* kAnotherAnswer = "another answer";

}  // namespace

void ChatReading::take(const observe::SseEvent& event) {
  const std::size_t number = events_++;
  if (answer_.done) return note(ChatShape::after_done);
  const bool error_event = event.event == "error";
  const std::string_view data = observe::trim_json(event.data);
  if (data == kDoneMark && !error_event) {
    if (!event.terminated) note(ChatShape::no_final_blank_line);
    answer_.done = true;
    return settle();
  }
  if (answer_.error || (data.empty() && !error_event)) return;
  const ReadJson chunk = read_json(event, kMaxChatEvent);
  const bool whole = chunk && chunk->is(Kind::object);
  if (!whole && !event.terminated) return;
  if (!is_unnamed(event)) note(ChatShape::named_event);
  if (whole) {
    if (!event.terminated) note(ChatShape::no_final_blank_line);
    return take_chunk(*chunk, error_event);
  }
  const bool said = error_event && !chunk && !data.empty() && data.size() <= kMaxErrorText;
  if (said) return fail(std::string(data));
  if (error_event) return fail(error_of_event(chunk ? *chunk : observe::WireJson()));
  if (!is_unnamed(event)) return;
  fail("event " + std::to_string(number) + " cannot be read: " + why_unread(chunk));
}

void ChatReading::take_plain_body(std::string_view body) {
  if (answer_.done || answer_.error) return;
  const auto document = read_document(body, kMaxChatEvent);
  if (!document) return;
  if (const auto error = error_of_document(*document)) fail(*error);
}

void ChatReading::take_chunk(const observe::WireJson& chunk, bool error_event) {
  if (has_unknown_keys(chunk)) note(ChatShape::unknown_keys);
  if (has_null_fields(chunk)) note(ChatShape::null_fields);
  ChunkSight sight;
  const observe::WireJson& choices = chunk.at("choices");
  if (!choices.is(Kind::array)) note(ChatShape::no_choices);
  if (choices.is(Kind::array) && choices.children.empty()) note(ChatShape::empty_choices);
  const bool has_choice = choices.is(Kind::array) && !choices.children.empty();
  if (has_choice && answer_.model.empty()) {
    answer_.model = observe::replace_surrogates(chunk.at("model").string());
    if (!answer_.model.empty() && envelope_.choice_chunks > 0) note(ChatShape::late_model);
  }
  const bool finished_before = answer_.finish.has_value();
  unread_of_chunk(chunk,
                  [this](std::string_view object, const observe::WireJson& member) { keep(object, member); });
  bool usage = false;
  if (choices.is(Kind::array)) {
    for (std::size_t place = 0; place < choices.children.size(); ++place) {
      const observe::WireJson& choice = choices.children[place];
      if (!choice.is(Kind::object)) continue;
      const std::uint64_t number = integer(choice.at("index")).value_or(place);
      if (number != 0) {
        note(ChatShape::several_choices);
        others_[number].take_other(choice);
        envelope_.others = true;
        if (!choice.at("finish_reason").string().empty()) envelope_.other_finish = true;
        continue;
      }
      envelope_.first_choice = true;
      note_identity(chunk, choice);
      take_choice(choice, sight);
      if (spliced_ && sight.content) note_unclear(ChatShape::spliced);
      if (answer_.error) return;
      if (take_usage(choice.at("usage"))) usage = true;
    }
  }
  if (take_usage(chunk.at("x_groq").at("usage"))) usage = true;
  if (usage) note(ChatShape::vendor_usage);
  if (take_usage(chunk.at("usage"))) usage = true;
  if (chunk.at("usage").is(Kind::null)) note(ChatShape::usage_null);
  if (has_choice) ++envelope_.choice_chunks;
  if (has_choice && usage) ++envelope_.choice_chunks_with_usage;

  auto error = error_in(chunk);
  if (!error) error = sight.error;
  if (!error) error = error_instead_of_choices(chunk);
  if (!error && error_event) error = error_of_event(chunk);
  if (error) return fail(*error);
  for (const std::string& finish : sight.finishes) take_finish(finish);
  if (answer_.error) return;

  if (sight.content && finished_before) note(ChatShape::after_finish);
  if (sight.content && !sight.finishes.empty()) note(ChatShape::finish_with_content);
  if (usage && !answer_.finish) note(ChatShape::usage_before_finish);
  if (usage && !sight.finishes.empty()) note(ChatShape::usage_with_finish);
  if (usage && finished_before) note(ChatShape::usage_trailing);
}

/// Notes that another answer may begin with this chunk, which then begins parts of its own: the chunk has another id
/// than at least two chunks before it, and a role. Some servers give each chunk an id of its own, which means nothing.
void ChatReading::note_identity(const observe::WireJson& chunk, const observe::WireJson& choice) {
  const std::string_view id = chunk.at("id").string();
  if (id.empty()) return;
  if (id == id_) {
    ++chunks_of_id_;
    return;
  }
  const bool stable = chunks_of_id_ > 1;
  const bool has_role = !choice.at("delta").at("role").string().empty();
  if (stable && begun_ && has_role && !std::exchange(spliced_, true)) end_prose();
  id_ = id;
  chunks_of_id_ = 1;
}

/// Takes an entry of another choice than the first. The caller reads its errors.
void ChatReading::take_other(const observe::WireJson& choice) {
  ChunkSight sight;
  take_choice(choice, sight);
  for (const std::string& finish : sight.finishes) take_finish(finish);
}

void ChatReading::take_choice(const observe::WireJson& choice, ChunkSight& sight) {
  if (!choice.at("message").absent()) note(ChatShape::message_beside_delta);
  if (!sight.error) sight.error = error_in(choice);
  const observe::WireJson& delta = choice.at("delta");
  if (delta.is(Kind::object)) take_delta(delta, sight);
  take_message(choice.at("message"), sight);
  unread_of_choice(
      choice, [this](std::string_view object, const observe::WireJson& member) { keep(object, member); });
  const observe::WireJson& finish = choice.at("finish_reason");
  if (!finish.is(Kind::string)) return;
  const std::string word = lower_case(observe::replace_surrogates(finish.string()));
  if (word.empty()) note(ChatShape::finish_empty);
  if (!word.empty() && word != "null") sight.finishes.push_back(word);
}

/// Takes from a message what no delta had: the whole answer, or calls. Otherwise a message repeats the deltas.
void ChatReading::take_message(const observe::WireJson& message, ChunkSight& sight) {
  if (!message.is(Kind::object) || answer_.error) return;
  if (!begun_) {
    take_delta(message, sight);
    if (begun_) note(ChatShape::ambiguous);
    return;
  }
  const observe::WireJson& calls = message.at("tool_calls");
  if (!calls.is(Kind::array)) return;
  for (std::size_t place = 0; place < calls.children.size() && !answer_.error; ++place) {
    const observe::WireJson& call = calls.children[place];
    const std::string id = id_of(call.at("id"));
    if (id.empty() || ids_.count(id) > 0) continue;
    note(ChatShape::ambiguous);
    take_call(call, place, sight);
  }
}

void ChatReading::take_delta(const observe::WireJson& delta, ChunkSight& sight) {
  if (!delta.at("role").string().empty()) envelope_.role_said = true;
  take_reasoning(delta, sight);
  take_content(delta.at("content"), sight);
  const observe::WireJson& refusal = delta.at("refusal");
  if (refusal.is(Kind::string)) take_piece(observe::PartKind::refusal, refusal.string(), sight);
  if (sight.thinking && sight.text) note(ChatShape::thinking_with_text);

  const observe::WireJson& calls = delta.at("tool_calls");
  bool called = false;
  if (calls.is(Kind::array)) {
    for (std::size_t place = 0; place < calls.children.size() && !answer_.error; ++place) {
      const observe::WireJson& element = calls.children[place];
      if (!element.is(Kind::object)) continue;
      called = true;
      take_call(element, place, sight);
    }
  }
  if (called || !delta.at("function_call").is(Kind::object)) return;
  note(ChatShape::legacy_function_call);
  take_call(delta, std::nullopt, sight);
}

void ChatReading::take_reasoning(const observe::WireJson& delta, ChunkSight& sight) {
  constexpr std::array<const char*, 4> kKeys = {"reasoning_content", "reasoning", "reasoning_details",
                                                "thinking_blocks"};
  if (std::all_of(kKeys.begin(), kKeys.end(), [&](const char* key) { return delta.at(key).absent(); }))
    return;
  ChatThinking past = thinking_before(delta.raw.size());
  past.unlisted = unlisted_;
  const DeltaThinking said = read_thinking(delta, past);
  if (said.listed) unlisted_.clear();
  unlisted_ += said.unlisted;
  if (said.several) note(ChatShape::reasoning_two_keys);
  if (said.again) note(ChatShape::thinking_again);
  if (said.in_parts) note(ChatShape::signed_in_parts);
  if (said.unclear) note_unclear(ChatShape::thinking_unclear);
  if (!said.key.empty()) {
    ++thoughts_;
    thought_under_ = said.key;
  } else if (delta.at("reasoning_content").is(Kind::string) || delta.at("reasoning").is(Kind::string)) {
    note(ChatShape::empty_pieces);
  }
  for (const ThoughtPiece& piece : said.pieces) take_thought(piece, sight);
}

/// Returns the last thoughts, one more than a text of so many bytes could repeat.
ChatThinking ChatReading::thinking_before(std::size_t bytes) const {
  ChatThinking past{{}, true, thoughts_, thought_under_, thought_.signature};
  std::size_t size = 0;
  for (auto part = thinking_.rbegin(); part != thinking_.rend() && past.all; ++part) {
    const std::string& text = answer_.parts[*part].text;
    past.all = size <= bytes;
    size += text.size();
    if (past.all) past.thoughts.push_back(text);
  }
  std::reverse(past.thoughts.begin(), past.thoughts.end());
  return past;
}

void ChatReading::note_unclear(ChatShape shape) {
  note(shape);
  note(ChatShape::ambiguous);
}

/// True if thinking has begun and nothing else since.
bool ChatReading::thinks() const { return prose_ && prose_->kind == observe::PartKind::thinking; }

void ChatReading::take_thought(const ThoughtPiece& piece, ChunkSight& sight) {
  const bool other = piece.number && thought_.number && piece.number != thought_.number;
  if (!piece.text.empty()) {
    if (thinks() && other) end_prose();
    // Thinking goes on under the number of a signed thought. A proxy may divide it either way.
    if (thought_.sealed && piece.number && piece.number == thought_.number) note(ChatShape::signed_in_parts);
    take_piece(observe::PartKind::thinking, piece.text, sight);
    if (piece.number) thought_.number = piece.number;
  }
  if (!piece.signature.empty()) take_signature(piece, sight);
  if (piece.sealed) thought_.sealed = true;
}

/// Takes a signature of the open thought. Without an open thought, the signature is a thought of its own. A second
/// signature under the same number may be either. A repeated signature changes nothing.
void ChatReading::take_signature(const ThoughtPiece& piece, ChunkSight& sight) {
  const bool other = piece.number && thought_.number && piece.number != thought_.number;
  if (piece.signature == thought_.signature && !other) return;
  const bool open = thinks() && prose_->placed && !thought_.sealed && !other;
  const bool unsigned_before = noted_.test(static_cast<std::size_t>(ChatShape::thinking)) && !thought_.sealed;
  if (!open && unsigned_before && !other) {
    answer_.extra["the signature of thinking that has ended"] += piece.signature + "\n";
    return;
  }
  if (!open) {
    if (thought_.sealed && piece.number && piece.number == thought_.number) note(ChatShape::signed_in_parts);
    end_prose();
    begin_thought(sight);
    add_part(observe::PartKind::thinking);
    prose_->placed = true;
  }
  answer_.parts.back().signature = thought_.signature = piece.signature;
  thought_.sealed = true;
  if (piece.number) thought_.number = piece.number;
  note(ChatShape::signature);
}

void ChatReading::begin_thought(ChunkSight& sight) {
  note_beginning(observe::PartKind::thinking);
  begun_ = true;
  sight.content = sight.thinking = true;
  thought_ = {};
  prose_ = OpenProse{observe::PartKind::thinking, false, 0, observe::SurrogateJoiner(), std::string()};
}

void ChatReading::take_content(const observe::WireJson& content, ChunkSight& sight) {
  if (content.is(Kind::string)) take_piece(observe::PartKind::text, content.string(), sight);
  if (!content.is(Kind::array)) return;
  note(ChatShape::content_parts);
  for (const observe::WireJson& part : content.children) {
    // A proxy may drop a part that nobody knows, or give up.
    if (is_unknown_content_part(part)) note_unclear(ChatShape::unknown_part);
    for (const ContentPiece& piece : pieces_of_content_part(part)) {
      if (piece.kind == observe::PartKind::thinking)
        take_thought(piece.thought, sight);
      else
        take_piece(piece.kind, piece.thought.text, sight);
    }
  }
}

void ChatReading::take_piece(observe::PartKind kind, std::string_view piece, ChunkSight& sight) {
  if (piece.empty()) return note(ChatShape::empty_pieces);
  sight.content = true;
  if (calls_said_ > placed_.size()) note(ChatShape::prose_meanwhile);
  if (!std::exchange(begun_, true)) answer_.begins_with_text = kind == observe::PartKind::text;
  if (kind == observe::PartKind::thinking) sight.thinking = true;
  if (kind == observe::PartKind::text) sight.text = true;
  if (kind == observe::PartKind::thinking) {
    if (thinks() && thought_.sealed) end_prose();
    if (!thinks()) {
      end_prose();
      begin_thought(sight);
    }
  } else if (!prose_ || prose_->kind != kind) {
    end_prose();
    note_beginning(kind);
    prose_ = OpenProse{kind, false, 0, observe::SurrogateJoiner(), std::string()};
  }
  if (kind == observe::PartKind::text && prose_->last_piece == piece) note(ChatShape::repeated_pieces);
  prose_->last_piece = piece;
  const std::string said = prose_->surrogates.join(piece);
  note_surrogates(prose_->surrogates);
  if (said.empty()) return;
  if (!std::exchange(prose_->placed, true)) add_part(kind);
  std::string& text = answer_.parts.back().text;
  if (kind == observe::PartKind::text && ++prose_->pieces > 2 && said == text)
    note_unclear(ChatShape::text_unclear);
  if (kind == observe::PartKind::thinking && text.empty()) thinking_.push_back(answer_.parts.size() - 1);
  text += said;
}

/// Adds a part to the answer. After a splice, it is a part of the other answer.
void ChatReading::add_part(observe::PartKind kind) {
  observe::Part& part = answer_.parts.emplace_back();
  part.kind = kind;
  if (spliced_) part.type = kAnotherAnswer;
}

void ChatReading::note_beginning(observe::PartKind prose) {
  switch (prose) {
    case observe::PartKind::text:
      note(ChatShape::text);
      if (!placed_.empty()) note(ChatShape::text_after_tool);
      break;
    case observe::PartKind::thinking:
      note(ChatShape::thinking);
      if (noted_.test(static_cast<std::size_t>(ChatShape::text))) note(ChatShape::thinking_after_text);
      if (!placed_.empty()) note(ChatShape::thinking_after_tool);
      break;
    case observe::PartKind::refusal:
      note(ChatShape::refusal);
      break;
    case observe::PartKind::call:
    case observe::PartKind::other:
      break;
  }
}

void ChatReading::take_call(const observe::WireJson& element, std::optional<std::size_t> place,
                            ChunkSight& sight) {
  sight.content = true;
  begun_ = true;
  const bool legacy = !place;
  const observe::WireJson& function = element.at(legacy ? "function_call" : "function");
  const observe::WireJson& arguments = function.at("arguments");
  const observe::WireJson& name_value = function.at("name");
  const bool as_text = arguments.is(Kind::string);
  const bool as_json = !as_text && arguments.kind != Kind::null;
  const std::string_view piece = as_text ? arguments.string() : as_json ? arguments.raw : "";
  if (as_text && piece.empty()) note(ChatShape::empty_pieces);
  if (as_json) note(ChatShape::arguments_object);
  if (!name_value.is(Kind::string) && !name_value.absent() && name_value.kind != Kind::null) {
    note(ChatShape::name_number);
  }

  CallSign sign;
  sign.place = place;
  if (!legacy) sign.index = integer(element.at("index"));
  if (!legacy) sign.id = id_of(element.at("id"));
  if (!legacy && element.at("id").is(Kind::number)) note(ChatShape::id_number);
  sign.name = observe::replace_surrogates(name_value.string());
  sign.has_arguments = !observe::is_blank_json(piece);

  if (calls_.brings_second_id(sign)) note(ChatShape::same_index_new_id);
  const std::size_t number = calls_.assign(sign);
  if (number >= kMaxChatCalls) return fail("more calls than can be read");
  if (sight.call && *sight.call != number) note(ChatShape::several_calls_one_chunk);
  if (last_call_ && number < *last_call_) note(ChatShape::interleaved_tools);
  sight.call = last_call_ = number;
  if (!legacy && !sign.index) note(ChatShape::no_index);
  if (function.absent() && !sign.id.empty() && part_of(number).id.empty()) note(ChatShape::id_alone);
  take_sign(sign, number);
  take_arguments(number, piece);
}

observe::Part& ChatReading::part_of(std::size_t number) {
  const auto& placed = calls_[number].part;
  return placed ? answer_.parts[*placed] : waiting_[number];
}

void ChatReading::take_sign(const CallSign& sign, std::size_t number) {
  const ChatCall& call = calls_[number];
  observe::Part& part = part_of(number);
  const bool was_silent = part.id.empty() && part.name.empty() && part.arguments.empty();
  const bool later = call.pieces > 1;
  part.kind = observe::PartKind::call;
  part.rank = call.index.value_or(number);
  if (part.id.empty() && !call.id.empty()) {
    part.id = call.id;
    call_bytes_ += part.id.size();
    if (later) note(ChatShape::late_id);
    if (later && answer_.finish) note(ChatShape::id_after_finish);
    if (!part.id.empty() && !observe::is_plain_id(part.id)) note(ChatShape::foreign_id);
    if (!ids_.insert(part.id).second) note(ChatShape::shared_id);
  } else if (!sign.id.empty() && sign.id == part.id) {
    note(ChatShape::id_repeated);
  }
  if (part.name.empty() && !call.name.empty()) {
    part.name = call.name;
    call_bytes_ += part.name.size();
    if (later) note(ChatShape::late_name);
  } else if (!sign.name.empty() && sign.place) {  // the older form repeats the name to identify the call
    note(sign.name == part.name ? ChatShape::name_repeated : ChatShape::renamed);
  }
  if (was_silent && spliced_) part.type = kAnotherAnswer;
  if (was_silent && !(part.id.empty() && part.name.empty() && !sign.has_arguments)) {
    note(ChatShape::tools);
    if (++calls_said_ > 1) note(ChatShape::parallel_tools);
  }
  if (!call.part && !part.id.empty() && !part.name.empty()) place_call(number);
}

void ChatReading::place_call(std::size_t number) {
  end_prose();
  auto& parts = answer_.parts;
  if (!parts.empty() && parts.back().kind == observe::PartKind::thinking)
    note(ChatShape::thinking_before_tool);
  const auto waited = waiting_.find(number);
  calls_[number].part = parts.size();
  parts.push_back(std::move(waited->second));
  waiting_.erase(waited);
  placed_.push_back(number);
}

void ChatReading::take_arguments(std::size_t number, std::string_view piece) {
  ChatCall& call = calls_[number];
  if (!piece.empty() && !(call.held && keeps_held(number, piece))) {
    const observe::Part& part = part_of(number);
    if (call.complete() && observe::begins_object(part.arguments) &&
        observe::replace_surrogates(piece) == part.arguments)
      return note(ChatShape::ambiguous);
    const bool behind = call.part && (*call.part + 1 < answer_.parts.size() || prose_);
    if (behind && call.complete()) {
      if (observe::is_blank_json(piece)) return;
      return fail("a call continues although its arguments were complete and other content had begun");
    }
    const bool named = call.older && !call.name.empty();
    if (!call.part && !named && !observe::is_blank_json(piece)) note(ChatShape::arguments_first);
    if (call.last_piece == piece) note(ChatShape::repeated_pieces);
    call.last_piece = piece;
    call.held = holds_placeholders_ && piece == kPlaceholder && call.silent() && part.arguments.empty();
    add_arguments(number, call.surrogates.join(piece));
    note_surrogates(call.surrogates);
    call_bytes_ += piece.size();
  }
  if (call_bytes_ > kMaxChatCallBytes) fail("more bytes of calls than can be read");
}

/// Settles what a piece after a held `{}` makes of it: an object replaces it, anything else goes on after it. Returns
/// true if the piece is blank or repeats `{}`, which is then still held.
bool ChatReading::keeps_held(std::size_t number, std::string_view piece) {
  ChatCall& call = calls_[number];
  if (observe::is_blank_json(piece)) return true;
  if (piece == kPlaceholder) {
    note(ChatShape::ambiguous);
    return true;
  }
  call.held = false;
  if (!observe::begins_object(piece)) {
    part_of(number).arguments += kPlaceholder;
    return false;
  }
  note(ChatShape::arguments_placeholder);
  if (call.part && (*call.part + 1 < answer_.parts.size() || prose_)) note(ChatShape::ambiguous);
  call.placeholder = true;
  call.progress = {};
  return false;
}

void ChatReading::add_arguments(std::size_t number, std::string_view said) {
  ChatCall& call = calls_[number];
  call.progress.take(said);
  call.blank = call.blank && observe::is_blank_json(said);
  if (!call.held) part_of(number).arguments += said;
}

void ChatReading::take_finish(const std::string& word) {
  observe::FinishReason finish = finish_of_word(word);
  if (finish.kind == observe::FinishKind::breakdown) {
    answer_.finish = std::move(finish);
    return fail("the answer ended with finish_reason " + word);
  }
  if (answer_.finish) note(ChatShape::finish_repeated);
  if (!answer_.finish || (cuts_short(finish.kind) && !cuts_short(answer_.finish->kind))) {
    answer_.finish = std::move(finish);
  }
}

/// Notes a member that nobody reads. All values of a member make one note.
void ChatReading::keep(std::string_view object, const observe::WireJson& member) {
  // Each element repeats these.
  constexpr auto kLabels = std::to_array<std::string_view>({"index", "id", "format"});
  if (object == "reasoning" && std::find(kLabels.begin(), kLabels.end(), member.key) != kLabels.end()) {
    std::string& labels = answer_.extra["the reasoning." + member.key];
    const std::string label = observe::compact(member) + "\n";
    if (labels != label && !labels.ends_with("\n" + label)) labels += label;
    return;
  }
  observe::note_unread(std::string(object), member, {}, answer_);
}

bool ChatReading::take_usage(const observe::WireJson& usage) {
  const UsageCounts::Taken taken = usage_.take(usage);
  answer_.usage = usage_.tokens();
  if (taken.zero_later) note(ChatShape::usage_zero_later);
  if (answer_.usage.cached.value_or(0) > 0) note(ChatShape::cached_tokens);
  const std::string unread = unread_usage("openai.chat", usage);
  if (!unread.empty()) answer_.extra["usage"] = unread;
  return taken.counted;
}

void ChatReading::end_prose() {
  if (!prose_) return;
  const std::string rest = prose_->surrogates.close();
  if (!rest.empty() && !prose_->placed) add_part(prose_->kind);
  if (!rest.empty()) answer_.parts.back().text += rest;
  note_surrogates(prose_->surrogates);
  prose_.reset();
}

void ChatReading::settle() {
  end_prose();
  for (std::size_t number = 0; number < calls_.size(); ++number) {
    if (std::exchange(calls_[number].held, false)) part_of(number).arguments += kPlaceholder;
    if (!calls_[number].surrogates.waiting()) continue;
    add_arguments(number, calls_[number].surrogates.close());
    note_surrogates(calls_[number].surrogates);
  }
}

void ChatReading::fail(ReportedError error) {
  answer_.error_classes = error.classes;
  fail(std::move(error.message));
}

void ChatReading::fail(std::string reason) {
  answer_.error = std::move(reason);
  note(ChatShape::error);
  settle();
}

void ChatReading::note(ChatShape shape) {
  const auto bit = static_cast<std::size_t>(shape);
  if (noted_.test(bit)) return;
  noted_.set(bit);
  answer_.shapes.emplace(name(shape));
}

void ChatReading::note_surrogates(const observe::SurrogateJoiner& surrogates) {
  if (surrogates.joined()) note(ChatShape::halves);
  if (surrogates.broken()) note(ChatShape::half_alone);
}

observe::Answer ChatReading::finished() const {
  ChatReading last = *this;
  last.settle();
  for (std::size_t number = 0; number < last.calls_.size(); ++number)
    if (last.calls_[number].placeholder && !last.calls_[number].complete()) last.note(ChatShape::ambiguous);
  const auto is_thinking = [](const observe::Part& part) { return part.kind == observe::PartKind::thinking; };
  const auto& parts = last.answer_.parts;
  // A list in the second answer may repeat thinking of the first, or be its own.
  if (spliced_ && std::any_of(parts.begin(), parts.end(), is_thinking))
    last.note(ChatShape::thinking_unclear);
  if (usage_.reasoning_is_beside()) last.note(ChatShape::reasoning_beside_completion);
  std::vector<std::pair<std::size_t, observe::Part>> unplaced;
  for (auto& [number, part] : last.waiting_) {
    const bool silent = part.id.empty() && part.name.empty() && part.arguments.empty();
    if (!silent) unplaced.emplace_back(number, std::move(part));
  }
  std::stable_sort(unplaced.begin(), unplaced.end(),
                   [](const auto& a, const auto& b) { return a.second.rank < b.second.rank; });
  for (auto& [number, part] : unplaced) {
    if (part.id.empty() && !last.calls_[number].older) last.note(ChatShape::id_never);
    last.placed_.push_back(number);
    last.answer_.parts.push_back(std::move(part));
  }
  last.answer_.begun = last.placed_;
  for (const auto& [number, other] : last.others_)
    last.answer_.extra["the other choices"] +=
        std::to_string(number) + ": " + choice_as_json(other.finished()) + "\n";
  for (const ChatShape shape : ending_shapes(last.answer_, envelope_)) last.note(shape);
  // Only another choice has content, although the first one came, too.
  const observe::Answer& made = last.answer_;
  const bool is_empty = made.done && !made.finish && !made.error && made.parts.empty();
  if (is_empty && !made.shapes.contains("done_alone") && !made.shapes.contains("no_first_choice"))
    last.note(ChatShape::ambiguous);
  return std::move(last.answer_);
}

}  // namespace splitproof::dialect
