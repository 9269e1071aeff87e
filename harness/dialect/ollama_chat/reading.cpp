#include "harness/dialect/ollama_chat/reading.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "harness/dialect/error_words.hpp"
#include "harness/dialect/json_events.hpp"
#include "harness/dialect/usage_counts.hpp"
#include "harness/observe/finish_words.hpp"
#include "harness/observe/surrogates.hpp"
#include "harness/observe/unread.hpp"

namespace splitproof::dialect {
namespace {

using Kind = observe::WireJson::Kind;

// Members that are read here, durations, and names of servers. `response` and `context` belong to another endpoint.
constexpr auto kOllamaLine = std::to_array<std::string_view>(
    {"model", "created_at", "message", "done", "done_reason", "error", "prompt_eval_count", "eval_count",
     "total_duration", "load_duration", "prompt_eval_duration", "eval_duration", "remote_model",
     "remote_host", "response", "context"});
constexpr auto kOllamaMessage =
    std::to_array<std::string_view>({"role", "content", "thinking", "tool_calls"});
constexpr auto kOllamaCall = std::to_array<std::string_view>({"id", "index", "type", "function"});
constexpr auto kOllamaFunction = std::to_array<std::string_view>({"index", "name", "arguments"});

bool is_true(const observe::WireJson& value) { return value.is(Kind::boolean) && value.raw == "true"; }

/// Returns the message of an error, or nullopt if `error` is empty or of another type.
std::optional<std::string> words_of_error(const observe::WireJson& error) {
  const bool holds = error.is(Kind::string) || error.is(Kind::object) || error.is(Kind::array);
  if (!holds || (error.text.empty() && error.children.empty())) return std::nullopt;
  return reported_message(error);
}

std::string arguments_of(const observe::WireJson& arguments) {
  if (arguments.is(Kind::string)) return observe::replace_surrogates(arguments.string());
  return arguments.is(Kind::null) ? std::string() : std::string(arguments.raw);
}

/// Returns the finish of a `done_reason`. Without a reason the model stopped by itself.
observe::FinishReason finish_of(const observe::WireJson& reason) {
  const std::string word = observe::replace_surrogates(reason.string());
  if (word.empty()) return {observe::FinishKind::stop, word};
  return observe::read_finish("ollama.chat", word);
}

}  // namespace

void OllamaReading::take(const observe::SseEvent& line) {
  const std::size_t number = lines_++;
  if (answer_.done || answer_.error) return;
  const ReadJson read = read_json(line, kMaxOllamaLine);
  if (read && read->is(Kind::object)) return take_line(*read);
  if (!line.terminated) return;
  fail("line " + std::to_string(number) + " cannot be read: " + why_unread(read));
}

void OllamaReading::take_line(const observe::WireJson& line) {
  const observe::WireJson& message = line.at("message");
  const bool ends = is_true(line.at("done"));
  if (answer_.model.empty() && (ends || message.is(Kind::object)))
    answer_.model = observe::replace_surrogates(line.at("model").string());
  observe::note_unread_of("line", line, kOllamaLine, {}, answer_);
  observe::note_unread_of("message", message, kOllamaMessage, {}, answer_);
  take_piece(observe::PartKind::thinking, message.at("thinking").string());
  take_piece(observe::PartKind::text, message.at("content").string());
  const observe::WireJson& calls = message.at("tool_calls");
  if (calls.is(Kind::array)) {
    for (const observe::WireJson& element : calls.children) {
      if (element.is(Kind::object)) take_call(element);
      if (answer_.error) return;
    }
  }
  if (const auto error = words_of_error(line.at("error"))) {
    answer_.error_classes = classes_of_error(line.at("error")) | classes_of_error(line);
    return fail(*error);
  }
  if (ends) take_end(line);
}

void OllamaReading::take_piece(observe::PartKind kind, std::string_view piece) {
  if (piece.empty()) return;
  if (whole_calls_.waiting()) answer_.shapes.emplace("prose_meanwhile");
  if (!std::exchange(begun_, true)) answer_.begins_with_text = kind == observe::PartKind::text;
  prose_.add(kind, piece, answer_);
}

void OllamaReading::take_call(const observe::WireJson& element) {
  const observe::WireJson& function = element.at("function");
  observe::note_unread_of("call", element, kOllamaCall, {}, answer_);
  observe::note_unread_of("function", function, kOllamaFunction, {}, answer_);
  observe::Part call;
  call.kind = observe::PartKind::call;
  call.id = observe::replace_surrogates(element.at("id").string());
  call.name = observe::replace_surrogates(function.at("name").string());
  call.arguments = arguments_of(function.at("arguments"));
  if (call.id.empty() && call.name.empty() && call.arguments.empty()) return;
  begun_ = true;
  const std::size_t number = calls_++;
  auto index = integer(function.at("index"));
  if (!index) index = integer(element.at("index"));
  call.rank = index.value_or(number);
  call_bytes_ += call.id.size() + call.name.size() + call.arguments.size();
  if (calls_ > kMaxOllamaCalls) return fail("more calls than can be read");
  if (call_bytes_ > kMaxOllamaCallBytes) return fail("more bytes of calls than can be read");
  whole_calls_.take(std::move(call), number, prose_, answer_);
}

void OllamaReading::take_end(const observe::WireJson& line) {
  answer_.finish = finish_of(line.at("done_reason"));
  UsageCounts counts("ollama.chat", true);
  counts.take(line);
  answer_.usage = counts.tokens();
  answer_.done = true;
  prose_.end(answer_);
}

void OllamaReading::fail(std::string reason) {
  answer_.error = std::move(reason);
  prose_.end(answer_);
}

observe::Answer OllamaReading::finished() const {
  OllamaReading last = *this;
  last.prose_.end(last.answer_);
  last.whole_calls_.end(last.answer_);
  return std::move(last.answer_);
}

}  // namespace splitproof::dialect
