#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/result.hpp"
#include "harness/selftest/tally.hpp"

namespace splitproof::selftest {

/// Reason for which changes in some places may stay undetected.
struct Pass {
  std::string protocol;
  std::string why;
  std::vector<std::string> changes;  ///< Kinds, or "any".
  std::vector<std::string>
      events;  ///< Classes of events; a trailing `*` matches any rest; empty: every event.
  std::vector<std::string> fields;  ///< Fields in the same form; empty: every field, and changes of no field.
  std::string file;
  std::size_t line = 0;

  bool covers(const ChangePlace& place) const;
  bool operator==(const Pass&) const = default;
};

/// Reason for which some kinds of flaw (harness/selftest/kinds/kind.hpp) may stay silent.
struct SilentKinds {
  std::string protocol;
  std::string why;
  std::vector<std::string> kinds;  ///< Patterns of their names, with `*` for any text.
  std::string file;
  std::size_t line = 0;

  bool operator==(const SilentKinds&) const = default;
};

struct Reasons {
  std::vector<Pass> passes;
  std::vector<SilentKinds> silences;
};

/// Loads every `*.yaml` in `self-test/` below each folder of contracts, sorted by folder and file name. A folder without
/// `self-test/` has no reasons. Each file:
///
///   self-test: PROTOCOL
///   passes:
///     - why: SENTENCE    changes: [KIND]    events: [CLASS]    fields: [FIELD]    # the last two are optional
///   silent:
///     - why: SENTENCE    kinds: [PATTERN]
///
/// Both lists are optional. An Error names the file, the line and a fix.
Result<Reasons> load_reasons(const std::vector<std::filesystem::path>& dirs);

/// True if a kind's name matches a pattern.
bool fits_kind(const std::string& pattern, const std::string& kind);

/// Returns the index in `silences` of the first that covers the kind, or nullopt.
std::optional<std::size_t> silence_for(const std::vector<SilentKinds>& silences, const std::string& protocol,
                                       const std::string& kind);

/// Returns the index in `passes` of the first that covers the place, or nullopt.
std::optional<std::size_t> pass_for(const std::vector<Pass>& passes, const std::string& protocol,
                                    const ChangePlace& place);

}  // namespace splitproof::selftest
