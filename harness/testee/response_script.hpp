#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/recording/recording.hpp"
#include "harness/result.hpp"
#include "harness/testee/http_header.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::testee {

/// How the end of a response's body is told (RFC 9112, 6.3).
enum class BodyFraming : std::uint8_t { chunked, content_length, close_delimited };

/// The names that options use: "chunked", "content-length", "close".
std::string_view name(BodyFraming framing);
Result<BodyFraming> parse_framing(std::string_view name);

/// Which writes a chunked body leaves in. The pieces "Hello, world, it is" and "ok" under each, a write's end drawn
/// as `|`:
///
///     piece          | 13 CR LF Hello, world, it is CR LF | 2 CR LF ok CR LF | 0 CR LF CR LF |
///     one_chunk      | 15 CR LF Hello, world, it is | ok | CR LF 0 CR LF CR LF |
///     two_pieces     | 13 CR LF Hello, world, it is CR LF 2 CR LF ok CR LF | 0 CR LF CR LF |
///     in_size        | 1 | 3 CR LF Hello, world, it is CR LF 2 | CR LF ok CR LF 0 | CR LF CR LF |
///     in_size_end    | 13 CR | LF Hello, world, it is CR LF 2 CR | LF ok CR LF 0 CR | LF CR LF |
///     before_end     | 13 CR LF Hello, world, it is | CR LF 2 CR LF ok | CR LF 0 CR LF | CR LF |
///     in_end         | 13 CR LF Hello, world, it is CR | LF 2 CR LF ok CR | LF 0 CR LF CR | LF |
///     bytes          each byte is a write
///
/// Under the other framings a piece is a write, except for `bytes`.
enum class WritePacking : std::uint8_t {
  piece,
  one_chunk,
  two_pieces,
  in_size,
  in_size_end,
  before_end,
  in_end,
  bytes,
};

/// The names that options use: "piece", "one-chunk", "two-pieces", "in-size", "in-size-end", "before-end", "in-end",
/// "bytes".
std::string_view name(WritePacking packing);
Result<WritePacking> parse_packing(std::string_view name);

/// What the stand-in upstream answers to a request: data, every byte and boundary of it.
struct ResponseScript {
  int status = 200;
  Headers headers;                  ///< sent as they are; what tells the framing and `connection` is added
  std::vector<std::string> pieces;  ///< the body; empty ones say nothing
  BodyFraming framing = BodyFraming::chunked;
  WritePacking packing = WritePacking::piece;
  bool head_apart = true;  ///< the head is a write of its own; else it leaves with the first of the body
  bool keep_alive = true;  ///< the connection may carry another exchange, where the end allows it
  std::vector<std::size_t> cuts;  ///< further ends of writes: offsets from the first byte of the response
  std::vector<std::size_t>
      holds;  ///< increasing offsets in the body: the byte there waits until it is released
  /// How it ends. Only `complete` sends the final chunk; under `content_length` any other announces one byte more than
  /// there is, and closing is the proper end of `close_delimited`. A stall keeps the connection open.
  recording::End end = recording::End::complete;
  std::optional<std::size_t>
      cut_off;           ///< nothing from this offset of the response on is sent; `end` is as it is
  std::string trailing;  ///< bytes after a complete response, a write of their own

  bool operator==(const ResponseScript&) const = default;
};

/// The bytes of a response and how they are written.
struct WritePlan {
  std::string bytes;
  std::size_t head = 0;  ///< bytes of the head
  std::vector<std::size_t>
      ends;  ///< one past the last byte of each write; strictly increasing up to bytes.size()
  std::vector<std::size_t>
      holds;  ///< one for each of the script's: what is written from there on, or the end, waits

  bool operator==(const WritePlan&) const = default;
};

/// Encodes a script. Offsets of cuts that cut nothing are left out. A hold at or beyond the body's end holds back what
/// ends the response: the final chunk, or else the closing.
WritePlan plan_writes(const ResponseScript& script);

/// Whether the connection can carry another exchange once the script has been played.
bool leaves_open(const ResponseScript& script);

/// An answer with a JSON body instead of a stream.
ResponseScript json_response(int status, std::string json);

/// A recording's status and headers, with the pieces and the end of an exchange for its body. Headers that say how the
/// recorded connection was framed and kept are left out.
ResponseScript response_of(const recording::Recording& recording, const Exchange& exchange);

}  // namespace splitproof::testee
