#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::testee {

/// Takes a body out of its chunked framing (RFC 9112, 7.1), strictly, and remembers what the framing was like:
///
///     5 ; x=1 CR LF h e l l o CR LF | 0 CR LF | Name: value CR LF | CR LF | 0 CR LF CR LF ...
///     size and extensions, data       final     trailer fields      end     trailing
///
/// Not chunked framing are: a bare LF, blanks around a size, a size that is no hexadecimal number or more than an
/// offset can say, data beyond its size, a trailer field without name or colon, lines longer than kLongestLine, a trailer
/// longer than kLongestTrailer and more chunks than kMostChunks. Its state depends on the bytes alone, not on how they
/// were cut.
class ChunkedBody {
 public:
  static constexpr std::size_t kLongestLine = 16 * 1024;
  static constexpr std::size_t kLongestTrailer = 64 * 1024;
  static constexpr std::size_t kMostChunks = std::size_t{1} << 20;

  /// Takes all of `bytes`, in order. What comes after the framing broke is not looked at.
  void feed(std::string_view bytes);

  const std::string& body() const { return body_; }

  /// For each chunk whose data came whole, one past its last byte in the body.
  const std::vector<std::size_t>& chunk_ends() const { return chunk_ends_; }

  /// How many chunks of size 0 came: the one that ends the message, and each `0 CR LF CR LF` right behind it.
  std::size_t final_chunks() const { return final_chunks_; }

  /// Whether the message has ended: its final chunk and the trailer's empty line came.
  bool over() const { return state_ == State::over; }

  /// Bytes that came after that, further final chunks too.
  std::size_t trailing() const { return trailing_; }

  /// Why this is no chunked framing, one clause; empty where it is, so far.
  const std::string& broken() const { return broken_; }

  /// How many bytes were taken before the one that broke the framing, or before the end.
  std::size_t taken() const { return taken_; }

  /// What was under way, for a message that ends here: "inside a chunk".
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
  std::string line_;               // the line that has begun, with its CR
  std::size_t trailer_ = 0;        // bytes of the trailer's lines
  std::size_t remaining_ = 0;      // of the chunk's data
  std::size_t final_matched_ = 0;  // bytes of a further final chunk
  bool only_final_chunks_ = true;  // behind the end
};

}  // namespace splitproof::testee
