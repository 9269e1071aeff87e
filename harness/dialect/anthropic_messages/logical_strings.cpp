// Content of a stream of Anthropic Messages, and its places.

#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "harness/dialect/anthropic_messages/self_test_tables.hpp"
#include "harness/json_member.hpp"

namespace splitproof::dialect {
namespace {

using json = nlohmann::ordered_json;

struct OfCall {
  std::string_view type;
  std::string_view arguments;
  std::string_view name;
  std::string_view id;
};

constexpr OfCall kCalls[] = {
    {"tool_use", "tool_use.arguments", "tool_use.name", "tool_use.id"},
    {"server_tool_use", "server_tool_use.arguments", "server_tool_use.name", "server_tool_use.id"},
    {"mcp_tool_use", "mcp_tool_use.arguments", "mcp_tool_use.name", "mcp_tool_use.id"},
};

struct AnthropicDeltaString {
  std::string_view type;
  std::string_view field;
  std::string_view what;
};

constexpr AnthropicDeltaString kDeltaStrands[] = {
    {"text_delta", "/delta/text", "text"},
    {"thinking_delta", "/delta/thinking", "thinking"},
    {"signature_delta", "/delta/signature", "signature"},
    {"compaction_delta", "/delta/content", "compaction"},
};

const OfCall* call_of(const std::string& block) {
  for (const OfCall& call : kCalls) {
    if (call.type == block) return &call;
  }
  return nullptr;
}

class AnthropicStrings {
 public:
  explicit AnthropicStrings(const Draft& draft) : draft_(draft) {}

  std::vector<LogicalString> all() && {
    for (std::size_t i = 0; i < draft_.size(); ++i) {
      const std::string type = draft_.type(i);
      if (type == "message_start") once("message.id", i, "/message/id");
      if (type == "content_block_start") start(i);
      if (type == "content_block_delta") delta(i);
    }
    return std::move(strands_);
  }

 private:
  void once(std::string_view what, std::size_t event, const char* field) {
    if (draft_.at({event, field}).is_string()) strands_.push_back({what, {{event, field}}, {}});
  }

  void start(std::size_t event) {
    const json& block = member(draft_.data(event), "content_block");
    const std::string index = member(draft_.data(event), "index").dump();
    blocks_[index] = string_at(block, "type");
    if (const OfCall* call = call_of(blocks_[index])) {
      once(call->name, event, "/content_block/name");
      once(call->id, event, "/content_block/id");
      by_id_[string_at(block, "id")] = strands_.size() - 1;
    }
    const auto named = by_id_.find(string_at(block, "tool_use_id"));
    if (named != by_id_.end())
      strands_[named->second].repeats.push_back({"result", {event, "/content_block/tool_use_id"}});
  }

  void delta(std::size_t event) {
    const std::string type = draft_.text({event, "/delta/type"});
    const std::string index = member(draft_.data(event), "index").dump();
    for (const AnthropicDeltaString& of : kDeltaStrands) {
      if (of.type == type) add(of.what, index, {event, std::string(of.field)});
    }
    const OfCall* call = call_of(blocks_[index]);
    if (type == "input_json_delta" && call) add(call->arguments, index, {event, "/delta/partial_json"});
  }

  void add(std::string_view what, const std::string& index, FieldRef spot) {
    const auto [place, is_new] = open_.emplace(index + std::string(what), strands_.size());
    if (is_new) strands_.push_back({what, {}, {}});
    strands_[place->second].pieces.push_back(std::move(spot));
  }

  const Draft& draft_;
  std::vector<LogicalString> strands_;
  std::map<std::string, std::string> blocks_;  // type by index
  std::map<std::string, std::size_t> by_id_;   // strand of a call's id
  std::map<std::string, std::size_t> open_;    // strand of a block's pieces
};

}  // namespace

std::span<const LogicalStringClass> anthropic_strand_classes() {
  static constexpr auto kResult = std::to_array<std::string_view>({"result"});
  static constexpr auto kAll = std::to_array<LogicalStringClass>({
      {"text", StringKind::prose, true, {}},
      {"thinking", StringKind::prose, true, {}, true},
      {"compaction", StringKind::prose, false, {}},
      {"signature", StringKind::sealed, false, {}},
      {"tool_use.arguments", StringKind::arguments, true, {}},
      {"server_tool_use.arguments", StringKind::arguments, true, {}},
      {"mcp_tool_use.arguments", StringKind::arguments, true, {}},
      {"tool_use.name", StringKind::name, false, {}},
      {"server_tool_use.name", StringKind::name, false, {}},
      {"mcp_tool_use.name", StringKind::name, false, {}},
      {"tool_use.id", StringKind::id, false, {}},
      {"server_tool_use.id", StringKind::id, false, kResult},
      {"mcp_tool_use.id", StringKind::id, false, kResult},
      {"message.id", StringKind::id, false, {}, true},
  });
  return kAll;
}

std::vector<LogicalString> anthropic_strands(const Draft& draft) { return AnthropicStrings(draft).all(); }

}  // namespace splitproof::dialect
