// Flaws of blocks in Anthropic Messages.

#include <array>
#include <nlohmann/json.hpp>

#include "harness/dialect/anthropic_messages/edits.hpp"
#include "harness/dialect/anthropic_messages/self_test_tables.hpp"

namespace splitproof::dialect {
namespace {

using namespace anthropic_edits;
using json = nlohmann::ordered_json;

bool shift_index(Draft& draft, std::size_t from_block, long long by) {
  bool any = false;
  long long block = -1;
  for (std::size_t i = 0; i < draft.size(); ++i) {
    if (draft.type(i) == "content_block_start") ++block;
    if (!draft.has({i, "/index"}) || block < static_cast<long long>(from_block)) continue;
    draft.set({i, "/index"}, block + by);
    any = true;
  }
  return any;
}

// Inserts an event in the body's middle, before the first stop of a block.
bool in_a_block(Draft& draft, std::string_view type, std::string_view data) {
  const std::size_t stop = draft.first("content_block_stop");
  if (stop == draft.size()) return false;
  draft.insert(stop, data, type);
  return true;
}

constexpr std::string_view kWrongBlock = "the client shows content of one block in another, or drops it";

constexpr auto kBlockScenes = std::to_array<StreamMutation>({
    {"blocks",
     {"from-one", Effect::shape, kWrongBlock},
     "index",
     [](Draft& d) { return shift_index(d, 0, 1); }},
    {"blocks", {"gap", Effect::shape, kWrongBlock}, "index", [](Draft& d) { return shift_index(d, 1, 1); }},
    {"blocks",
     {"reused", Effect::shape, kWrongBlock},
     "index",
     [](Draft& d) { return shift_index(d, 1, -1); }},
    {"blocks",
     {"start-of-a-stopped-block", Effect::shape, kWrongBlock},
     "index",
     [](Draft& d) {
       const std::size_t stop = d.first("content_block_stop");
       if (stop == d.size()) return false;
       d.copy(d.first("content_block_start"), stop + 1);
       return true;
     }},
    {"blocks",
     {"delta-of-a-stopped-block", Effect::shape, kWrongBlock},
     "index",
     [](Draft& d) {
       const std::size_t stop = d.first("content_block_stop");
       if (stop == d.size() || d.type(stop - 1) != "content_block_delta") return false;
       d.move(stop - 1, stop);
       return true;
     }},
    {"blocks",
     {"nested", Effect::shape, kWrongBlock},
     "index",
     [](Draft& d) {
       const std::size_t stop = d.first("content_block_stop");
       if (stop + 1 >= d.size() || d.type(stop + 1) != "content_block_start") return false;
       d.move(stop, stop + 1);
       return true;
     }},
    {"blocks",
     {"text-in-tool", Effect::shape, kWrongBlock},
     "delta",
     [](Draft& d) {
       const std::size_t start = start_of(d, "tool_use");
       if (start == d.size()) return false;
       json data = json::parse(
           R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"tide"}})");
       data["index"] = d.at({start, "/index"});
       d.insert(start + 1, data.dump(), "content_block_delta");
       return true;
     }},
    {"blocks",
     {"thinking-in-text", Effect::shape, kWrongBlock},
     "delta",
     [](Draft& d) {
       const std::size_t start = start_of(d, "text");
       if (start == d.size()) return false;
       json data = json::parse(
           R"({"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"tide"}})");
       data["index"] = d.at({start, "/index"});
       d.insert(start + 1, data.dump(), "content_block_delta");
       return true;
     }},
    {"blocks",
     {"signature-in-text", Effect::shape, kWrongBlock},
     "delta",
     [](Draft& d) {
       const std::size_t start = start_of(d, "text");
       if (start == d.size()) return false;
       json data = json::parse(
           R"({"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c2ln"}})");
       data["index"] = d.at({start, "/index"});
       d.insert(start + 1, data.dump(), "content_block_delta");
       return true;
     }},
    {"blocks",
     {"citation-in-tool", Effect::shape, kWrongBlock},
     "delta",
     [](Draft& d) {
       const std::size_t start = start_of(d, "tool_use");
       if (start == d.size()) return false;
       json data = json::parse(
           R"({"type":"content_block_delta","index":0,"delta":{"type":"citations_delta","citation":{"type":"char_location","cited_text":"tide","document_index":0,"document_title":null,"start_char_index":0,"end_char_index":4}}})");
       data["index"] = d.at({start, "/index"});
       d.insert(start + 1, data.dump(), "content_block_delta");
       return true;
     }},
    {"blocks",
     {"two-deltas-of-two-kinds", Effect::shape, kWrongBlock},
     "delta",
     [](Draft& d) {
       const std::size_t start = start_of(d, "text");
       if (start + 1 >= d.size() || !d.has({start + 1, "/delta/text"})) return false;
       d.set({start + 1, "/delta/thinking"}, "tide");
       d.set({start + 1, "/delta/type"}, "thinking_delta");
       return true;
     }},
    {"blocks",
     {"filled-at-the-start", Effect::shape, "one client shows it twice, and another client once"},
     "text",
     [](Draft& d) { return set_at(d, "text", "/content_block/text", "\"tide \""); }},
    {"blocks",
     {"filled-at-the-start", Effect::shape, "a client joins an object with a text"},
     "tool_use",
     [](Draft& d) {
       const std::size_t start = start_of(d, "tool_use");
       return start + 1 < d.size() && d.has({start + 1, "/delta/partial_json"}) &&
              set_at(d, "tool_use", "/content_block/input", R"({"harbour":"Oban"})");
     }},
    {"blocks",
     {"filled-at-the-start", Effect::shape, "one client shows it twice, and another client once"},
     "thinking",
     [](Draft& d) { return set_at(d, "thinking", "/content_block/thinking", "\"tide \""); }},
    {"blocks",
     {"signature-before-thought", Effect::shape, "the client cannot send the thought back"},
     "thinking",
     [](Draft& d) {
       const std::size_t start = start_of(d, "thinking");
       std::size_t i = start;
       while (i < d.size() && d.text({i, "/delta/type"}) != "signature_delta") ++i;
       if (i == d.size() || i < start + 2) return false;
       d.move(i, start + 1);
       return true;
     }},
    {"blocks",
     {"signature-twice", Effect::shape, "the client cannot send the thought back"},
     "thinking",
     [](Draft& d) {
       std::size_t i = 0;
       while (i < d.size() && d.text({i, "/delta/type"}) != "signature_delta") ++i;
       if (i == d.size()) return false;
       d.copy(i, i);
       return true;
     }},
    {"blocks",
     {"unknown-type", Effect::shape, kUnknownType},
     "content_block",
     [](Draft& d) {
       const std::size_t tail = d.last("message_delta");
       if (tail == d.size()) return false;
       d.insert(
           tail,
           R"({"type":"content_block_start","index":0,"content_block":{"type":"hologram","data":"tide"}})",
           "content_block_start");
       d.insert(tail + 1, R"({"type":"content_block_stop","index":0})", "content_block_stop");
       count_blocks(d);
       return true;
     }},
    {"blocks",
     {"unknown-type", Effect::shape, kUnknownType},
     "delta",
     [](Draft& d) {
       return in_a_block(
           d, "content_block_delta",
           R"({"type":"content_block_delta","index":0,"delta":{"type":"thinking_signature_delta","signature":"tide"}})");
     }},
    {"blocks",
     {"unknown-type", Effect::shape, kUnknownType},
     "event",
     [](Draft& d) {
       return in_a_block(d, "content_block_pause", R"({"type":"content_block_pause","index":0})");
     }},
    {"blocks",
     {"type-of-chat", Effect::shape, kUnknownType},
     "content_block",
     [](Draft& d) { return set_at(d, "tool_use", "/content_block/type", "\"function\""); }},
    {"blocks",
     {"type-of-responses", Effect::shape, kUnknownType},
     "content_block",
     [](Draft& d) { return set_at(d, "text", "/content_block/type", "\"output_text\""); }},
});

}  // namespace

std::span<const StreamMutation> anthropic_flaws_of_blocks() { return kBlockScenes; }

}  // namespace splitproof::dialect
