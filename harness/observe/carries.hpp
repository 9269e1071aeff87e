#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

namespace splitproof::observe {

/// Letters, digits, `_` and `-`, at least one: an id that every client accepts.
inline bool is_plain_id(std::string_view id) {
  return !id.empty() && std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

inline bool is_any_id(std::string_view id) { return !id.empty(); }

/// What clients of a dialect can be told, as far as it decides what must come of an answer. The defaults are the least
/// that any can. All of them may be told one part after the other, so DueCount needs none of this.
struct Carries {
  bool (*accepts_id)(std::string_view id) = is_plain_id;  ///< of a call; a translator replaces others
  bool refusals = false;    ///< a refusal as a kind of its own; else it is text, and why the answer ended
  bool filter = false;      ///< that a filter ended the answer; else the profile says what is told instead
  bool calls = true;        ///< that calls ended the answer; else it is a stop like other
  bool incomplete = false;  ///< that an answer is incomplete, which is as good as an error where it broke off
  bool signatures = true;   ///< signatures of another provider
  bool order = true;        ///< the order among text, thinking and calls; else only that among each of them
  std::set<std::string> custom_tools{};  ///< which take text in place of JSON, as the client's request says
};

}  // namespace splitproof::observe
