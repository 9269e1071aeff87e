#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace splitproof::server {

/// The connection to a client. Whoever waits on it also waits for the server's end: `stop` is a descriptor that can be
/// read once the server is to end. It does not own either descriptor.
class ClientSocket {
 public:
  /// `timeout`: how long a client may take to send or to take its next bytes.
  ClientSocket(int descriptor, int stop, std::chrono::milliseconds timeout);

  /// Waits for the first byte of a request. False: none came in time, or the server ends.
  bool wait_for_request(std::chrono::milliseconds at_most);

  /// From here on the client may send so many bytes more; what comes after them reads as an error.
  void allow(std::size_t bytes) { allowed_ = bytes; }

  /// Reads at least one byte. 0: the client has closed; -1: none came in time, or none is allowed.
  ssize_t read(char* data, std::size_t size);

  /// Writes all of it, waiting while the client takes nothing. False: it has gone, takes nothing for too long, or takes
  /// nothing at once while the server ends.
  bool write(const char* data, std::size_t size);

  /// The client has closed its side or broken the connection. A client that only stops sending counts as gone.
  bool gone() const;

  /// The server is to end.
  bool stopping() const;

  /// What to watch while waiting for something else, to see the client go and the server end.
  std::vector<int> watched() const;

  /// How long to wait at most before asking `gone` again: a client that has sent more than one request cannot be
  /// watched.
  std::chrono::milliseconds longest_wait() const;

  /// Says that no more will be sent, and takes what the client still sends for a moment: closing with unread bytes would
  /// break the connection before the client has read its answer.
  void linger();

  /// From here on nothing is written.
  void give_up() { given_up_ = true; }

  /// How many bytes were sent.
  std::size_t sent() const { return sent_; }

 private:
  bool wait_for(short events, std::chrono::milliseconds at_most) const;
  bool unread() const;

  int descriptor_;
  int stop_;
  std::chrono::milliseconds timeout_;
  std::size_t allowed_ = 0;
  std::size_t sent_ = 0;
  bool given_up_ = false;
  std::string buffer_;  // read, not yet asked for
  std::size_t at_ = 0;  // into buffer_
};

}  // namespace splitproof::server
