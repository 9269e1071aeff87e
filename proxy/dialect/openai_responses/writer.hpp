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

/// Writes the steps of a turn as an event stream of OpenAI's Responses. Each block is an item at the ledger's place.
/// Texts and refusals are messages of one part. Thinking is reasoning with one summary part, which clients show.
/// Signatures are left out, because no Responses provider would accept them back.
///
/// Parallel calls stay open in parallel, each at its own output_index. The protocol has an item_id in every event, so
/// no call waits for an earlier one.
///
/// A failed message ends with response.failed alone, the only event from which Codex reads an error. Incomplete items
/// get no done event, because Codex keeps and runs completed items.
///
/// A call has the upstream's id. If it is missing or repeated, the id is made from the stream's seed. A call without
/// arguments gets `{}`. The writer keeps the content that the end repeats.
class ResponsesWriter {
 public:
  explicit ResponsesWriter(request::Reply reply);

  /// Appends the bytes of one step.
  void write(const turn::Step& step, std::string& out);

  /// Sets the current time in seconds since 1970, for the time of completion.
  void set_time(std::uint64_t now) { now_ = now; }

  /// Returns the complete items except reasoning, which differs from the upstream's form.
  std::vector<ToldItem> told() const;

  /// Appends a comment, because the protocol has no empty event that every client knows.
  void write_ping(std::string& out) const;

  bool operator==(const ResponsesWriter&) const = default;

 private:
  struct Item {
    turn::BlockKind kind = turn::BlockKind::text;
    std::string head;  // of a call: the constant members, as JSON
    bool custom = false;
    request::CustomInput input;  // of a custom tool
    std::string text;            // the whole text so far, escaped
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
  std::uint64_t events_ = 0;  // events so far
  std::vector<Item> items_;
  CallIds call_ids_;
};

/// Returns the error of a failed response, as JSON. For some codes Codex does not retry, because a retry would fail
/// too.
std::string responses_error_json(const turn::FailMessage& failure);

}  // namespace splitproof::proxy::dialect
