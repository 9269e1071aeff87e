#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "proxy/dialect/call_ids.hpp"
#include "proxy/request/custom_input.hpp"
#include "proxy/request/reply.hpp"
#include "proxy/turn/step.hpp"

namespace splitproof::proxy::dialect {

/// Writes the steps of a turn as an event stream of Chat Completions, with one choice. Thinking becomes
/// `reasoning_content`, the most widely known key. Signatures are left out. The first piece of a call has its id, type
/// and name. Calls are numbered as they open. A call without arguments gets `{}`.
///
/// A failed message ends with the error alone: a later `[DONE]` would report success.
class ChatWriter {
 public:
  explicit ChatWriter(request::Reply reply) : reply_(std::move(reply)) {}

  /// Appends the bytes of one step.
  void write(const turn::Step& step, std::string& out);

  /// Appends a comment, because the protocol has no empty event.
  void write_ping(std::string& out) const;

  bool operator==(const ChatWriter&) const = default;

 private:
  struct Call {
    std::size_t number = 0;
    bool custom = false;
    bool said = false;  // some arguments were sent
    request::CustomInput input;

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

  void say_arguments(Call& call, std::string_view text, std::string& out);
  void put_call(const Call& call, std::string_view rest, std::string& out);
  void put_choice(std::string_view delta, std::string_view finish, std::string& out);
  void put_chunk(std::string_view rest, std::string& out);
  std::string call_id(const turn::OpenBlock& step);

  request::Reply reply_;
  std::map<std::size_t, Call> calls_;  // by their blocks
  CallIds call_ids_;
};

}  // namespace splitproof::proxy::dialect
