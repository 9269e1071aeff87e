// Members that are missing or of another type.

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "harness/selftest/kinds/families.hpp"

namespace splitproof::selftest {
namespace {

using dialect::KnownMember;
using dialect::MemberShape;
using json = nlohmann::ordered_json;

struct WrongValue {
  MemberShape shape;
  Operator what;
  std::string_view value;  ///< As JSON.
};

constexpr std::string_view kNoCount = "a client that adds the counts throws, or bills a wrong amount";
constexpr std::string_view kNoIndex = "a client does not know its event";
constexpr std::string_view kNoWord = "a client that checks words throws, and another client uses its default";
constexpr std::string_view kNoObject = "a client that reads a member of it throws";
constexpr std::string_view kNoList = "a client that iterates over it throws";
constexpr std::string_view kNoFlag = "a client that checks types throws, and another client reads it as true";

constexpr auto kWrongs = std::to_array<WrongValue>({
    {MemberShape::count, {"negative", Effect::shape, kNoCount}, "-1"},
    {MemberShape::count, {"fraction", Effect::shape, kNoCount}, "1.5"},
    {MemberShape::count, {"text", Effect::shape, kNoCount}, "\"12\""},
    {MemberShape::count, {"true", Effect::shape, kNoCount}, "true"},
    {MemberShape::count, {"list", Effect::shape, kNoCount}, "[]"},
    {MemberShape::count, {"object", Effect::shape, kNoCount}, "{}"},
    {MemberShape::index, {"negative", Effect::shape, kNoIndex}, "-1"},
    {MemberShape::index, {"fraction", Effect::shape, kNoIndex}, "0.5"},
    {MemberShape::index, {"text", Effect::shape, kNoIndex}, "\"0\""},
    {MemberShape::index, {"true", Effect::shape, kNoIndex}, "true"},
    {MemberShape::index, {"list", Effect::shape, kNoIndex}, "[]"},
    {MemberShape::index, {"far-away", Effect::shape, kNoIndex}, "4711"},
    {MemberShape::text, {"number", Effect::shape, kNoText}, "7"},
    {MemberShape::text, {"true", Effect::shape, kNoText}, "true"},
    {MemberShape::text, {"list", Effect::shape, kNoText}, "[]"},
    {MemberShape::text, {"object", Effect::shape, kNoText}, "{}"},
    {MemberShape::word, {"number", Effect::shape, kNoWord}, "7"},
    {MemberShape::word, {"list", Effect::shape, kNoWord}, "[]"},
    {MemberShape::word, {"empty", Effect::shape, kNoWord}, "\"\""},
    {MemberShape::word, {"unknown", Effect::shape, kNoWord}, "\"tide\""},
    {MemberShape::object, {"list", Effect::shape, kNoObject}, "[]"},
    {MemberShape::object, {"text", Effect::shape, kNoObject}, "\"{}\""},
    {MemberShape::object, {"number", Effect::shape, kNoObject}, "7"},
    {MemberShape::object, {"true", Effect::shape, kNoObject}, "true"},
    {MemberShape::list, {"object", Effect::shape, kNoList}, "{}"},
    {MemberShape::list, {"text", Effect::shape, kNoList}, "\"[]\""},
    {MemberShape::list, {"number", Effect::shape, kNoList}, "7"},
    {MemberShape::list, {"of-null", Effect::shape, kNoList}, "[null]"},
    {MemberShape::flag, {"text", Effect::shape, kNoFlag}, "\"true\""},
    {MemberShape::flag, {"number", Effect::shape, kNoFlag}, "1"},
});

constexpr Operator kNull = {"null", Effect::shape, "a client that reads it throws, or shows null"};
constexpr Operator kAbsentMember = {"absent", Effect::shape,
                                    "a client that reads it throws, or shows undefined"};
constexpr Operator kCase = {"other-case", Effect::shape, kNoWord};
constexpr Operator kBlank = {"blank-behind", Effect::shape, kNoWord};

bool fits(const Draft& draft, std::size_t event, const KnownMember& member,
          std::span<const char* const> inner_types) {
  if (!member.type.empty() && draft.type(event) != member.type) return false;
  if (member.inner.empty()) return true;
  return std::any_of(inner_types.begin(), inner_types.end(), [&](const char* at) {
    return draft.text({event, at}) == member.inner;
  });
}

// Returns the first place in an event with this field and shape. null and empty values have no shape.
std::string found(const json& value, const std::string& rest, const std::string& before,
                  const KnownMember& member) {
  if (rest.empty()) return value.is_null() || value == "" ? std::string() : before;
  const std::size_t end = rest.find('/', 1);
  const std::string key = rest.substr(1, end == std::string::npos ? end : end - 1);
  const std::string next = end == std::string::npos ? "" : rest.substr(end);
  if (key != "*") {
    if (!value.is_object() || !value.contains(key)) return "";
    // Texts and words may begin empty.
    if (next.empty() && member.shape == MemberShape::text && value[key].is_string())
      return before + "/" + key;
    return found(value[key], next, before + "/" + key, member);
  }
  for (std::size_t i = 0; value.is_array() && i < value.size(); ++i) {
    const std::string place = found(value[i], next, before + "/" + std::to_string(i), member);
    if (!place.empty()) return place;
  }
  return "";
}

// Calls `change` for the first and the last event of a body that has the member.
template <class Change>
ChangedBodies at_member(const Draft& draft, const KnownMember& member,
                        std::span<const char* const> inner_types, const Change& change) {
  std::vector<FieldRef> spots;
  for (std::size_t i = 0; i < draft.size(); ++i) {
    if (!fits(draft, i, member, inner_types)) continue;
    const std::string place = found(draft.data(i), std::string(member.at), "", member);
    if (!place.empty()) spots.push_back({i, place});
  }
  if (spots.size() > 2) spots.erase(spots.begin() + 1, spots.end() - 1);
  ChangedBodies bodies;
  for (const FieldRef& spot : spots) {
    Draft changed = draft;
    change(changed, spot);
    bodies.push_back(changed.body());
  }
  return bodies;
}

template <class Change>
void add(KindList& kinds, const Operator& op, const KnownMember& member, Change change) {
  kinds.add("fields", op, member.name,
            [member, change, inner_types = kinds.words().inner_types](const Draft& draft) {
              return at_member(draft, member, inner_types, change);
            });
}

void add_member(KindList& kinds, const KnownMember& member) {
  for (const WrongValue& wrong : kWrongs) {
    if (wrong.shape != member.shape) continue;
    add(kinds, wrong.what, member,
        [value = wrong.value](Draft& draft, const FieldRef& spot) { draft.set_json(spot, value); });
  }
  if (member.shape == MemberShape::word) {
    add(kinds, kCase, member, [](Draft& draft, const FieldRef& spot) {
      std::string word = draft.text(spot);
      const bool has_small =
          std::any_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
      for (char& c : word) {
        if (has_small && c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
        if (!has_small && c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
      }
      draft.set(spot, word);
    });
    add(kinds, kBlank, member,
        [](Draft& draft, const FieldRef& spot) { draft.set(spot, draft.text(spot) + " "); });
  }
  if (member.need == dialect::Need::may_lack) return;
  add(kinds, kNull, member, [](Draft& draft, const FieldRef& spot) { draft.set(spot, nullptr); });
  if (member.at.back() == '*') return;  // a missing element only makes the list shorter
  add(kinds, kAbsentMember, member, [](Draft& draft, const FieldRef& spot) { draft.erase(spot); });
}

}  // namespace

void add_member_kinds(KindList& kinds) {
  for (const KnownMember& member : kinds.words().members()) add_member(kinds, member);
}

}  // namespace splitproof::selftest
