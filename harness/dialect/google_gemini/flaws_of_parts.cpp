// Flaws of the parts and signatures of Gemini's answers.

#include <array>
#include <nlohmann/json.hpp>

#include "harness/dialect/google_gemini/edits.hpp"
#include "harness/dialect/google_gemini/self_test_tables.hpp"

namespace splitproof::dialect {
namespace {

constexpr std::string_view kLostText = "the text of the frame is missing in a complete answer";
constexpr std::string_view kRefusedTurn = "Google refuses the next turn";

// Replaces the frame of the first text by another form of it.
bool say_text_as(Draft& draft, std::string_view before, std::string_view after) {
  const std::size_t event = gemini::text_event(draft);
  if (event == draft.size() || draft.has({event, gemini::kReason})) return false;
  const std::string text = nlohmann::json(draft.text({event, gemini::kText})).dump();
  draft.set_data(event, nlohmann::ordered_json::parse(std::string(before) + text + std::string(after)));
  return true;
}

constexpr auto kPartScenes = std::to_array<StreamMutation>({
    {"parts",
     {"of-chat", Effect::content, kLostText},
     "text",
     [](Draft& d) { return say_text_as(d, R"({"choices":[{"index":0,"delta":{"content":)", "}}]}"); }},
    {"parts",
     {"of-anthropic", Effect::content, kLostText},
     "text",
     [](Draft& d) {
       return say_text_as(
           d, R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":)", "}}");
     }},
    {"parts",
     {"parts-as-object", Effect::content, "clients throw"},
     "text",
     [](Draft& d) { return say_text_as(d, R"({"candidates":[{"content":{"parts":{"text":)", "}}}]}"); }},
    {"parts",
     {"content-as-text", Effect::content, kLostText},
     "text",
     [](Draft& d) { return say_text_as(d, R"({"candidates":[{"content":)", "}]}"); }},
    {"parts",
     {"wrapped", Effect::content, "a client of the API does not know the wrapper of Code Assist"},
     "text",
     [](Draft& d) {
       return say_text_as(d, R"({"response":{"candidates":[{"content":{"parts":[{"text":)", "}]}}]}}");
     }},
    {"parts",
     {"as-list", Effect::content, kLostText},
     "text",
     [](Draft& d) { return say_text_as(d, R"([{"candidates":[{"content":{"parts":[{"text":)", "}]}}]}]"); }},
    {"parts",
     {"assistant", Effect::shape, "a chat of Google's SDK loops for ever"},
     "role",
     [](Draft& d) {
       return gemini::set_at(d, gemini::kText, "/candidates/0/content/role", R"("assistant")");
     }},
    {"parts",
     {"empty-part", Effect::shape, "Google's SDK leaves the turn out of the next request"},
     "text",
     [](Draft& d) { return gemini::set_at(d, gemini::kText, "/candidates/0/content/parts/1", "{}"); }},
    {"parts",
     {"empty-frame", Effect::shape, "Google's SDK leaves the turn out of the next request"},
     "text",
     [](Draft& d) { return gemini::add_parts(d, 1, "[]"); }},
    {"parts",
     {"thought-in-words", Effect::content, "the user reads the thinking as text"},
     "thought",
     [](Draft& d) { return gemini::set_at(d, gemini::kThought, gemini::kThought, R"("true")"); }},
    {"parts",
     {"thought-as-text", Effect::content, "clients find no text"},
     "thought",
     [](Draft& d) {
       const std::size_t event = gemini::with(d, gemini::kThought);
       if (event == d.size()) return false;
       d.set({event, gemini::kThought}, d.text({event, gemini::kText}));
       d.erase({event, gemini::kText});
       return true;
     }},
    {"parts",
     {"text-with-call", Effect::shape, "a client reads only the call"},
     "call",
     [](Draft& d) { return gemini::set_at(d, gemini::kCall, gemini::kText, R"("I look it up.")"); }},
    {"parts",
     {"snake-case", Effect::shape, kRefusedTurn},
     "signature",
     [](Draft& d) {
       const std::size_t event = gemini::with(d, gemini::kSignature);
       if (event == d.size()) return false;
       d.set({event, "/candidates/0/content/parts/0/thought_signature"}, d.at({event, gemini::kSignature}));
       d.erase({event, gemini::kSignature});
       return true;
     }},
    {"parts",
     {"in-the-candidate", Effect::shape, kRefusedTurn},
     "signature",
     [](Draft& d) {
       const std::size_t event = gemini::with(d, gemini::kSignature);
       if (event == d.size()) return false;
       d.set({event, "/candidates/0/thoughtSignature"}, d.at({event, gemini::kSignature}));
       d.erase({event, gemini::kSignature});
       return true;
     }},
    {"parts",
     {"in-a-list", Effect::shape, kRefusedTurn},
     "signature",
     [](Draft& d) {
       const std::size_t event = gemini::with(d, gemini::kSignature);
       if (event == d.size()) return false;
       d.set({event, gemini::kSignature}, {d.text({event, gemini::kSignature})});
       return true;
     }},
});

}  // namespace

std::span<const StreamMutation> gemini_flaws_of_parts() { return kPartScenes; }

}  // namespace splitproof::dialect
