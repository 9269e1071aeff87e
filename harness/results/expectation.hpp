#pragma once

#include <compare>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "harness/result.hpp"

namespace splitproof::results {

struct RecordingResult;

/// A known failure: somewhere among the recordings that it names, on the targets that it names, the obligations that it
/// names are violated. The three names are globs as fnmatch(3) reads them, where `*` matches `/` too and `\` takes the
/// next character literally.
struct Expectation {
  std::string target;
  std::string recording;
  std::string obligation;
  std::string reason;       ///< or a URL; may be empty
  std::string file;         ///< as the user named it
  std::size_t line = 0;     ///< from 1
  std::string says = {};    ///< how the finding's message begins; empty: whatever it says
  std::string until = {};   ///< the last day on which it holds, as 2026-11-23; empty: every day
  std::string ticket = {};  ///< may be empty

  /// It is about the target as a whole: it dies, hangs or answers garbage, and no case brings that about again.
  bool of_target = false;

  auto operator<=>(const Expectation&) const = default;
};

/// An expectation file, with all that a person wrote into it.
struct ExpectationFile {
  std::vector<std::string> lines;    ///< without line feeds
  std::vector<Expectation> entries;  ///< in the order of their lines

  bool operator==(const ExpectationFile&) const = default;
};

/// Reads entries, one a line, words apart by blanks or tabs:
///
///     VIOLATES TARGET-GLOB RECORDING-GLOB OBLIGATION-GLOB says="TEXT" until=DATE ticket=WORD # reason
///     DIES TARGET-GLOB until=DATE ticket=WORD # reason        (or HANGS, or GARBLES)
///
/// The words with `=` and the reason may be left out; in TEXT, `\` takes a quote or itself literally. Blank lines and those
/// that begin with `#` are comments. An Error names the first line that is anything else. `file` is for messages.
Result<ExpectationFile> parse_expectations(std::string_view text, const std::string& file);

/// "VIOLATES reference tools/two-calls TOOL-08 # reason", as in a file.
std::string line_of(const Expectation& expectation);

/// How an expectation of a violation with this message would have it begin: as far as it depends on nothing that another run
/// may change, such as numbers, and names that a target chose.
std::string beginning_of(std::string_view message);

/// The glob that matches `name`: it parses as one word, and fits nothing else as long as `name` has no line end.
std::string glob_of(std::string_view name);

/// Whether the expectation is about this obligation on this recording through this target, whatever its violation says.
bool fits(const Expectation& expectation, const std::string& target, const std::string& recording,
          const std::string& obligation);

/// Whether it accepts this violation. `by_chance`: no case brings it about again.
bool accepts(const Expectation& expectation, const std::string& message, bool by_chance);

/// Notes in each violation that an expectation accepts that it is expected, and in each violated row, of which all are,
/// the first expectation that accepts one. A row that has others too is shown by one of these.
void apply_expectations(RecordingResult& result, const std::vector<Expectation>& expectations);

/// Takes out those whose last day is before `today`, as 2026-11-23, and returns them.
std::vector<Expectation> take_expired(std::vector<Expectation>& expectations, const std::string& today);

/// An expectation that did not come true, and how: "it was met".
struct StaleExpectation {
  Expectation expectation;
  std::string why;

  auto operator<=>(const StaleExpectation&) const = default;
};

/// The expectations that accept no violation, in their order. Those about none of the targets in `results` are not
/// judged, nor those about a target as a whole, which chance decides. It makes sense for a whole run only: what was left out may be what an expectation is about.
std::vector<StaleExpectation> stale(const std::vector<Expectation>& expectations,
                                    const std::vector<RecordingResult>& results);

}  // namespace splitproof::results
