#include "harness/dialect/google_gemini/reading.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "harness/dialect/error_words.hpp"
#include "harness/dialect/json_events.hpp"
#include "harness/dialect/usage_counts.hpp"
#include "harness/framing.hpp"
#include "harness/lower_case.hpp"
#include "harness/observe/finish_words.hpp"
#include "harness/observe/unread.hpp"

namespace splitproof::dialect {
namespace {

using Kind = observe::WireJson::Kind;
using observe::PartKind;

constexpr const char* kGemini = "google.gemini";
constexpr std::array<std::string_view, 6> kNumberedReasons = {"",       "stop",       "max_tokens",
                                                              "safety", "recitation", "other"};

bool is_set(const observe::WireJson& value) { return value.is(Kind::boolean) && value.raw == "true"; }

/// Returns a word of an enumeration in lower case, or a number. Returns "" for the default of either form.
std::string gemini_word(const observe::WireJson& value) {
  if (value.is(Kind::number)) return value.raw == "0" ? "" : std::string(value.raw);
  const std::string word = lower_case(observe::replace_surrogates(value.string()));
  return word.ends_with("_unspecified") ? "" : word;
}

/// Returns the message of an error, or nullopt if `error` is empty or of another type.
std::optional<std::string> gemini_error(const observe::WireJson& error) {
  const bool holds = error.is(Kind::string) || error.is(Kind::object) || error.is(Kind::array);
  if (!holds || (error.text.empty() && error.children.empty())) return std::nullopt;
  return reported_message(error);
}

std::string gemini_text(const observe::WireJson& value) {
  return observe::replace_surrogates(value.string());
}

/// Returns arguments without white space. A lone surrogate has no other form than its escape, so they stay as sent.
std::string gemini_arguments(const observe::WireJson& args) {
  constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
  if (args.absent() || args.is(Kind::null)) return "{}";
  std::string text = observe::compact(args);
  const bool replaced = text.find(kReplacement) != text.npos && args.raw.find(kReplacement) == args.raw.npos;
  return replaced ? std::string(args.raw) : text;
}

/// Returns the contents of another candidate as JSON.
std::string gemini_choice(const observe::Answer& candidate) {
  std::string parts;
  for (const observe::Part& part : candidate.parts) {
    MemberTexts members;
    for (const auto& [key, value] :
         {std::pair("text", &part.text), {"name", &part.name}, {"arguments", &part.arguments}})
      if (!value->empty()) members[key] = observe::json_string(*value);
    parts += (parts.empty() ? "" : ",") + object_of({{observe::kind_of(part), object_of(members)}});
  }
  MemberTexts said = {{"parts", "[" + parts + "]"}};
  if (candidate.finish) said["finishReason"] = observe::json_string(candidate.finish->word);
  for (const auto& [what, value] : candidate.extra) said[what] = observe::json_string(value);
  return object_of(said);
}

}  // namespace

void GeminiReading::take(const observe::SseEvent& frame) {
  if (answer_.error) return;
  ends_torn_ = !frame.terminated;
  if (!frame.broken.empty()) return fail("the array cannot be read: " + frame.broken);
  const JsonEvent event = read_json_event(frame, kMaxGeminiFrame);
  if (event.kind == JsonEvent::Kind::nothing) return;
  ++frames_;
  end_ = frame.end;
  // Gateways add the closing mark of Chat Completions. It means nothing here.
  if (event.kind == JsonEvent::Kind::done) return;
  if (event.kind == JsonEvent::Kind::unreadable) return fail(event.fault);
  take_object(event.json);
}

void GeminiReading::take_plain_body(std::string_view body) {
  if (answer_.error) return;
  if (framing_of(Framing::sse_or_array, body) == Framing::json_array) {
    torn_ = ends_torn_;
    return;
  }
  const auto document = read_document(body.substr(std::min(end_, body.size())), kMaxGeminiFrame);
  if (!document) return;
  if (frames_ == 0 || gemini_error(document->at("error"))) take_object(*document);
}

void GeminiReading::take_object(const observe::WireJson& frame) {
  note_unread("frame", frame,
              {"candidates", "promptFeedback", "usageMetadata", "modelVersion", "responseId", "createTime",
               "modelStatus", "error"});
  if (answer_.model.empty()) answer_.model = gemini_text(frame.at("modelVersion"));
  const observe::WireJson& candidates = frame.at("candidates");
  for (const observe::WireJson& candidate : candidates.children) {
    const std::uint64_t index = integer(candidate.at("index")).value_or(0);
    if (!candidate.is(Kind::object)) continue;
    if (index > 0) {
      others_[index].take_candidate(candidate);
      answer_.shapes.emplace("several_choices");
      continue;
    }
    first_ = true;
    take_candidate(candidate);
    if (answer_.error) return;
  }
  if (candidates.children.empty()) take_feedback(frame.at("promptFeedback"));
  take_usage(frame.at("usageMetadata"));
  if (const auto error = gemini_error(frame.at("error"))) {
    answer_.error_classes = classes_of_error(frame.at("error"));
    fail(*error);
  }
}

void GeminiReading::take_candidate(const observe::WireJson& candidate) {
  note_unread("candidate", candidate,
              {"content", "finishReason", "finishMessage", "index", "safetyRatings", "tokenCount"});
  const observe::WireJson& content = candidate.at("content");
  note_unread("content", content, {"parts", "role"});
  content_ = false;
  for (const observe::WireJson& part : content.at("parts").children) {
    if (part.is(Kind::object)) take_part(part);
    if (answer_.error) return;
  }
  if (content_ && answer_.finish) answer_.shapes.emplace("after_finish");
  const bool finished_before = answer_.finish.has_value();
  take_finish(candidate.at("finishReason"));
  if (content_ && answer_.finish && !finished_before) answer_.shapes.emplace("finish_with_content");
}

void GeminiReading::take_part(const observe::WireJson& part) {
  const bool thinks = is_set(part.at("thought"));
  take_piece(thinks ? PartKind::thinking : PartKind::text, part.at("text").string());
  take_signature(part);
  if (const observe::WireJson& function = part.at("functionCall"); function.is(Kind::object))
    take_call(function);
  for (const observe::WireJson& member : part.children) {
    const bool is_read = member.key == "text" || member.key == "thought" ||
                         member.key == "thoughtSignature" || member.key == "functionCall";
    if (!is_read && observe::has_value(member)) take_other(member);
  }
}

/// Takes the signature of a part. Only the signature of a thought is in the answer; the others are notes.
void GeminiReading::take_signature(const observe::WireJson& part) {
  const observe::WireJson& signature = part.at("thoughtSignature");
  if (signature.string().empty()) return;
  if (prose_.is_placed(PartKind::thinking) && is_set(part.at("thought"))) {
    answer_.parts.back().signature = gemini_text(signature);
    return;
  }
  const char* const owner = part.at("functionCall").is(Kind::object) ? "call"
                            : is_set(part.at("thought"))             ? "thought"
                            : part.at("text").absent()               ? "part"
                                                                     : "text";
  observe::note_unread(owner, signature, {}, answer_);
}

void GeminiReading::take_piece(PartKind kind, std::string_view piece) {
  if (piece.empty()) return;
  content_ = true;
  begin(kind == PartKind::text);
  if (whole_calls_.waiting()) answer_.shapes.emplace("prose_meanwhile");
  prose_.add(kind, piece, answer_);
}

void GeminiReading::take_call(const observe::WireJson& function) {
  note_unread("call", function, {"id", "name", "args", "partialArgs", "willContinue"});
  observe::Part call;
  call.kind = PartKind::call;
  call.id = gemini_text(function.at("id"));
  call.name = gemini_text(function.at("name"));
  const observe::WireJson& args = function.at("args");
  const bool continues = is_set(function.at("willContinue"));
  const bool in_pieces = continues || function.at("partialArgs").is(Kind::array);
  if (pieces_ && call.name.empty()) return take_pieces(function);
  if (call.name.empty() && call.id.empty() && !observe::has_value(args) && !in_pieces) return;
  content_ = true;
  begin(false);
  call.arguments = gemini_arguments(args);
  call_bytes_ += call.id.size() + call.name.size() + call.arguments.size();
  if (++calls_ > kMaxGeminiCalls) return fail("more calls than can be read");
  if (call_bytes_ > kMaxGeminiCallBytes) return fail("more bytes of calls than can be read");
  call.rank = calls_ - 1;
  if (pieces_) {
    answer_.shapes.emplace("ambiguous");
    end_call();
  }
  if (!in_pieces) return whole_calls_.take(std::move(call), calls_ - 1, prose_, answer_);
  pieces_ = OpenCall{std::move(call), {}};
  take_pieces(function);
}

/// Takes the next pieces of the open call. A part without `willContinue` ends it.
void GeminiReading::take_pieces(const observe::WireJson& function) {
  content_ = true;
  for (const observe::WireJson& piece : function.at("partialArgs").children) {
    note_unread("piece", piece,
                {"jsonPath", "stringValue", "numberValue", "boolValue", "nullValue", "willContinue"});
    call_bytes_ += piece.raw.size();
    if (call_bytes_ > kMaxGeminiCallBytes) return fail("more bytes of calls than can be read");
    if (!PartialArguments::has_value(piece)) answer_.shapes.emplace("ambiguous");
    if (!pieces_->arguments.take(piece))
      return fail("a piece of the arguments cannot be put at the path " + gemini_text(piece.at("jsonPath")));
  }
  if (!is_set(function.at("willContinue"))) end_call();
}

void GeminiReading::end_call() {
  observe::Part call = std::move(pieces_->call);
  call.arguments = pieces_->arguments.written();
  pieces_.reset();
  const std::size_t number = call.rank;
  whole_calls_.take(std::move(call), number, prose_, answer_);
}

/// Takes a member of a part that is neither text nor a call, as a part of its own.
void GeminiReading::take_other(const observe::WireJson& member) {
  static constexpr std::array<std::string_view, 6> kKnown = {
      "inlineData", "fileData", "executableCode", "codeExecutionResult", "toolCall", "toolResponse"};
  if (std::find(kKnown.begin(), kKnown.end(), member.key) == kKnown.end())
    answer_.shapes.emplace("unknown_block");
  content_ = true;
  begin(false);
  prose_.end(answer_);
  observe::Part& part = answer_.parts.emplace_back();
  part.kind = PartKind::other;
  part.type = observe::type_in_note(member.key);
  part.text = observe::compact(member);
}

void GeminiReading::take_finish(const observe::WireJson& reason) {
  std::string word = gemini_word(reason);
  if (word.empty()) return;
  if (const auto number = integer<std::size_t>(reason); number && *number < kNumberedReasons.size())
    word = kNumberedReasons[*number];
  answer_.finish = observe::read_finish(kGemini, word);
}

/// Takes the feedback of a frame without a candidate: a filter may have stopped the prompt.
void GeminiReading::take_feedback(const observe::WireJson& feedback) {
  std::string word = gemini_word(feedback.at("blockReason"));
  if (!word.empty()) answer_.finish = observe::FinishReason{observe::FinishKind::filter, std::move(word)};
}

/// Takes the counts of a frame. The last frame with a count has all of them: a missing one is 0.
void GeminiReading::take_usage(const observe::WireJson& usage) {
  UsageCounts counts(kGemini, true);
  if (usage.is(Kind::object)) counts.take(usage);
  observe::Tokens tokens = counts.tokens();
  const auto tools = integer(usage.at("toolUsePromptTokenCount"));
  if (tokens == observe::Tokens() && !tools) return;
  // The counts of thoughts and of candidates are apart, whatever the total says.
  if (tokens.reasoning && !counts.reasoning_is_beside())
    tokens.completion = tokens.completion.value_or(0) + *tokens.reasoning;
  if (tools) tokens.prompt = tokens.prompt.value_or(0) + *tools;
  answer_.usage = tokens;
}

void GeminiReading::begin(bool with_text) {
  if (!std::exchange(begun_, true)) answer_.begins_with_text = with_text;
}

void GeminiReading::note_unread(const char* name, const observe::WireJson& object,
                                std::initializer_list<std::string_view> known) {
  static constexpr std::array<std::string_view, 5> kNotes = {
      "groundingMetadata", "citationMetadata", "urlContextMetadata", "logprobsResult", "avgLogprobs"};
  observe::for_each_unread(object, {known.begin(), known.size()}, [&](const observe::WireJson& member) {
    observe::note_unread(name, member, {}, answer_);
    if (std::find(kNotes.begin(), kNotes.end(), member.key) == kNotes.end())
      answer_.shapes.emplace("unknown_block");
  });
}

void GeminiReading::fail(std::string reason) {
  answer_.error = std::move(reason);
  prose_.end(answer_);
}

observe::Answer GeminiReading::finished() const {
  GeminiReading last = *this;
  last.prose_.end(last.answer_);
  if (last.pieces_) {
    // Without an id it is a call that a failing answer may deliver or omit.
    last.torn_ = true;
    observe::Part call = std::move(last.pieces_->call);
    call.id.clear();
    call.arguments = last.pieces_->arguments.begun();
    const std::size_t number = call.rank;
    last.whole_calls_.take_last(std::move(call), number);
  }
  if (last.torn_) last.answer_.finish.reset();
  last.whole_calls_.end(last.answer_);
  bool others_ended = !others_.empty();
  for (const auto& [number, other] : others_) {
    const observe::Answer choice = other.finished();
    others_ended = others_ended && choice.finish.has_value();
    if (last.answer_.finish && !choice.finish) last.answer_.shapes.emplace("ambiguous");
    last.answer_.extra["the other choices"] += std::to_string(number) + ": " + gemini_choice(choice) + "\n";
  }
  if (others_ended && !first_ && !last.answer_.error) last.answer_.shapes.emplace("no_first_choice");
  return std::move(last.answer_);
}

}  // namespace splitproof::dialect
