#include "harness/cause/kind.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/campaign/meta.hpp"
#include "harness/campaign/whole_answer.hpp"
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

std::string_view manner_of(const json& found, const json& wanted);

// Joins the manners of several places: "mixed" if they differ.
std::string_view joined(std::string_view a, std::string_view b) { return a.empty() || a == b ? b : "mixed"; }

std::string_view manner_of_members(const json& found, const json& wanted) {
  std::string_view manner;
  for (const auto& [key, value] : found.items()) {
    const auto other = wanted.find(key);
    if (other == wanted.end())
      manner = joined(manner, "more");
    else if (*other != value)
      manner = joined(manner, manner_of(value, *other));
  }
  for (const auto& [key, value] : wanted.items())
    if (!found.contains(key)) manner = joined(manner, "less");
  return manner;
}

std::string_view manner_of_elements(const json& found, const json& wanted) {
  std::string_view manner;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (found[i] != wanted[i]) manner = joined(manner, manner_of(found[i], wanted[i]));
  return manner;
}

std::string_view manner_of(const json& found, const json& wanted) {
  if (found == wanted) return "other";
  if (found.is_string() && wanted.is_string())
    return manner_of(found.get_ref<const std::string&>(), wanted.get_ref<const std::string&>());
  if (found.is_array() && wanted.is_array())
    return found.size() == wanted.size()
               ? manner_of_elements(found, wanted)
               : manner_of(found.get_ref<const json::array_t&>(), wanted.get_ref<const json::array_t&>());
  if (found.is_object() && wanted.is_object()) return manner_of_members(found, wanted);
  if (found.is_number() && wanted.is_number()) return found < wanted ? "less" : "more";
  if (found.is_null() != wanted.is_null()) return found.is_null() ? "less" : "more";
  return "other";
}

// True if a value is described, such as "one JSON object", and is no excerpt of a value.
bool is_in_words(std::string_view wanted, bool is_json) {
  const auto is_part = [](std::string_view value) {
    return value.empty() || value.starts_with("...") || value.ends_with("...");
  };
  return !is_json && !is_part(wanted) &&
         std::string_view("\"[{").find(wanted.front()) == std::string_view::npos;
}

}  // namespace

bool is_nothing(std::string_view value) {
  constexpr std::string_view kNothing[] = {"", "null", "\"\"", "[]", "{}", "absent", "nothing"};
  return std::find(std::begin(kNothing), std::end(kNothing), value) != std::end(kNothing);
}

std::string manner_of_values(const contract::Violation& violation) {
  const auto found = parse_strict_json(violation.found);
  const auto wanted = parse_strict_json(violation.wanted);
  return std::string(found && wanted ? manner_of(**found, **wanted) : "mixed");
}

std::string kind_of(const results::Symptom& symptom, bool of_a_shape) {
  const contract::Violation& violation = symptom.violation;
  if (symptom.rule == campaign::kSameWhole) return campaign::part_that_differs(violation.found);
  if (!is_grave(stake_of(symptom.rule, violation.clause))) return {};
  const auto found = parse_strict_json(violation.found);
  const auto wanted = parse_strict_json(violation.wanted);
  const std::string clause = std::to_string(violation.clause + 1);
  const std::string number = violation.clause == 0 ? std::string() : clause + "-";
  if (found && wanted && (*found)->is_boolean() && (*wanted)->is_boolean())
    return (*wanted)->get<bool>() ? number + (symptom.place.event ? "ended" : "open")
           : of_a_shape           ? ""
                                  : number + "failed";
  if (of_a_shape) return {};
  const bool has_nothing = is_nothing(violation.found);
  if (has_nothing != is_nothing(violation.wanted) && !violation.found.empty() && !violation.wanted.empty())
    return number + (has_nothing ? "less" : "more");
  const std::string manner = manner_of_values(violation);
  if (symptom.of_request && manner == "less") return number + "part";
  if (manner != "mixed") return number + manner;
  if (violation.found.empty() && violation.wanted.empty())
    return symptom.place.event ? number + "form" : "missing";
  return is_in_words(violation.wanted, wanted.has_value()) ? number + "other" : clause;
}

std::string clause_of_kind(std::string_view kind) {
  const std::size_t digits = std::min(kind.find_first_not_of("0123456789"), kind.size());
  const bool is_number = digits > 0 && (digits == kind.size() || kind[digits] == '-');
  return is_number ? std::string(kind.substr(0, digits)) : "1";
}

std::string manner_of_kind(std::string_view kind) {
  constexpr std::pair<std::string_view, const char*> kManners[] = {{"less", "lost"},
                                                                   {"more", "added"},
                                                                   {"other", "changed"},
                                                                   {"part", "partly lost"},
                                                                   {"missing", "missing"},
                                                                   {"form", "wrong events"},
                                                                   {"moved", "sent as another part"},
                                                                   {"ended", "ends as a success"},
                                                                   {"open", "has no end"},
                                                                   {"failed", "ends in an error"}};
  for (const auto& [end, manner] : kManners)
    if (kind.ends_with(end)) return manner;
  return {};
}

}  // namespace splitproof::cause
