// Flaws of the end of Anthropic's messages.

#include <array>
#include <nlohmann/json.hpp>

#include "harness/dialect/anthropic_messages/edits.hpp"
#include "harness/dialect/anthropic_messages/self_test_tables.hpp"

namespace splitproof::dialect {
namespace {

using namespace anthropic_edits;

bool has_call(const Draft& draft) { return start_of(draft, "tool_use") < draft.size(); }

bool ends_with_reason(const Draft& draft, std::string_view reason) {
  return draft.text({draft.last("message_delta"), "/delta/stop_reason"}) == reason;
}

bool say_reason(Draft& draft, std::string_view reason) {
  const std::size_t tail = draft.last("message_delta");
  if (tail == draft.size()) return false;
  draft.set({tail, "/delta/stop_reason"}, std::string(reason));
  return true;
}

bool say_sequence(Draft& draft, std::string_view value) {
  const std::size_t tail = draft.last("message_delta");
  if (tail == draft.size()) return false;
  draft.set_json({tail, "/delta/stop_sequence"}, value);
  return true;
}

constexpr std::string_view kLoop = "an agent's loop stops too early, or waits for calls that never come";

constexpr auto kEndScenes = std::to_array<StreamMutation>({
    {"ends",
     {"end_turn-with-call", Effect::shape, kLoop},
     "message_delta",
     [](Draft& d) { return has_call(d) && ends_with_reason(d, "tool_use") && say_reason(d, "end_turn"); }},
    {"ends",
     {"stop_sequence-with-call", Effect::shape, kLoop},
     "message_delta",
     [](Draft& d) { return has_call(d) && say_reason(d, "stop_sequence"); }},
    {"ends",
     {"pause_turn-with-call", Effect::shape, kLoop},
     "message_delta",
     [](Draft& d) { return has_call(d) && say_reason(d, "pause_turn"); }},
    {"ends",
     {"tool_use-without-call", Effect::shape, kLoop},
     "message_delta",
     [](Draft& d) { return !has_call(d) && ends_with_reason(d, "end_turn") && say_reason(d, "tool_use"); }},
    {"ends",
     {"finish_reason-of-chat", Effect::shape, kLoop},
     "message_delta",
     [](Draft& d) { return say_reason(d, "stop"); }},
    {"ends",
     {"tool_calls-of-chat", Effect::shape, kLoop},
     "message_delta",
     [](Draft& d) { return say_reason(d, "tool_calls"); }},
    {"ends",
     {"length-of-chat", Effect::shape, kLoop},
     "message_delta",
     [](Draft& d) { return say_reason(d, "length"); }},
    {"ends",
     {"status-of-responses", Effect::shape, kLoop},
     "message_delta",
     [](Draft& d) { return say_reason(d, "completed"); }},
    {"ends",
     {"STOP-of-gemini", Effect::shape, kLoop},
     "message_delta",
     [](Draft& d) { return say_reason(d, "STOP"); }},
    {"ends",
     {"other-reason", Effect::content, kLoop},
     "message_delta",
     [](Draft& d) { return ends_with_reason(d, "max_tokens") && say_reason(d, "end_turn"); }},
    {"ends",
     {"limit-instead-of-end", Effect::content, kLoop},
     "message_delta",
     [](Draft& d) { return ends_with_reason(d, "end_turn") && say_reason(d, "max_tokens"); }},
    {"ends",
     {"refusal-instead-of-end", Effect::content, kLoop},
     "message_delta",
     [](Draft& d) { return ends_with_reason(d, "end_turn") && say_reason(d, "refusal"); }},
    {"ends",
     {"sequence-beside-end_turn", Effect::shape, kLoop},
     "stop_sequence",
     [](Draft& d) { return ends_with_reason(d, "end_turn") && say_sequence(d, "\"four\""); }},
    {"ends",
     {"sequence-beside-tool_use", Effect::shape, kLoop},
     "stop_sequence",
     [](Draft& d) { return ends_with_reason(d, "tool_use") && say_sequence(d, "\"four\""); }},
    {"ends",
     {"sequence-null", Effect::shape, kLoop},
     "stop_sequence",
     [](Draft& d) { return ends_with_reason(d, "stop_sequence") && say_sequence(d, "null"); }},
    {"ends",
     {"sequence-empty", Effect::shape, kLoop},
     "stop_sequence",
     [](Draft& d) { return ends_with_reason(d, "stop_sequence") && say_sequence(d, "\"\""); }},
    {"ends",
     {"sequence-number", Effect::shape, kLoop},
     "stop_sequence",
     [](Draft& d) { return ends_with_reason(d, "stop_sequence") && say_sequence(d, "7"); }},
    {"ends",
     {"sequence-list", Effect::shape, kLoop},
     "stop_sequence",
     [](Draft& d) { return say_sequence(d, "[\"four\"]"); }},
    {"ends",
     {"reason-at-the-start", Effect::shape, "a client assumes that the message has ended"},
     "message_start",
     [](Draft& d) { return at_the_start(d, "/message/stop_reason", "\"end_turn\""); }},
    {"ends",
     {"content-at-the-start", Effect::shape, "a client shows it twice"},
     "message_start",
     [](Draft& d) { return at_the_start(d, "/message/content", R"([{"type":"text","text":"tide"}])"); }},
    {"ends",
     {"second-tail", Effect::shape, "a client ends twice, the second time with the other reason"},
     "message_delta",
     [](Draft& d) {
       const std::size_t tail = d.last("message_delta");
       if (tail == d.size()) return false;
       d.copy(tail, tail);
       d.set({tail + 1, "/delta/stop_reason"}, "refusal");
       return true;
     }},
    {"ends",
     {"tail-inside-block", Effect::shape, "a client ends before the last block does"},
     "message_delta",
     [](Draft& d) {
       const std::size_t tail = d.last("message_delta");
       if (tail == d.size() || tail < 3) return false;
       d.move(tail, tail - 2);
       return true;
     }},
    {"ends",
     {"another-message", Effect::shape, "the client reads two answers as one"},
     "body",
     [](Draft& d) {
       const std::size_t middle = d.size() / 2;
       if (d.type(0) != "message_start") return false;
       d.copy(0, middle);
       d.set({middle, "/message/id"}, "msg_other");
       return true;
     }},
    {"ends",
     {"error-after-the-end", Effect::shape,
      "a client has stopped reading and accepts the answer as complete"},
     "body",
     [](Draft& d) {
       d.insert(d.size(), R"({"type":"error","error":{"type":"api_error","message":"Too many ships."}})",
                "error");
       return true;
     }},
    {"ends",
     {"goes-on-after-error", Effect::shape, "a client has thrown and loses the rest"},
     "body",
     [](Draft& d) {
       d.insert(d.size() / 2, R"({"type":"error","error":{"type":"api_error","message":"Too many ships."}})",
                "error");
       return true;
     }},
    {"ends",
     {"ping-after-the-end", Effect::shape, "a client that has closed the stream sees a broken pipe"},
     "body",
     [](Draft& d) {
       d.insert(d.size(), R"({"type":"ping"})", "ping");
       return true;
     }},
});

}  // namespace

std::span<const StreamMutation> anthropic_flaws_of_ends() { return kEndScenes; }

}  // namespace splitproof::dialect
