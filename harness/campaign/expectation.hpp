#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "harness/result.hpp"

namespace splitproof::campaign {

struct RecordingResult;

/// A known failure: somewhere among the recordings that it names, on the targets that it names, the obligations that it
/// names are violated. The three names are globs as fnmatch(3) reads them, where `*` matches `/` too and `\` takes the
/// next character literally.
struct Expectation {
  std::string target;
  std::string recording;
  std::string obligation;
  std::string reason;    ///< or a URL; may be empty
  std::string file;      ///< as the user named it
  std::size_t line = 0;  ///< from 1

  bool operator==(const Expectation&) const = default;
};

/// An expectation file, with all that a person wrote into it.
struct ExpectationFile {
  std::vector<std::string> lines;    ///< without line feeds
  std::vector<Expectation> entries;  ///< in the order of their lines

  bool operator==(const ExpectationFile&) const = default;
};

/// Reads `VIOLATES TARGET-GLOB RECORDING-GLOB OBLIGATION-GLOB # reason`, one a line, words apart by blanks or tabs.
/// The reason may be left out. Blank lines and those that begin with `#` are comments. An Error names the first line
/// that is anything else. `file` is for messages.
Result<ExpectationFile> parse_expectations(std::string_view text, const std::string& file);

/// "VIOLATES reference tools/two-calls TOOL-08 # reason", as in a file.
std::string line_of(const Expectation& expectation);

/// The glob that matches `name`: it parses as one word, and fits nothing else as long as `name` has no line end.
std::string glob_of(std::string_view name);

/// Whether the expectation is about this obligation on this recording through this target.
bool fits(const Expectation& expectation, const std::string& target, const std::string& recording,
          const std::string& obligation);

/// Notes in each violated row the first expectation that fits it.
void apply_expectations(RecordingResult& result, const std::vector<Expectation>& expectations);

/// An expectation that did not come true, and how: "it was met".
struct StaleExpectation {
  Expectation expectation;
  std::string why;

  bool operator==(const StaleExpectation&) const = default;
};

/// The expectations of which no row is violated, in their order. Those about none of the targets in `results` are not
/// judged. It makes sense for a whole run only: what was left out may be what an expectation is about.
std::vector<StaleExpectation> stale(const std::vector<Expectation>& expectations,
                                    const std::vector<RecordingResult>& results);

}  // namespace splitproof::campaign
