#pragma once

#include <string>

#include "harness/import/imported_file.hpp"
#include "harness/import/to_recording.hpp"
#include "harness/read_file.hpp"

namespace splitproof::imports {

/// Returns a recording with the bytes of a file as its only chunk, whatever they are.
inline Result<recording::Recording> raw_recording(const std::string& file, const std::string& protocol) {
  auto body = read_file(file);
  if (!body) return tl::unexpected(body.error());
  ImportedResponse response;
  take_as_one_chunk(response, *std::move(body));
  const std::size_t name = file.rfind('/') + 1;
  RecordingHead head;
  head.id = file.substr(name, file.rfind('.') - name);
  head.protocol = protocol;
  head.content_type = "text/event-stream";
  return recording_of(response, {}, head, file);
}

}  // namespace splitproof::imports
