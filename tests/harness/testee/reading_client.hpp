#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "tests/harness/testee/http_response.hpp"

namespace splitproof::testee {

/// How long a test waits for what must come. Nothing is asserted about time: it only keeps a failing test from hanging.
inline constexpr std::chrono::seconds kTimeout{20};

/// A client that keeps what each recv gave it.
class ReadingClient {
 public:
  /// What one recv found.
  enum class Got { bytes, end, reset, silence };

  /// Connects to "http://HOST:PORT", an IPv4 address. Aborts where that fails.
  explicit ReadingClient(const std::string& base_url);
  ~ReadingClient();
  ReadingClient(const ReadingClient&) = delete;
  ReadingClient& operator=(const ReadingClient&) = delete;

  /// Sends all of it. False where the connection is gone.
  bool send(std::string_view bytes);

  /// Sends a POST with that body.
  void post(const std::string& target, const std::string& body, const std::string& more_headers = "");

  /// One recv, or silence for so long.
  Got read_once(std::chrono::milliseconds silence);

  /// Reads until the connection ends, or is silent for so long.
  Got read_all(std::chrono::milliseconds silence = kTimeout);

  /// Reads until the connection ends without ever waiting: it asks again and again, and so holds the socket's lock for
  /// much of the time. Silence where no end comes in kTimeout.
  Got read_all_restless();

  /// Reads until a response is complete, and takes it out of `text()`. What ends before is returned as far as it came.
  HttpResponse read_one_response();

  /// Sends no more, and goes on reading.
  void shut_down_sending();

  /// Closes the connection, by a reset if there is something unread.
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
