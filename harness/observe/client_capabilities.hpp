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

/// True for at least one letter, digit, `_` or `-` and no other characters. Every client accepts such an id.
inline bool is_plain_id(std::string_view id) {
  return !id.empty() && std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

inline bool is_any_id(std::string_view id) { return !id.empty(); }

/// Treatment of a kind of part or note for clients of a protocol that is not the provider's.
enum class LossPolicy : std::uint8_t {
  carried,
  text,
  dropped,
  sealed,  ///< Sent as data that only the provider can read, with the same bytes, or omitted.
  refused  ///< The answer ends in an error.
};

/// Capabilities of a client dialect that affect the expected answer. The defaults are the minimum of all
/// dialects.
struct ClientCapabilities {
  bool (*accepts_id)(std::string_view id) = is_plain_id;  ///< A translator replaces other ids.
  bool filter = false;      ///< Can report that a filter ended the answer; otherwise the profile chooses.
  bool calls = true;        ///< Can report that calls ended the answer; otherwise it is a normal stop.
  bool incomplete = false;  ///< Can report an incomplete answer, which is as good as an error after a cut.
  bool stop_text =
      false;  ///< Can report that a stop sequence ended the answer; otherwise it is a normal stop.
  bool whole_calls = false;  ///< A call is one piece, so it cannot be sent before its arguments are complete.
  bool usage = true;         ///< The client requests token counts.
  /// Returns the block for data that only the provider can read, as JSON. null: the dialect has none.
  std::string (*sealed_block)(std::string_view data) = nullptr;
  bool order = true;  ///< Keeps the order among text, thinking and calls; otherwise only within each kind.
  std::set<std::string> custom_tools{};  ///< Tools that take text instead of JSON, from the client's request.
  DeclaredFunctions functions{};  ///< The client's functions for calls in text, under the upstream's names.
  Renaming renaming{};            ///< Changes to the upstream's names and arguments.
  std::string model{};            ///< Model that the client requested; empty: none.
  std::vector<std::string> stops{};  ///< Stop sequences in the client's request.

  /// Treatment by kind, from contracts/lossy.yaml, with the names of kind_of(). A refusal that becomes text
  /// is also the reason for the end.
  std::map<std::string, LossPolicy> losses{{"refusal", LossPolicy::text}};

  LossPolicy becomes_of(const std::string& kind) const {
    for (const std::string& listed : {kind, std::string("unknown")})
      if (const auto found = losses.find(listed); found != losses.end()) return found->second;
    return LossPolicy::carried;
  }
};

}  // namespace splitproof::observe
