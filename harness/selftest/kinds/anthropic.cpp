// What Anthropic Messages alone can have wrong: blocks, results, citations, reasons, counts.

#include <array>
#include <nlohmann/json.hpp>

#include "harness/selftest/kinds/scene.hpp"

namespace splitproof::selftest {
namespace {

using json = nlohmann::ordered_json;

std::size_t start_of(const Draft& draft, std::string_view block, std::size_t from = 0) {
  std::size_t i = from;
  while (i < draft.size() && draft.text({i, "/content_block/type"}) != block) ++i;
  return i;
}

bool has_call(const Draft& draft) { return start_of(draft, "tool_use") < draft.size(); }

bool ends_with_reason(const Draft& draft, std::string_view reason) {
  return draft.text({draft.last("message_delta"), "/delta/stop_reason"}) == reason;
}

bool say_reason(Draft& draft, std::string_view reason) {
  const std::size_t tail = draft.last("message_delta");
  if (tail == draft.size()) return false;
  draft.set({tail, "/delta/stop_reason"}, std::string(reason));
  return true;
}

bool say_sequence(Draft& draft, std::string_view value) {
  const std::size_t tail = draft.last("message_delta");
  if (tail == draft.size()) return false;
  draft.set_json({tail, "/delta/stop_sequence"}, value);
  return true;
}

// Every event of the block that starts at `event`, to its stop.
std::vector<std::size_t> block_at(const Draft& draft, std::size_t event) {
  std::vector<std::size_t> events;
  const json index = draft.at({event, "/index"});
  for (std::size_t i = event; i < draft.size(); ++i) {
    if (draft.at({i, "/index"}) == index) events.push_back(i);
    if (draft.type(i) == "content_block_stop" && draft.at({i, "/index"}) == index) break;
  }
  return events;
}

// Gives blocks the numbers 0, 1, 2 in their order again.
void count_blocks(Draft& draft) {
  long long next = -1;
  for (std::size_t i = 0; i < draft.size(); ++i) {
    if (draft.type(i) == "content_block_start") ++next;
    if (draft.has({i, "/index"})) draft.set({i, "/index"}, next);
  }
}

bool drop_block(Draft& draft, std::string_view block) {
  const std::size_t start = start_of(draft, block);
  if (start == draft.size()) return false;
  const std::vector<std::size_t> events = block_at(draft, start);
  for (std::size_t i = events.size(); i-- > 0;) draft.remove(events[i]);
  count_blocks(draft);
  return true;
}

// Moves the block of a result before that of its call.
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

bool at_the_start(Draft& draft, const char* field, std::string_view value) {
  const std::size_t start = draft.first("message_start");
  if (start == draft.size()) return false;
  draft.set_json({start, field}, value);
  return true;
}

bool set_at(Draft& draft, std::string_view block, const char* field, std::string_view value) {
  const std::size_t start = start_of(draft, block);
  if (start == draft.size() || !draft.has({start, field})) return false;
  draft.set_json({start, field}, value);
  return true;
}

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

// The first citation of that type.
std::size_t citation(const Draft& draft, std::string_view type) {
  std::size_t i = 0;
  while (i < draft.size() && draft.text({i, "/delta/citation/type"}) != type) ++i;
  return i;
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

// An event that stands in the body's middle, before the first stop of a block.
bool in_a_block(Draft& draft, std::string_view type, std::string_view data) {
  const std::size_t stop = draft.first("content_block_stop");
  if (stop == draft.size()) return false;
  draft.insert(stop, data, type);
  return true;
}

constexpr std::string_view kLoop =
    "an agent's loop stops where it should go on, or waits for calls that never come";
constexpr std::string_view kNoResult =
    "the conversation cannot be sent back: the owner refuses a call without its result";
constexpr std::string_view kWrongBlock = "what belongs to one block is shown in another, or dropped";
constexpr std::string_view kUnknown = "a client that checks types throws, another passes it over";
constexpr std::string_view kSource = "the source that is shown is not the one that was cited";
constexpr std::string_view kCount = "a client that adds it up bills nonsense";

constexpr auto kScenes = std::to_array<Scene>({
    {"ends", {"end_turn-with-call", Effect::shape, kLoop}, "message_delta",
     [](Draft& d) { return has_call(d) && ends_with_reason(d, "tool_use") && say_reason(d, "end_turn"); }},
    {"ends", {"stop_sequence-with-call", Effect::shape, kLoop}, "message_delta",
     [](Draft& d) { return has_call(d) && say_reason(d, "stop_sequence"); }},
    {"ends", {"pause_turn-with-call", Effect::shape, kLoop}, "message_delta",
     [](Draft& d) { return has_call(d) && say_reason(d, "pause_turn"); }},
    {"ends", {"tool_use-without-call", Effect::shape, kLoop}, "message_delta",
     [](Draft& d) { return !has_call(d) && ends_with_reason(d, "end_turn") && say_reason(d, "tool_use"); }},
    {"ends", {"finish_reason-of-chat", Effect::shape, kLoop}, "message_delta",
     [](Draft& d) { return say_reason(d, "stop"); }},
    {"ends", {"tool_calls-of-chat", Effect::shape, kLoop}, "message_delta",
     [](Draft& d) { return say_reason(d, "tool_calls"); }},
    {"ends", {"length-of-chat", Effect::shape, kLoop}, "message_delta",
     [](Draft& d) { return say_reason(d, "length"); }},
    {"ends", {"status-of-responses", Effect::shape, kLoop}, "message_delta",
     [](Draft& d) { return say_reason(d, "completed"); }},
    {"ends", {"STOP-of-gemini", Effect::shape, kLoop}, "message_delta",
     [](Draft& d) { return say_reason(d, "STOP"); }},
    {"ends", {"other-reason", Effect::content, kLoop}, "message_delta",
     [](Draft& d) { return ends_with_reason(d, "max_tokens") && say_reason(d, "end_turn"); }},
    {"ends", {"limit-instead-of-end", Effect::content, kLoop}, "message_delta",
     [](Draft& d) { return ends_with_reason(d, "end_turn") && say_reason(d, "max_tokens"); }},
    {"ends", {"refusal-instead-of-end", Effect::content, kLoop}, "message_delta",
     [](Draft& d) { return ends_with_reason(d, "end_turn") && say_reason(d, "refusal"); }},
    {"ends", {"sequence-beside-end_turn", Effect::shape, kLoop}, "stop_sequence",
     [](Draft& d) { return ends_with_reason(d, "end_turn") && say_sequence(d, "\"four\""); }},
    {"ends", {"sequence-beside-tool_use", Effect::shape, kLoop}, "stop_sequence",
     [](Draft& d) { return ends_with_reason(d, "tool_use") && say_sequence(d, "\"four\""); }},
    {"ends", {"sequence-null", Effect::shape, kLoop}, "stop_sequence",
     [](Draft& d) { return ends_with_reason(d, "stop_sequence") && say_sequence(d, "null"); }},
    {"ends", {"sequence-empty", Effect::shape, kLoop}, "stop_sequence",
     [](Draft& d) { return ends_with_reason(d, "stop_sequence") && say_sequence(d, "\"\""); }},
    {"ends", {"sequence-number", Effect::shape, kLoop}, "stop_sequence",
     [](Draft& d) { return ends_with_reason(d, "stop_sequence") && say_sequence(d, "7"); }},
    {"ends", {"sequence-list", Effect::shape, kLoop}, "stop_sequence",
     [](Draft& d) { return say_sequence(d, "[\"four\"]"); }},
    {"ends", {"reason-at-the-start", Effect::shape, "a client takes the message for ended"}, "message_start",
     [](Draft& d) { return at_the_start(d, "/message/stop_reason", "\"end_turn\""); }},
    {"ends", {"content-at-the-start", Effect::shape, "a client shows it twice"}, "message_start",
     [](Draft& d) { return at_the_start(d, "/message/content", R"([{"type":"text","text":"tide"}])"); }},
    {"ends", {"second-tail", Effect::shape, "a client ends twice, with the other reason"}, "message_delta",
     [](Draft& d) {
       const std::size_t tail = d.last("message_delta");
       if (tail == d.size()) return false;
       d.copy(tail, tail);
       d.set({tail + 1, "/delta/stop_reason"}, "refusal");
       return true;
     }},
    {"ends", {"tail-inside-block", Effect::shape, "a client ends before the last block does"}, "message_delta",
     [](Draft& d) {
       const std::size_t tail = d.last("message_delta");
       if (tail == d.size() || tail < 3) return false;
       d.move(tail, tail - 2);
       return true;
     }},
    {"ends", {"another-message", Effect::shape, "two answers are read as one"}, "body",
     [](Draft& d) {
       const std::size_t middle = d.size() / 2;
       if (d.type(0) != "message_start") return false;
       d.copy(0, middle);
       d.set({middle, "/message/id"}, "msg_other");
       return true;
     }},
    {"ends", {"error-after-the-end", Effect::shape, "a client has stopped reading, and takes the answer for whole"}, "body",
     [](Draft& d) {
       d.insert(d.size(), R"({"type":"error","error":{"type":"api_error","message":"Too many ships."}})", "error");
       return true;
     }},
    {"ends", {"goes-on-after-error", Effect::shape, "a client has thrown, and the rest is lost"}, "body",
     [](Draft& d) {
       d.insert(d.size() / 2, R"({"type":"error","error":{"type":"api_error","message":"Too many ships."}})", "error");
       return true;
     }},
    {"ends", {"ping-after-the-end", Effect::shape, "a client that has closed the stream sees a broken pipe"}, "body",
     [](Draft& d) {
       d.insert(d.size(), R"({"type":"ping"})", "ping");
       return true;
     }},
    {"blocks", {"from-one", Effect::shape, kWrongBlock}, "index", [](Draft& d) { return shift_index(d, 0, 1); }},
    {"blocks", {"gap", Effect::shape, kWrongBlock}, "index", [](Draft& d) { return shift_index(d, 1, 1); }},
    {"blocks", {"reused", Effect::shape, kWrongBlock}, "index", [](Draft& d) { return shift_index(d, 1, -1); }},
    {"blocks", {"start-of-a-stopped-block", Effect::shape, kWrongBlock}, "index",
     [](Draft& d) {
       const std::size_t stop = d.first("content_block_stop");
       if (stop == d.size()) return false;
       d.copy(d.first("content_block_start"), stop + 1);
       return true;
     }},
    {"blocks", {"delta-of-a-stopped-block", Effect::shape, kWrongBlock}, "index",
     [](Draft& d) {
       const std::size_t stop = d.first("content_block_stop");
       if (stop == d.size() || d.type(stop - 1) != "content_block_delta") return false;
       d.move(stop - 1, stop);
       return true;
     }},
    {"blocks", {"nested", Effect::shape, kWrongBlock}, "index",
     [](Draft& d) {
       const std::size_t stop = d.first("content_block_stop");
       if (stop + 1 >= d.size() || d.type(stop + 1) != "content_block_start") return false;
       d.move(stop, stop + 1);
       return true;
     }},
    {"blocks", {"text-in-tool", Effect::shape, kWrongBlock}, "delta",
     [](Draft& d) {
       const std::size_t start = start_of(d, "tool_use");
       if (start == d.size()) return false;
       json data = json::parse(R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"tide"}})");
       data["index"] = d.at({start, "/index"});
       d.insert(start + 1, data.dump(), "content_block_delta");
       return true;
     }},
    {"blocks", {"thinking-in-text", Effect::shape, kWrongBlock}, "delta",
     [](Draft& d) {
       const std::size_t start = start_of(d, "text");
       if (start == d.size()) return false;
       json data = json::parse(R"({"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"tide"}})");
       data["index"] = d.at({start, "/index"});
       d.insert(start + 1, data.dump(), "content_block_delta");
       return true;
     }},
    {"blocks", {"signature-in-text", Effect::shape, kWrongBlock}, "delta",
     [](Draft& d) {
       const std::size_t start = start_of(d, "text");
       if (start == d.size()) return false;
       json data = json::parse(R"({"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c2ln"}})");
       data["index"] = d.at({start, "/index"});
       d.insert(start + 1, data.dump(), "content_block_delta");
       return true;
     }},
    {"blocks", {"citation-in-tool", Effect::shape, kWrongBlock}, "delta",
     [](Draft& d) {
       const std::size_t start = start_of(d, "tool_use");
       if (start == d.size()) return false;
       json data = json::parse(R"({"type":"content_block_delta","index":0,"delta":{"type":"citations_delta","citation":{"type":"char_location","cited_text":"tide","document_index":0,"document_title":null,"start_char_index":0,"end_char_index":4}}})");
       data["index"] = d.at({start, "/index"});
       d.insert(start + 1, data.dump(), "content_block_delta");
       return true;
     }},
    {"blocks", {"two-deltas-of-two-kinds", Effect::shape, kWrongBlock}, "delta",
     [](Draft& d) {
       const std::size_t start = start_of(d, "text");
       if (start + 1 >= d.size() || !d.has({start + 1, "/delta/text"})) return false;
       d.set({start + 1, "/delta/thinking"}, "tide");
       d.set({start + 1, "/delta/type"}, "thinking_delta");
       return true;
     }},
    {"blocks", {"filled-at-the-start", Effect::shape, "a client shows it twice, or once where another shows nothing"}, "text",
     [](Draft& d) { return set_at(d, "text", "/content_block/text", "\"tide \""); }},
    {"blocks", {"filled-at-the-start", Effect::shape, "a client joins an object with a text"}, "tool_use",
     [](Draft& d) {
       const std::size_t start = start_of(d, "tool_use");
       return start + 1 < d.size() && d.has({start + 1, "/delta/partial_json"}) &&
              set_at(d, "tool_use", "/content_block/input", R"({"harbour":"Oban"})");
     }},
    {"blocks", {"filled-at-the-start", Effect::shape, "a client shows it twice, or once where another shows nothing"}, "thinking",
     [](Draft& d) { return set_at(d, "thinking", "/content_block/thinking", "\"tide \""); }},
    {"blocks", {"signature-before-thought", Effect::shape, "the thought cannot be sent back"}, "thinking",
     [](Draft& d) {
       const std::size_t start = start_of(d, "thinking");
       std::size_t i = start;
       while (i < d.size() && d.text({i, "/delta/type"}) != "signature_delta") ++i;
       if (i == d.size() || i < start + 2) return false;
       d.move(i, start + 1);
       return true;
     }},
    {"blocks", {"signature-twice", Effect::shape, "the thought cannot be sent back"}, "thinking",
     [](Draft& d) {
       std::size_t i = 0;
       while (i < d.size() && d.text({i, "/delta/type"}) != "signature_delta") ++i;
       if (i == d.size()) return false;
       d.copy(i, i);
       return true;
     }},
    {"blocks", {"unknown-type", Effect::shape, kUnknown}, "content_block",
     [](Draft& d) {
       const std::size_t tail = d.last("message_delta");
       if (tail == d.size()) return false;
       d.insert(tail, R"({"type":"content_block_start","index":0,"content_block":{"type":"hologram","data":"tide"}})", "content_block_start");
       d.insert(tail + 1, R"({"type":"content_block_stop","index":0})", "content_block_stop");
       count_blocks(d);
       return true;
     }},
    {"blocks", {"unknown-type", Effect::shape, kUnknown}, "delta",
     [](Draft& d) { return in_a_block(d, "content_block_delta", R"({"type":"content_block_delta","index":0,"delta":{"type":"thinking_signature_delta","signature":"tide"}})"); }},
    {"blocks", {"unknown-type", Effect::shape, kUnknown}, "event",
     [](Draft& d) { return in_a_block(d, "content_block_pause", R"({"type":"content_block_pause","index":0})"); }},
    {"blocks", {"type-of-chat", Effect::shape, kUnknown}, "content_block",
     [](Draft& d) { return set_at(d, "tool_use", "/content_block/type", "\"function\""); }},
    {"blocks", {"type-of-responses", Effect::shape, kUnknown}, "content_block",
     [](Draft& d) { return set_at(d, "text", "/content_block/type", "\"output_text\""); }},
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
    {"results", {"of-another-tool", Effect::shape, kUnknown}, "web_search_tool_result",
     [](Draft& d) { return set_at(d, "web_search_tool_result", "/content_block/type", "\"mcp_tool_result\""); }},
    {"results", {"content-null", Effect::shape, kUnknown}, "web_search_tool_result",
     [](Draft& d) { return set_at(d, "web_search_tool_result", "/content_block/content", "null"); }},
    {"results", {"content-number", Effect::shape, kUnknown}, "web_search_tool_result",
     [](Draft& d) { return set_at(d, "web_search_tool_result", "/content_block/content", "7"); }},
    {"results", {"content-text", Effect::shape, kUnknown}, "web_search_tool_result",
     [](Draft& d) { return set_at(d, "web_search_tool_result", "/content_block/content", "\"tide\""); }},
    {"results", {"content-null", Effect::shape, kUnknown}, "mcp_tool_result",
     [](Draft& d) { return set_at(d, "mcp_tool_result", "/content_block/content", "null"); }},
    {"results", {"content-number", Effect::shape, kUnknown}, "mcp_tool_result",
     [](Draft& d) { return set_at(d, "mcp_tool_result", "/content_block/content", "7"); }},
    {"results", {"error-without-code", Effect::shape, kUnknown}, "web_search_tool_result",
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
    {"citations", {"as-list", Effect::shape, kUnknown}, "citations_delta",
     [](Draft& d) {
       const std::size_t event = citation(d, "char_location");
       if (event == d.size()) return false;
       d.set({event, "/delta/citations"}, json::array({d.at({event, "/delta/citation"})}));
       d.erase({event, "/delta/citation"});
       return true;
     }},
    {"citations", {"of-responses", Effect::shape, kUnknown}, "citations_delta",
     [](Draft& d) {
       const std::size_t event = citation(d, "char_location");
       if (event == d.size()) return false;
       d.set_json({event, "/delta/citation"}, R"({"type":"url_citation","url":"https://harbour.example/","start_index":0,"end_index":4})");
       return true;
     }},
    {"usage", {"falls", Effect::shape, kCount}, "output_tokens",
     [](Draft& d) {
       const std::size_t tail = d.last("message_delta");
       if (tail == d.size()) return false;
       return at_the_start(d, "/message/usage/output_tokens", "900");
     }},
    {"usage", {"differs", Effect::content, kCount}, "output_tokens",
     [](Draft& d) {
       const std::size_t tail = d.last("message_delta");
       if (tail == d.size()) return false;
       d.set({tail, "/usage/output_tokens"}, 4711);
       return true;
     }},
    {"usage", {"of-chat", Effect::shape, kCount}, "message_delta",
     [](Draft& d) {
       const std::size_t tail = d.last("message_delta");
       if (tail == d.size()) return false;
       d.set_json({tail, "/usage"}, R"({"prompt_tokens":31,"completion_tokens":24,"total_tokens":55})");
       return true;
     }},
    {"usage", {"empty", Effect::shape, kCount}, "message_delta",
     [](Draft& d) {
       const std::size_t tail = d.last("message_delta");
       if (tail == d.size()) return false;
       d.set_json({tail, "/usage"}, "{}");
       return true;
     }},
    {"usage", {"empty", Effect::shape, kCount}, "message_start",
     [](Draft& d) { return at_the_start(d, "/message/usage", "{}"); }},
    {"usage", {"inside-delta", Effect::shape, kCount}, "message_delta",
     [](Draft& d) {
       const std::size_t tail = d.last("message_delta");
       if (tail == d.size()) return false;
       d.set({tail, "/delta/usage"}, d.at({tail, "/usage"}));
       d.erase({tail, "/usage"});
       return true;
     }},
    {"usage", {"zero-for-a-long-answer", Effect::content, kCount}, "output_tokens",
     [](Draft& d) {
       const std::size_t tail = d.last("message_delta");
       if (tail == d.size()) return false;
       d.set({tail, "/usage/output_tokens"}, 0);
       return at_the_start(d, "/message/usage/output_tokens", "0");
     }},
});

}  // namespace

void add_anthropic_kinds(KindList& kinds) { add_scenes(kinds, kScenes, false); }

}  // namespace splitproof::selftest
