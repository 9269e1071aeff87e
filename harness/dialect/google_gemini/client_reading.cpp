#include "harness/dialect/google_gemini/client_reading.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "harness/dialect/error_words.hpp"
#include "harness/dialect/json_events.hpp"
#include "harness/lower_case.hpp"
#include "harness/observe/surrogates.hpp"

namespace splitproof::dialect {
namespace {

using observe::FinishKind;
using observe::PartKind;
using observe::WireJson;
using Kind = WireJson::Kind;

struct ClientFinishWord {
  std::string_view word;
  FinishKind kind;
};

// contracts/specifications/gemini.md, "End".
constexpr ClientFinishWord kClientFinishWords[] = {
    {"STOP", FinishKind::stop},
    {"MAX_TOKENS", FinishKind::length},
    {"SAFETY", FinishKind::filter},
    {"RECITATION", FinishKind::filter},
    {"LANGUAGE", FinishKind::filter},
    {"BLOCKLIST", FinishKind::filter},
    {"PROHIBITED_CONTENT", FinishKind::filter},
    {"SPII", FinishKind::filter},
    {"IMAGE_SAFETY", FinishKind::filter},
    {"IMAGE_PROHIBITED_CONTENT", FinishKind::filter},
    {"IMAGE_RECITATION", FinishKind::filter},
    {"MODEL_ARMOR", FinishKind::filter},
    {"MALFORMED_FUNCTION_CALL", FinishKind::breakdown},
    {"UNEXPECTED_TOOL_CALL", FinishKind::breakdown},
    {"TOO_MANY_TOOL_CALLS", FinishKind::breakdown},
    {"MISSING_THOUGHT_SIGNATURE", FinishKind::breakdown},
    {"MALFORMED_RESPONSE", FinishKind::breakdown},
    {"NO_IMAGE", FinishKind::breakdown},
};

constexpr std::string_view kUnspecified = "FINISH_REASON_UNSPECIFIED";
constexpr const char* kReasonsByNumber[] = {"", "STOP", "MAX_TOKENS", "SAFETY", "RECITATION", "OTHER"};

FinishKind kind_of_reason(std::string_view word) {
  const auto* const known = std::find_if(std::begin(kClientFinishWords), std::end(kClientFinishWords),
                                         [&](const ClientFinishWord& one) { return one.word == word; });
  return known == std::end(kClientFinishWords) ? FinishKind::unknown : known->kind;
}

// Returns the word, or "" without a reason.
std::string finish_word_of_client(const WireJson& reason) {
  if (const auto number = integer(reason))
    return *number < std::size(kReasonsByNumber) ? kReasonsByNumber[*number] : std::to_string(*number);
  return reason.string() == kUnspecified ? "" : std::string(reason.string());
}

// Members of a candidate that another protocol leaves out.
constexpr std::array<const char*, 5> kNotesOfCandidate{"groundingMetadata", "citationMetadata",
                                                       "urlContextMetadata", "logprobsResult", "avgLogprobs"};

// Members of a part besides its content.
constexpr std::array<std::string_view, 4> kBesidesContent{"thought", "thoughtSignature", "partMetadata",
                                                          "videoMetadata"};

bool is_beside_content(std::string_view key) {
  return std::find(kBesidesContent.begin(), kBesidesContent.end(), key) != kBesidesContent.end();
}

}  // namespace

void GeminiClientReading::take(std::string_view data) {
  const auto frame = observe::parse_wire_json(data);
  if (error_ || !frame || !frame->is(Kind::object)) return;
  const WireJson& error = frame->at("error");
  if (!error.absent() && !error.is(Kind::null)) {
    error_ = reported_message(error);
    error_classes_ = classes_of_error(error);
    return;
  }
  if (model_.empty()) model_ = frame->at("modelVersion").string();
  if (!frame->at("promptFeedback").at("blockReason").string().empty()) {
    blocked_ = true;
    if (finish_.empty()) finish_ = frame->at("promptFeedback").at("blockReason").string();
  }
  take_usage(frame->at("usageMetadata"));
  for (const WireJson& candidate : frame->at("candidates").children) {
    const WireJson& index = candidate.at("index");
    if (index.absent() || integer(index) == std::uint64_t{0}) take_candidate(candidate);
  }
}

void GeminiClientReading::take_candidate(const WireJson& candidate) {
  if (!std::exchange(has_candidate_, true) && blocked_) finish_.clear();
  for (const WireJson& part : candidate.at("content").at("parts").children) take_part(part);
  if (std::string word = finish_word_of_client(candidate.at("finishReason")); !word.empty())
    finish_ = std::move(word);
  for (const char* note : kNotesOfCandidate) {
    const WireJson& value = candidate.at(note);
    if (!value.absent() && !value.is(Kind::null))
      notes_[std::string("the ") + note] += observe::compact(value) + "\n";
  }
}

GeminiRun& GeminiClientReading::run_of(PartKind kind) {
  if (runs_.empty() || runs_.back().part.kind != kind) runs_.emplace_back().part.kind = kind;
  return runs_.back();
}

void GeminiClientReading::take_part(const WireJson& part) {
  if (!part.is(Kind::object)) return;
  take_text(part);
  const WireJson& call = part.at("functionCall");
  if (call.is(Kind::object)) take_call(call);
  const bool is_known = part.at("text").is(Kind::string) || call.is(Kind::object);
  for (const WireJson& member : part.children) {
    if (is_known || member.key == "text" || member.key == "functionCall" || is_beside_content(member.key))
      continue;
    GeminiRun& run = runs_.emplace_back();
    run.part.kind = PartKind::other;
    run.part.type = member.key;
    run.part.text = observe::compact(part);
    break;
  }
  const std::string_view signature = part.at("thoughtSignature").string();
  if (signature.empty()) return;
  if (runs_.empty()) runs_.emplace_back();
  runs_.back().signatures.emplace_back(signature);
}

// An empty text adds nothing and ends no run, but the part may hold a signature.
void GeminiClientReading::take_text(const WireJson& part) {
  const WireJson& text = part.at("text");
  const bool is_signed = !part.at("thoughtSignature").string().empty();
  if (!text.is(Kind::string) || (text.text.empty() && !is_signed)) return;
  told_.prose += text.text.size();
  run_of(part.at("thought").raw == "true" ? PartKind::thinking : PartKind::text).part.text += text.text;
}

// A call in pieces has the raw pieces as its arguments: a client gets them so.
void GeminiClientReading::take_call(const WireJson& call) {
  const WireJson& pieces = call.at("partialArgs");
  const bool goes_on = call.at("willContinue").raw == "true";
  const bool continues = call_is_open_ && call.at("name").string().empty();
  if (!continues) {
    GeminiRun& run = runs_.emplace_back();
    run.part.kind = PartKind::call;
    run.part.id = call.at("id").string();
    run.part.name = call.at("name").string();
    const WireJson& args = call.at("args");
    if (!args.absent() && !args.is(Kind::null)) run.part.arguments = args.raw;
    run.part.rank = told_.calls++;
    told_.arguments += run.part.arguments.size();
  }
  if (!pieces.absent()) runs_.back().part.arguments += observe::compact(pieces);
  call_is_open_ = goes_on;
  runs_.back().part.ended = !goes_on;
}

// The counts are cumulative: of each, the last value is valid.
void GeminiClientReading::take_usage(const WireJson& usage) {
  for (const WireJson& count : usage.children)
    if (const auto number = integer(count)) counts_[count.key] = *number;
  const auto sum = [&](const char* a, const char* b) -> std::optional<std::uint64_t> {
    if (!counts_.contains(a) && !counts_.contains(b)) return std::nullopt;
    return (counts_.contains(a) ? counts_[a] : 0) + (counts_.contains(b) ? counts_[b] : 0);
  };
  const auto one = [&](const char* name) {
    return counts_.contains(name) ? std::optional(counts_[name]) : std::nullopt;
  };
  usage_.prompt = sum("promptTokenCount", "toolUsePromptTokenCount");
  usage_.cached = one("cachedContentTokenCount");
  usage_.completion = sum("candidatesTokenCount", "thoughtsTokenCount");
  usage_.reasoning = one("thoughtsTokenCount");
  usage_.total = one("totalTokenCount");
}

std::optional<observe::FinishReason> GeminiClientReading::finish() const {
  if (finish_.empty()) return std::nullopt;
  const bool by_prompt = blocked_ && !has_candidate_;
  return observe::FinishReason{by_prompt ? FinishKind::filter : kind_of_reason(finish_), lower_case(finish_),
                               false};
}

std::vector<GeminiRun> GeminiClientReading::runs() const {
  std::vector<GeminiRun> runs = runs_;
  for (GeminiRun& run : runs)
    run.part.text = observe::replace_surrogates(observe::join_surrogates(std::move(run.part.text)));
  return runs;
}

observe::Answer GeminiClientReading::answer() const {
  observe::Answer answer;
  answer.model = model_;
  for (const GeminiRun& run : runs()) {
    observe::Part part = run.part;
    std::string joined;
    for (const std::string& signature : run.signatures) joined += (joined.empty() ? "" : "\n") + signature;
    if (part.kind == PartKind::thinking) {
      part.signature = joined;
    } else if (!joined.empty()) {
      answer.extra["the signature of part " + std::to_string(answer.parts.size() + 1)] = joined;
    }
    if (part.kind != PartKind::text || !part.text.empty()) answer.parts.push_back(std::move(part));
  }
  answer.begins_with_text = !answer.parts.empty() && answer.parts.front().kind == PartKind::text;
  answer.finish = finish();
  answer.error = error_;
  answer.error_classes = error_classes_;
  answer.usage = usage_;
  for (const auto& [what, value] : notes_) answer.extra[what] = value;
  return answer;
}

}  // namespace splitproof::dialect
