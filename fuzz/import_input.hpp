#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "harness/descriptor.hpp"
#include "harness/import/importer.hpp"

namespace splitproof::fuzz {

/// A fuzzer's file to import. The first byte is the number of an importer in imports::importers(); beyond the last,
/// the importer that recognises the file reads it. The second byte has the framing of the streams to look for, and
/// the size of the first chunk of a raw body if it is 4 or more. The rest is the file. For the kind `map` the mapping
/// comes before it, up to an empty line.
struct ImportInput {
  const imports::Importer* importer = nullptr;  ///< null: recognised.
  imports::ImportSource source;
  Descriptor mapping;  ///< File in memory; `source.mapping` is its path.
};

inline ImportInput import_input(const std::uint8_t* data, std::size_t size) {
  ImportInput input;
  input.source.path = "file";
  if (size < 2) return input;
  const auto all = imports::importers();
  const std::size_t chosen = data[0] % (all.size() + 1);
  if (chosen < all.size()) input.importer = &all[chosen];
  input.source.framing = static_cast<Framing>(data[1] % 4 % 3);
  std::string_view text(reinterpret_cast<const char*>(data) + 2, size - 2);
  if (const std::size_t first = data[1] / 4; first > 0 && first < text.size())
    input.source.chunk_sizes = {first, text.size() - first};
  if (input.importer != nullptr && input.importer->kind == "map") {
    const std::size_t end = std::min(text.find("\n\n"), text.size());
    const std::string_view mapping = text.substr(0, end);
    text.remove_prefix(std::min(end + 2, text.size()));
    input.mapping = Descriptor(memfd_create("mapping", MFD_CLOEXEC));
    if (write(input.mapping.get(), mapping.data(), mapping.size()) == static_cast<ssize_t>(mapping.size()))
      input.source.mapping = "/proc/self/fd/" + std::to_string(input.mapping.get());
  }
  input.source.bytes = text;
  return input;
}

}  // namespace splitproof::fuzz
