#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/dialect/call_ids.hpp"
#include "proxy/dialect/told_item.hpp"
#include "proxy/request/custom_input.hpp"
#include "proxy/request/reply.hpp"
#include "proxy/turn/step.hpp"

namespace splitproof::proxy::dialect {

/// Writes the steps of a turn as an event stream of OpenAI's Responses: each block is an item, at the place that the
/// ledger gave it. Text and refusals are messages of one part, thinking is reasoning with one part of a summary, which is
/// what clients show; a signature is left out, since no provider of Responses would take it back.
///
/// Calls that the upstream makes side by side are open side by side, each at its own output_index: the protocol has an
/// item_id in every event, and whoever waits for the call before would hold back what has come.
///
/// A message that fails ends with response.failed alone, the only event from which Codex takes an error. What was not whole by
/// then is not called done, for Codex keeps and runs what is.
///
/// The id of a call is the upstream's, or made of the stream's seed where that is missing or repeated. A call without
/// arguments says `{}`. What the end repeats is kept.
class ResponsesWriter {
 public:
  explicit ResponsesWriter(request::Reply reply);

  /// Appends the bytes of one step.
  void write(const turn::Step& step, std::string& out);

  /// The time by now, in seconds since 1970: that at which a response is completed.
  void set_time(std::uint64_t now) { now_ = now; }

  /// The items that are whole, but for reasoning: its form is not that of the upstream's.
  std::vector<ToldItem> told() const;

  /// Appends a comment: the protocol has no event that says nothing and that every client knows.
  void write_ping(std::string& out) const;

  bool operator==(const ResponsesWriter&) const = default;

 private:
  struct Item {
    turn::BlockKind kind = turn::BlockKind::text;
    std::string head;  // of a call: the members that do not change, as JSON
    bool custom = false;
    request::CustomInput input;  // of a custom tool
    std::string text;            // all that was said, escaped
    std::string status = "in_progress";

    bool operator==(const Item&) const = default;
  };

  void put(const turn::StartMessage& step, std::string& out);
  void put(const turn::OpenBlock& step, std::string& out);
  void put(const turn::AppendBlock& step, std::string& out);
  void put(const turn::SignBlock& step, std::string& out);
  void put(const turn::SealedBlock& step, std::string& out);
  void put(const turn::CloseBlock& step, std::string& out);
  void put(const turn::FinishMessage& step, std::string& out);
  void put(const turn::FailMessage& step, std::string& out);

  void start(std::string& out);
  void say(std::size_t index, const std::string& text, std::string& out);
  void put_item(std::string_view type, std::size_t index, std::string& out);
  void put_response(std::string_view status, std::string_view error, std::string_view reason,
                    std::string_view usage, std::string& out);
  void put_event(std::string_view type, std::string_view rest, std::string& out);
  std::string place(std::size_t index) const;
  std::string item_id(std::size_t index) const;
  std::string item_json(std::size_t index) const;
  void name_call(const turn::OpenBlock& step, Item& item);
  std::string call_id(const turn::OpenBlock& step);

  request::Reply reply_;
  std::uint64_t now_;         // in seconds since 1970
  std::uint64_t events_ = 0;  // so far
  std::vector<Item> items_;
  CallIds call_ids_;
};

/// The error of a response that failed, as JSON. Codex knows some of its codes, and does not ask again where they say that
/// it would be in vain.
std::string responses_error_json(const turn::FailMessage& failure);

}  // namespace splitproof::proxy::dialect
