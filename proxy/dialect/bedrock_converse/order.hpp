#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "proxy/dialect/ruling.hpp"
#include "proxy/turn/event.hpp"
#include "proxy/turn/ledger.hpp"
#include "proxy/wire/frame.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

/// Order of the frames in a stream of `ConverseStream`:
///
/// 1. `messageStart` comes first, and once. `messageStop` comes once, after the end of every call. No content follows it.
/// 2. A piece of a call comes after the call's `contentBlockStart`, and before its `contentBlockStop`. Other content
///    needs no start.
/// 3. An exception with a message is the last frame. Another one, an error outside of frames, and a damaged frame are
///    replaced by an exception.
/// 4. A stream ends with an exception, or in an orderly way between two frames after `messageStop`. Another end is an
///    exception.
///
/// Events of unknown kinds pass unchanged, as SDKs ignore them.
class ConverseOrder {
 public:
  explicit ConverseOrder(turn::Rules rules) : rules_(std::move(rules)) {}

  /// Decides about the next frame.
  Ruling take(const wire::Frame& frame);

  /// Decides about the end of the body.
  Ruling end(turn::BodyEnd end, std::string& out) const;

  /// Ends the stream with an exception.
  static void fail(const turn::Failure& failure, std::string& out);

  /// True once the counts have come: nothing follows them.
  bool ended() const { return counted_; }

  bool operator==(const ConverseOrder&) const = default;

 private:
  enum class Block : std::uint8_t { call, closed_call };

  std::string problem_of(const std::string& type, const wire::Json& event);
  std::string start_block(std::uint64_t index, const wire::Json& start);

  turn::Rules rules_;
  bool started_ = false;
  bool stopped_ = false;
  bool counted_ = false;  // metadata came after messageStop
  bool torn_ = false;     // the body ended inside a frame
  std::map<std::uint64_t, Block> blocks_;
};

}  // namespace splitproof::proxy::dialect
