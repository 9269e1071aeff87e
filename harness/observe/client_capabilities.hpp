#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/observe/functions.hpp"
#include "harness/observe/name_map.hpp"

namespace splitproof::observe {

/// Letters, digits, `_` and `-`, at least one: an id that every client accepts.
inline bool is_plain_id(std::string_view id) {
  return !id.empty() && std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

inline bool is_any_id(std::string_view id) { return !id.empty(); }

/// What becomes of a kind of part or note of an answer for clients that speak another protocol than its provider.
enum class LossPolicy : std::uint8_t {
  carried,
  text,
  dropped,
  sealed,  ///< told as data that only the provider can read, with the same bytes, or left out
  refused  ///< the answer ends in an error
};

/// What clients of a dialect can be told, as far as it decides what must come of an answer. The defaults are the least
/// that any can.
struct ClientCapabilities {
  bool (*accepts_id)(std::string_view id) = is_plain_id;  ///< of a call; a translator replaces others
  bool filter = false;      ///< that a filter ended the answer; else the profile says what is told instead
  bool calls = true;        ///< that calls ended the answer; else it is a stop like other
  bool incomplete = false;  ///< that an answer is incomplete, which is as good as an error where it broke off
  bool stop_text =
      false;  ///< that a text ended the answer which the client had named; else it is a stop like other
  bool usage = true;  ///< tokens: its request may not ask for them
  /// The block that tells data which only the provider can read, as JSON; null: the dialect has none.
  std::string (*sealed_block)(std::string_view data) = nullptr;
  bool order = true;  ///< the order among text, thinking and calls; else only that among each of them
  std::set<std::string> custom_tools{};  ///< which take text in place of JSON, as the client's request says
  DeclaredFunctions
      functions{};      ///< likewise, that calls in text may be calls of, as the upstream knows them
  Renaming renaming{};  ///< what becomes of the upstream's names and arguments
  std::string model{};  ///< likewise, that the client asked for; empty: none
  std::vector<std::string> stops{};  ///< likewise, the texts at which the answer is to end

  /// By kind, as kind_of() has them, what contracts/lossy.yaml says. A refusal that is text is also why the answer ended.
  std::map<std::string, LossPolicy> losses{{"refusal", LossPolicy::text}};

  LossPolicy becomes_of(const std::string& kind) const {
    for (const std::string& listed : {kind, std::string("unknown")})
      if (const auto found = losses.find(listed); found != losses.end()) return found->second;
    return LossPolicy::carried;
  }
};

}  // namespace splitproof::observe
