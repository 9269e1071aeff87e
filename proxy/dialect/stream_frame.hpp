#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "proxy/limits.hpp"
#include "proxy/wire/frame.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

/// What an event's name says of it.
enum class Named : std::uint8_t {
  nothing,
  extension,  ///< it is somebody's own: what is no object is nothing
  error       ///< it is an error: what is no object is unreadable, be it blank or the closing mark
};

/// Tells what a frame of a stream of JSON objects is, before anything in it is read. The frame has to outlive it.
class StreamFrame {
 public:
  enum class Kind : std::uint8_t {
    nothing,     ///< blank, or an extension and no object
    done,        ///< the closing mark of OpenAI's protocols
    object,      ///< a JSON object
    bare,        ///< a body without frames that is one
    torn,        ///< no object, and the body ended inside it
    unreadable,  ///< what cannot be any of these
  };

  StreamFrame(const wire::Frame& frame, const Limits& limits, Named named = Named::nothing);

  Kind kind() const { return kind_; }

  /// Of Kind::object and Kind::bare.
  wire::Json object() const { return document_.root(); }

  /// Of what is unreadable: why, to stand behind "an event ".
  const std::string& problem() const { return problem_; }

 private:
  std::string_view text_;
  wire::JsonDocument document_;
  Kind kind_;
  std::string problem_;
};

}  // namespace splitproof::proxy::dialect
