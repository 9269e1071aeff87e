#include "harness/dialect/openai_responses/edits.hpp"

#include <nlohmann/json.hpp>

namespace splitproof::dialect::responses_edits {

using json = nlohmann::ordered_json;

std::size_t item_event(const Draft& draft, std::string_view event, std::string_view item) {
  std::size_t i = 0;
  while (i < draft.size() && (draft.type(i) != event || draft.text({i, "/item/type"}) != item)) ++i;
  return i;
}

bool set_in(Draft& draft, std::string_view type, const std::string& field, std::string_view value) {
  const std::size_t event = draft.first(type);
  if (!draft.has({event, field})) return false;
  draft.set_json({event, field}, value);
  return true;
}

std::size_t end_of(const Draft& draft) {
  for (const char* type : {"response.completed", "response.incomplete", "response.failed"}) {
    if (draft.first(type) < draft.size()) return draft.first(type);
  }
  return draft.size();
}

bool set_at_end(Draft& draft, const std::string& field, std::string_view value) {
  const std::size_t end = end_of(draft);
  if (!draft.has({end, field})) return false;
  draft.set_json({end, field}, value);
  return true;
}

}  // namespace splitproof::dialect::responses_edits
