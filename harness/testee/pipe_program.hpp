#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/testee/pipe_protocol.hpp"
#include "harness/testee/process.hpp"
#include "harness/testee/socket.hpp"

namespace splitproof::testee {

/// A program's answer to a line.
struct PipeReply {
  enum class Kind : std::uint8_t {
    ack,
    skip,     ///< `detail`: its reason, with the issue in parentheses.
    error,    ///< `detail`: its error message.
    crashed,  ///< It ended, or closed its output.
    hung,     ///< No answer came in time.
    garbage,  ///< It violated the protocol.
    stopped,  ///< A stop was requested.
  };
  Kind kind = Kind::ack;
  std::string detail;                  ///< One clause, except for `ack`.
  bool ended_well = false;             ///< `crashed` only: with exit code 0, and not within a line.
  std::vector<std::string> asks = {};  ///< Upstream requests that it reported before (PipeWord).
  bool cut = false;                    ///< Before its answer, it cut the client's message.
  std::string digest = {};  ///< `ack` to kDigestLine only: the digest of its state; otherwise empty.
};

/// A program that speaks the pipe protocol, with its two pipes. It tolerates any behaviour of the program:
/// each wait ends, both pipes are served at once to prevent deadlocks, and the output is limited.
class PipeProgram {
 public:
  /// `process` must have pipes. `errors` is the file of its standard error, which details quote. It is
  /// removed if it is empty. `stop` must outlive this and ends every wait.
  PipeProgram(std::unique_ptr<Process> process, PipeRole role, std::string errors, const StopToken& stop)
      : process_(std::move(process)), role_(role), errors_(std::move(errors)), stop_(stop) {}
  ~PipeProgram();
  PipeProgram(const PipeProgram&) = delete;
  PipeProgram& operator=(const PipeProgram&) = delete;

  /// Writes one line and reads up to its answer. Appends bytes for the client to `body`, up to `most`. Calls `on_output`,
  /// if there is one, after each piece of output.
  PipeReply tell(std::string_view line, std::chrono::milliseconds wait, std::string& body, std::size_t most,
                 const std::function<void()>& on_output = {});

  /// Sends lines ahead. Each later call of tell() with an empty line takes the answer to one of them, in their order, and
  /// writes as much as the program reads. A program that has answered all of them is idle.
  void send_ahead(std::string lines, std::size_t count);

  /// True if lines that were sent ahead have no answer yet.
  bool owes_answers() const { return owed_ > 0; }

  /// Waits for unexpected output, and returns its beginning, or "".
  std::string_view overhear(std::chrono::milliseconds wait);

  /// Checks the idle program. Returns `ack` if it can take a line, `crashed` if it has ended, or `garbage` if
  /// it has written something.
  PipeReply look();

 private:
  enum class Pipe : std::uint8_t { more, empty, closed };  // state of the pipe when reading stopped

  Pipe read_what_is_there();
  bool write_some(std::string_view& line);
  bool unread_input() const;
  PipeReply ended() const;
  std::string last_error() const;

  std::unique_ptr<Process> process_;
  const PipeRole role_;
  std::string errors_;
  const StopToken& stop_;
  PipeLines lines_;
  std::string ahead_;        // lines that were sent ahead
  std::string_view unsent_;  // the rest of them
  std::size_t owed_ = 0;     // answers to them
};

}  // namespace splitproof::testee
