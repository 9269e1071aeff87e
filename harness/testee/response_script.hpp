#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/observe/frame_style.hpp"
#include "harness/recording/recording.hpp"
#include "harness/result.hpp"
#include "harness/testee/http_header.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::testee {

/// Framing of a response's body (RFC 9112, 6.3).
enum class BodyFraming : std::uint8_t { chunked, content_length, close_delimited };

/// Returns the option's name: "chunked", "content-length", "close".
std::string_view name(BodyFraming framing);
Result<BodyFraming> parse_framing(std::string_view name);

/// Division of a chunked body into writes. Example: the pieces "Hello, world, it is" and "ok", with `|` at the end of a
/// write:
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
/// Under the other framings, a piece is a write, except for `bytes`.
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

/// Returns the option's name: "piece", "one-chunk", "two-pieces", "in-size", "in-size-end", "before-end",
/// "in-end", "bytes".
std::string_view name(WritePacking packing);
Result<WritePacking> parse_packing(std::string_view name);

/// A response of the stand-in upstream: every byte and every boundary.
struct ResponseScript {
  int status = 200;
  Headers headers;                  ///< Sent unchanged; fields for framing and `connection` are added.
  std::vector<std::string> pieces;  ///< The body; empty pieces have no effect.
  BodyFraming framing = BodyFraming::chunked;
  WritePacking packing = WritePacking::piece;
  bool head_apart = true;          ///< The head is a write; otherwise the body's first write includes it.
  bool keep_alive = true;          ///< The connection may carry another exchange, if the end allows it.
  std::vector<std::size_t> cuts;   ///< Further ends of writes: offsets from the first byte of the response.
  std::vector<std::size_t> holds;  ///< Increasing offsets in the body: the byte there waits for its release.
  std::vector<double> pauses;      ///< Seconds before each piece and before the end; empty: none.
  /// End of the response. Only `complete` sends the final chunk. Under `content_length`, any other end
  /// announces one byte more than there is. Closing is the proper end of `close_delimited`. A stall keeps the
  /// connection open.
  recording::End end = recording::End::complete;
  std::optional<std::size_t>
      cut_off;                 ///< Nothing from this offset of the response on is sent; `end` still applies.
  std::string trailing;        ///< Bytes after a complete response, as a separate write.
  observe::FrameStyle frames;  ///< Frames of each message over a WebSocket (websocket_script.hpp).

  bool operator==(const ResponseScript&) const = default;
};

/// A time that passes after the write that ends at an offset of the response, and before the next.
struct Pause {
  std::size_t at = 0;
  double seconds = 0;

  bool operator==(const Pause&) const = default;
};

/// The bytes of a response and their writes.
struct WritePlan {
  std::string bytes;
  std::size_t head = 0;  ///< Bytes of the head.
  std::vector<std::size_t>
      ends;  ///< One past the last byte of each write; strictly increasing up to bytes.size().
  std::vector<std::size_t>
      holds;                  ///< One for each of the script's holds: writes from there on, or the end, wait.
  std::vector<Pause> pauses;  ///< By strictly increasing offset, each longer than 0. A write ends at each.

  bool operator==(const WritePlan&) const = default;
};

/// Encodes a script. Omits cuts that divide nothing. A hold at or beyond the body's end delays the end of the
/// response: the final chunk, or the closing. A pause delays its piece with the size line of its chunk, and
/// ends the write before it. No pause delays the head.
WritePlan plan_writes(const ResponseScript& script);

/// True if the connection can carry another exchange after the script.
bool leaves_open(const ResponseScript& script);

/// Returns an answer with a JSON body instead of a stream.
ResponseScript json_response(int status, std::string json);

/// Returns a recording's status and headers, with the pieces and the end of an exchange for its body. Omits
/// headers for the framing and the connection.
ResponseScript response_of(const recording::Recording& recording, const Exchange& exchange);

}  // namespace splitproof::testee
