#pragma once

#include <compare>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "harness/result.hpp"

namespace splitproof::results {

struct RecordingResult;

/// A known failure: the named obligations are violated on some of the named recordings and targets. The three
/// names are globs of fnmatch(3): `*` also matches `/`, and `\` takes the next character literally.
struct Expectation {
  std::string target;
  std::string recording;
  std::string obligation;
  std::string reason;       ///< or a URL; may be empty
  std::string file;         ///< as named by the user
  std::size_t line = 0;     ///< from 1
  std::string says = {};    ///< beginning of the finding's message; empty: any message
  std::string until = {};   ///< last valid day, as 2026-11-23; empty: always valid
  std::string ticket = {};  ///< may be empty

  /// True if it is about the whole target, which dies, hangs or sends garbage. No single case repeats that.
  bool of_target = false;

  auto operator<=>(const Expectation&) const = default;
};

/// An expectation file as written.
struct ExpectationFile {
  std::vector<std::string> lines;    ///< without line feeds
  std::vector<Expectation> entries;  ///< in the order of their lines

  bool operator==(const ExpectationFile&) const = default;
};

/// Parses entries, one a line, with words separated by blanks or tabs:
///
///     VIOLATES TARGET-GLOB RECORDING-GLOB OBLIGATION-GLOB says="TEXT" until=DATE ticket=WORD # reason
///     DIES TARGET-GLOB until=DATE ticket=WORD # reason        (or HANGS, or GARBLES)
///
/// Words with `=` and the reason are optional; in TEXT, `\` escapes a quote or itself. Blank lines and lines
/// that begin with `#` are comments. The Error names the first invalid line. `file` is for messages.
Result<ExpectationFile> parse_expectations(std::string_view text, const std::string& file);

/// Returns the line for a file: "VIOLATES reference tools/two-calls TOOL-08 # reason".
std::string line_of(const Expectation& expectation);

/// Returns the stable beginning of a message for `says`. It ends before numbers and target-chosen names,
/// which another run may change.
std::string beginning_of(std::string_view message);

/// Returns a glob of one word that matches only `name`, if `name` has no line end.
std::string glob_of(std::string_view name);

/// True if the expectation matches obligation, recording and target; ignores messages.
bool fits(const Expectation& expectation, const std::string& target, const std::string& recording,
          const std::string& obligation);

/// True if it accepts this violation. `by_chance`: no case repeats the violation.
bool accepts(const Expectation& expectation, const std::string& message, bool by_chance);

/// Marks every violation that an expectation accepts as expected. A violated row with only expected
/// violations gets the first matching expectation. A row with others shows one of the others.
void apply_expectations(RecordingResult& result, const std::vector<Expectation>& expectations);

/// Removes and returns expectations whose last day is before `today`, as 2026-11-23.
std::vector<Expectation> take_expired(std::vector<Expectation>& expectations, const std::string& today);

/// An expectation without a matching violation, and why: "it was met".
struct StaleExpectation {
  Expectation expectation;
  std::string why;

  auto operator<=>(const StaleExpectation&) const = default;
};

/// Returns the expectations that accept no violation, in their order. Skips targets that are not in
/// `results`, and failures of a whole target, which depend on chance. Call it only for a complete run,
/// because an expectation may be about a skipped case.
std::vector<StaleExpectation> stale(const std::vector<Expectation>& expectations,
                                    const std::vector<RecordingResult>& results);

}  // namespace splitproof::results
