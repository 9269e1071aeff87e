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

/// What may come when in a stream of Responses:
///
/// 1. Every frame is a JSON object. One of a type that is not named here passes anywhere, if it is of no item.
/// 2. `response.created` or `response.queued` comes before everything else but an error, with the response, and the first of them
///    once.
/// 3. What is of an item, by its output_index, stands between `response.output_item.added` and `.done` of that item, and
///    what is of a part behind the event that adds the part, but for reasoning, which needs none. Each is added once.
/// 4. Behind `response.completed`, `.incomplete` and `.failed` nothing comes but `[DONE]`; behind an error nothing but that
///    and `response.failed`. A body that ends without any of them is cut off.
///
/// Items are told apart by their places alone: there are servers whose ids are others in every event. What events repeat
/// of one another is not compared. Rules 2 and 3 hold as far as the client reads that, by the knobs.
class ResponsesOrder {
 public:
  ResponsesOrder(turn::Rules rules, const Knobs& knobs, request::Reply reply)
      : rules_(std::move(rules)), knobs_(knobs), reply_(std::move(reply)) {}

  /// Says what becomes of the next frame.
  Ruling take(const wire::Frame& frame);

  /// Says how the stream ends where its body does.
  Ruling end(turn::BodyEnd end, std::string& out) const;

  /// Ends the stream in `response.failed`, with the response as it was told at the beginning.
  void fail(const turn::Failure& failure, std::string& out) const;

  /// The client has been told how the response ends.
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
  std::string response_;                   // as it was told at the beginning
  std::map<std::uint64_t, bool> items_;    // by their places: whether they are done
  std::set<std::pair<std::uint64_t, std::pair<bool, std::uint64_t>>>
      parts_;  // of items: of a summary or not, and which
};

}  // namespace splitproof::proxy::dialect
