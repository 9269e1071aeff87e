#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "tests/harness/testee/http_response.hpp"

namespace splitproof::testee {

/// Longest wait of a test. Nothing is asserted about time: it only keeps a failing test from hanging.
inline constexpr std::chrono::seconds kTimeout{20};

/// A client that keeps the bytes of each recv.
class ReadingClient {
 public:
  /// Result of one recv.
  enum class Got { bytes, end, reset, silence };

  /// Connects to "http://HOST:PORT", an IPv4 address. Aborts on failure.
  explicit ReadingClient(const std::string& base_url);
  ~ReadingClient();
  ReadingClient(const ReadingClient&) = delete;
  ReadingClient& operator=(const ReadingClient&) = delete;

  /// Sends all bytes. Returns false if the connection is gone.
  bool send(std::string_view bytes);

  /// Sends a POST with that body.
  void post(const std::string& target, const std::string& body, const std::string& more_headers = "");

  /// Calls recv once, or waits this long.
  Got read_once(std::chrono::milliseconds silence);

  /// Reads until the connection ends, or is silent for this long.
  Got read_all(std::chrono::milliseconds silence = kTimeout);

  /// Reads until the connection ends without ever waiting. It polls, and so holds the socket's lock for much of the
  /// time. Returns silence if no end comes in kTimeout.
  Got read_all_restless();

  /// Reads a complete response and takes it out of `text()`. Returns an incomplete one if the connection ends.
  HttpResponse read_one_response();

  /// Stops sending, and continues to read.
  void shut_down_sending();

  /// Closes the connection, by a reset if there are unread bytes.
  void close();

  const std::vector<std::string>& pieces() const { return pieces_; }
  std::string text() const;
  std::vector<std::size_t> sizes() const;

 private:
  Got receive(int flags);

  int fd_ = -1;
  std::vector<std::string> pieces_;
};

}  // namespace splitproof::testee
