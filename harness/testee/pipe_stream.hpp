#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

#include "harness/result.hpp"
#include "harness/testee/copyable.hpp"
#include "harness/testee/pipe_program.hpp"

namespace splitproof::testee {

/// Limits of an exchange over a pipe.
struct PipeLimits {
  std::chrono::milliseconds opening{0};  ///< For the answer to `open`.
  std::chrono::milliseconds answer{0};   ///< For each later answer.
  std::size_t most = 0;                  ///< Bytes of output for one line.
};

/// Opens an exchange of a program that answers `fork` and `use` (docs/without-http.md). All copies share the program, which
/// keeps their states. The Error is the program's answer if it opens none.
Result<std::unique_ptr<CopyableStream>> open_pipe_stream(std::unique_ptr<PipeProgram> program,
                                                         const std::string& opening,
                                                         const PipeLimits& limits);

/// What a program can do with the state of an exchange.
struct PipeCopying {
  bool copies = false;    ///< It answers `fork` and `use`.
  bool compares = false;  ///< It answers `digest` too.
};

/// Tries the lines on a program that is ended afterwards.
PipeCopying try_copying(std::unique_ptr<PipeProgram> program, const std::string& opening,
                        const PipeLimits& limits);

}  // namespace splitproof::testee
