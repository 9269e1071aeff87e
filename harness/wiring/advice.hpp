#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "harness/testee/target_file.hpp"
#include "harness/wiring/prober.hpp"

namespace splitproof::wiring {

/// The thing that the user can change: the command line of `try`, or a target file.
enum class Advised { command_line, target_file };

/// Returns the line of a program's output that explains a failure: the first with the word "error", or else the last one.
std::string error_line(std::string_view said);

/// Returns `text` in one line of at most `most` bytes.
std::string clipped(std::string_view text, std::size_t most);

/// Returns the change to make if the proxy did not start or does not listen. `said` is the end of its standard error.
std::string advice_on_start(std::string_view said, Advised advised);

/// A question that failed, with all that helps to explain it.
struct FailedProbe {
  const ClientProbe& probe;        ///< The question that got furthest.
  const testee::TargetFile& file;  ///< The target.
  std::string said;                ///< The end of the proxy's standard error.
  std::vector<std::string> own;    ///< Their own ports: the proxy's and the stand-in's.
};

/// Returns the change to make if no request reached the stand-in, or if the client cannot read the answer.
std::string advice_on_probe(const FailedProbe& failed, Advised advised);

}  // namespace splitproof::wiring
