// Members that are not there, or of another type.

#include <array>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "harness/selftest/kinds/families.hpp"

namespace splitproof::selftest {
namespace {

using json = nlohmann::ordered_json;

/// What a member has to be.
enum class Shape { count, index, text, word, object, list, flag };

struct Wrong {
  Shape shape;
  Operator what;
  std::string_view value;  ///< as JSON
};

constexpr std::string_view kNoCount = "a client that adds it up throws, or bills nonsense";
constexpr std::string_view kNoIndex = "a client cannot tell what it belongs to";
constexpr std::string_view kNoText = "a client that takes a text throws, or says undefined";
constexpr std::string_view kNoWord = "a client that checks words throws, another takes its default way";
constexpr std::string_view kNoObject = "a client that reads a member of it throws";
constexpr std::string_view kNoList = "a client that goes through it throws";
constexpr std::string_view kNoFlag = "a client that checks types throws, another takes it for true";

constexpr auto kWrongs = std::to_array<Wrong>({
    {Shape::count, {"negative", Effect::shape, kNoCount}, "-1"},
    {Shape::count, {"fraction", Effect::shape, kNoCount}, "1.5"},
    {Shape::count, {"text", Effect::shape, kNoCount}, "\"12\""},
    {Shape::count, {"true", Effect::shape, kNoCount}, "true"},
    {Shape::count, {"list", Effect::shape, kNoCount}, "[]"},
    {Shape::count, {"object", Effect::shape, kNoCount}, "{}"},
    {Shape::index, {"negative", Effect::shape, kNoIndex}, "-1"},
    {Shape::index, {"fraction", Effect::shape, kNoIndex}, "0.5"},
    {Shape::index, {"text", Effect::shape, kNoIndex}, "\"0\""},
    {Shape::index, {"true", Effect::shape, kNoIndex}, "true"},
    {Shape::index, {"list", Effect::shape, kNoIndex}, "[]"},
    {Shape::index, {"far-away", Effect::shape, kNoIndex}, "4711"},
    {Shape::text, {"number", Effect::shape, kNoText}, "7"},
    {Shape::text, {"true", Effect::shape, kNoText}, "true"},
    {Shape::text, {"list", Effect::shape, kNoText}, "[]"},
    {Shape::text, {"object", Effect::shape, kNoText}, "{}"},
    {Shape::word, {"number", Effect::shape, kNoWord}, "7"},
    {Shape::word, {"list", Effect::shape, kNoWord}, "[]"},
    {Shape::word, {"empty", Effect::shape, kNoWord}, "\"\""},
    {Shape::word, {"unknown", Effect::shape, kNoWord}, "\"tide\""},
    {Shape::object, {"list", Effect::shape, kNoObject}, "[]"},
    {Shape::object, {"text", Effect::shape, kNoObject}, "\"{}\""},
    {Shape::object, {"number", Effect::shape, kNoObject}, "7"},
    {Shape::object, {"true", Effect::shape, kNoObject}, "true"},
    {Shape::list, {"object", Effect::shape, kNoList}, "{}"},
    {Shape::list, {"text", Effect::shape, kNoList}, "\"[]\""},
    {Shape::list, {"number", Effect::shape, kNoList}, "7"},
    {Shape::list, {"of-null", Effect::shape, kNoList}, "[null]"},
    {Shape::flag, {"text", Effect::shape, kNoFlag}, "\"true\""},
    {Shape::flag, {"number", Effect::shape, kNoFlag}, "1"},
});

constexpr Operator kNull = {"null", Effect::shape, "a client that reads it throws, or says null"};
constexpr Operator kAbsent = {"absent", Effect::shape, "a client that reads it throws, or says undefined"};
constexpr Operator kCase = {"other-case", Effect::shape, kNoWord};
constexpr Operator kBlank = {"blank-behind", Effect::shape, kNoWord};

/// Whether the member may be null or left out.
enum class Need { always, may_lack };

struct Field {
  std::string_view name;
  std::string_view type;   ///< of the event, at `/type`; empty where events have none
  std::string_view inner;  ///< of its block, delta, citation, item or part; empty: any
  std::string_view at;     ///< JSON pointer; `*` stands for each element of a list
  Shape shape;
  Need need = Need::always;
};

constexpr Need kMayLack = Need::may_lack;

constexpr auto kAnthropic = std::to_array<Field>({
    {"message_start.message", "message_start", "", "/message", Shape::object},
    {"message_start.type", "message_start", "", "/message/type", Shape::word},
    {"message_start.role", "message_start", "", "/message/role", Shape::word},
    {"message_start.model", "message_start", "", "/message/model", Shape::text},
    {"message_start.content", "message_start", "", "/message/content", Shape::list},
    {"message_start.usage", "message_start", "", "/message/usage", Shape::object},
    {"message_start.input_tokens", "message_start", "", "/message/usage/input_tokens", Shape::count},
    {"message_start.output_tokens", "message_start", "", "/message/usage/output_tokens", Shape::count},
    {"message_start.cache_read", "message_start", "", "/message/usage/cache_read_input_tokens", Shape::count,
     kMayLack},
    {"message_start.cache_creation", "message_start", "", "/message/usage/cache_creation_input_tokens",
     Shape::count, kMayLack},
    {"message_start.cache_5m", "message_start", "", "/message/usage/cache_creation/ephemeral_5m_input_tokens",
     Shape::count, kMayLack},
    {"start.index", "content_block_start", "", "/index", Shape::index},
    {"start.content_block", "content_block_start", "", "/content_block", Shape::object},
    {"start.type", "content_block_start", "", "/content_block/type", Shape::word},
    {"text-start.text", "content_block_start", "text", "/content_block/text", Shape::text},
    {"thinking-start.thinking", "content_block_start", "thinking", "/content_block/thinking", Shape::text},
    {"tool_use-start.input", "content_block_start", "tool_use", "/content_block/input", Shape::object},
    {"server_tool_use-start.input", "content_block_start", "server_tool_use", "/content_block/input",
     Shape::object},
    {"mcp_tool_use-start.input", "content_block_start", "mcp_tool_use", "/content_block/input",
     Shape::object},
    {"mcp_tool_use-start.server_name", "content_block_start", "mcp_tool_use", "/content_block/server_name",
     Shape::text},
    {"redacted_thinking.data", "content_block_start", "redacted_thinking", "/content_block/data",
     Shape::text},
    {"delta.index", "content_block_delta", "", "/index", Shape::index},
    {"delta.delta", "content_block_delta", "", "/delta", Shape::object},
    {"delta.type", "content_block_delta", "", "/delta/type", Shape::word},
    {"signature_delta.signature", "content_block_delta", "signature_delta", "/delta/signature", Shape::text},
    {"compaction_delta.content", "content_block_delta", "compaction_delta", "/delta/content", Shape::text},
    {"stop.index", "content_block_stop", "", "/index", Shape::index},
    {"message_delta.delta", "message_delta", "", "/delta", Shape::object},
    {"message_delta.stop_reason", "message_delta", "", "/delta/stop_reason", Shape::word},
    {"message_delta.usage", "message_delta", "", "/usage", Shape::object},
    {"message_delta.output_tokens", "message_delta", "", "/usage/output_tokens", Shape::count},
    {"message_delta.input_tokens", "message_delta", "", "/usage/input_tokens", Shape::count, kMayLack},
    {"message_delta.cache_read", "message_delta", "", "/usage/cache_read_input_tokens", Shape::count,
     kMayLack},
    {"message_delta.cache_creation", "message_delta", "", "/usage/cache_creation_input_tokens", Shape::count,
     kMayLack},
    {"message_delta.web_searches", "message_delta", "", "/usage/server_tool_use/web_search_requests",
     Shape::count, kMayLack},
    {"error.error", "error", "", "/error", Shape::object},
    {"error.type", "error", "", "/error/type", Shape::word},
    {"error.message", "error", "", "/error/message", Shape::text},
    {"citation", "content_block_delta", "citations_delta", "/delta/citation", Shape::object},
    {"citation.type", "content_block_delta", "citations_delta", "/delta/citation/type", Shape::word},
    {"char_location.cited_text", "content_block_delta", "char_location", "/delta/citation/cited_text",
     Shape::text},
    {"char_location.document_index", "content_block_delta", "char_location", "/delta/citation/document_index",
     Shape::count},
    {"char_location.start", "content_block_delta", "char_location", "/delta/citation/start_char_index",
     Shape::count},
    {"char_location.end", "content_block_delta", "char_location", "/delta/citation/end_char_index",
     Shape::count},
    {"char_location.title", "content_block_delta", "char_location", "/delta/citation/document_title",
     Shape::text, kMayLack},
    {"page_location.cited_text", "content_block_delta", "page_location", "/delta/citation/cited_text",
     Shape::text},
    {"page_location.document_index", "content_block_delta", "page_location", "/delta/citation/document_index",
     Shape::count},
    {"page_location.start", "content_block_delta", "page_location", "/delta/citation/start_page_number",
     Shape::count},
    {"page_location.end", "content_block_delta", "page_location", "/delta/citation/end_page_number",
     Shape::count},
    {"content_block_location.cited_text", "content_block_delta", "content_block_location",
     "/delta/citation/cited_text", Shape::text},
    {"content_block_location.start", "content_block_delta", "content_block_location",
     "/delta/citation/start_block_index", Shape::count},
    {"content_block_location.end", "content_block_delta", "content_block_location",
     "/delta/citation/end_block_index", Shape::count},
    {"web_search_result_location.cited_text", "content_block_delta", "web_search_result_location",
     "/delta/citation/cited_text", Shape::text},
    {"web_search_result_location.url", "content_block_delta", "web_search_result_location",
     "/delta/citation/url", Shape::text},
    {"web_search_result_location.encrypted_index", "content_block_delta", "web_search_result_location",
     "/delta/citation/encrypted_index", Shape::text},
    {"search_result_location.cited_text", "content_block_delta", "search_result_location",
     "/delta/citation/cited_text", Shape::text},
    {"search_result_location.source", "content_block_delta", "search_result_location",
     "/delta/citation/source", Shape::text},
    {"search_result_location.index", "content_block_delta", "search_result_location",
     "/delta/citation/search_result_index", Shape::count},
    {"search_result_location.start", "content_block_delta", "search_result_location",
     "/delta/citation/start_block_index", Shape::count},
    {"web_search_tool_result.tool_use_id", "content_block_start", "web_search_tool_result",
     "/content_block/tool_use_id", Shape::text},
    {"web_search_result", "content_block_start", "web_search_tool_result", "/content_block/content/*",
     Shape::object},
    {"web_search_result.url", "content_block_start", "web_search_tool_result", "/content_block/content/*/url",
     Shape::text},
    {"web_search_result.title", "content_block_start", "web_search_tool_result",
     "/content_block/content/*/title", Shape::text},
    {"web_search_result.encrypted_content", "content_block_start", "web_search_tool_result",
     "/content_block/content/*/encrypted_content", Shape::text},
    {"web_search_result.type", "content_block_start", "web_search_tool_result",
     "/content_block/content/*/type", Shape::word},
    {"web_fetch_tool_result.tool_use_id", "content_block_start", "web_fetch_tool_result",
     "/content_block/tool_use_id", Shape::text},
    {"web_fetch_tool_result.content", "content_block_start", "web_fetch_tool_result",
     "/content_block/content", Shape::object},
    {"web_fetch_result.type", "content_block_start", "web_fetch_tool_result", "/content_block/content/type",
     Shape::word},
    {"web_fetch_result.url", "content_block_start", "web_fetch_tool_result", "/content_block/content/url",
     Shape::text},
    {"bash_result.tool_use_id", "content_block_start", "bash_code_execution_tool_result",
     "/content_block/tool_use_id", Shape::text},
    {"bash_result.content", "content_block_start", "bash_code_execution_tool_result",
     "/content_block/content", Shape::object},
    {"bash_result.stdout", "content_block_start", "bash_code_execution_tool_result",
     "/content_block/content/stdout", Shape::text},
    {"bash_result.return_code", "content_block_start", "bash_code_execution_tool_result",
     "/content_block/content/return_code", Shape::count},
    {"mcp_tool_result.tool_use_id", "content_block_start", "mcp_tool_result", "/content_block/tool_use_id",
     Shape::text},
    {"mcp_tool_result.is_error", "content_block_start", "mcp_tool_result", "/content_block/is_error",
     Shape::flag},
    {"mcp_tool_result.text", "content_block_start", "mcp_tool_result", "/content_block/content/*/text",
     Shape::text},
});

constexpr auto kChat = std::to_array<Field>({
    {"object", "", "", "/object", Shape::word},
    {"created", "", "", "/created", Shape::count},
    {"choices", "", "", "/choices", Shape::list},
    {"choice", "", "", "/choices/*", Shape::object},
    {"choice.index", "", "", "/choices/*/index", Shape::index},
    {"choice.delta", "", "", "/choices/*/delta", Shape::object},
    {"finish_reason", "", "", "/choices/*/finish_reason", Shape::word},
    {"delta.role", "", "", "/choices/*/delta/role", Shape::word},
    {"tool_calls", "", "", "/choices/*/delta/tool_calls", Shape::list},
    {"call", "", "", "/choices/*/delta/tool_calls/*", Shape::object},
    {"call.index", "", "", "/choices/*/delta/tool_calls/*/index", Shape::index},
    {"call.type", "", "", "/choices/*/delta/tool_calls/*/type", Shape::word},
    {"call.function", "", "", "/choices/*/delta/tool_calls/*/function", Shape::object},
    {"call.custom", "", "", "/choices/*/delta/tool_calls/*/custom", Shape::object},
    {"function_call", "", "", "/choices/*/delta/function_call", Shape::object, kMayLack},
    {"usage", "", "", "/usage", Shape::object, kMayLack},
    {"usage.prompt_tokens", "", "", "/usage/prompt_tokens", Shape::count},
    {"usage.completion_tokens", "", "", "/usage/completion_tokens", Shape::count},
    {"usage.total_tokens", "", "", "/usage/total_tokens", Shape::count},
    {"usage.prompt_details", "", "", "/usage/prompt_tokens_details", Shape::object, kMayLack},
    {"usage.cached_tokens", "", "", "/usage/prompt_tokens_details/cached_tokens", Shape::count, kMayLack},
    {"usage.audio_in", "", "", "/usage/prompt_tokens_details/audio_tokens", Shape::count, kMayLack},
    {"usage.completion_details", "", "", "/usage/completion_tokens_details", Shape::object, kMayLack},
    {"usage.reasoning_tokens", "", "", "/usage/completion_tokens_details/reasoning_tokens", Shape::count,
     kMayLack},
    {"usage.accepted_tokens", "", "", "/usage/completion_tokens_details/accepted_prediction_tokens",
     Shape::count, kMayLack},
    {"usage.rejected_tokens", "", "", "/usage/completion_tokens_details/rejected_prediction_tokens",
     Shape::count, kMayLack},
    {"error", "", "", "/error", Shape::object},
    {"error.message", "", "", "/error/message", Shape::text},
    {"error.type", "", "", "/error/type", Shape::text, kMayLack},
    {"annotations", "", "", "/choices/*/delta/annotations", Shape::list, kMayLack},
    {"annotation.type", "", "", "/choices/*/delta/annotations/*/type", Shape::word},
    {"annotation.url_citation", "", "", "/choices/*/delta/annotations/*/url_citation", Shape::object},
    {"annotation.url", "", "", "/choices/*/delta/annotations/*/url_citation/url", Shape::text},
    {"annotation.start_index", "", "", "/choices/*/delta/annotations/*/url_citation/start_index",
     Shape::count},
    {"annotation.end_index", "", "", "/choices/*/delta/annotations/*/url_citation/end_index", Shape::count},
    {"logprobs.content", "", "", "/choices/*/logprobs/content", Shape::list, kMayLack},
    {"logprobs.token", "", "", "/choices/*/logprobs/content/*/token", Shape::text},
});

constexpr auto kResponses = std::to_array<Field>({
    {"created.response", "response.created", "", "/response", Shape::object},
    {"created.id", "response.created", "", "/response/id", Shape::text},
    {"created.object", "response.created", "", "/response/object", Shape::word},
    {"created.status", "response.created", "", "/response/status", Shape::word},
    {"created.created_at", "response.created", "", "/response/created_at", Shape::count},
    {"created.model", "response.created", "", "/response/model", Shape::text},
    {"created.output", "response.created", "", "/response/output", Shape::list},
    {"added.output_index", "response.output_item.added", "", "/output_index", Shape::index},
    {"added.item", "response.output_item.added", "", "/item", Shape::object},
    {"added.type", "response.output_item.added", "", "/item/type", Shape::word},
    {"message-added.status", "response.output_item.added", "message", "/item/status", Shape::word},
    {"message-added.role", "response.output_item.added", "message", "/item/role", Shape::word},
    {"message-added.content", "response.output_item.added", "message", "/item/content", Shape::list},
    {"function_call-added.status", "response.output_item.added", "function_call", "/item/status",
     Shape::word},
    {"function_call-added.arguments", "response.output_item.added", "function_call", "/item/arguments",
     Shape::text},
    {"custom_tool_call-added.input", "response.output_item.added", "custom_tool_call", "/item/input",
     Shape::text},
    {"reasoning-added.summary", "response.output_item.added", "reasoning", "/item/summary", Shape::list},
    {"part-added.output_index", "response.content_part.added", "", "/output_index", Shape::index},
    {"part-added.content_index", "response.content_part.added", "", "/content_index", Shape::index},
    {"part-added.part", "response.content_part.added", "", "/part", Shape::object},
    {"part-added.type", "response.content_part.added", "", "/part/type", Shape::word},
    {"part-added.annotations", "response.content_part.added", "output_text", "/part/annotations",
     Shape::list},
    {"text-delta.item_id", "response.output_text.delta", "", "/item_id", Shape::text},
    {"text-delta.output_index", "response.output_text.delta", "", "/output_index", Shape::index},
    {"text-delta.content_index", "response.output_text.delta", "", "/content_index", Shape::index},
    {"text-delta.sequence_number", "response.output_text.delta", "", "/sequence_number", Shape::index},
    {"refusal-delta.content_index", "response.refusal.delta", "", "/content_index", Shape::index},
    {"summary-delta.summary_index", "response.reasoning_summary_text.delta", "", "/summary_index",
     Shape::index},
    {"arguments-delta.item_id", "response.function_call_arguments.delta", "", "/item_id", Shape::text},
    {"arguments-delta.output_index", "response.function_call_arguments.delta", "", "/output_index",
     Shape::index},
    {"input-delta.output_index", "response.custom_tool_call_input.delta", "", "/output_index", Shape::index},
    {"text-done.content_index", "response.output_text.done", "", "/content_index", Shape::index},
    {"text-done.output_index", "response.output_text.done", "", "/output_index", Shape::index},
    {"part-done.part", "response.content_part.done", "", "/part", Shape::object},
    {"part-done.type", "response.content_part.done", "", "/part/type", Shape::word},
    {"part-done.annotations", "response.content_part.done", "output_text", "/part/annotations", Shape::list},
    {"item-done.output_index", "response.output_item.done", "", "/output_index", Shape::index},
    {"item-done.item", "response.output_item.done", "", "/item", Shape::object},
    {"item-done.type", "response.output_item.done", "", "/item/type", Shape::word},
    {"item-done.status", "response.output_item.done", "", "/item/status", Shape::word},
    {"message-done.role", "response.output_item.done", "message", "/item/role", Shape::word},
    {"message-done.content", "response.output_item.done", "message", "/item/content", Shape::list},
    {"message-done.part", "response.output_item.done", "message", "/item/content/*", Shape::object},
    {"message-done.part.type", "response.output_item.done", "message", "/item/content/*/type", Shape::word},
    {"reasoning-done.summary", "response.output_item.done", "reasoning", "/item/summary", Shape::list},
    {"annotation-added.annotation", "response.output_text.annotation.added", "", "/annotation",
     Shape::object},
    {"annotation-added.index", "response.output_text.annotation.added", "", "/annotation_index",
     Shape::index},
    {"annotation-added.type", "response.output_text.annotation.added", "", "/annotation/type", Shape::word},
    {"annotation-added.url", "response.output_text.annotation.added", "url_citation", "/annotation/url",
     Shape::text},
    {"annotation-added.start_index", "response.output_text.annotation.added", "url_citation",
     "/annotation/start_index", Shape::count},
    {"completed.response", "response.completed", "", "/response", Shape::object},
    {"completed.object", "response.completed", "", "/response/object", Shape::word},
    {"completed.status", "response.completed", "", "/response/status", Shape::word},
    {"completed.model", "response.completed", "", "/response/model", Shape::text},
    {"completed.output", "response.completed", "", "/response/output", Shape::list},
    {"completed.item", "response.completed", "", "/response/output/*", Shape::object},
    {"completed.item.type", "response.completed", "", "/response/output/*/type", Shape::word},
    {"completed.item.status", "response.completed", "", "/response/output/*/status", Shape::word},
    {"completed.usage", "response.completed", "", "/response/usage", Shape::object},
    {"completed.input_tokens", "response.completed", "", "/response/usage/input_tokens", Shape::count},
    {"completed.output_tokens", "response.completed", "", "/response/usage/output_tokens", Shape::count},
    {"completed.total_tokens", "response.completed", "", "/response/usage/total_tokens", Shape::count},
    {"completed.cached_tokens", "response.completed", "",
     "/response/usage/input_tokens_details/cached_tokens", Shape::count},
    {"completed.reasoning_tokens", "response.completed", "",
     "/response/usage/output_tokens_details/reasoning_tokens", Shape::count},
    {"completed.input_details", "response.completed", "", "/response/usage/input_tokens_details",
     Shape::object},
    {"incomplete.details", "response.incomplete", "", "/response/incomplete_details", Shape::object},
    {"incomplete.reason", "response.incomplete", "", "/response/incomplete_details/reason", Shape::word},
    {"failed.error", "response.failed", "", "/response/error", Shape::object},
    {"failed.code", "response.failed", "", "/response/error/code", Shape::text},
    {"failed.message", "response.failed", "", "/response/error/message", Shape::text},
    {"error.message", "error", "", "/message", Shape::text},
});

std::span<const Field> fields_of(std::string_view protocol) {
  if (protocol == "anthropic.messages") return kAnthropic;
  if (protocol == "openai.chat") return kChat;
  return kResponses;
}

bool fits(const Draft& draft, std::size_t event, const Field& field) {
  if (!field.type.empty() && draft.type(event) != field.type) return false;
  if (field.inner.empty()) return true;
  for (const char* at : {"/content_block/type", "/delta/type", "/delta/citation/type", "/item/type",
                         "/part/type", "/annotation/type"}) {
    if (draft.text({event, at}) == field.inner) return true;
  }
  return false;
}

// The first place in an event that the field names, and that is of its shape: null and nothing are of none.
std::string found(const json& value, const std::string& rest, const std::string& before, const Field& field) {
  if (rest.empty()) return value.is_null() || value == "" ? std::string() : before;
  const std::size_t end = rest.find('/', 1);
  const std::string key = rest.substr(1, end == std::string::npos ? end : end - 1);
  const std::string next = end == std::string::npos ? "" : rest.substr(end);
  if (key != "*") {
    if (!value.is_object() || !value.contains(key)) return "";
    // Texts and words may begin empty.
    if (next.empty() && field.shape == Shape::text && value[key].is_string()) return before + "/" + key;
    return found(value[key], next, before + "/" + key, field);
  }
  for (std::size_t i = 0; value.is_array() && i < value.size(); ++i) {
    const std::string place = found(value[i], next, before + "/" + std::to_string(i), field);
    if (!place.empty()) return place;
  }
  return "";
}

// Told of the first and the last event of a body that has the field.
template <class Change>
Bodies at_field(const Draft& draft, const Field& field, const Change& change) {
  std::vector<Spot> spots;
  for (std::size_t i = 0; i < draft.size(); ++i) {
    if (!fits(draft, i, field)) continue;
    const std::string place = found(draft.data(i), std::string(field.at), "", field);
    if (!place.empty()) spots.push_back({i, place});
  }
  if (spots.size() > 2) spots.erase(spots.begin() + 1, spots.end() - 1);
  Bodies bodies;
  for (const Spot& spot : spots) {
    Draft changed = draft;
    change(changed, spot);
    bodies.push_back(changed.body());
  }
  return bodies;
}

template <class Change>
void add(KindList& kinds, const Operator& op, const Field& field, Change change) {
  kinds.add("fields", op, field.name,
            [field, change](const Draft& draft) { return at_field(draft, field, change); });
}

void add_field(KindList& kinds, const Field& field) {
  for (const Wrong& wrong : kWrongs) {
    if (wrong.shape != field.shape) continue;
    add(kinds, wrong.what, field,
        [value = wrong.value](Draft& draft, const Spot& spot) { draft.set_json(spot, value); });
  }
  if (field.shape == Shape::word) {
    add(kinds, kCase, field, [](Draft& draft, const Spot& spot) {
      std::string word = draft.text(spot);
      for (char& c : word) {
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
      }
      draft.set(spot, word);
    });
    add(kinds, kBlank, field,
        [](Draft& draft, const Spot& spot) { draft.set(spot, draft.text(spot) + " "); });
  }
  if (field.need == Need::may_lack) return;
  add(kinds, kNull, field, [](Draft& draft, const Spot& spot) { draft.set(spot, nullptr); });
  if (field.at.back() == '*') return;  // an element that is not there is a shorter list
  add(kinds, kAbsent, field, [](Draft& draft, const Spot& spot) { draft.erase(spot); });
}

}  // namespace

void add_field_kinds(KindList& kinds) {
  for (const Field& field : fields_of(kinds.protocol())) add_field(kinds, field);
}

}  // namespace splitproof::selftest
