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

/// Makes calls of calls that a model wrote as text, one part at a time:
///
///     I look. <invoke name="read"><parameter name="path">a</parameter></invoke>
///
/// becomes the text `I look. ` and a call of `read`. Only declared functions are called, and no calls in code (see
/// LeakedCalls). A call that the upstream also makes as such occurs once (see SaidOnce).
class Rescue {
 public:
  /// `seed`: for the ids of calls. `waiting_bytes`: most bytes that wait after an incomplete call.
  Rescue(const std::vector<Function>& declared, std::uint64_t seed, std::size_t waiting_bytes)
      : functions_(declared), once_(seed, waiting_bytes) {}

  /// Takes the next event of the turn and appends the result.
  void accept(turn::Event event, std::vector<turn::Event>& events);

  /// The upstream body is over. Appends what waits.
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
  std::size_t part_ = 0;  // of the current text
  std::size_t made_ = 0;  // calls so far
};

}  // namespace splitproof::text
