// Content of a stream of Chat Completions, and its places.

#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "harness/dialect/openai_chat/self_test_tables.hpp"
#include "harness/json_member.hpp"

namespace splitproof::dialect {
namespace {

using json = nlohmann::ordered_json;

class ChatStrings {
 public:
  explicit ChatStrings(const Draft& draft) : draft_(draft) {}

  std::vector<LogicalString> all() && {
    for (std::size_t i = 0; i < draft_.size(); ++i) {
      envelope(i);
      const json& choices = member(draft_.data(i), "choices");
      for (std::size_t k = 0; choices.is_array() && k < choices.size(); ++k) choice(i, k, choices[k]);
    }
    return std::move(strands_);
  }

 private:
  void envelope(std::size_t event) {
    for (const auto& [what, field] : {std::pair("chunk.id", "/id"), std::pair("chunk.model", "/model")}) {
      if (!draft_.at({event, field}).is_string()) continue;
      const auto [place, is_new] = open_.emplace(what, strands_.size());
      if (is_new) {
        strands_.push_back({what, {{event, field}}, {}});
      } else {
        strands_[place->second].repeats.push_back({"later", {event, field}});
      }
    }
  }

  void choice(std::size_t event, std::size_t k, const json& choice) {
    const std::string base = "/choices/" + std::to_string(k) + "/delta/";
    const std::string key = member(choice, "index").dump();
    const json& delta = member(choice, "delta");
    piece(key == "0" ? "content" : "other-choice.content", key, event, base + "content");
    piece("reasoning", key, event, base + "reasoning_content");
    piece("reasoning", key, event, base + "reasoning");
    piece("refusal", key, event, base + "refusal");
    piece("function_call.name", key, event, base + "function_call/name");
    piece("function_call.arguments", key, event, base + "function_call/arguments");
    const json& calls = member(delta, "tool_calls");
    for (std::size_t c = 0; calls.is_array() && c < calls.size(); ++c) {
      const std::string call = base + "tool_calls/" + std::to_string(c) + "/";
      const std::string call_key = key + "." + member(calls[c], "index").dump();
      piece("call.id", call_key, event, call + "id");
      piece("call.name", call_key, event, call + "function/name");
      piece("call.arguments", call_key, event, call + "function/arguments");
      piece("custom.name", call_key, event, call + "custom/name");
      piece("custom.input", call_key, event, call + "custom/input");
    }
  }

  // Empty text is not a piece.
  void piece(std::string_view what, const std::string& key, std::size_t event, const std::string& field) {
    if (draft_.text({event, field}).empty()) return;
    const auto [place, is_new] = open_.emplace(std::string(what) + key, strands_.size());
    if (is_new) strands_.push_back({what, {}, {}});
    strands_[place->second].pieces.push_back({event, field});
  }

  const Draft& draft_;
  std::vector<LogicalString> strands_;
  std::map<std::string, std::size_t> open_;
};

}  // namespace

std::span<const LogicalStringClass> chat_strand_classes() {
  static constexpr auto kLater = std::to_array<std::string_view>({"later"});
  static constexpr auto kAll = std::to_array<LogicalStringClass>({
      {"content", StringKind::prose, true, {}, true},
      {"other-choice.content", StringKind::prose, true, {}},
      {"reasoning", StringKind::prose, true, {}, true},
      {"refusal", StringKind::prose, true, {}, true},
      {"call.arguments", StringKind::arguments, true, {}},
      {"function_call.arguments", StringKind::arguments, true, {}, true},
      {"custom.input", StringKind::input, true, {}, true},
      {"call.name", StringKind::name, false, {}},
      {"custom.name", StringKind::name, false, {}, true},
      {"function_call.name", StringKind::name, false, {}, true},
      {"call.id", StringKind::id, false, {}},
      {"chunk.id", StringKind::id, false, kLater, true},
      {"chunk.model", StringKind::id, false, kLater, true},
  });
  return kAll;
}

std::vector<LogicalString> chat_strands(const Draft& draft) { return ChatStrings(draft).all(); }

}  // namespace splitproof::dialect
