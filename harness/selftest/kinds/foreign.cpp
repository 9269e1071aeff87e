// Events that another protocol has, or none.

#include <array>
#include <nlohmann/json.hpp>

#include "harness/selftest/kinds/families.hpp"

namespace splitproof::selftest {
namespace {

// An event of its own, named where the protocol's events are.
struct Stranger {
  Operator what;
  std::string_view type;
  std::string_view data;
};

constexpr std::string_view kNoEvent = "a client that reads members of it throws";
constexpr std::string_view kUnknown = "a client that checks types throws, another passes it over";
constexpr std::string_view kMixed = "what it says is lost, or read as something else";

constexpr auto kStrangers = std::to_array<Stranger>({
    {{"empty-object", Effect::shape, kNoEvent}, "tide", "{}"},
    {{"null-data", Effect::shape, kNoEvent}, "tide", "null"},
    {{"list-data", Effect::shape, kNoEvent}, "tide", "[]"},
    {{"number-data", Effect::shape, kNoEvent}, "tide", "7"},
    {{"text-data", Effect::shape, kNoEvent}, "tide", "\"ping\""},
    {{"word-data", Effect::shape, "no JSON reader takes it"}, "tide", "keepalive"},
    {{"empty-data", Effect::shape, "no JSON reader takes it"}, "tide", ""},
    {{"page-data", Effect::shape, "no JSON reader takes it"}, "tide", "<html>502 Bad Gateway</html>"},
    {{"unknown-event", Effect::shape, kUnknown}, "tide.turned", R"({"type":"tide.turned","height":4})"},
    {{"event-without-type", Effect::shape, kUnknown}, "tide", R"({"height":4})"},
    {{"bare-message", Effect::shape, "a failure is passed over"},
     "error",
     R"({"message":"Too many ships."})"},
    {{"error-as-word", Effect::shape, "a client that reads its message says undefined"},
     "error",
     R"({"error":true})"},
    {{"status-error", Effect::shape, "a failure is passed over"},
     "error",
     R"({"code":429,"status":"RESOURCE_EXHAUSTED","detail":"Too many ships."})"},
    {{"gemini-chunk", Effect::shape, kMixed},
     "message",
     R"({"candidates":[{"content":{"parts":[{"text":"tide"}],"role":"model"},"index":0}]})"},
    {{"ollama-chunk", Effect::shape, kMixed},
     "message",
     R"({"model":"m","message":{"role":"assistant","content":"tide"},"done":false})"},
});

constexpr Stranger kAnthropicText = {
    {"anthropic-event", Effect::shape, kMixed},
    "content_block_delta",
    R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"tide"}})"};
constexpr Stranger kChatText = {
    {"chat-chunk", Effect::shape, kMixed},
    "message",
    R"({"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"tide"},"finish_reason":null}]})"};
constexpr Stranger kResponsesText = {
    {"responses-event", Effect::shape, kMixed},
    "response.output_text.delta",
    R"({"type":"response.output_text.delta","item_id":"msg_x","output_index":0,"content_index":0,"delta":"tide"})"};
constexpr Stranger kDone = {
    {"early-done", Effect::shape, "a client stops reading in the midst of the answer"}, "", "[DONE]"};
constexpr Stranger kOtherDone = {
    {"done-in-lower-case", Effect::shape, "no JSON reader takes it"}, "", "[done]"};
constexpr Stranger kNoData = {
    {"event-without-data", Effect::shape, "an event-stream reader drops it"}, "", ""};

constexpr auto kPlaces = std::to_array<std::string_view>({"first", "middle", "last"});

std::size_t place_in(const Draft& draft, std::size_t place) {
  return place == 0 ? 0 : place == 1 ? draft.size() / 2 : draft.size();
}

void add(KindList& kinds, const Stranger& stranger) {
  for (std::size_t place = 0; place < kPlaces.size(); ++place) {
    kinds.add("foreign", stranger.what, kPlaces[place], [place, stranger](const Draft& draft) -> Bodies {
      if (draft.size() < 3) return {};
      Draft changed = draft;
      changed.insert(place_in(draft, place), stranger.data, stranger.type);
      return {changed.body()};
    });
  }
}

void add_without_data(KindList& kinds) {
  for (std::size_t place = 0; place < kPlaces.size(); ++place) {
    kinds.add("foreign", kNoData.what, kPlaces[place], [place](const Draft& draft) -> Bodies {
      if (draft.size() < 3) return {};
      Draft changed = draft;
      changed.insert_bytes(place_in(draft, place), "event: tide\n\n");
      return {changed.body()};
    });
  }
}

}  // namespace

void add_foreign_kinds(KindList& kinds) {
  for (const Stranger& stranger : kStrangers) add(kinds, stranger);
  if (kinds.protocol() != "anthropic.messages") add(kinds, kAnthropicText);
  if (kinds.protocol() != "openai.chat") add(kinds, kChatText);
  if (kinds.protocol() != "openai.responses") add(kinds, kResponsesText);
  add(kinds, kDone);
  add(kinds, kOtherDone);
  add_without_data(kinds);
}

}  // namespace splitproof::selftest
