#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "proxy/text/functions.hpp"
#include "proxy/text/leaked_calls.hpp"
#include "proxy/text/said_once.hpp"
#include "proxy/turn/event.hpp"
#include "proxy/wire/surrogates.hpp"

namespace splitproof::text {

enum class LeakedMarkup : std::uint8_t { pass, rescue };

/// Makes calls of those that a model wrote in its text, one part of it at a time:
///
///   I look. <invoke name="read"><parameter name="path">a</parameter></invoke>
///
/// becomes the text `I look. ` and a call of `read`. Only functions that the client declared are called, and none that
/// stands in code (see LeakedCalls). A call that the upstream also makes as one is said once (see SaidOnce).
class Rescue {
 public:
  /// `seed` makes the ids of calls; `waiting_bytes` may wait behind a call that is not whole.
  Rescue(const std::vector<Function>& declared, std::uint64_t seed, std::size_t waiting_bytes)
      : functions_(declared), once_(seed, waiting_bytes) {}

  /// Takes the next event of the turn and appends it as it is to be read.
  void accept(turn::Event event, std::vector<turn::Event>& events);

  /// The upstream body is over: appends what waits.
  void finish(std::vector<turn::Event>& events);

  bool operator==(const Rescue&) const = default;

 private:
  void take(turn::Prose prose, std::vector<turn::Event>& events);
  void read(bool over, std::string text, std::vector<turn::Event>& events);
  void end_part(std::vector<turn::Event>& events);

  Functions functions_;
  SaidOnce once_;
  LeakedCalls calls_;
  wire::SurrogateJoiner pairs_;
  bool in_part_ = false;
  std::size_t part_ = 0;  // of text, that is read
  std::size_t made_ = 0;  // calls that have begun
};

}  // namespace splitproof::text
