#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace splitproof::turn {

/// Content of a block. A refusal is text by which the model declines.
enum class BlockKind : std::uint8_t { text, thinking, refusal, call };

/// The reason for the end, common to all dialects; `unknown` for an unlisted word of the upstream.
enum class Finish : std::uint8_t { stop, length, calls, content_filter, unknown };

/// True if the answer was cut short.
constexpr bool cuts_short(Finish reason) {
  return reason == Finish::length || reason == Finish::content_filter;
}

/// Kind of error that ended a stream, by the action a client should take.
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

/// End of the upstream body. `closed`: no final HTTP chunk. `stall`: a timeout. `swollen`: the compressed body unpacks
/// to far too much. `stopped`: the proxy ended it.
enum class BodyEnd : std::uint8_t { complete, closed, reset, stall, swollen, stopped };

// The canonical turn: readers of all dialects emit these events, and writers get nothing else.

/// Beginning of the message. `model` is empty if the upstream has not named it.
struct Begin {
  std::string model;
  bool operator==(const Begin&) const = default;
};

/// A piece of text, thinking or refusal.
struct Prose {
  BlockKind kind = BlockKind::text;
  std::string text;
  /// Part of the upstream's answer, in order of their beginnings. Neighbouring parts stay separate. Always 0 if the
  /// upstream does not divide the answer.
  std::size_t part = 0;
  bool operator==(const Prose&) const = default;
};

/// Signature of the last thinking block: the provider needs it to accept the thinking in a later request. Before any
/// thinking, it is a block by itself. If its block is no longer the last, it is ignored unless it `ends`.
struct Signature {
  std::string text;
  /// True if later thinking is another block. Then, without a last thinking block, it is a block by itself.
  bool ends = false;
  bool operator==(const Signature&) const = default;
};

/// A block of thinking that only its provider can read.
struct Sealed {
  std::string data;
  bool operator==(const Sealed&) const = default;
};

/// A piece of one tool call. Pieces of calls may alternate, and each field may come in any piece.
struct CallPiece {
  std::size_t call = 0;    ///< 0, 1, 2 in the order in which the reader first saw them.
  std::uint64_t rank = 0;  ///< The upstream's number, which orders calls that start at the end.
  std::string id;
  std::string name;
  std::string arguments;  ///< Raw text, appended to the earlier pieces.
  bool no_id = false;     ///< No later piece has an id.
  bool operator==(const CallPiece&) const = default;
};

/// Token counts; a set field replaces the known one.
struct Usage {
  std::optional<std::uint64_t> prompt;          ///< All input tokens, caches included.
  std::optional<std::uint64_t> cached;          ///< Tokens of the prompt that were read from a cache.
  std::optional<std::uint64_t> completion;      ///< Output tokens.
  std::optional<std::uint64_t> reasoning = {};  ///< Tokens of the completion for thinking.
  std::optional<std::uint64_t> written = {};    ///< Tokens of the prompt that were written to a cache.
  bool operator==(const Usage&) const = default;
};

/// The upstream reported the reason for its end. More may follow until Done or the end of the body.
struct Finished {
  Finish reason = Finish::stop;
  /// The stop text, if the upstream names it.
  std::string stopped_at = {};
  /// The upstream's word for an unknown reason.
  std::string word = {};
  bool operator==(const Finished&) const = default;
};

/// The upstream's closing mark. The message ends here.
struct Done {
  bool operator==(const Done&) const = default;
};

/// The upstream reported an error or sent something unreadable.
struct Failure {
  ErrorKind kind = ErrorKind::api;
  std::string message;
  std::string code = {};  ///< The upstream's own word for it, if any.
  bool operator==(const Failure&) const = default;
};

/// A part of the upstream's answer has ended.
struct Close {
  std::size_t part = 0;
  bool operator==(const Close&) const = default;
};

/// Content without a place in any client's protocol, whose absence would mislead. An otherwise successful answer ends
/// with an error about it.
struct Unplaced {
  std::string what;       ///< For example "an image".
  bool may_miss = false;  ///< The answer may lack it if it has other content.
  bool operator==(const Unplaced&) const = default;
};

/// Content of a kind that no reader knows. An answer may lack it if it has other content.
inline Unplaced unknown_content() { return {"content of an unknown kind", true}; }

using Event =
    std::variant<Begin, Prose, Signature, CallPiece, Usage, Finished, Done, Failure, Close, Unplaced, Sealed>;

}  // namespace splitproof::turn
