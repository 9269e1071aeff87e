// Flaws of Converse's streams.

#include <array>
#include <nlohmann/json.hpp>

#include "harness/dialect/bedrock_converse/self_test_tables.hpp"

namespace splitproof::dialect {
namespace {

constexpr std::string_view kLostPiece = "the piece is missing in a complete answer";
constexpr std::string_view kLostCall = "the client loses the call";

// Returns the first frame of this event from `from`, or the draft's size.
std::size_t event_of(const Draft& draft, std::string_view type, std::size_t from = 0) {
  std::size_t i = from;
  while (i < draft.size() && draft.text({i, "/:event-type"}) != type) ++i;
  return i;
}

// Returns the first frame that has a field, or the draft's size.
std::size_t frame_with(const Draft& draft, const char* field) {
  std::size_t i = 0;
  while (i < draft.size() && !draft.has({i, field})) ++i;
  return i;
}

bool set_first(Draft& draft, const char* field, std::string_view value) {
  const std::size_t event = frame_with(draft, field);
  if (event == draft.size()) return false;
  draft.set_json({event, field}, value);
  return true;
}

bool erase_first(Draft& draft, const char* field) {
  const std::size_t event = frame_with(draft, field);
  if (event == draft.size()) return false;
  draft.erase({event, field});
  return true;
}

// Moves the value of a field to another one of the same frame.
bool move_first(Draft& draft, const char* field, const char* to) {
  const std::size_t event = frame_with(draft, field);
  if (event == draft.size()) return false;
  const nlohmann::ordered_json value = draft.at({event, field});
  draft.erase({event, field});
  draft.set({event, to}, value);
  return true;
}

bool damage(Draft& draft, std::size_t byte) {
  const std::size_t event = event_of(draft, "contentBlockDelta");
  if (event == draft.size()) return false;
  std::string bytes = draft.frame(event).bytes;
  char& changed = bytes[byte < bytes.size() ? byte : bytes.size() - 1];
  changed = static_cast<char>(changed ^ 1);
  draft.set_bytes(event, bytes);
  return true;
}

constexpr auto kConverseScenes = std::to_array<StreamMutation>({
    {"frames",
     {"prelude-checksum", Effect::content, "the SDK throws"},
     "frame",
     [](Draft& d) { return damage(d, 8); }},
    {"frames",
     {"message-checksum", Effect::content, "the SDK throws"},
     "frame",
     [](Draft& d) { return damage(d, std::string::npos); }},
    {"frames",
     {"torn", Effect::content, "the SDK throws"},
     "frame",
     [](Draft& d) {
       if (d.size() == 0) return false;
       std::string bytes = d.frame(d.size() - 1).bytes;
       bytes.pop_back();
       d.set_bytes(d.size() - 1, bytes);
       return true;
     }},
    {"frames",
     {"server-sent-event", Effect::content, "the SDK throws"},
     "frame",
     [](Draft& d) {
       const std::size_t event = event_of(d, "contentBlockDelta");
       if (event == d.size()) return false;
       d.set_bytes(
           event, "event: contentBlockDelta\ndata: {\"contentBlockIndex\":0,\"delta\":{\"text\":\"a\"}}\n\n");
       return true;
     }},
    {"delta",
     {"text-in-a-list", Effect::content, kLostPiece},
     "text",
     [](Draft& d) { return set_first(d, "/delta/text", R"(["tide"])"); }},
    {"delta",
     {"of-anthropic", Effect::content, kLostPiece},
     "text",
     [](Draft& d) { return move_first(d, "/delta/text", "/delta/text_delta"); }},
    {"delta",
     {"reasoning-as-text", Effect::content, kLostPiece},
     "thinking",
     [](Draft& d) { return set_first(d, "/delta/reasoningContent", R"("tide")"); }},
    {"delta",
     {"in-reasoning-text", Effect::content, kLostPiece},
     "thinking",
     [](Draft& d) {
       return move_first(d, "/delta/reasoningContent/text", "/delta/reasoningContent/reasoningText");
     }},
    {"delta",
     {"input-as-object", Effect::content, "the tool gets no arguments"},
     "call",
     [](Draft& d) { return set_first(d, "/delta/toolUse/input", R"({"town":"Oban"})"); }},
    {"block",
     {"no-index", Effect::shape, kLostPiece},
     "block",
     [](Draft& d) { return erase_first(d, "/contentBlockIndex"); }},
    {"block",
     {"stop-missing", Effect::shape, "the call never runs"},
     "block",
     [](Draft& d) {
       const std::size_t event = event_of(d, "contentBlockStop");
       if (event == d.size()) return false;
       d.remove(event);
       return true;
     }},
    {"block",
     {"stopped-twice", Effect::shape, "the call runs twice"},
     "block",
     [](Draft& d) {
       const std::size_t event = event_of(d, "contentBlockStop");
       if (event == d.size()) return false;
       d.copy(event, event + 1);
       return true;
     }},
    {"calls",
     {"start-missing", Effect::content, kLostCall},
     "call",
     [](Draft& d) {
       const std::size_t event = event_of(d, "contentBlockStart");
       if (event == d.size()) return false;
       d.remove(event);
       return true;
     }},
    {"calls",
     {"started-twice", Effect::content, "the call runs twice"},
     "call",
     [](Draft& d) {
       const std::size_t event = event_of(d, "contentBlockStart");
       if (event == d.size()) return false;
       d.copy(event, event + 1);
       return true;
     }},
    {"calls",
     {"id-of-anthropic", Effect::content, kLostCall},
     "call",
     [](Draft& d) { return move_first(d, "/start/toolUse/toolUseId", "/start/toolUse/id"); }},
    {"end",
     {"stop-reason-missing", Effect::content, "the client takes a truncated answer for a complete one"},
     "end",
     [](Draft& d) { return erase_first(d, "/stopReason"); }},
    {"end",
     {"reason-of-chat", Effect::content, "an agent takes a limit for a complete answer"},
     "end",
     [](Draft& d) { return set_first(d, "/stopReason", R"("length")"); }},
    {"end",
     {"metadata-first", Effect::shape, "the client ends before the reason"},
     "end",
     [](Draft& d) {
       const std::size_t event = event_of(d, "metadata");
       if (event == d.size() || event < 2) return false;
       d.move(event, 1);
       return true;
     }},
    {"end",
     {"stopped-again", Effect::shape, kTwoAnswers},
     "end",
     [](Draft& d) {
       const std::size_t event = event_of(d, "messageStop");
       if (event == d.size()) return false;
       d.copy(event, event + 1);
       return true;
     }},
});

}  // namespace

std::span<const StreamMutation> converse_flaws() { return kConverseScenes; }

}  // namespace splitproof::dialect
