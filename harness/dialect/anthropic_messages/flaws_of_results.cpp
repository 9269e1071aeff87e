// Flaws of results and citations in Anthropic Messages.

#include <array>
#include <nlohmann/json.hpp>

#include "harness/dialect/anthropic_messages/edits.hpp"
#include "harness/dialect/anthropic_messages/self_test_tables.hpp"

namespace splitproof::dialect {
namespace {

using namespace anthropic_edits;
using json = nlohmann::ordered_json;

std::size_t citation(const Draft& draft, std::string_view type) {
  std::size_t i = 0;
  while (i < draft.size() && draft.text({i, "/delta/citation/type"}) != type) ++i;
  return i;
}

// Returns the events of the block that starts at `event`, up to its stop.
std::vector<std::size_t> block_at(const Draft& draft, std::size_t event) {
  std::vector<std::size_t> events;
  const json index = draft.at({event, "/index"});
  for (std::size_t i = event; i < draft.size(); ++i) {
    if (draft.at({i, "/index"}) == index) events.push_back(i);
    if (draft.type(i) == "content_block_stop" && draft.at({i, "/index"}) == index) break;
  }
  return events;
}

bool drop_block(Draft& draft, std::string_view block) {
  const std::size_t start = start_of(draft, block);
  if (start == draft.size()) return false;
  const std::vector<std::size_t> events = block_at(draft, start);
  for (std::size_t i = events.size(); i-- > 0;) draft.remove(events[i]);
  count_blocks(draft);
  return true;
}

// Moves the block of a result before its call.
bool result_before_call(Draft& draft, std::string_view result, std::string_view call) {
  const std::size_t from = start_of(draft, result);
  const std::size_t to = start_of(draft, call);
  if (from == draft.size() || to > from) return false;
  draft.move(from + 1, to);
  draft.move(from + 1, to);
  count_blocks(draft);
  return true;
}

bool result_twice(Draft& draft, std::string_view result) {
  const std::size_t start = start_of(draft, result);
  if (start == draft.size()) return false;
  draft.copy(start + 1, start);
  draft.copy(start + 1, start);
  count_blocks(draft);
  return true;
}

bool backwards(Draft& draft, std::string_view type, const char* start, const char* end) {
  const std::size_t event = citation(draft, type);
  if (event == draft.size()) return false;
  const json from = draft.at({event, start});
  draft.set({event, start}, draft.at({event, end}));
  draft.set({event, end}, from);
  return true;
}

bool drop_citation(Draft& draft, std::string_view type) {
  const std::size_t event = citation(draft, type);
  if (event == draft.size()) return false;
  draft.remove(event);
  return true;
}

constexpr std::string_view kNoResult =
    "the client cannot send the conversation back, because the owner refuses a call without its result";
constexpr std::string_view kSource = "the client shows another source than the cited source";

constexpr auto kResultScenes = std::to_array<StreamMutation>({
    {"results", {"never", Effect::shape, kNoResult}, "web_search_tool_result", [](Draft& d) { return drop_block(d, "web_search_tool_result"); }},
    {"results", {"never", Effect::shape, kNoResult}, "web_fetch_tool_result", [](Draft& d) { return drop_block(d, "web_fetch_tool_result"); }},
    {"results", {"never", Effect::shape, kNoResult}, "bash_code_execution_tool_result",
     [](Draft& d) { return drop_block(d, "bash_code_execution_tool_result"); }},
    {"results", {"never", Effect::shape, kNoResult}, "mcp_tool_result", [](Draft& d) { return drop_block(d, "mcp_tool_result"); }},
    {"results", {"without-call", Effect::shape, kNoResult}, "server_tool_use", [](Draft& d) { return drop_block(d, "server_tool_use"); }},
    {"results", {"without-call", Effect::shape, kNoResult}, "mcp_tool_use", [](Draft& d) { return drop_block(d, "mcp_tool_use"); }},
    {"results", {"for-unknown-call", Effect::shape, kNoResult}, "web_search_tool_result",
     [](Draft& d) { return set_at(d, "web_search_tool_result", "/content_block/tool_use_id", "\"srvtoolu_none\""); }},
    {"results", {"for-unknown-call", Effect::shape, kNoResult}, "web_fetch_tool_result",
     [](Draft& d) { return set_at(d, "web_fetch_tool_result", "/content_block/tool_use_id", "\"srvtoolu_none\""); }},
    {"results", {"for-unknown-call", Effect::shape, kNoResult}, "bash_code_execution_tool_result",
     [](Draft& d) { return set_at(d, "bash_code_execution_tool_result", "/content_block/tool_use_id", "\"srvtoolu_none\""); }},
    {"results", {"for-unknown-call", Effect::shape, kNoResult}, "mcp_tool_result",
     [](Draft& d) { return set_at(d, "mcp_tool_result", "/content_block/tool_use_id", "\"mcptoolu_none\""); }},
    {"results", {"before-call", Effect::shape, kNoResult}, "web_search_tool_result",
     [](Draft& d) { return result_before_call(d, "web_search_tool_result", "server_tool_use"); }},
    {"results", {"before-call", Effect::shape, kNoResult}, "mcp_tool_result",
     [](Draft& d) { return result_before_call(d, "mcp_tool_result", "mcp_tool_use"); }},
    {"results", {"twice", Effect::shape, kNoResult}, "web_search_tool_result", [](Draft& d) { return result_twice(d, "web_search_tool_result"); }},
    {"results", {"twice", Effect::shape, kNoResult}, "mcp_tool_result", [](Draft& d) { return result_twice(d, "mcp_tool_result"); }},
    {"results", {"of-another-tool", Effect::shape, kUnknownType}, "web_search_tool_result",
     [](Draft& d) { return set_at(d, "web_search_tool_result", "/content_block/type", "\"mcp_tool_result\""); }},
    {"results", {"content-null", Effect::shape, kUnknownType}, "web_search_tool_result",
     [](Draft& d) { return set_at(d, "web_search_tool_result", "/content_block/content", "null"); }},
    {"results", {"content-number", Effect::shape, kUnknownType}, "web_search_tool_result",
     [](Draft& d) { return set_at(d, "web_search_tool_result", "/content_block/content", "7"); }},
    {"results", {"content-text", Effect::shape, kUnknownType}, "web_search_tool_result",
     [](Draft& d) { return set_at(d, "web_search_tool_result", "/content_block/content", "\"tide\""); }},
    {"results", {"content-null", Effect::shape, kUnknownType}, "mcp_tool_result",
     [](Draft& d) { return set_at(d, "mcp_tool_result", "/content_block/content", "null"); }},
    {"results", {"content-number", Effect::shape, kUnknownType}, "mcp_tool_result",
     [](Draft& d) { return set_at(d, "mcp_tool_result", "/content_block/content", "7"); }},
    {"results", {"error-without-code", Effect::shape, kUnknownType}, "web_search_tool_result",
     [](Draft& d) { return set_at(d, "web_search_tool_result", "/content_block/content", R"({"type":"web_search_tool_result_error"})"); }},
    {"citations", {"lost", Effect::content, kSource}, "char_location", [](Draft& d) { return drop_citation(d, "char_location"); }},
    {"citations", {"lost", Effect::content, kSource}, "page_location", [](Draft& d) { return drop_citation(d, "page_location"); }},
    {"citations", {"lost", Effect::content, kSource}, "web_search_result_location",
     [](Draft& d) { return drop_citation(d, "web_search_result_location"); }},
    {"citations", {"ends-before-it-starts", Effect::shape, kSource}, "char_location",
     [](Draft& d) { return backwards(d, "char_location", "/delta/citation/start_char_index", "/delta/citation/end_char_index"); }},
    {"citations", {"ends-before-it-starts", Effect::shape, kSource}, "page_location",
     [](Draft& d) { return backwards(d, "page_location", "/delta/citation/start_page_number", "/delta/citation/end_page_number"); }},
    {"citations", {"ends-before-it-starts", Effect::shape, kSource}, "content_block_location",
     [](Draft& d) { return backwards(d, "content_block_location", "/delta/citation/start_block_index", "/delta/citation/end_block_index"); }},
    {"citations", {"as-list", Effect::shape, kUnknownType}, "citations_delta",
     [](Draft& d) {
       const std::size_t event = citation(d, "char_location");
       if (event == d.size()) return false;
       d.set({event, "/delta/citations"}, json::array({d.at({event, "/delta/citation"})}));
       d.erase({event, "/delta/citation"});
       return true;
     }},
    {"citations", {"of-responses", Effect::shape, kUnknownType}, "citations_delta",
     [](Draft& d) {
       const std::size_t event = citation(d, "char_location");
       if (event == d.size()) return false;
       d.set_json({event, "/delta/citation"}, R"({"type":"url_citation","url":"https://harbour.example/","start_index":0,"end_index":4})");
       return true;
     }},
});

}  // namespace

std::span<const StreamMutation> anthropic_flaws_of_results() { return kResultScenes; }

}  // namespace splitproof::dialect
