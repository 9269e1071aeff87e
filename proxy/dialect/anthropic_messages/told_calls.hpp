#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "proxy/dialect/retold.hpp"
#include "proxy/limits.hpp"
#include "proxy/names/tool_map.hpp"
#include "proxy/turn/json_progress.hpp"
#include "proxy/wire/frame.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

/// Tells the calls of a stream of Anthropic Messages that is passed on by the client's names. Of a call of a mapped tool the
/// start has another name, and the arguments wait until they are one JSON value, which leaves as one delta. What never
/// becomes one leaves as it came before the end of the block, or before an error. All other frames leave at once.
///
/// Of a block it knows the index alone, so that those that are open side by side stay apart.
class ToldCalls {
 public:
  /// `map`: the tools of the request that are in force.
  ToldCalls(names::ToolMap map, const Limits& limits) : map_(std::move(map)), limits_(limits) {}

  /// Says how the next frame leaves.
  Retold take(const wire::Frame& frame);

  /// The stream ends: appends what waits.
  void release(std::string& out);

  bool operator==(const ToldCalls&) const = default;

 private:
  struct Call {
    names::MappedTool tool;
    std::string held;  // arguments
    turn::JsonProgress progress;
    bool argued = false;  // something was said of them

    bool operator==(const Call&) const = default;
  };
  using Calls = std::map<std::uint64_t, Call>;  // whose arguments wait, by the index of the block

  Retold resume(const std::string& data) const;
  Retold start(const wire::Json& event, const std::string& data);
  Retold add(const wire::Json& event);
  void stop(Calls::iterator found, std::string& out);
  std::string told(const Call& call) const;

  names::ToolMap map_;
  Limits limits_;
  Calls calls_;
  std::size_t waiting_ = 0;  // bytes that are held
};

}  // namespace splitproof::proxy::dialect
