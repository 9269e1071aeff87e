#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/framing.hpp"
#include "harness/import/imported_file.hpp"
#include "harness/result.hpp"

namespace splitproof::imports {

/// A file to import, and facts that it does not contain.
struct ImportSource {
  std::string path;                                     ///< As the user gave it; "-" is standard input.
  std::string bytes;                                    ///< Empty for a folder.
  Framing framing = Framing::sse;                       ///< Framing of the streams to look for.
  std::optional<std::vector<std::size_t>> chunk_sizes;  ///< In bytes; only for a raw body.
  std::string mapping;                                  ///< Path of a mapping file; only for `map`.
};

/// Reads a file, or takes the path of a folder with a manifest.
Result<ImportSource> open_source(const std::string& path);

/// True for a folder with a manifest.
bool is_folder(const ImportSource& source);

/// One format that can be imported.
struct Importer {
  std::string_view kind;
  std::string_view reads;                          ///< For lists: "a HAR file".
  std::string_view keeps;                          ///< For lists: the boundaries of chunks that it keeps.
  bool (*recognises)(const ImportSource& source);  ///< null: it is used only if it is named.
  Result<ImportedFile> (*read)(const ImportSource& source);
};

/// Returns all importers, in the order in which formats are recognised.
std::span<const Importer> importers();

/// Returns the importer of a kind, or null.
const Importer* importer_of(std::string_view kind);

/// Reads a file by an importer, or by the one that recognises it if `importer` is null. Refuses chunk sizes for a file
/// that is not a raw body.
Result<ImportedFile> read_with(const Importer* importer, const ImportSource& source);

/// Reads a file by the importer that recognises it. All other files are read as raw bodies, which may be in one
/// of the wrappers of recording/capture.hpp. The Error names the format and a way to get the stream.
Result<ImportedFile> read_any(const ImportSource& source);

/// Parses "118,40,7": sizes in bytes, each at least 1.
Result<std::vector<std::size_t>> parse_chunk_sizes(std::string_view text);

/// True if a body begins like a stream of this framing. The rest may be broken.
bool is_stream_of(Framing framing, std::string_view body);

}  // namespace splitproof::imports
