#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/result.hpp"
#include "harness/selftest/tally.hpp"

namespace splitproof::selftest {

/// Why changes in some places may pass unseen.
struct Pass {
  std::string protocol;
  std::string why;
  std::vector<std::string> changes;  ///< kinds, or "any"
  std::vector<std::string>
      events;  ///< classes of events; one that ends in `*` stands for all that begin so; none: every
  std::vector<std::string> fields;  ///< the same of fields; none: every, and changes to no field
  std::string file;
  std::size_t line = 0;

  bool covers(const ChangePlace& place) const;
  bool operator==(const Pass&) const = default;
};

/// Why streams of some kinds of flaw (harness/selftest/kinds/kind.hpp) may stay silent.
struct SilentKinds {
  std::string protocol;
  std::string why;
  std::vector<std::string> kinds;  ///< patterns of their names, in which `*` stands for anything
  std::string file;
  std::size_t line = 0;

  bool operator==(const SilentKinds&) const = default;
};

struct Reasons {
  std::vector<Pass> passes;
  std::vector<SilentKinds> silences;
};

/// Loads every `*.yaml` in `self-test/` below each folder of contracts, by folder and file name; a folder without is one
/// without reasons. Each file:
///
///   self-test: PROTOCOL
///   passes:
///     - why: SENTENCE    changes: [KIND]    events: [CLASS]    fields: [FIELD]    # the last two may be left out
///   silent:
///     - why: SENTENCE    kinds: [PATTERN]
///
/// Either list may be left out. An Error names the file, the line and how to fix it.
Result<Reasons> load_reasons(const std::vector<std::filesystem::path>& dirs);

/// Whether a kind's name fits a pattern.
bool fits_kind(const std::string& pattern, const std::string& kind);

/// The first that covers the kind, as its position in `silences`; none where nothing excuses it.
std::optional<std::size_t> silence_for(const std::vector<SilentKinds>& silences, const std::string& protocol,
                                       const std::string& kind);

/// The first that covers the place, as its position in `passes`; none where nothing excuses it.
std::optional<std::size_t> pass_for(const std::vector<Pass>& passes, const std::string& protocol,
                                    const ChangePlace& place);

}  // namespace splitproof::selftest
