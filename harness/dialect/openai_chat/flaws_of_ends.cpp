// Flaws of the end of Chat Completions answers.

#include <array>
#include <nlohmann/json.hpp>

#include "harness/dialect/openai_chat/edits.hpp"
#include "harness/dialect/openai_chat/self_test_tables.hpp"

namespace splitproof::dialect {
namespace {

using namespace chat_edits;

bool finished(const Draft& draft, std::string_view reason) {
  return draft.text({with(draft, kFinish), kFinish}) == reason;
}

bool say_finish(Draft& draft, std::string_view reason) {
  const std::size_t event = with(draft, kFinish);
  if (event == draft.size()) return false;
  draft.set({event, kFinish}, std::string(reason));
  return true;
}

bool has_call(const Draft& draft) { return with(draft, kCall) < draft.size(); }

constexpr std::string_view kLoop = "an agent's loop stops too early, or waits for calls that never come";
constexpr std::string_view kLate =
    "a client that has closed the choice drops it, and another client appends it";

constexpr auto kEndScenes = std::to_array<StreamMutation>({
    {"ends",
     {"stop-with-call", Effect::shape, kLoop},
     "finish_reason",
     [](Draft& d) { return has_call(d) && finished(d, "tool_calls") && say_finish(d, "stop"); }},
    {"ends",
     {"function_call-with-tool-call", Effect::shape, kLoop},
     "finish_reason",
     [](Draft& d) { return has_call(d) && finished(d, "tool_calls") && say_finish(d, "function_call"); }},
    {"ends",
     {"tool_calls-without-call", Effect::shape, kLoop},
     "finish_reason",
     [](Draft& d) { return !has_call(d) && finished(d, "stop") && say_finish(d, "tool_calls"); }},
    {"ends",
     {"function_call-without-call", Effect::shape, kLoop},
     "finish_reason",
     [](Draft& d) { return !has_call(d) && finished(d, "stop") && say_finish(d, "function_call"); }},
    {"ends",
     {"stop-with-function_call", Effect::shape, kLoop},
     "finish_reason",
     [](Draft& d) { return finished(d, "function_call") && say_finish(d, "stop"); }},
    {"ends",
     {"end_turn-of-anthropic", Effect::shape, kLoop},
     "finish_reason",
     [](Draft& d) { return say_finish(d, "end_turn"); }},
    {"ends",
     {"tool_use-of-anthropic", Effect::shape, kLoop},
     "finish_reason",
     [](Draft& d) { return say_finish(d, "tool_use"); }},
    {"ends",
     {"completed-of-responses", Effect::shape, kLoop},
     "finish_reason",
     [](Draft& d) { return say_finish(d, "completed"); }},
    {"ends",
     {"STOP-of-gemini", Effect::shape, kLoop},
     "finish_reason",
     [](Draft& d) { return say_finish(d, "STOP"); }},
    {"ends",
     {"error", Effect::shape, kLoop},
     "finish_reason",
     [](Draft& d) { return say_finish(d, "error"); }},
    {"ends",
     {"other-reason", Effect::content, kLoop},
     "finish_reason",
     [](Draft& d) { return finished(d, "length") && say_finish(d, "stop"); }},
    {"ends",
     {"limit-instead-of-end", Effect::content, kLoop},
     "finish_reason",
     [](Draft& d) { return finished(d, "stop") && say_finish(d, "length"); }},
    {"ends",
     {"filter-instead-of-end", Effect::content, kLoop},
     "finish_reason",
     [](Draft& d) { return finished(d, "stop") && say_finish(d, "content_filter"); }},
    {"ends",
     {"two-reasons", Effect::shape, kLoop},
     "finish_reason",
     [](Draft& d) {
       const std::size_t event = with(d, kFinish);
       if (event == d.size()) return false;
       d.copy(event, behind(event));
       d.set({behind(event), kFinish}, finished(d, "length") ? "stop" : "length");
       return true;
     }},
    {"ends",
     {"in-every-chunk", Effect::shape, kLoop},
     "finish_reason",
     [](Draft& d) {
       const std::size_t event = with(d, kFinish);
       if (event == d.size() || event < 2) return false;
       for (std::size_t i = 0; i < event; ++i) {
         if (d.has({i, kFinish})) d.set({i, kFinish}, d.text({event, kFinish}));
       }
       return true;
     }},
    {"ends",
     {"inside-delta", Effect::shape, kLoop},
     "finish_reason",
     [](Draft& d) {
       const std::size_t event = with(d, kFinish);
       if (event == d.size()) return false;
       d.set({event, "/choices/0/delta/finish_reason"}, d.text({event, kFinish}));
       d.set({event, kFinish}, nullptr);
       return true;
     }},
    {"ends",
     {"text-behind-finish", Effect::shape, kLate},
     "content",
     [](Draft& d) { return add_delta(d, behind(with(d, kFinish)), R"({"content":"tide"})"); }},
    {"ends",
     {"call-behind-finish", Effect::shape, kLate},
     "tool_calls",
     [](Draft& d) {
       return add_delta(
           d, behind(with(d, kFinish)),
           R"({"tool_calls":[{"index":0,"id":"call_late","type":"function","function":{"name":"find_quay","arguments":"{}"}}]})");
     }},
    {"ends",
     {"role-behind-finish", Effect::shape, kTwoAnswers},
     "role",
     [](Draft& d) { return add_delta(d, behind(with(d, kFinish)), R"({"role":"assistant","content":""})"); }},
    {"ends",
     {"text-behind-done", Effect::shape, kLate},
     "content",
     [](Draft& d) {
       return d.frame(d.size() - 1).data == "[DONE]" && add_delta(d, d.size(), R"({"content":"tide"})");
     }},
    {"ends",
     {"done-as-text", Effect::shape, "a client waits for the end"},
     "done",
     [](Draft& d) {
       if (d.frame(d.size() - 1).data != "[DONE]") return false;
       d.set_bytes(d.size() - 1, "data: \"[DONE]\"\n\n");
       return true;
     }},
    {"ends",
     {"done-misspelt", Effect::shape, "a client waits for the end"},
     "done",
     [](Draft& d) {
       if (d.frame(d.size() - 1).data != "[DONE]") return false;
       d.set_bytes(d.size() - 1, "data: DONE\n\n");
       return true;
     }},
    {"ends",
     {"done-named", Effect::shape, "a client that uses event names waits for the end"},
     "done",
     [](Draft& d) {
       if (d.frame(d.size() - 1).data != "[DONE]") return false;
       d.set_bytes(d.size() - 1, "event: done\ndata: [DONE]\n\n");
       return true;
     }},
});

}  // namespace

std::span<const StreamMutation> chat_flaws_of_ends() { return kEndScenes; }

}  // namespace splitproof::dialect
