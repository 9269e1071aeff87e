// Files to import: each is refused in one line, or gives streams that can be saved as recordings. import_input.hpp describes
// the input.

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>

#include "fuzz/import_input.hpp"
#include "harness/import/importer.hpp"
#include "harness/import/to_recording.hpp"
#include "harness/recording/recording.hpp"

using namespace splitproof;

namespace {

void require(bool holds, const std::string& what) {
  if (holds) return;
  std::cerr << what << "\n";
  std::abort();
}

void save(const imports::ImportedResponse& response, const std::string& wrapper) {
  const auto recording =
      imports::recording_of(response, wrapper, {"x", "sse", "text/event-stream", {}}, "file");
  if (!recording) {
    require(!recording.error().what.empty(), "a refusal says nothing");
    return;
  }
  const auto text = recording::to_text(*recording);
  require(text.has_value(), "a recording cannot be written");
  const auto again = recording::parse(*text, "x.rec.jsonl");
  require(again.has_value() && *again == *recording, "a recording changes as it is written");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::ImportInput input = fuzz::import_input(data, size);
  const auto found = imports::read_with(input.importer, input.source);
  if (!found) {
    const std::string error = describe(found.error());
    require(!found.error().what.empty() && error.find('\n') == error.npos,
            "a refusal is not one line: " + error);
    return 0;
  }
  require(!found->streams.empty(), "a file without streams is not refused");
  for (const imports::ImportedResponse& response : found->streams) save(response, found->wrapper);
  return 0;
}
