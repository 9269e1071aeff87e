#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "proxy/limits.hpp"
#include "proxy/wire/frame.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

/// Meaning of an event's name.
enum class Named : std::uint8_t {
  nothing,
  extension,  ///< an extension: without an object it is nothing
  error       ///< an error: without an object it is unreadable, even if blank or the closing mark
};

/// Classifies a frame of a stream of JSON objects before it is read. The frame has to outlive this object.
class StreamFrame {
 public:
  enum class Kind : std::uint8_t {
    nothing,     ///< blank, or an extension without an object
    done,        ///< the closing mark of OpenAI's protocols
    object,      ///< a JSON object
    bare,        ///< a body without frames that is an object
    torn,        ///< incomplete object at the end of the body
    unreadable,  ///< anything else
  };

  StreamFrame(const wire::Frame& frame, const Limits& limits, Named named = Named::nothing);

  Kind kind() const { return kind_; }

  /// For Kind::object and Kind::bare.
  wire::Json object() const { return document_.root(); }

  /// The reason for Kind::unreadable, to follow "an event ".
  const std::string& problem() const { return problem_; }

 private:
  std::string_view text_;
  wire::JsonDocument document_;
  Kind kind_;
  std::string problem_;
};

}  // namespace splitproof::proxy::dialect
