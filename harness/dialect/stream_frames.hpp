#pragma once

#include <cstddef>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::dialect {

/// One event of a body, ready to be changed.
struct Frame {
  std::string bytes;                 ///< all its lines with the blank one, and comments before it
  std::optional<std::string> event;  ///< what its `event:` line says
  std::string data;
  std::shared_ptr<const nlohmann::ordered_json> json;  ///< its data; null where that is not JSON
};

/// The events of a body, as SseReader takes them; joined, their bytes are the body. What follows the last blank line
/// belongs to the last.
std::vector<Frame> frames_of(std::string_view body);

std::string joined(const std::vector<Frame>& frames);

/// The frame's bytes with other data and, if there was an event line, the given one; comments are left out.
std::string frame_bytes(const std::optional<std::string>& event, std::string_view data);

}  // namespace splitproof::dialect
