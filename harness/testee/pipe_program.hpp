#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/testee/pipe_protocol.hpp"
#include "harness/testee/process.hpp"
#include "harness/testee/socket.hpp"

namespace splitproof::testee {

/// What a program answered to a line.
struct PipeReply {
  enum class Kind : std::uint8_t {
    ack,
    skip,     ///< `detail`: its reason, with the issue in parentheses
    error,    ///< `detail`: what it says of its failure
    crashed,  ///< it ended, or closed its output
    hung,     ///< no answer came in time
    garbage,  ///< it wrote what the protocol does not allow
    stopped,  ///< a stop was requested
  };
  Kind kind = Kind::ack;
  std::string detail;       ///< one clause about anything but `ack`
  bool ended_well = false;  ///< of `crashed`: with exit code 0, and not within a line
  std::vector<std::string> asks =
      {};            ///< what it said before that it asks of its upstream, as PipeWord has it
  bool cut = false;  ///< before it answered, it said that the client's message breaks off
};

/// A program that speaks the pipe protocol, and the two pipes to it. Everything it may do is survived: each wait has an
/// end, both pipes are served at once so that neither side waits for the other for ever, and what it writes is bounded.
class PipeProgram {
 public:
  /// `process` has pipes; `errors` is the file of its standard error, which details quote. It is kept unless it is empty.
  /// `stop`, which must outlive this, ends every wait.
  PipeProgram(std::unique_ptr<Process> process, std::string errors, const StopToken& stop)
      : process_(std::move(process)), errors_(std::move(errors)), stop_(stop) {}
  ~PipeProgram();
  PipeProgram(const PipeProgram&) = delete;
  PipeProgram& operator=(const PipeProgram&) = delete;

  /// Writes one line and reads up to its answer. Bytes for the client are appended to `body`, which may grow up to
  /// `most`.
  PipeReply tell(std::string_view line, std::chrono::milliseconds wait, std::string& body, std::size_t most);

  /// Listens for so long to what it writes without being asked, and returns the beginning of that; empty where there is
  /// nothing.
  std::string_view overhear(std::chrono::milliseconds wait);

  /// Looks at it while nothing is asked of it. `ack`: it can be told a line. Else `crashed` where it has ended, or
  /// `garbage` where it has written something.
  PipeReply look();

 private:
  enum class Pipe : std::uint8_t { more, empty, closed };  // what was left when reading stopped

  Pipe read_what_is_there();
  bool write_some(std::string_view& line);
  bool unread_input() const;
  PipeReply ended() const;
  std::string last_error() const;

  std::unique_ptr<Process> process_;
  std::string errors_;
  const StopToken& stop_;
  PipeLines lines_;
};

}  // namespace splitproof::testee
