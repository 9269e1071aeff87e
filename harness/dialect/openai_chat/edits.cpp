#include "harness/dialect/openai_chat/edits.hpp"

#include <nlohmann/json.hpp>

namespace splitproof::dialect::chat_edits {

using json = nlohmann::ordered_json;

std::size_t with(const Draft& draft, const char* field, std::size_t from) {
  std::size_t i = from;
  while (i < draft.size() && draft.at({i, field}).is_null()) ++i;
  return i;
}

std::size_t text_event(const Draft& draft) {
  std::size_t i = 0;
  while (i < draft.size() && draft.text({i, kContent}).empty()) ++i;
  return i;
}

bool reindex(Draft& draft, const char* list_field, long long (*other)(long long index)) {
  bool any = false;
  for (std::size_t i = 0; i < draft.size(); ++i) {
    const json& list = draft.at({i, list_field});
    for (std::size_t k = 0; list.is_array() && k < list.size(); ++k) {
      const FieldRef spot{i, list_field + ("/" + std::to_string(k)) + "/index"};
      const json& index = draft.at(spot);
      if (!index.is_number_integer()) continue;
      const long long was = index.get<long long>();
      const long long now = other(was);
      if (now != was) draft.set(spot, now);
      any = any || now != was;
    }
  }
  return any;
}

bool add_delta(Draft& draft, std::size_t event, std::string_view delta) {
  if (!draft.has({0, "/choices/0/delta"}) || event > draft.size()) return false;
  draft.copy(0, event);
  json data = draft.data(event);
  data["choices"] = json::array({data["choices"][0]});
  data["choices"][0]["delta"] = json::parse(delta);
  draft.set_data(event, data);
  return true;
}

std::size_t behind(std::size_t event) { return event + 1; }

}  // namespace splitproof::dialect::chat_edits
