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
  extension,  ///< An extension. It is ignored without an object.
  error       ///< An error. It is unreadable without an object, even if it is blank or the closing mark.
};

/// Classifies a frame of a stream of JSON objects before it is read. The frame has to outlive this object.
class StreamFrame {
 public:
  enum class Kind : std::uint8_t {
    nothing,     ///< Blank, or an extension without an object.
    done,        ///< The closing mark of OpenAI's protocols.
    object,      ///< A JSON object.
    bare,        ///< A body without frames that is an object.
    torn,        ///< Incomplete object at the end of the body.
    unreadable,  ///< Every other frame.
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
