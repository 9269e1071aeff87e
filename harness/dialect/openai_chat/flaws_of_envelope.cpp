// Flaws of Chat Completions chunks outside their content: counts, the envelope, errors.

#include <array>
#include <nlohmann/json.hpp>

#include "harness/dialect/openai_chat/edits.hpp"
#include "harness/dialect/openai_chat/self_test_tables.hpp"

namespace splitproof::dialect {
namespace {

using namespace chat_edits;
using json = nlohmann::ordered_json;

constexpr const char* kUsage = "/usage/prompt_tokens";

bool set_from_the_middle(Draft& draft, const char* field, std::string_view value) {
  bool any = false;
  for (std::size_t i = draft.size() / 2; i < draft.size(); ++i) {
    if (draft.at({i, field}).is_null()) continue;
    draft.set_json({i, field}, value);
    any = true;
  }
  return any;
}

constexpr std::string_view kCount = "a client that adds the counts bills a wrong amount";
constexpr std::string_view kFailure = "the client shows a failure as an answer, or an answer as a failure";

constexpr auto kEnvelopeScenes = std::to_array<StreamMutation>({
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
     {"wrapped", Effect::shape, "a client that iterates over the choices throws"},
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

std::span<const StreamMutation> chat_flaws_of_envelope() { return kEnvelopeScenes; }

}  // namespace splitproof::dialect
