#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "proxy/dialect/call_ids.hpp"
#include "proxy/request/reply.hpp"
#include "proxy/turn/json_progress.hpp"
#include "proxy/turn/step.hpp"

namespace splitproof::proxy::dialect {

/// Writes the steps of a turn as a stream of `generateContent`: server-sent events, or the elements of one array if the
/// client asked for it. Each frame has one candidate with one part. Thinking is text with `thought: true`. Signatures
/// are left out, because only their provider makes them.
///
/// The protocol has no pieces of a call. A call leaves as soon as its arguments are one JSON object. A call whose
/// arguments were cut off is left out. So the layout opens one block at a time.
///
/// The last frame has the reason and the usage, with an empty text: Google's SDK drops the whole answer from its history
/// if one frame has no part. A failed message ends with the error alone. There is no closing mark.
class GeminiWriter {
 public:
  explicit GeminiWriter(request::Reply reply) : reply_(std::move(reply)) {}

  /// Appends the bytes of one step.
  void write(const turn::Step& step, std::string& out);

  /// Appends a comment, or a line end in an array: the protocol has no empty frame.
  void write_ping(std::string& out) const;

  bool operator==(const GeminiWriter&) const = default;

 private:
  struct Call {
    std::string head;  // the part up to its arguments
    std::string arguments;
    turn::JsonProgress progress;
    bool sent = false;

    bool operator==(const Call&) const = default;
  };

  void put(const turn::StartMessage& step, std::string& out);
  void put(const turn::OpenBlock& step, std::string& out);
  void put(const turn::AppendBlock& step, std::string& out);
  void put(const turn::SignBlock& step, std::string& out);
  void put(const turn::SealedBlock& step, std::string& out);
  void put(const turn::CloseBlock& step, std::string& out);
  void put(const turn::FinishMessage& step, std::string& out);
  void put(const turn::FailMessage& step, std::string& out);

  void send_call(std::string& out);
  void put_part(std::string_view part, std::string_view reason, std::string_view usage, std::string& out);
  void put_frame(std::string_view json, bool last, std::string& out);

  request::Reply reply_;
  std::optional<Call> call_;  // the open one
  CallIds call_ids_;
  bool begun_ = false;  // some frame was sent
};

}  // namespace splitproof::proxy::dialect
