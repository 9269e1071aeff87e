#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "proxy/text/call_json.hpp"
#include "proxy/turn/event.hpp"
#include "proxy/turn/json_progress.hpp"

namespace splitproof::text {

/// Passes a call once if a model both made and wrote it. A written call is dropped after a made call with its name and
/// equal arguments. A made call is dropped after such a written one. Each call cancels at most one other, so two equal
/// written calls stay two.
///
/// A made call waits for its end if an uncancelled written call has its name. Everything after it waits too. A written
/// call waits while an earlier made call may become equal. Everything else passes at once. Calls get new numbers.
class SaidOnce {
 public:
  /// `seed`: for the ids of written calls. `waiting_bytes`: most bytes that wait.
  SaidOnce(std::uint64_t seed, std::size_t waiting_bytes) : seed_(seed), most_waiting_(waiting_bytes) {}

  /// Takes a call that was written at this place of the answer.
  void take(WrittenCall call, std::vector<turn::Event>& events);

  /// Takes a piece of a made call.
  void take(turn::CallPiece piece, std::vector<turn::Event>& events);

  /// Takes any other event with a position.
  void take(turn::Event event, std::vector<turn::Event>& events);

  /// The input is over. Settles what waits.
  void finish(std::vector<turn::Event>& events);

  bool operator==(const SaidOnce&) const = default;

 private:
  // Nameless: the call gets its position with its name.
  enum class Place : std::uint8_t { nameless, waiting, passed, left_out };

  struct Made {
    turn::CallPiece held = {};  // the part that has not passed
    std::string name = {};
    std::string arguments = {};  // all arguments
    turn::JsonProgress progress = {};
    Place place = Place::nameless;
    bool counted = false;                     // it can cancel a written call
    std::size_t number = 0;                   // once it has passed
    std::optional<std::string> open_as = {};  // its name, while it has passed and is incomplete
    bool operator==(const Made&) const = default;
  };
  using Waiting = std::variant<turn::Event, WrittenCall, std::size_t>;  // the last: a made call

  // Two calls are equal if their keys are.
  using Key = std::pair<std::string, std::string>;
  static std::optional<Key> key_of(const std::string& name, const std::string& arguments);

  void wait(Waiting waiting, std::vector<turn::Event>& events);
  void advance(std::vector<turn::Event>& events);
  bool pass(WrittenCall& call, std::vector<turn::Event>& events);
  bool pass(std::size_t call, std::vector<turn::Event>& events);
  bool pass(turn::Event& event, std::vector<turn::Event>& events);
  void send(Made& made, std::vector<turn::Event>& events);
  void count(Made& made);
  bool settled(const Made& made) const { return over_ || (!made.name.empty() && made.progress.complete()); }

  std::uint64_t seed_;
  std::size_t most_waiting_;
  bool over_ = false;
  std::size_t numbers_ = 0;  // numbers given to calls
  std::size_t written_ = 0;  // written calls that passed
  std::vector<Made> made_;
  std::map<Key, std::size_t> made_keys_;              // made calls that have cancelled no written one
  std::map<Key, std::size_t> written_keys_;           // written calls that have cancelled no made one
  std::map<std::string, std::size_t> written_names_;  // names of the latter
  // names of made calls that have passed and are incomplete
  std::map<std::string, std::size_t> open_names_;
  std::deque<Waiting> waiting_;
  std::size_t waiting_bytes_ = 0;  // size of it and of nameless calls
};

}  // namespace splitproof::text
