#include "harness/dialect/anthropic_messages/edits.hpp"

#include <nlohmann/json.hpp>

namespace splitproof::dialect::anthropic_edits {

using json = nlohmann::ordered_json;

std::size_t start_of(const Draft& draft, std::string_view block, std::size_t from) {
  std::size_t i = from;
  while (i < draft.size() && draft.text({i, "/content_block/type"}) != block) ++i;
  return i;
}

void count_blocks(Draft& draft) {
  long long next = -1;
  for (std::size_t i = 0; i < draft.size(); ++i) {
    if (draft.type(i) == "content_block_start") ++next;
    if (draft.has({i, "/index"})) draft.set({i, "/index"}, next);
  }
}

bool set_at(Draft& draft, std::string_view block, const char* field, std::string_view value) {
  const std::size_t start = start_of(draft, block);
  if (start == draft.size() || !draft.has({start, field})) return false;
  draft.set_json({start, field}, value);
  return true;
}

bool at_the_start(Draft& draft, const char* field, std::string_view value) {
  const std::size_t start = draft.first("message_start");
  if (start == draft.size()) return false;
  draft.set_json({start, field}, value);
  return true;
}

}  // namespace splitproof::dialect::anthropic_edits
