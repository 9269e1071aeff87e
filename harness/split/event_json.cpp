#include "harness/split/event_json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/split/utf16.hpp"

namespace splitproof::split {
namespace {

using Json = nlohmann::ordered_json;

/// Bounds the recursion.
constexpr int kMaxDepth = 128;

bool holds_half_mark(std::string_view json) {
  const auto same_letter = [](char a, char b) {
    return a == b || (b >= 'A' && b <= 'F' && a == b - 'A' + 'a');
  };
  constexpr std::string_view kEscape = "\\ufdd0";
  return json.find(kSurrogateMark) != std::string_view::npos ||
         std::search(json.begin(), json.end(), kEscape.begin(), kEscape.end(),
                     [&](char in_json, char letter) { return same_letter(letter, in_json); }) != json.end();
}

}  // namespace

std::shared_ptr<const Json> parse_event(std::string_view text) {
  bool too_deep = false;
  Json parsed = Json::parse(
      text,
      [&](int depth, Json::parse_event_t, Json&) {
        too_deep = too_deep || depth > kMaxDepth;
        return !too_deep;
      },
      false);
  if (parsed.is_discarded() || too_deep || holds_half_mark(text)) return nullptr;
  return std::make_shared<const Json>(std::move(parsed));
}

std::string write_event(const Json& event) { return write_surrogates(event.dump()); }

}  // namespace splitproof::split
