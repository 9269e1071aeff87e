#include "harness/dialect/one_piece.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "harness/strict_json.hpp"

namespace splitproof::dialect {
namespace {

using observe::FinishKind;
using observe::Part;
using observe::PartKind;

bool is_object(const std::string& arguments) {
  const auto read = parse_strict_json(arguments);
  return read && (*read)->is_object();
}

}  // namespace

bool fits_one_piece(const observe::Answer& answer) {
  if (answer.error || !answer.finish || answer.finish->kind == FinishKind::breakdown ||
      answer.finish->kind == FinishKind::unknown || answer.finish->kind == FinishKind::paused ||
      answer.shapes.contains("ambiguous"))
    return false;
  std::set<std::string> ids;
  return std::all_of(answer.parts.begin(), answer.parts.end(), [&](const Part& part) {
    if (part.kind != PartKind::call) return part.kind != PartKind::other;
    return !part.custom && !part.id.empty() && !part.name.empty() && ids.insert(part.id).second &&
           is_object(part.arguments);
  });
}

nlohmann::json known_counts(const std::vector<std::pair<const char*, std::optional<std::uint64_t>>>& counts) {
  nlohmann::json usage = nlohmann::json::object();
  for (const auto& [at, count] : counts)
    if (count) usage[nlohmann::json::json_pointer(at)] = *count;
  return usage;
}

}  // namespace splitproof::dialect
