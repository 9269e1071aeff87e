#include "harness/cause/kind.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/cause/stake.hpp"
#include "harness/strict_json.hpp"

namespace splitproof::cause {
namespace {

using nlohmann::json;

// True if `part` results from removing elements of `whole`.
template <class Sequence>
bool is_part(const Sequence& part, const Sequence& whole) {
  auto next = whole.begin();
  for (const auto& one : part) {
    next = std::find(next, whole.end(), one);
    if (next == whole.end()) return false;
    ++next;
  }
  return true;
}

template <class Sequence>
std::string_view manner_of(const Sequence& found, const Sequence& wanted) {
  if (is_part(found, wanted)) return "less";
  return is_part(wanted, found) ? "more" : "other";
}

std::string_view manner_of(const json& found, const json& wanted) {
  if (found.is_string() && wanted.is_string())
    return manner_of(found.get_ref<const std::string&>(), wanted.get_ref<const std::string&>());
  if (found.is_array() && wanted.is_array())
    return manner_of(found.get_ref<const json::array_t&>(), wanted.get_ref<const json::array_t&>());
  if (found.is_number() && wanted.is_number()) return found < wanted ? "less" : "more";
  if (found.is_null() != wanted.is_null()) return found.is_null() ? "less" : "more";
  return "other";
}

}  // namespace

std::string kind_of(const results::Symptom& symptom, bool of_a_shape) {
  const contract::Violation& violation = symptom.violation;
  if (!is_grave(stake_of(symptom.rule, violation.clause))) return {};
  const auto found = parse_strict_json(violation.found);
  const auto wanted = parse_strict_json(violation.wanted);
  if (found && wanted && (*found)->is_boolean() && (*wanted)->is_boolean())
    return (*wanted)->get<bool>() ? (symptom.place.event ? "ended" : "open") : "";
  if (of_a_shape) return {};
  const std::string clause = std::to_string(violation.clause + 1);
  if (!found || !wanted) return clause;
  const std::string manner(manner_of(**found, **wanted));
  return violation.clause == 0 ? manner : clause + "-" + manner;
}

std::string manner_of_kind(std::string_view kind) {
  constexpr std::pair<std::string_view, const char*> kManners[] = {{"less", "lost"},
                                                                   {"more", "added"},
                                                                   {"other", "changed"},
                                                                   {"ended", "ends as a success"},
                                                                   {"open", "has no end"}};
  for (const auto& [end, manner] : kManners)
    if (kind.ends_with(end)) return manner;
  return {};
}

}  // namespace splitproof::cause
