#include "harness/observe/stop_texts.hpp"

#include <tuple>

namespace splitproof::observe {

std::optional<std::size_t> first_stop(std::string_view text, const std::vector<std::string>& stops) {
  std::optional<std::tuple<std::size_t, std::size_t>> best;  // its end and its begin
  for (const std::string& stop : stops) {
    const std::size_t begin = stop.empty() ? text.npos : text.find(stop);
    if (begin == text.npos) continue;
    const std::tuple found(begin + stop.size(), begin);
    if (!best || found < *best) best = found;
  }
  return best ? std::optional(std::get<1>(*best)) : std::nullopt;
}

bool cut_at_stops(std::vector<Part>& parts, const std::vector<std::string>& stops) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].kind != PartKind::text) continue;
    const auto at = first_stop(parts[i].text, stops);
    if (!at) continue;
    parts[i].text.resize(*at);
    parts.resize(parts[i].text.empty() ? i : i + 1);
    return true;
  }
  return false;
}

}  // namespace splitproof::observe
