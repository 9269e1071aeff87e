#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "proxy/limits.hpp"
#include "proxy/wire/frame.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

/// Tells what a frame of a Chat Completions stream is, before anything in it is read. The frame has to outlive it.
class ChatFrame {
 public:
  enum class Kind : std::uint8_t {
    nothing,     ///< blank, or somebody's extension: a named event that is no chunk, as a `ping` is
    done,        ///< the closing mark
    chunk,       ///< a JSON object
    bare,        ///< a body without frames that is a JSON object
    torn,        ///< no object, and the body ended inside it
    unreadable,  ///< what cannot be any of these
  };

  ChatFrame(const wire::Frame& frame, const Limits& limits);

  Kind kind() const { return kind_; }

  /// The object of a chunk or a bare body.
  wire::Json object() const { return document_.root(); }

  /// Of what is unreadable: why, to stand behind "upstream event 7 ".
  const std::string& problem() const { return problem_; }

 private:
  std::string_view text_;
  wire::JsonDocument document_;
  Kind kind_;
  std::string problem_;
};

/// Why a choice says it is finished, in lower case; empty where it does not.
std::string chat_finish(const wire::Json& choice);

}  // namespace splitproof::proxy::dialect
