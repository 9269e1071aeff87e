#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace splitproof::server {

/// The id of a new request: the seed, or at random.
std::uint64_t new_request_id(std::optional<std::uint64_t> seed);

/// "req_" and 16 hexadecimal digits.
std::string request_name(std::uint64_t id);

/// What is said of one request on standard error. Never contents, keys or queries.
struct RequestLog {
  std::string method;  ///< this and the path are empty where the request could not be read
  std::string path;
  int status = 400;
  std::uint64_t id = 0;

  /// The first byte of a request is there. `number`: its id, from which those of its message are made too. `sent`: bytes
  /// sent on its connection so far.
  void begin(std::uint64_t number, std::size_t sent);

  /// What the answer names the request by, in its header `request-id`.
  std::string request_id() const { return request_name(id); }

  /// Writes the line, unless there was neither a request nor an answer. `whole`: the answer was sent to its end.
  void end(std::size_t sent, bool whole) const;

 private:
  std::size_t sent_before_ = 0;
  std::chrono::steady_clock::time_point since_;
};

/// The line, without its end. Characters of a path that could pass for something else on a terminal or for another line
/// are replaced, and it is cut at 200 bytes.
std::string log_line(const RequestLog& request, double seconds, std::size_t bytes, bool whole);

}  // namespace splitproof::server
