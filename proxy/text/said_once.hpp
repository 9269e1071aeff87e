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

/// Lets a call through once that a model both made and wrote. A written call is left out where a made one of its name and
/// equal arguments stands before it; a made one is left out behind such a written one. Each answers for one other, so that
/// two calls that are written alike stay two.
///
/// A made call of the name of a written one that still answers for another waits until it is whole, and so does all behind
/// it; so does a written call, while a made one before it may yet turn out to be the same. All else passes at once. Calls
/// are numbered anew.
class SaidOnce {
 public:
  /// `seed` makes the ids of written calls. What waits may take this many bytes.
  SaidOnce(std::uint64_t seed, std::size_t waiting_bytes) : seed_(seed), most_waiting_(waiting_bytes) {}

  /// Takes a call that was written at this place of the answer.
  void take(WrittenCall call, std::vector<turn::Event>& events);

  /// Takes a piece of a call that was made.
  void take(turn::CallPiece piece, std::vector<turn::Event>& events);

  /// Takes anything else that has its place.
  void take(turn::Event event, std::vector<turn::Event>& events);

  /// Nothing more comes: what waits is settled.
  void finish(std::vector<turn::Event>& events);

  bool operator==(const SaidOnce&) const = default;

 private:
  // Nameless: it gets its place once it has a name.
  enum class Place : std::uint8_t { nameless, waiting, passed, left_out };

  struct Made {
    turn::CallPiece held = {};  // all of it that has not passed
    std::string name = {};
    std::string arguments = {};  // all of them
    turn::JsonProgress progress = {};
    Place place = Place::nameless;
    bool counted = false;                     // among the calls that answer for a written one
    std::size_t number = 0;                   // once it has passed
    std::optional<std::string> open_as = {};  // its name, while it has passed and is not whole
    bool operator==(const Made&) const = default;
  };
  using Waiting = std::variant<turn::Event, WrittenCall, std::size_t>;  // the last: a made call

  // What two calls have to share to be one.
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
  std::size_t numbers_ = 0;  // given to calls
  std::size_t written_ = 0;  // calls that passed
  std::vector<Made> made_;
  std::map<Key, std::size_t> made_keys_;              // of made calls that answer for no written one yet
  std::map<Key, std::size_t> written_keys_;           // the other way round
  std::map<std::string, std::size_t> written_names_;  // of these
  std::map<std::string, std::size_t> open_names_;     // of made calls that have passed and are not whole
  std::deque<Waiting> waiting_;
  std::size_t waiting_bytes_ = 0;  // of it, and of nameless calls
};

}  // namespace splitproof::text
