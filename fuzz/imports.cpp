// Files to import: each is refused in one line, or gives streams that can be saved as recordings. The first byte selects the
// importer, the second the framing of the streams to look for.

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>

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
  if (size < 2) return 0;
  imports::ImportSource source;
  source.path = "file";
  source.framing = static_cast<Framing>(data[1] % 3);
  source.bytes.assign(reinterpret_cast<const char*>(data) + 2, size - 2);
  const auto all = imports::importers();
  const std::size_t chosen = data[0] % (all.size() + 1);
  const auto found = chosen == all.size() ? imports::read_any(source) : all[chosen].read(source);
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
