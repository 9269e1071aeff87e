// Flaws of choices in Chat Completions.

#include <array>
#include <nlohmann/json.hpp>

#include "harness/dialect/openai_chat/edits.hpp"
#include "harness/dialect/openai_chat/self_test_tables.hpp"

namespace splitproof::dialect {
namespace {

using namespace chat_edits;
using json = nlohmann::ordered_json;

constexpr std::string_view kChoice = "a client that counts choices shows an empty one, or throws";

constexpr auto kChoiceScenes = std::to_array<StreamMutation>({
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
     [](Draft& d) { return reindex(d, "/choices", [](long long) { return 0LL; }); }},
    {"choices",
     {"sent-by-another", Effect::content, "the client shows the words of one choice under another"},
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
     {"whole-answer", Effect::shape, "the client shows the answer twice"},
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
     {"user", Effect::shape, "the client stores the answer as the user's message"},
     "role",
     [](Draft& d) {
       const std::size_t event = with(d, "/choices/0/delta/role");
       if (event == d.size()) return false;
       d.set({event, "/choices/0/delta/role"}, "user");
       return true;
     }},
    {"choices",
     {"tool", Effect::shape, "the client stores the answer as a tool's result"},
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
});

}  // namespace

std::span<const StreamMutation> chat_flaws_of_choices() { return kChoiceScenes; }

}  // namespace splitproof::dialect
