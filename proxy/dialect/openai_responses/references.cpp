#include "proxy/dialect/openai_responses/references.hpp"

#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

std::optional<std::string> resolve_references(const std::string& body, std::size_t depth,
                                              const FindToldItem& find) {
  constexpr std::string_view kReference = "item_reference";
  if (body.find(kReference) == std::string::npos) return std::nullopt;
  const wire::JsonDocument document(body, depth);
  std::string resolved;
  std::size_t copied = 0;
  for (wire::Json item = document.root()["input"].first(); item; item = item.next()) {
    if (item["type"].text() != kReference) continue;
    const std::string whole = find(item["id"].text());
    if (whole.empty()) continue;
    const auto begin = static_cast<std::size_t>(item.raw().data() - body.data());
    resolved.append(body, copied, begin - copied).append(whole);
    copied = begin + item.raw().size();
  }
  if (copied == 0) return std::nullopt;
  return resolved.append(body, copied);
}

}  // namespace splitproof::proxy::dialect
