// Flaws of the ends, errors and counts of Gemini's answers.

#include <array>
#include <nlohmann/json.hpp>

#include "harness/dialect/google_gemini/edits.hpp"
#include "harness/dialect/google_gemini/self_test_tables.hpp"

namespace splitproof::dialect {
namespace {

constexpr std::string_view kWrongEnd = "an agent continues or retries for the wrong reason";
constexpr std::string_view kHiddenFailure = "a failed answer looks complete";
constexpr std::string_view kWrongBill = "a client bills a wrong amount";

bool say_reason(Draft& draft, std::string_view value) {
  return gemini::set_at(draft, gemini::kReason, gemini::kReason, value);
}

bool ends_with(const Draft& draft, std::string_view reason) {
  return draft.text({gemini::with(draft, gemini::kReason), gemini::kReason}) == reason;
}

// Sets a count of the last frame with usage.
bool count(Draft& draft, const char* name, std::string_view value) {
  for (std::size_t i = draft.size(); i-- > 0;) {
    if (!draft.at({i, "/usageMetadata"}).is_object()) continue;
    draft.set_json({i, std::string("/usageMetadata/") + name}, value);
    return true;
  }
  return false;
}

constexpr auto kEndScenesOfFrames = std::to_array<StreamMutation>({
    {"ends",
     {"lower-case", Effect::content, kWrongEnd},
     "finishReason",
     [](Draft& d) { return ends_with(d, "STOP") && say_reason(d, R"("stop")"); }},
    {"ends",
     {"end_turn-of-anthropic", Effect::content, kWrongEnd},
     "finishReason",
     [](Draft& d) { return say_reason(d, R"("end_turn")"); }},
    {"ends",
     {"tool_calls-of-chat", Effect::content, kWrongEnd},
     "finishReason",
     [](Draft& d) { return ends_with(d, "STOP") && say_reason(d, R"("tool_calls")"); }},
    {"ends",
     {"limit-instead-of-end", Effect::content, kWrongEnd},
     "finishReason",
     [](Draft& d) { return ends_with(d, "STOP") && say_reason(d, R"("MAX_TOKENS")"); }},
    {"ends",
     {"end-instead-of-limit", Effect::content, kWrongEnd},
     "finishReason",
     [](Draft& d) { return ends_with(d, "MAX_TOKENS") && say_reason(d, R"("STOP")"); }},
    {"ends",
     {"unspecified", Effect::content, kWrongEnd},
     "finishReason",
     [](Draft& d) { return say_reason(d, R"("FINISH_REASON_UNSPECIFIED")"); }},
    {"ends",
     {"of-chat", Effect::content, kWrongEnd},
     "finishReason",
     [](Draft& d) {
       const std::size_t event = gemini::with(d, gemini::kReason);
       if (event == d.size()) return false;
       d.set({event, "/candidates/0/finish_reason"}, "stop");
       d.erase({event, gemini::kReason});
       return true;
     }},
    {"ends",
     {"done", Effect::shape, "Google's SDK throws after a complete answer"},
     "last",
     [](Draft& d) {
       if (gemini::with(d, gemini::kReason) == d.size()) return false;
       d.insert(d.size(), "[DONE]");
       return true;
     }},
    {"ends",
     {"repeated", Effect::shape, "a client that ends at the first reason loses what follows"},
     "finishReason",
     [](Draft& d) {
       if (d.size() < 2 || !d.has({d.size() - 1, gemini::kReason}) || !d.has({0, "/candidates/0"}))
         return false;
       d.set({0, gemini::kReason}, d.text({d.size() - 1, gemini::kReason}));
       return true;
     }},
    {"ends",
     {"then-error", Effect::content, kHiddenFailure},
     "last",
     [](Draft& d) {
       if (gemini::with(d, gemini::kReason) == d.size()) return false;
       d.insert(d.size(), R"({"error":{"code":500,"message":"It broke.","status":"INTERNAL"}})");
       return true;
     }},
    {"errors",
     {"without-code", Effect::content, kHiddenFailure},
     "error",
     [](Draft& d) {
       const std::size_t event = gemini::with(d, "/error/code");
       if (event == d.size()) return false;
       d.erase({event, "/error/code"});
       return true;
     }},
    {"errors",
     {"code-as-text", Effect::shape, kHiddenFailure},
     "error",
     [](Draft& d) { return gemini::set_at(d, "/error/code", "/error/code", R"("503")"); }},
    {"errors",
     {"code-of-success", Effect::shape, kHiddenFailure},
     "error",
     [](Draft& d) { return gemini::set_at(d, "/error/code", "/error/code", "200"); }},
    {"errors",
     {"as-text", Effect::shape, kHiddenFailure},
     "error",
     [](Draft& d) { return gemini::set_at(d, "/error/code", "/error", R"("It broke.")"); }},
    {"errors",
     {"of-anthropic", Effect::shape, kHiddenFailure},
     "error",
     [](Draft& d) {
       return gemini::set_at(d, "/error/code", "/error",
                             R"({"type":"overloaded_error","message":"Overloaded"})");
     }},
    {"usage",
     {"below-zero", Effect::content, kWrongBill},
     "candidatesTokenCount",
     [](Draft& d) { return count(d, "candidatesTokenCount", "-3"); }},
    {"usage",
     {"text", Effect::content, kWrongBill},
     "promptTokenCount",
     [](Draft& d) { return count(d, "promptTokenCount", R"("17")"); }},
    {"usage",
     {"differs", Effect::content, kWrongBill},
     "candidatesTokenCount",
     [](Draft& d) { return count(d, "candidatesTokenCount", "4711"); }},
    {"usage",
     {"beyond-the-prompt", Effect::content, kWrongBill},
     "cachedContentTokenCount",
     [](Draft& d) { return count(d, "cachedContentTokenCount", "4711"); }},
    {"usage",
     {"of-chat", Effect::content, kWrongBill},
     "usageMetadata",
     [](Draft& d) {
       return gemini::set_at(d, "/usageMetadata", "/usageMetadata",
                             R"({"prompt_tokens":31,"completion_tokens":24,"total_tokens":55})");
     }},
});

}  // namespace

std::span<const StreamMutation> gemini_flaws_of_ends() { return kEndScenesOfFrames; }

}  // namespace splitproof::dialect
