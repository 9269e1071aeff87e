// What Chat Completions alone can have wrong: choices, calls, reasons, counts, the envelope.

#include <array>
#include <nlohmann/json.hpp>

#include "harness/selftest/kinds/scene.hpp"

namespace splitproof::selftest {
namespace {

using json = nlohmann::ordered_json;

std::size_t with(const Draft& draft, const char* field, std::size_t from = 0) {
  std::size_t i = from;
  while (i < draft.size() && draft.at({i, field}).is_null()) ++i;
  return i;
}

constexpr const char* kFinish = "/choices/0/finish_reason";
constexpr const char* kCalls = "/choices/0/delta/tool_calls";
constexpr const char* kCall = "/choices/0/delta/tool_calls/0";
constexpr const char* kCallId = "/choices/0/delta/tool_calls/0/id";
constexpr const char* kCallIndex = "/choices/0/delta/tool_calls/0/index";
constexpr const char* kContent = "/choices/0/delta/content";
constexpr const char* kUsage = "/usage/prompt_tokens";

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

std::size_t text_event(const Draft& draft) {
  std::size_t i = 0;
  while (i < draft.size() && draft.text({i, kContent}).empty()) ++i;
  return i;
}

// Gives each index of a list of choices or calls another, all over the body.
template <class Other>
bool reindex(Draft& draft, const char* list_field, const Other& other) {
  bool any = false;
  for (std::size_t i = 0; i < draft.size(); ++i) {
    const json& list = draft.at({i, list_field});
    for (std::size_t k = 0; list.is_array() && k < list.size(); ++k) {
      const Spot spot{i, list_field + ("/" + std::to_string(k)) + "/index"};
      const json& index = draft.at(spot);
      if (!index.is_number_integer()) continue;
      const long long was = index.get<long long>();
      const long long now = other(was);
      if (now != was) draft.set(spot, now);
      any = any || now != was;
    }
  }
  return any;
}

bool set_call(Draft& draft, const char* field, std::string_view value) {
  const std::size_t event = with(draft, kCallId);
  if (event == draft.size()) return false;
  draft.set_json({event, std::string(kCall) + field}, value);
  return true;
}

bool set_from_the_middle(Draft& draft, const char* field, std::string_view value) {
  bool any = false;
  for (std::size_t i = draft.size() / 2; i < draft.size(); ++i) {
    if (draft.at({i, field}).is_null()) continue;
    draft.set_json({i, field}, value);
    any = true;
  }
  return any;
}

// A chunk like the first, with that delta in its first choice, before `event`.
bool add_delta(Draft& draft, std::size_t event, std::string_view delta) {
  if (!draft.has({0, "/choices/0/delta"}) || event > draft.size()) return false;
  draft.copy(0, event);
  json data = draft.data(event);
  data["choices"] = json::array({data["choices"][0]});
  data["choices"][0]["delta"] = json::parse(delta);
  draft.set_data(event, data);
  return true;
}

std::size_t behind(std::size_t event) { return event + 1; }

constexpr std::string_view kLoop =
    "an agent's loop stops where it should go on, or waits for calls that never come";
constexpr std::string_view kLate = "a client that has closed the choice drops it, another appends it";
constexpr std::string_view kNoCall = "a client that goes through the calls throws, or makes none";
constexpr std::string_view kWrongCall = "pieces of one call are joined to another";
constexpr std::string_view kChoice = "a client that counts choices shows an empty one, or throws";
constexpr std::string_view kCount = "a client that adds it up bills nonsense";
constexpr std::string_view kTwoAnswers = "two answers are read as one";
constexpr std::string_view kFailure = "a failure is shown as an answer, or an answer as a failure";

constexpr auto kScenes = std::to_array<Scene>({
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
     {"done-named", Effect::shape, "a client that goes by names waits for the end"},
     "done",
     [](Draft& d) {
       if (d.frame(d.size() - 1).data != "[DONE]") return false;
       d.set_bytes(d.size() - 1, "event: done\ndata: [DONE]\n\n");
       return true;
     }},
    {"choices",
     {"gap", Effect::shape, kChoice},
     "choice.index",
     [](Draft& d) { return reindex(d, "/choices", [](long long i) { return i == 0 ? i : i + 1; }); }},
    {"choices",
     {"from-one", Effect::shape, kChoice},
     "choice.index",
     [](Draft& d) { return reindex(d, "/choices", [](long long i) { return i + 1; }); }},
    {"choices",
     {"one-index-for-all", Effect::shape, kChoice},
     "choice.index",
     [](Draft& d) { return reindex(d, "/choices", [](long long) { return 0; }); }},
    {"choices",
     {"sent-by-another", Effect::content, "one choice's words are shown as another's"},
     "choice.index",
     [](Draft& d) {
       const std::size_t event = text_event(d);
       if (event == d.size() || with(d, "/choices/1") == d.size()) return false;
       d.set({event, "/choices/0/index"}, 1);
       return true;
     }},
    {"choices",
     {"ghost", Effect::shape, kChoice},
     "choice",
     [](Draft& d) {
       const std::size_t event = text_event(d);
       if (event == d.size()) return false;
       json choices = d.at({event, "/choices"});
       choices.push_back(choices[0]);
       choices.back()["index"] = 7;
       d.set({event, "/choices"}, choices);
       return true;
     }},
    {"choices",
     {"twice-in-a-chunk", Effect::shape, "a client shows it twice, or the first of them"},
     "choice",
     [](Draft& d) {
       const std::size_t event = text_event(d);
       if (event == d.size()) return false;
       json choices = d.at({event, "/choices"});
       choices.push_back(choices[0]);
       d.set({event, "/choices"}, choices);
       return true;
     }},
    {"choices",
     {"never-finished", Effect::shape, kChoice},
     "choice",
     [](Draft& d) {
       std::size_t i = with(d, "/choices/0/finish_reason");
       while (i < d.size() && d.at({i, "/choices/0/index"}) != 1) i = with(d, kFinish, i + 1);
       if (i == d.size()) return false;
       d.remove(i);
       return true;
     }},
    {"choices",
     {"empty-in-the-middle", Effect::content, "a piece of the answer is lost"},
     "choices",
     [](Draft& d) {
       const std::size_t event = text_event(d);
       if (event == d.size()) return false;
       d.set_json({event, "/choices"}, "[]");
       return true;
     }},
    {"choices",
     {"message-for-delta", Effect::shape, "a client that reads the delta throws, or shows nothing"},
     "delta",
     [](Draft& d) {
       const std::size_t event = text_event(d);
       if (event == d.size()) return false;
       d.set({event, "/choices/0/message"}, d.at({event, "/choices/0/delta"}));
       d.erase({event, "/choices/0/delta"});
       return true;
     }},
    {"choices",
     {"text-of-completions", Effect::shape, "a client that reads the delta throws, or shows nothing"},
     "delta",
     [](Draft& d) {
       const std::size_t event = text_event(d);
       if (event == d.size()) return false;
       d.set({event, "/choices/0/text"}, d.text({event, kContent}));
       d.erase({event, "/choices/0/delta"});
       return true;
     }},
    {"choices",
     {"anthropic-delta", Effect::shape, "a client that reads the delta shows nothing"},
     "delta",
     [](Draft& d) {
       const std::size_t event = text_event(d);
       if (event == d.size()) return false;
       d.set({event, "/choices/0/delta"}, json{{"type", "text_delta"}, {"text", d.text({event, kContent})}});
       return true;
     }},
    {"choices",
     {"whole-answer", Effect::shape, "the answer is shown twice"},
     "chunk",
     [](Draft& d) {
       const std::size_t event = with(d, kFinish);
       if (event == d.size() || text_event(d) == d.size()) return false;
       d.copy(event, event);
       d.set({event, "/object"}, "chat.completion");
       d.set_json({event, "/choices/0"},
                  R"({"index":0,"message":{"role":"assistant","content":"tide"},"finish_reason":"stop"})");
       return true;
     }},
    {"choices",
     {"user", Effect::shape, "the answer is kept as the person's"},
     "role",
     [](Draft& d) {
       const std::size_t event = with(d, "/choices/0/delta/role");
       if (event == d.size()) return false;
       d.set({event, "/choices/0/delta/role"}, "user");
       return true;
     }},
    {"choices",
     {"tool", Effect::shape, "the answer is kept as a tool's"},
     "role",
     [](Draft& d) {
       const std::size_t event = with(d, "/choices/0/delta/role");
       if (event == d.size()) return false;
       d.set({event, "/choices/0/delta/role"}, "tool");
       return true;
     }},
    {"choices",
     {"changes", Effect::shape, kTwoAnswers},
     "role",
     [](Draft& d) {
       const std::size_t event = text_event(d);
       if (event == d.size()) return false;
       d.set({event, "/choices/0/delta/role"}, "system");
       return true;
     }},
    {"calls",
     {"no-list", Effect::shape, kNoCall},
     "tool_calls",
     [](Draft& d) {
       const std::size_t event = with(d, kCall);
       if (event == d.size()) return false;
       d.set({event, kCalls}, json(d.at({event, kCall})));
       return true;
     }},
    {"calls",
     {"list-in-list", Effect::shape, kNoCall},
     "tool_calls",
     [](Draft& d) {
       const std::size_t event = with(d, kCall);
       if (event == d.size()) return false;
       d.set({event, kCalls}, json::array({d.at({event, kCalls})}));
       return true;
     }},
    {"calls",
     {"by-index-as-key", Effect::shape, kNoCall},
     "tool_calls",
     [](Draft& d) {
       const std::size_t event = with(d, kCall);
       if (event == d.size()) return false;
       d.set({event, kCalls}, json{{"0", d.at({event, kCall})}});
       return true;
     }},
    {"calls",
     {"in-message", Effect::shape, kNoCall},
     "tool_calls",
     [](Draft& d) {
       const std::size_t event = with(d, kCall);
       if (event == d.size()) return false;
       d.set({event, "/choices/0/message"}, json{{"tool_calls", d.at({event, kCalls})}});
       d.erase({event, kCalls});
       return true;
     }},
    {"calls",
     {"from-one", Effect::shape, kWrongCall},
     "call.index",
     [](Draft& d) { return reindex(d, kCalls, [](long long i) { return i + 1; }); }},
    {"calls",
     {"gap", Effect::shape, kWrongCall},
     "call.index",
     [](Draft& d) { return reindex(d, kCalls, [](long long i) { return i == 0 ? i : i + 1; }); }},
    {"calls",
     {"one-index-for-all", Effect::shape, kWrongCall},
     "call.index",
     [](Draft& d) { return reindex(d, kCalls, [](long long) { return 0; }); }},
    {"calls",
     {"piece-under-another", Effect::content, kWrongCall},
     "call.index",
     [](Draft& d) {
       if (with(d, kCallId, with(d, kCallId) + 1) >= d.size()) return false;
       std::size_t last = d.size();
       for (std::size_t i = 0; i < d.size(); ++i) {
         if (d.has({i, kCall}) && !d.has({i, kCallId})) last = i;
       }
       if (last == d.size() || !d.has({last, kCallIndex})) return false;
       d.set({last, kCallIndex}, 0);
       return true;
     }},
    {"calls",
     {"piece-of-no-call", Effect::shape, kWrongCall},
     "call.index",
     [](Draft& d) {
       const std::size_t event = with(d, kCallId);
       if (event == d.size() || !d.has({event, kCallIndex})) return false;
       return add_delta(d, behind(event), R"({"tool_calls":[{"index":5,"function":{"arguments":"tide"}}]})");
     }},
    {"calls",
     {"id-changes", Effect::shape, "the result goes to a call that was never made"},
     "call.id",
     [](Draft& d) {
       const std::size_t event = with(d, kCallId);
       if (event == d.size() || !d.has({event, kCallIndex})) return false;
       return add_delta(d, behind(event),
                        R"({"tool_calls":[{"index":0,"id":"call_other","function":{"arguments":""}}]})");
     }},
    {"calls",
     {"name-changes", Effect::shape, "a client joins the names, or calls the later"},
     "call.name",
     [](Draft& d) {
       const std::size_t event = with(d, kCallId);
       if (event == d.size() || !d.has({event, kCallIndex})) return false;
       return add_delta(d, behind(event),
                        R"({"tool_calls":[{"index":0,"function":{"name":"find_other","arguments":""}}]})");
     }},
    {"calls",
     {"unknown-type", Effect::shape, kNoCall},
     "type",
     [](Draft& d) { return set_call(d, "/type", "\"hologram\""); }},
    {"calls",
     {"type-of-anthropic", Effect::shape, kNoCall},
     "type",
     [](Draft& d) { return set_call(d, "/type", "\"tool_use\""); }},
    {"calls",
     {"arguments-as-object", Effect::shape, kNoCall},
     "arguments",
     [](Draft& d) {
       return d.has({with(d, kCallId), std::string(kCall) + "/function"}) &&
              set_call(d, "/function/arguments", R"({"town":"Oban"})");
     }},
    {"calls",
     {"flat", Effect::shape, kNoCall},
     "function",
     [](Draft& d) {
       const std::size_t event = with(d, kCallId);
       const Spot function{event, std::string(kCall) + "/function"};
       if (!d.has(function)) return false;
       json call = d.at({event, kCall});
       for (const auto& [key, value] : d.at(function).items()) call[key] = value;
       call.erase("function");
       d.set({event, kCall}, call);
       return true;
     }},
    {"calls",
     {"input-of-anthropic", Effect::shape, kNoCall},
     "function",
     [](Draft& d) {
       const std::size_t event = with(d, kCallId);
       const Spot function{event, std::string(kCall) + "/function"};
       if (!d.has(function)) return false;
       d.set_json({event, function.field + "/input"}, R"({"town":"Oban"})");
       d.erase({event, function.field + "/arguments"});
       return true;
     }},
    {"calls",
     {"both-kinds", Effect::shape, kNoCall},
     "function_call",
     [](Draft& d) {
       const std::size_t event = with(d, kCallId);
       if (event == d.size()) return false;
       d.set_json({event, "/choices/0/delta/function_call"}, R"({"name":"find_quay","arguments":"{}"})");
       return true;
     }},
    {"calls",
     {"arguments-never", Effect::shape, "a client parses an empty text and throws"},
     "arguments",
     [](Draft& d) {
       bool any = false;
       for (std::size_t i = 0; i < d.size(); ++i) {
         const Spot arguments{i, std::string(kCall) + "/function/arguments"};
         if (!d.has(arguments)) continue;
         d.set(arguments, "");
         any = true;
       }
       return any;
     }},
    {"usage",
     {"falls", Effect::shape, kCount},
     "usage",
     [](Draft& d) {
       const std::size_t event = with(d, kUsage);
       if (event == d.size()) return false;
       d.copy(event, event + 1);
       d.set({event + 1, "/usage/completion_tokens"}, 0);
       return true;
     }},
    {"usage",
     {"differs", Effect::content, kCount},
     "completion_tokens",
     [](Draft& d) {
       const std::size_t event = with(d, kUsage);
       if (event == d.size()) return false;
       d.set({event, "/usage/completion_tokens"}, 4711);
       return true;
     }},
    {"usage",
     {"sum-wrong", Effect::shape, kCount},
     "total_tokens",
     [](Draft& d) {
       const std::size_t event = with(d, kUsage);
       if (event == d.size()) return false;
       d.set({event, "/usage/total_tokens"}, 1);
       return true;
     }},
    {"usage",
     {"more-cached-than-read", Effect::shape, kCount},
     "cached_tokens",
     [](Draft& d) {
       const std::size_t event = with(d, "/usage/prompt_tokens_details/cached_tokens");
       if (event == d.size()) return false;
       d.set({event, "/usage/prompt_tokens_details/cached_tokens"}, 4711);
       return true;
     }},
    {"usage",
     {"of-anthropic", Effect::shape, kCount},
     "usage",
     [](Draft& d) {
       const std::size_t event = with(d, kUsage);
       if (event == d.size()) return false;
       d.set_json({event, "/usage"}, R"({"input_tokens":40,"output_tokens":17})");
       return true;
     }},
    {"usage",
     {"empty", Effect::shape, kCount},
     "usage",
     [](Draft& d) {
       const std::size_t event = with(d, kUsage);
       if (event == d.size()) return false;
       d.set_json({event, "/usage"}, "{}");
       return true;
     }},
    {"usage",
     {"inside-choice", Effect::content, kCount},
     "usage",
     [](Draft& d) {
       const std::size_t event = with(d, kUsage);
       const std::size_t finish = with(d, kFinish);
       if (event == d.size() || finish == d.size()) return false;
       d.set({finish, "/choices/0/usage"}, d.at({event, "/usage"}));
       d.erase({event, "/usage"});
       return true;
     }},
    {"usage",
     {"before-finish", Effect::shape, "a client that stops at usage loses the rest"},
     "usage",
     [](Draft& d) {
       const std::size_t event = with(d, kUsage);
       const std::size_t finish = with(d, kFinish);
       if (event == d.size() || finish >= event) return false;
       d.move(event, finish);
       return true;
     }},
    {"envelope",
     {"id-changes", Effect::shape, kTwoAnswers},
     "id",
     [](Draft& d) { return set_from_the_middle(d, "/id", "\"chatcmpl-other\""); }},
    {"envelope",
     {"model-changes", Effect::shape, kTwoAnswers},
     "model",
     [](Draft& d) { return set_from_the_middle(d, "/model", "\"other-mini\""); }},
    {"envelope",
     {"created-changes", Effect::shape, kTwoAnswers},
     "created",
     [](Draft& d) { return set_from_the_middle(d, "/created", "1790000099"); }},
    {"envelope",
     {"object-changes", Effect::shape, kTwoAnswers},
     "object",
     [](Draft& d) { return set_from_the_middle(d, "/object", "\"text_completion\""); }},
    {"envelope",
     {"wrapped", Effect::shape, "a client that goes through the choices throws"},
     "chunk",
     [](Draft& d) {
       const std::size_t event = text_event(d);
       if (event == d.size()) return false;
       d.set_data(event, json{{"data", d.data(event)}});
       return true;
     }},
    {"errors",
     {"then-goes-on", Effect::shape, kFailure},
     "error",
     [](Draft& d) {
       if (d.size() < 3) return false;
       d.insert(d.size() / 2, R"({"error":{"message":"Too many ships.","type":"server_error","code":null}})");
       return true;
     }},
    {"errors",
     {"at-the-end", Effect::shape, kFailure},
     "error",
     [](Draft& d) {
       if (d.size() < 3) return false;
       d.insert(d.size(), R"({"error":{"message":"Too many ships.","type":"server_error","code":null}})");
       return true;
     }},
    {"errors",
     {"beside-choices", Effect::shape, kFailure},
     "error",
     [](Draft& d) {
       const std::size_t event = text_event(d);
       if (event == d.size()) return false;
       d.set_json({event, "/error"}, R"({"message":"Too many ships.","type":"server_error"})");
       return true;
     }},
    {"errors",
     {"as-text", Effect::shape, kFailure},
     "error",
     [](Draft& d) {
       if (d.size() < 3) return false;
       d.insert(d.size() / 2, R"({"error":"Too many ships."})");
       return true;
     }},
    {"errors",
     {"inside-delta", Effect::shape, kFailure},
     "error",
     [](Draft& d) { return add_delta(d, text_event(d), R"({"error":{"message":"Too many ships."}})"); }},
});

}  // namespace

void add_chat_kinds(KindList& kinds) { add_scenes(kinds, kScenes, false); }

}  // namespace splitproof::selftest
