// Flaws of calls in Chat Completions.

#include <array>
#include <nlohmann/json.hpp>

#include "harness/dialect/openai_chat/edits.hpp"
#include "harness/dialect/openai_chat/self_test_tables.hpp"

namespace splitproof::dialect {
namespace {

using namespace chat_edits;
using json = nlohmann::ordered_json;

constexpr const char* kCalls = "/choices/0/delta/tool_calls";
constexpr const char* kCallId = "/choices/0/delta/tool_calls/0/id";
constexpr const char* kCallIndex = "/choices/0/delta/tool_calls/0/index";

bool set_call(Draft& draft, const char* field, std::string_view value) {
  const std::size_t event = with(draft, kCallId);
  if (event == draft.size()) return false;
  draft.set_json({event, std::string(kCall) + field}, value);
  return true;
}

constexpr std::string_view kNoCall = "a client that iterates over the calls throws, or makes none";
constexpr std::string_view kWrongCall = "the client joins pieces of one call to another";

constexpr auto kCallScenes = std::to_array<StreamMutation>({
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
     [](Draft& d) { return reindex(d, kCalls, [](long long) { return 0LL; }); }},
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
     {"id-changes", Effect::shape, "the client sends the result for a call that does not exist"},
     "call.id",
     [](Draft& d) {
       const std::size_t event = with(d, kCallId);
       if (event == d.size() || !d.has({event, kCallIndex})) return false;
       return add_delta(d, behind(event),
                        R"({"tool_calls":[{"index":0,"id":"call_other","function":{"arguments":""}}]})");
     }},
    {"calls",
     {"name-changes", Effect::shape, "a client joins the names, or calls the later name"},
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
       const FieldRef function{event, std::string(kCall) + "/function"};
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
       const FieldRef function{event, std::string(kCall) + "/function"};
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
         const FieldRef arguments{i, std::string(kCall) + "/function/arguments"};
         if (!d.has(arguments)) continue;
         d.set(arguments, "");
         any = true;
       }
       return any;
     }},
});

}  // namespace

std::span<const StreamMutation> chat_flaws_of_calls() { return kCallScenes; }

}  // namespace splitproof::dialect
