// Content of a stream of Converse, and its places.

#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "harness/dialect/bedrock_converse/self_test_tables.hpp"
#include "harness/json_member.hpp"

namespace splitproof::dialect {
namespace {

struct ConverseDeltaString {
  std::string_view field;
  std::string_view what;
};

constexpr ConverseDeltaString kConverseDeltas[] = {
    {"/delta/text", "text"},
    {"/delta/reasoningContent/text", "thinking"},
    {"/delta/reasoningContent/signature", "signature"},
    {"/delta/toolUse/input", "call.input"},
};

}  // namespace

std::span<const LogicalStringClass> converse_strand_classes() {
  static constexpr auto kAll = std::to_array<LogicalStringClass>({
      {"text", StringKind::prose, true, {}},
      {"thinking", StringKind::prose, true, {}},
      {"signature", StringKind::sealed, false, {}},
      {"call.input", StringKind::arguments, true, {}},
      {"call.name", StringKind::name, false, {}},
      {"call.id", StringKind::id, false, {}},
  });
  return kAll;
}

std::vector<LogicalString> converse_strands(const Draft& draft) {
  std::vector<LogicalString> strands;
  std::map<std::string, std::size_t> open;  // strand of a block's pieces
  for (std::size_t i = 0; i < draft.size(); ++i) {
    for (const auto& [field, what] : {ConverseDeltaString{"/start/toolUse/name", "call.name"},
                                      ConverseDeltaString{"/start/toolUse/toolUseId", "call.id"}})
      if (draft.at({i, std::string(field)}).is_string())
        strands.push_back({what, {{i, std::string(field)}}, {}});
    const std::string index = draft.at({i, "/contentBlockIndex"}).dump();
    for (const ConverseDeltaString& delta : kConverseDeltas) {
      if (!draft.at({i, std::string(delta.field)}).is_string()) continue;
      const auto [place, is_new] = open.emplace(index + std::string(delta.what), strands.size());
      if (is_new) strands.push_back({delta.what, {}, {}});
      strands[place->second].pieces.push_back({i, std::string(delta.field)});
    }
  }
  return strands;
}

}  // namespace splitproof::dialect
