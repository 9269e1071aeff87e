#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/recording/recording.hpp"

namespace splitproof::imports {

/// A file to write. The path is relative to the output folder; empty for the only file of a kind.
struct ExportedFile {
  std::string path;
  std::string text;
};

/// A recording in the format of another tool.
struct ExportedRecording {
  std::vector<ExportedFile> files;
  std::vector<std::string> lost;  ///< Content of the recording that the format cannot hold, as phrases.
};

/// One format that recordings can be exported to.
struct Exporter {
  std::string_view kind;
  std::string_view writes;  ///< For lists: "a HAR file with one entry".
  bool needs_folder = false;
  ExportedRecording (*write)(const recording::Recording& recording);
};

std::span<const Exporter> exporters();

/// Returns the exporter of a kind, or null.
const Exporter* exporter_of(std::string_view kind);

// One function for each row of the table.
ExportedRecording write_har(const recording::Recording& recording);
ExportedRecording write_curl_trace(const recording::Recording& recording);
ExportedRecording write_body(const recording::Recording& recording);
ExportedRecording write_bundle(const recording::Recording& recording);

/// Returns the phrases for chunks and their times, if a recording has more than one chunk or a time.
std::vector<std::string> lost_chunks(const recording::Recording& recording, bool keeps_ends);

/// Returns the recording's request to the upstream as JSON, or "".
std::string request_text(const recording::Recording& recording);

/// Returns the method of the recorded request, or POST.
std::string method_text(const recording::Recording& recording);

/// Returns the headers of the recorded request.
std::vector<std::pair<std::string, std::string>> request_headers(const recording::Recording& recording);

/// Returns the recorded URL, or one on this machine with the recording's id.
std::string url_text(const recording::Recording& recording);

}  // namespace splitproof::imports
