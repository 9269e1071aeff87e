#pragma once

namespace splitproof::cli {

/// The programs' exit codes. If several apply, the order is 3, 2, 4, 5, 1.
enum ExitCode : int {
  kConforms = 0,         ///< every result as expected
  kViolates = 1,         ///< at least one unexpected result
  kWrongInput = 2,       ///< usage, contract, recording, expectation or report file wrong
  kInternalError = 3,    ///< the harness itself is broken
  kUnavailable = 4,      ///< a testee could not be started, or never called its upstream
  kNothingSelected = 5,  ///< no recording or case is left to run
  kInterrupted = 128,    ///< plus the signal's number
};

}  // namespace splitproof::cli
