#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "proxy/server/request_head.hpp"

namespace splitproof::server {

/// Takes a framed body off the wire: that of a request as its head says that it comes, or that of an answer.
class BodyReader {
 public:
  enum class State : std::uint8_t { more, whole, malformed, too_large };

  /// `most`: bytes that the body may have.
  BodyReader(const RequestHead& head, std::size_t most);

  /// A body of so many bytes; none: it comes in chunks.
  BodyReader(std::optional<std::size_t> length, std::size_t most);

  /// Takes bytes from the front of `bytes`, none behind the end of the body, and appends what they hold to `body`. Once
  /// the state is not `more`, it takes nothing.
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
  std::size_t left_ = 0;  // of the body or of the chunk
  std::size_t trailers_ = 0;
  std::string line_;
};

}  // namespace splitproof::server
