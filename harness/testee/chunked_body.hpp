#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::testee {

/// Decodes chunked framing (RFC 9112, 7.1), strictly, and keeps its properties:
///
///     5 ; x=1 CR LF h e l l o CR LF | 0 CR LF | Name: value CR LF | CR LF | 0 CR LF CR LF ...
///     size and extensions, data       final     trailer fields      end     trailing
///
/// It rejects a bare LF, blanks around a size, a size that is not hexadecimal or exceeds an offset, data beyond its
/// size, and a trailer field without name or colon. It also rejects lines longer than kLongestLine, a trailer longer
/// than kLongestTrailer, and more than kMostChunks chunks. Its state depends only on the bytes, not on their pieces.
class ChunkedBody {
 public:
  static constexpr std::size_t kLongestLine = 16 * 1024;
  static constexpr std::size_t kLongestTrailer = 64 * 1024;
  static constexpr std::size_t kMostChunks = std::size_t{1} << 20;

  /// Takes all of `bytes`, in order. Ignores bytes after broken framing.
  void feed(std::string_view bytes);

  const std::string& body() const { return body_; }

  /// Returns the end offset in the body of each complete chunk.
  const std::vector<std::size_t>& chunk_ends() const { return chunk_ends_; }

  /// Returns the number of chunks of size 0: the one that ends the message, and each directly following `0 CR
  /// LF CR LF`.
  std::size_t final_chunks() const { return final_chunks_; }

  /// True if the message has ended: its final chunk and the trailer's empty line came.
  bool over() const { return state_ == State::over; }

  /// Returns the number of bytes after the end, including further final chunks.
  std::size_t trailing() const { return trailing_; }

  /// Returns why the framing is invalid, in one clause, or "".
  const std::string& broken() const { return broken_; }

  /// Returns the number of bytes before the invalid byte, or before the end.
  std::size_t taken() const { return taken_; }

  /// Returns the place at which a message ends here: "inside a chunk".
  std::string_view place() const;

  bool operator==(const ChunkedBody&) const = default;

 private:
  enum class State : std::uint8_t { size, data, data_end, trailer, over, broken };

  std::size_t take_data(std::string_view bytes);
  void take_byte(char c);
  void take_trailing(std::string_view bytes);
  void read_line();
  void read_size();
  void fail(std::string_view why);

  State state_ = State::size;
  std::string body_;
  std::vector<std::size_t> chunk_ends_;
  std::size_t final_chunks_ = 0;
  std::size_t trailing_ = 0;
  std::string broken_;
  std::size_t taken_ = 0;
  std::string line_;               // the unfinished line, with its CR
  std::size_t trailer_ = 0;        // bytes of the trailer's lines
  std::size_t remaining_ = 0;      // bytes of the chunk's data to come
  std::size_t final_matched_ = 0;  // matched bytes of a further final chunk
  bool only_final_chunks_ = true;  // after the end
};

}  // namespace splitproof::testee
