#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace splitproof::turn {

/// What a block holds. A refusal is text by which the model declines.
enum class BlockKind : std::uint8_t { text, thinking, refusal, call };

/// Why the model stopped, in the words all dialects share; `unknown` for a word of the upstream's that nobody wrote down.
enum class Finish : std::uint8_t { stop, length, calls, content_filter, unknown };

/// Whether the answer was cut short.
constexpr bool cuts_short(Finish reason) {
  return reason == Finish::length || reason == Finish::content_filter;
}

/// What kind of error ended a stream, by what a client should do about it.
enum class ErrorKind : std::uint8_t {
  invalid_request,
  authentication,
  permission,
  not_found,
  request_too_large,
  rate_limit,
  billing,
  timeout,
  overloaded,
  api,
};

/// How the upstream body ended. `closed` has no final HTTP chunk; `stall` means that nothing came for too long; `swollen`
/// that what came compressed was given up, as it unpacks to far more; `stopped` that we end it.
enum class BodyEnd : std::uint8_t { complete, closed, reset, stall, swollen, stopped };

// The canonical turn: every dialect reader says what it read in these events, and nothing else crosses to the
// writers.

/// The message has begun. `model` may be empty where the upstream has not named it.
struct Begin {
  std::string model;
  bool operator==(const Begin&) const = default;
};

/// A piece of text, thinking or refusal.
struct Prose {
  BlockKind kind = BlockKind::text;
  std::string text;
  /// Which part of the upstream's answer it is of, in the order in which they began: neighbours stay apart. Always 0 where
  /// the upstream does not say.
  std::size_t part = 0;
  bool operator==(const Prose&) const = default;
};

/// What lets the provider take the thinking of the last thinking block back in a later request, unchanged. Before any
/// thinking, it is a block by itself. After a block that is no longer the last one, it means nothing, unless it `ends`.
struct Signature {
  std::string text;
  /// It ends its thought: thinking after it is another block. If the last block is no thinking, it is a block by itself.
  bool ends = false;
  bool operator==(const Signature&) const = default;
};

/// A block of thinking that only its provider can read.
struct Sealed {
  std::string data;
  bool operator==(const Sealed&) const = default;
};

/// A piece of one tool call. Pieces of different calls may alternate, and each field may come in any of them.
struct CallPiece {
  std::size_t call = 0;    ///< which call: 0, 1, 2 in the order in which the reader first saw them
  std::uint64_t rank = 0;  ///< the upstream's own number for it, which orders calls that start at the end
  std::string id;
  std::string name;
  std::string arguments;  ///< raw text, appended to what came before
  bool operator==(const CallPiece&) const = default;
};

/// Token counts; a field that is set replaces what was known.
struct Usage {
  std::optional<std::uint64_t> prompt;          ///< all input tokens, those of caches included
  std::optional<std::uint64_t> cached;          ///< of these, read from a cache
  std::optional<std::uint64_t> completion;      ///< output tokens
  std::optional<std::uint64_t> reasoning = {};  ///< of these, thought
  std::optional<std::uint64_t> written = {};    ///< of the prompt, written to a cache
  bool operator==(const Usage&) const = default;
};

/// The upstream said why it stopped. More may follow until Done or the end of the bytes.
struct Finished {
  Finish reason = Finish::stop;
  /// The text that stopped it, as the upstream names it; empty where it names none.
  std::string stopped_at = {};
  /// The upstream's word for a reason that is unknown.
  std::string word = {};
  bool operator==(const Finished&) const = default;
};

/// The upstream's closing mark: whatever follows is not part of the message.
struct Done {
  bool operator==(const Done&) const = default;
};

/// The upstream reported an error, or sent what cannot be read.
struct Failure {
  ErrorKind kind = ErrorKind::api;
  std::string message;
  std::string code = {};  ///< the upstream's own word for it; empty where it has none
  bool operator==(const Failure&) const = default;
};

/// A part of the upstream's answer says no more.
struct Close {
  std::size_t part = 0;
  bool operator==(const Close&) const = default;
};

/// Content of the upstream's answer that no client's protocol has a place for. An answer without it would mislead, so it ends
/// in an error instead of a success.
struct Unplaced {
  std::string what;       ///< "an image"
  bool may_miss = false;  ///< The answer may lack it if it has other content.
  bool operator==(const Unplaced&) const = default;
};

using Event =
    std::variant<Begin, Prose, Signature, CallPiece, Usage, Finished, Done, Failure, Close, Unplaced, Sealed>;

}  // namespace splitproof::turn
