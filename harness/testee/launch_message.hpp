#pragma once

#include <string>
#include <vector>

#include "harness/result.hpp"
#include "harness/testee/process.hpp"
#include "harness/testee/socket.hpp"

namespace splitproof::testee {

/// Message to the supervisor: a program, and the descriptors for it and its keeper.
struct LaunchMessage {
  std::vector<std::string> command;
  std::string folder;
  std::vector<std::string> env;  ///< NAME=VALUE
  bool once = false;
  bool confined = true;
  std::vector<std::string> writable;

  Descriptor leash;  ///< The keeper's end (LeashWord).
  Descriptor errors;
  Descriptor input;   ///< None: empty input.
  Descriptor output;  ///< None: the same as `errors`.
};

/// First byte of a keeper's message on the leash. This program holds the other end. If that end is closed or
/// shut down, the keeper ends the program. The keeper closes its own end when nothing of the program is left.
enum LeashWord : char {
  kStarted = 's',
  kFailed = 'f',  ///< The program was not started; the reason follows.
  kEnded = 'e',   ///< It has ended; how it ended follows.
};

/// A pair of connected sockets that preserve message boundaries and are not inherited.
struct SocketPair {
  Descriptor ours;
  Descriptor theirs;
};
Result<SocketPair> socket_pair();

/// Sends it as one message. Returns an Error if it is too large or the supervisor has ended.
Result<void> send_launch(int socket, const LaunchMessage& message);

/// Request for a socket in the network of a supervisor's process, as in socket(2).
struct SocketMessage {
  int family = 0;
  int type = 0;
  int protocol = 0;
};

/// Requests a socket and waits for it. Returns none and sets errno on failure.
Descriptor ask_for_socket(int socket, const SocketMessage& message);

/// Answers one socket request. Returns false at the end of the connection.
bool serve_socket(int socket);

/// Waits for the next message. Returns false at the end of the connection.
bool receive_launch(int socket, LaunchMessage& message);

}  // namespace splitproof::testee
