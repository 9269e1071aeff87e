#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>

#include "proxy/turn/event.hpp"

namespace splitproof::turn {

// Instructions for a writer, in the order of its protocol. Only the ledger makes them.

struct StartMessage {
  std::string model;
  bool operator==(const StartMessage&) const = default;
};

struct OpenBlock {
  std::size_t index = 0;
  BlockKind kind = BlockKind::text;
  std::string id;    ///< of a call, from the upstream; empty if it never sent one
  std::string name;  ///< of a call
  bool operator==(const OpenBlock&) const = default;
};

struct AppendBlock {
  std::size_t index = 0;
  BlockKind kind = BlockKind::text;
  std::string text;  ///< never empty
  bool operator==(const AppendBlock&) const = default;
};

/// Signs a thinking block; at most once, right before its close.
struct SignBlock {
  std::size_t index = 0;
  std::string signature;  ///< never empty
  bool operator==(const SignBlock&) const = default;
};

/// End of a block: complete, cut off by the end of the message, or in a failed message.
enum class Closing : std::uint8_t { whole, cut_short, abandoned };

/// Opens and closes a block of thinking that only its provider can read.
struct SealedBlock {
  std::size_t index = 0;
  std::string data;  ///< never empty
  bool operator==(const SealedBlock&) const = default;
};

struct CloseBlock {
  std::size_t index = 0;
  Closing how = Closing::whole;
  bool operator==(const CloseBlock&) const = default;
};

struct FinishMessage {
  Finish reason = Finish::stop;
  bool called = false;   ///< the message contains a call
  bool refused = false;  ///< the model declined in a refusal block
  Usage usage;
  std::string stop_sequence;  ///< for `stop`: the client's stop text that ended it; empty: none or unknown
  bool operator==(const FinishMessage&) const = default;
};

struct FailMessage {
  ErrorKind kind = ErrorKind::api;
  std::string message;
  std::string code = {};  ///< the upstream's own word for it, if any
  bool operator==(const FailMessage&) const = default;
};

using Step = std::variant<StartMessage, OpenBlock, AppendBlock, SignBlock, SealedBlock, CloseBlock,
                          FinishMessage, FailMessage>;

}  // namespace splitproof::turn
