#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/aws_frame.hpp"

namespace splitproof {

/// Returns a frame in the form that servers send.
inline std::string event_frame(std::string_view type, std::string_view payload) {
  return write_aws_frame({{":event-type", kAwsText, std::string(type)},
                          {":content-type", kAwsText, "application/json"},
                          {":message-type", kAwsText, "event"}},
                         payload);
}

/// Returns a frame with a header of each of the ten types.
inline std::string frame_of_all_types() {
  std::vector<AwsHeader> headers;
  for (const auto& [type, size] :
       {std::pair(0, 0), {1, 0}, {2, 1}, {3, 2}, {4, 4}, {5, 8}, {6, 3}, {7, 5}, {8, 8}, {9, 16}})
    headers.push_back({"h" + std::to_string(type), static_cast<std::uint8_t>(type),
                       std::string(static_cast<std::size_t>(size), static_cast<char>('a' + type))});
  return write_aws_frame(headers, "{}");
}

/// Returns valid bodies of AWS event streams: the project's own, and recordings of Bedrock if there are any. The latter
/// are under `recordings` in the folder SPLITPROOF_SHARED, or in `../shared` next to the source root.
inline std::vector<std::string> aws_frame_bodies() {
  const std::string text = event_frame("assistantResponseEvent", R"({"content":"caf\u00e9 \ud83d\ude00 {)"
                                                                 "\xE2\x82\xAC"
                                                                 R"(}"})");
  std::vector<std::string> bodies = {
      "",
      write_aws_frame({}, ""),
      text + event_frame("metadataEvent", R"({"stopReason":"END_TURN","n":[-1.5e3,true,null]})"),
      frame_of_all_types() + text + write_aws_frame({{":event-type", kAwsText, ""}}, "\xFF no text"),
      event_frame("toolUseEvent", R"({"input":"{\"a\":\"\\n\\u00e9\\ud83d\\ude00\"}"})"),
  };
  std::filesystem::path shared;
  if (const char* named = std::getenv("SPLITPROOF_SHARED")) {
    shared = named;
  } else if (const char* root = std::getenv("SPLITPROOF_SOURCE_ROOT")) {
    shared = std::filesystem::path(root).parent_path() / "shared";
  }
  std::error_code missing;
  for (const auto& entry :
       std::filesystem::directory_iterator(shared / "recordings" / "bedrock-eventstream", missing)) {
    if (entry.path().extension() != ".bin") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    bodies.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return bodies;
}

}  // namespace splitproof
