#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::observe {

/// A way to divide messages into WebSocket frames. The messages keep their meaning. A bar separates two frames.
///
///     whole      {"a":"é"}                 one frame a message
///     halves     {"a":"\xC3 | \xA9"}       two fragments, cut inside the first long character, or in the middle
///     bytes      { | " | a | ...           a fragment for each byte
///     empty      (nothing) | {..} | (nothing)
///     pings      PING | {..} | PING | {..}
///     between    {"a":"\xC3 | PING | \xA9"}
///     125        the shortest message, filled up with blanks after the JSON to this number of bytes
struct FrameStyle {
  enum class Kind : std::uint8_t { whole, halves, bytes, empty, pings, between, sized };
  Kind kind = Kind::whole;
  std::size_t size = 0;  ///< Bytes of the message, if `sized`.

  auto operator<=>(const FrameStyle&) const = default;
};

/// Returns "whole", "halves", "bytes", "empty", "pings", "between", or the size: "126".
std::string label(const FrameStyle& style);

/// Returns the style of a label, or nullopt.
std::optional<FrameStyle> frame_style_of(std::string_view label);

/// Returns all styles except `whole`. The sizes are those at which the form of a length changes (RFC 6455, 5.2): 125,
/// 126, 65535 and 65536.
const std::vector<FrameStyle>& frame_styles();

/// Returns the fragments of a message, at least one.
std::vector<std::string_view> fragments_of(std::string_view message, const FrameStyle& style);

/// Fills the shortest message up with blanks to `size` bytes, and returns its place. Returns nullopt and changes
/// nothing if each message is longer.
std::optional<std::size_t> fill_shortest(std::vector<std::string>& messages, std::size_t size);

}  // namespace splitproof::observe
