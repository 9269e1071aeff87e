// Flaws of the calls in Gemini's answers.

#include <array>
#include <nlohmann/json.hpp>

#include "harness/dialect/google_gemini/edits.hpp"
#include "harness/dialect/google_gemini/self_test_tables.hpp"

namespace splitproof::dialect {
namespace {

constexpr std::string_view kNoCall = "the client loses the call and ends normally";
constexpr std::string_view kNoArguments = "the tool gets no arguments, or others";

std::string field_of_call(const char* name) { return std::string(gemini::kCall) + "/" + name; }

bool say_call(Draft& draft, const char* name, std::string_view value) {
  return gemini::set_at(draft, gemini::kCall, field_of_call(name), value);
}

bool erase_from_call(Draft& draft, const char* name) {
  const std::size_t event = gemini::with(draft, gemini::kCall);
  if (event == draft.size() || !draft.has({event, field_of_call(name)})) return false;
  draft.erase({event, field_of_call(name)});
  return true;
}

// Gives the second call a value of the first.
bool share(Draft& draft, const char* name) {
  const std::size_t first = gemini::with(draft, gemini::kCall);
  const std::size_t second = gemini::with(draft, gemini::kCall, first + 1);
  if (second >= draft.size() || !draft.has({first, field_of_call(name)})) return false;
  draft.set({second, field_of_call(name)}, draft.at({first, field_of_call(name)}));
  return true;
}

constexpr auto kCallScenes = std::to_array<StreamMutation>({
    {"calls",
     {"nameless", Effect::content, kNoCall},
     "call.name",
     [](Draft& d) { return erase_from_call(d, "name"); }},
    {"calls",
     {"empty", Effect::content, kNoCall},
     "call",
     [](Draft& d) { return gemini::set_at(d, gemini::kCall, gemini::kCall, "{}"); }},
    {"calls",
     {"arguments-as-text", Effect::content, kNoArguments},
     "call.args",
     [](Draft& d) {
       const std::size_t event = gemini::with(d, gemini::kCall);
       if (event == d.size() || !d.at({event, field_of_call("args")}).is_object()) return false;
       d.set({event, field_of_call("args")}, d.at({event, field_of_call("args")}).dump());
       return true;
     }},
    {"calls",
     {"arguments-in-a-list", Effect::content, kNoArguments},
     "call.args",
     [](Draft& d) { return say_call(d, "args", R"([{"town":"Oban"}])"); }},
    {"calls",
     {"arguments-of-chat", Effect::content, kNoArguments},
     "call.args",
     [](Draft& d) {
       return erase_from_call(d, "args") && say_call(d, "arguments", R"("{\"town\":\"Oban\"}")");
     }},
    {"calls",
     {"input-of-anthropic", Effect::content, kNoArguments},
     "call.args",
     [](Draft& d) { return erase_from_call(d, "args") && say_call(d, "input", R"({"town":"Oban"})"); }},
    {"calls",
     {"of-chat", Effect::content, kNoCall},
     "call",
     [](Draft& d) {
       return gemini::set_at(
           d, gemini::kCall, gemini::kPart,
           R"({"tool_calls":[{"index":0,"id":"c","function":{"name":"tide","arguments":"{}"}}]})");
     }},
    {"calls",
     {"snake-case", Effect::content, kNoCall},
     "call",
     [](Draft& d) {
       return gemini::set_at(d, gemini::kCall, gemini::kPart,
                             R"({"function_call":{"name":"tide","args":{}}})");
     }},
    {"calls",
     {"will-continue", Effect::shape, "a client that joins pieces waits for more"},
     "call",
     [](Draft& d) { return say_call(d, "willContinue", "true"); }},
    {"calls",
     {"in-pieces", Effect::content, "each piece is a call of its own"},
     "call",
     [](Draft& d) {
       return erase_from_call(d, "args") &&
              say_call(d, "partialArgs", R"([{"jsonPath":"$.town","stringValue":"Oban"}])");
     }},
    {"calls",
     {"shared", Effect::content, "a result belongs to the wrong call"},
     "call.id",
     [](Draft& d) { return share(d, "id"); }},
    {"calls",
     {"number", Effect::shape, kNoCall},
     "call.id",
     [](Draft& d) { return say_call(d, "id", "407"); }},
});

}  // namespace

std::span<const StreamMutation> gemini_flaws_of_calls() { return kCallScenes; }

}  // namespace splitproof::dialect
