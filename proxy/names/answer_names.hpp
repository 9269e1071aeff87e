#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "proxy/names/tool_map.hpp"
#include "proxy/turn/event.hpp"
#include "proxy/turn/json_progress.hpp"

namespace splitproof::names {

/// Tells the arguments of the upstream's calls by the client's names, each whole and in one piece, as soon as they
/// are one JSON value. Arguments that never become one, or are no object, are told as they came; so are those of
/// other tools, at once. What a call is named is left to the writer, which knows the aliases.
class AnswerNames {
 public:
  /// `depth` of JSON; `call_bytes` may wait for the ends of arguments.
  AnswerNames(ToolMap map, std::size_t depth, std::size_t call_bytes)
      : map_(std::move(map)), depth_(depth), most_(call_bytes) {}

  /// Takes the next event of the turn and appends it as it is to be read.
  void accept(turn::Event event, std::vector<turn::Event>& events);

  /// The upstream body is over: appends what waits.
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
  std::size_t waiting_ = 0;  // bytes that are held
  std::map<std::size_t, Call> calls_;
};

}  // namespace splitproof::names
