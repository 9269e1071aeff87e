// Flaws of a response's end.

#include <array>
#include <nlohmann/json.hpp>

#include "harness/dialect/openai_responses/edits.hpp"
#include "harness/dialect/openai_responses/self_test_tables.hpp"

namespace splitproof::dialect {
namespace {

using namespace responses_edits;
using json = nlohmann::ordered_json;

constexpr std::string_view kEnd = "the client accepts a part as the whole answer, or a failure as an answer";

constexpr auto kEndScenes = std::to_array<StreamMutation>({
    {"ends",
     {"completed-as-failed", Effect::shape, kEnd},
     "status",
     [](Draft& d) {
       return d.first("response.completed") < d.size() && set_at_end(d, "/response/status", "\"failed\"");
     }},
    {"ends",
     {"completed-as-in-progress", Effect::shape, kEnd},
     "status",
     [](Draft& d) {
       return d.first("response.completed") < d.size() &&
              set_at_end(d, "/response/status", "\"in_progress\"");
     }},
    {"ends",
     {"incomplete-as-completed", Effect::shape, kEnd},
     "status",
     [](Draft& d) {
       return d.first("response.incomplete") < d.size() && set_at_end(d, "/response/status", "\"completed\"");
     }},
    {"ends",
     {"completed-with-error", Effect::shape, kEnd},
     "error",
     [](Draft& d) {
       return d.first("response.completed") < d.size() &&
              set_at_end(d, "/response/error", R"({"code":"server_error","message":"Too many ships."})");
     }},
    {"ends",
     {"completed-with-reason", Effect::shape, kEnd},
     "incomplete_details",
     [](Draft& d) {
       return d.first("response.completed") < d.size() &&
              set_at_end(d, "/response/incomplete_details", R"({"reason":"max_output_tokens"})");
     }},
    {"ends",
     {"done-of-older-servers", Effect::shape, kEnd},
     "completed",
     [](Draft& d) {
       const std::size_t end = d.first("response.completed");
       if (end == d.size()) return false;
       const json data = d.data(end);
       d.remove(end);
       json renamed = data;
       renamed["type"] = "response.done";
       d.insert(end, renamed.dump(), "response.done");
       return true;
     }},
    {"ends",
     {"failed-then-completed", Effect::shape, kEnd},
     "failed",
     [](Draft& d) {
       const std::size_t end = d.first("response.completed");
       if (end == d.size()) return false;
       d.insert(
           end,
           R"({"type":"response.failed","response":{"id":"resp_dock01","object":"response","created_at":1790000000,"status":"failed","error":{"code":"server_error","message":"Too many ships."},"incomplete_details":null,"model":"dock-mini","output":[],"usage":null},"sequence_number":0})",
           "response.failed");
       return true;
     }},
    {"ends",
     {"error-then-completed", Effect::shape, kEnd},
     "error",
     [](Draft& d) {
       const std::size_t end = d.first("response.completed");
       if (end == d.size()) return false;
       d.insert(
           end,
           R"({"type":"error","code":"server_error","message":"Too many ships.","param":null,"sequence_number":0})",
           "error");
       return true;
     }},
    {"ends",
     {"created-again", Effect::shape, "the client reads two answers as one"},
     "created",
     [](Draft& d) {
       const std::size_t middle = d.size() / 2;
       if (d.type(0) != "response.created") return false;
       d.copy(0, middle);
       d.set({middle, "/response/id"}, "resp_other");
       return true;
     }},
    {"ends",
     {"text-behind-the-end", Effect::shape, kStoppedReading},
     "output_text",
     [](Draft& d) {
       const std::size_t delta = d.first("response.output_text.delta");
       if (delta == d.size()) return false;
       d.copy(delta, d.size());
       return true;
     }},
    {"ends",
     {"error-nested", Effect::shape, "a client that reads the message shows undefined"},
     "error",
     [](Draft& d) {
       const std::size_t end = end_of(d);
       if (end == d.size()) return false;
       d.remove(end);
       d.insert(
           end,
           R"({"type":"error","error":{"type":"server_error","code":"server_error","message":"Too many ships.","param":null},"sequence_number":0})",
           "error");
       return true;
     }},
});

}  // namespace

std::span<const StreamMutation> responses_flaws_of_ends() { return kEndScenes; }

}  // namespace splitproof::dialect
