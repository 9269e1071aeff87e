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

/// Renames the calls in a relayed stream of Anthropic Messages for the client. The call of a mapped tool starts under
/// another name. Its arguments wait until they are one JSON value, which leaves as one delta. Incomplete arguments
/// leave unchanged before the end of the block or an error. All other frames leave at once.
///
/// Blocks are told apart by their index, so several may be open.
class ToldCalls {
 public:
  /// `map`: tools of the request with a mapping.
  ToldCalls(names::ToolMap map, const Limits& limits) : map_(std::move(map)), limits_(limits) {}

  /// Returns the form of the next frame for the client.
  Retold take(const wire::Frame& frame);

  /// Appends the waiting arguments at the end of the stream.
  void release(std::string& out);

  bool operator==(const ToldCalls&) const = default;

 private:
  struct Call {
    names::MappedTool tool;
    std::string held;  // arguments
    turn::JsonProgress progress;
    bool argued = false;  // some arguments have come

    bool operator==(const Call&) const = default;
  };
  using Calls = std::map<std::uint64_t, Call>;  // calls with waiting arguments, by the index of the block

  Retold resume(const std::string& data) const;
  Retold start(const wire::Json& event, const std::string& data);
  Retold add(const wire::Json& event);
  void stop(Calls::iterator found, std::string& out);
  std::string told(const Call& call) const;

  names::ToolMap map_;
  Limits limits_;
  Calls calls_;
  std::size_t waiting_ = 0;  // bytes that wait
};

}  // namespace splitproof::proxy::dialect
