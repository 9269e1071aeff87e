#pragma once

#include <cstddef>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::dialect {

/// One event of a body, ready for changes.
struct Frame {
  std::string bytes;                 ///< All its lines, its blank line and comments before it.
  std::optional<std::string> event;  ///< Value of its `event:` line.
  std::string data;                  ///< Of an AWS event stream: as aws_document() returns it.
  std::shared_ptr<const nlohmann::ordered_json> json;  ///< Its data; null if it is not JSON.
};

/// Returns the events of a body, divided as by SseReader, or as by AwsFrameReader for an AWS event stream. Joined, their bytes
/// are the body. Bytes after the last blank line belong to the last event.
std::vector<Frame> frames_of(std::string_view body);

std::string joined(const std::vector<Frame>& frames);

/// Returns the frame's bytes with other data and, if there was an event line, the given one. Drops comments. Data that
/// begins with a header, as aws_document() returns it, becomes a frame of an AWS event stream.
std::string frame_bytes(const std::optional<std::string>& event, std::string_view data);

}  // namespace splitproof::dialect
