#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "proxy/dialect/knobs.hpp"
#include "proxy/dialect/ruling.hpp"
#include "proxy/request/reply.hpp"
#include "proxy/turn/event.hpp"
#include "proxy/turn/ledger.hpp"
#include "proxy/wire/frame.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

/// Order of the events in a stream of Responses:
///
/// 1. Every frame is a JSON object. Unknown types without an item pass anywhere.
/// 2. `response.created` or `response.queued`, with the response, comes before everything except an error. The former
///    comes once.
/// 3. Events of an item, by output_index, come between its `response.output_item.added` and `.done`. Events of a part
///    come after the event that adds it; reasoning needs none. Each is added once.
/// 4. After `response.completed`, `.incomplete` and `.failed` only `[DONE]` follows. After an error, `response.failed`
///    may follow too. A body without any of them is cut off.
///
/// Items are told apart only by their places: some servers change the ids in every event. Repeated content is not
/// compared. Rules 2 and 3 apply only if the client reads these parts, by the knobs.
class ResponsesOrder {
 public:
  ResponsesOrder(turn::Rules rules, const Knobs& knobs, request::Reply reply)
      : rules_(std::move(rules)), knobs_(knobs), reply_(std::move(reply)) {}

  /// Decides about the next frame.
  Ruling take(const wire::Frame& frame);

  /// Decides about the end of the body.
  Ruling end(turn::BodyEnd end, std::string& out) const;

  /// Ends the stream with `response.failed`, which contains the response from its beginning.
  void fail(const turn::Failure& failure, std::string& out) const;

  /// True if the client has received the end of the response.
  bool ended() const { return stage_ > Stage::begun; }

  bool operator==(const ResponsesOrder&) const = default;

 private:
  enum class Stage : std::uint8_t { waiting, begun, reported, ended };  // reported: an error has passed

  Ruling take_event(const wire::Json& event, bool named_error);
  std::string problem_of(const std::string& type, const wire::Json& event);
  std::string item_problem(const std::string& type, std::uint64_t item, const wire::Json& event);
  std::string part_problem(const std::string& type, std::uint64_t item, bool summary,
                           const wire::Json& number);

  turn::Rules rules_;
  Knobs knobs_;
  request::Reply reply_;
  Stage stage_ = Stage::waiting;
  bool created_ = false;
  std::optional<std::uint64_t> sequence_;  // the last sequence_number
  std::string response_;                   // from the beginning of the stream
  std::map<std::uint64_t, bool> items_;    // by place: true if done
  // of items: in a summary or not, and the number
  std::set<std::pair<std::uint64_t, std::pair<bool, std::uint64_t>>> parts_;
};

}  // namespace splitproof::proxy::dialect
