#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "proxy/server/request_head.hpp"

namespace splitproof::server {

/// Reads a framed body off the wire: of a request, with the framing its head declares, or of an answer.
class BodyReader {
 public:
  enum class State : std::uint8_t { more, whole, malformed, too_large };

  /// `most`: largest size of the body in bytes.
  BodyReader(const RequestHead& head, std::size_t most);

  /// `length`: size of the body in bytes; none: it is chunked.
  BodyReader(std::optional<std::size_t> length, std::size_t most);

  /// Takes bytes of the body from the front of `bytes` and appends the content to `body`. Takes nothing after the end
  /// of the body, or if the state is not `more`.
  State take(std::string_view& bytes, std::string& body);

  State state() const { return state_; }

 private:
  enum class Part : std::uint8_t { data, size_line, data_end, trailer };

  void take_data(std::string_view& bytes, std::string& body);
  void take_line(std::string_view& bytes, const std::string& body);
  void end_line(const std::string& body);

  const std::size_t most_;
  const bool chunked_;
  State state_ = State::more;
  Part part_ = Part::data;
  std::size_t left_ = 0;  // in the body or the chunk
  std::size_t trailers_ = 0;
  std::string line_;
};

}  // namespace splitproof::server
