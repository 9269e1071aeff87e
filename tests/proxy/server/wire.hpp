#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::server {

/// Ends the program with the system's error.
[[noreturn]] void give_up(const char* what);

/// Longest wait of a test.
inline constexpr std::chrono::seconds kTimeout{20};

/// A connected TCP socket, closed by the destructor. No wait exceeds kTimeout.
class Socket {
 public:
  Socket() = default;
  explicit Socket(int descriptor) : descriptor_(descriptor) {}
  ~Socket() { close(); }
  Socket(Socket&& other) noexcept : descriptor_(other.descriptor_) { other.descriptor_ = -1; }
  Socket& operator=(Socket&& other) noexcept;

  /// Connects to a port of the loopback. `receive_buffer`: of the kernel, in bytes; 0: its default.
  static Socket to(int port, int receive_buffer = 0);

  int descriptor() const { return descriptor_; }

  /// Sends all bytes. Returns false if the peer is gone.
  bool send(std::string_view bytes) const;

  /// Sends what the peer accepts without waiting. Returns the number of bytes.
  std::size_t send_some(std::string_view bytes) const;

  /// Returns received bytes, at least one; empty if the peer has closed or reset, or nothing came in time.
  std::string receive() const;

  /// True if bytes have come, or the peer has closed.
  bool readable() const;

  /// Waits until the peer closes or resets, and discards its bytes. Returns false on timeout.
  bool peer_closes() const;

  /// Waits until the peer's kernel has all sent bytes. Returns false if it is gone, or on timeout.
  bool delivered() const;

  void close();

  /// Ends it with a reset.
  void reset();

 private:
  int descriptor_ = -1;
};

/// An HTTP request at the upstream.
struct Request {
  std::string line;                            ///< "POST /v1/chat/completions HTTP/1.1"
  std::map<std::string, std::string> headers;  ///< by name in lower case
  std::string body;
};

/// Returns bytes as one chunk of a chunked body.
std::string as_chunk(std::string_view bytes);

/// One connection of the proxy to the upstream of a test.
struct UpstreamConnection : Socket {
  explicit UpstreamConnection(Socket socket) : Socket(std::move(socket)) {}

  /// Reads the request. Call first.
  Request request() const;

  /// Sends a head with status 200 for an event stream in chunks.
  bool begin_stream() const;

  /// Sends a chunk of its body.
  bool chunk(std::string_view bytes) const { return send(as_chunk(bytes)); }

  /// Ends the body.
  bool last_chunk() const { return send("0\r\n\r\n"); }

  /// Answers with a whole body and closes the connection.
  void answer(const std::string& status, const std::string& headers, const std::string& body);
};

/// A port of the loopback for connections to the upstream.
class Upstream {
 public:
  Upstream();
  int port() const { return port_; }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_) + "/v1"; }

  /// Returns the next connection; a closed one on timeout.
  UpstreamConnection accept() const;

  /// True if a connection waits.
  bool waiting() const;

 private:
  Socket listening_;
  int port_ = 0;
};

/// A client of the proxy, which reads one response.
class Client {
 public:
  explicit Client(int port, int receive_buffer = 0) : socket_(Socket::to(port, receive_buffer)) {}

  const Socket& socket() const { return socket_; }
  void close() { socket_.close(); }

  /// Sends a request with a body; each line of `headers` ends in CR LF. Returns false if the proxy did not accept all
  /// of it.
  bool post(const std::string& path, const std::string& body, const std::string& headers = {}) const;

  /// Reads until `enough` is true, the response has ended, or nothing more comes. Returns `enough`.
  bool read_until(const std::function<bool()>& enough);

  /// Reads the response to its end.
  void read_all() {
    read_until([] { return false; });
  }

  int status() const;                            ///< 0 until the head has come
  std::string header(const std::string&) const;  ///< name in lower case; empty without it
  const std::string& body() const { return body_; }
  bool whole() const { return whole_; }                   ///< its last chunk or byte has come
  std::string after() const { return raw_.substr(at_); }  ///< bytes after a whole response

  /// Forgets the response, to read the next one on the same connection.
  void next_response();

 private:
  void parse();

  Socket socket_;
  std::string raw_;
  std::size_t at_ = 0;  // parsed so far
  std::string head_;
  std::string body_;
  bool whole_ = false;
};

}  // namespace splitproof::server
