#pragma once

namespace splitproof::cli {

/// The programs' exit codes. If several apply, the order is 3, 2, 4, 5, 1.
enum ExitCode : int {
  kConforms = 0,         ///< Every result is as expected.
  kViolates = 1,         ///< At least one result is unexpected.
  kWrongInput = 2,       ///< A command line, contract, recording, expectation or report file is wrong.
  kInternalError = 3,    ///< The harness itself is broken.
  kUnavailable = 4,      ///< A testee could not be started, or never called its upstream.
  kNothingSelected = 5,  ///< No recording or case is left to run.
  kInterrupted = 128,    ///< Plus the signal's number.
};

}  // namespace splitproof::cli
