#pragma once

#include <string>
#include <vector>

#include "harness/result.hpp"
#include "harness/testee/process.hpp"
#include "harness/testee/socket.hpp"

namespace splitproof::testee {

/// What the supervisor is sent: a program, and the descriptors that it and its keeper need.
struct LaunchMessage {
  std::vector<std::string> command;
  std::string folder;
  std::vector<std::string> env;  ///< NAME=VALUE
  bool once = false;
  bool confined = true;
  std::vector<std::string> writable;

  Descriptor leash;  ///< the keeper's end: see LeashWord
  Descriptor errors;
  Descriptor input;   ///< none: it is empty
  Descriptor output;  ///< none: it is `errors`
};

/// The first byte of what a keeper sends over the leash. Its other end is held by this program, and the keeper ends the
/// program when that end is closed or shut down. It closes its own once nothing of the program is left.
enum LeashWord : char {
  kStarted = 's',
  kFailed = 'f',  ///< the program was not started; why follows
  kEnded = 'e',   ///< it has ended; how follows
};

/// A pair of connected sockets that keep messages apart and are not inherited.
struct SocketPair {
  Descriptor ours;
  Descriptor theirs;
};
Result<SocketPair> socket_pair();

/// Sends it as one message. An Error where it is too large for one, or the supervisor is gone.
Result<void> send_launch(int socket, const LaunchMessage& message);

/// What is made in the network of a supervisor's process: as socket(2).
struct SocketMessage {
  int family = 0;
  int type = 0;
  int protocol = 0;
};

/// Asks for a socket, and waits for it. None where there is none, and errno says why.
Descriptor ask_for_socket(int socket, const SocketMessage& message);

/// Answers one such question. False at the end of the connection.
bool serve_socket(int socket);

/// Waits for the next message. False at the end of the connection.
bool receive_launch(int socket, LaunchMessage& message);

}  // namespace splitproof::testee
