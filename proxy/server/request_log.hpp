#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace splitproof::server {

/// Returns the id of a new request: the seed, or a random number.
std::uint64_t new_request_id(std::optional<std::uint64_t> seed);

/// Returns "req_" and 16 hexadecimal digits.
std::string request_name(std::uint64_t id);

/// The log entry of one request on standard error. Never contains contents, keys or queries.
struct RequestLog {
  std::string method;  ///< method and path are empty if the request could not be read
  std::string path;
  int status = 400;
  std::uint64_t id = 0;

  /// Starts with the first byte of a request. `number`: its id, also the base of its message's ids. `sent`: bytes sent
  /// on the connection so far.
  void begin(std::uint64_t number, std::size_t sent);

  /// Value of the answer's header `request-id`.
  std::string request_id() const { return request_name(id); }

  /// Writes the line, unless there was neither a request nor an answer. `whole`: the answer was sent completely.
  void end(std::size_t sent, bool whole) const;

 private:
  std::size_t sent_before_ = 0;
  std::chrono::steady_clock::time_point since_;
};

/// Returns the line without its end. Replaces characters of a path that could act on a terminal or fake another line,
/// and cuts it at 200 bytes.
std::string log_line(const RequestLog& request, double seconds, std::size_t bytes, bool whole);

}  // namespace splitproof::server
