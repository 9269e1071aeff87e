#include "harness/dialect/google_gemini/edits.hpp"

#include <nlohmann/json.hpp>

namespace splitproof::dialect::gemini {

std::size_t with(const Draft& draft, const char* field, std::size_t from) {
  std::size_t i = from;
  while (i < draft.size() && draft.at({i, field}).is_null()) ++i;
  return i;
}

std::size_t text_event(const Draft& draft) {
  std::size_t i = 0;
  while (i < draft.size() && (draft.text({i, kText}).empty() || draft.at({i, kThought}) == true)) ++i;
  return i;
}

bool set_at(Draft& draft, const char* having, const std::string& field, std::string_view value) {
  const std::size_t event = with(draft, having);
  if (event == draft.size()) return false;
  draft.set_json({event, field}, value);
  return true;
}

bool add_parts(Draft& draft, std::size_t event, std::string_view parts) {
  if (!draft.has({0, "/candidates/0/content/parts"}) || event > draft.size()) return false;
  draft.copy(0, event);
  draft.set_json({event, "/candidates/0/content/parts"}, parts);
  draft.erase({event, kReason});
  return true;
}

}  // namespace splitproof::dialect::gemini
