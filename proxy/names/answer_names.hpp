#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "proxy/names/tool_map.hpp"
#include "proxy/turn/event.hpp"
#include "proxy/turn/json_progress.hpp"

namespace splitproof::names {

/// Renames the arguments of the upstream's calls for the client, each call in one piece once its arguments are one JSON
/// value. Other arguments leave unchanged, and arguments of unmapped tools leave at once. The writer renames the call
/// itself by the aliases.
class AnswerNames {
 public:
  /// `depth`: of JSON. `call_bytes`: most bytes that wait for the ends of arguments.
  AnswerNames(ToolMap map, std::size_t depth, std::size_t call_bytes)
      : map_(std::move(map)), depth_(depth), most_(call_bytes) {}

  /// Takes the next event of the turn and appends the result.
  void accept(turn::Event event, std::vector<turn::Event>& events);

  /// The upstream body is over. Appends what waits.
  void finish(std::vector<turn::Event>& events);

  bool operator==(const AnswerNames&) const = default;

 private:
  struct Call {
    std::uint64_t rank = 0;
    std::string name;
    std::string held;  // arguments
    turn::JsonProgress progress;
    bool passes = false;  // nothing is held any more
    bool operator==(const Call&) const = default;
  };

  std::string take(Call& call, std::string arguments);
  std::string release(Call& call);

  ToolMap map_;
  std::size_t depth_ = 0;
  std::size_t most_ = 0;
  std::size_t waiting_ = 0;  // held bytes
  std::map<std::size_t, Call> calls_;
};

}  // namespace splitproof::names
