#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <iostream>
#include <system_error>

#include "harness/campaign/upstream.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/find_case.hpp"
#include "harness/cli/sources.hpp"
#include "harness/import/exporter.hpp"
#include "harness/write_file.hpp"

namespace splitproof::cli {
namespace {

struct ExportCommand {
  std::string kind;
  std::string what;  ///< Case id, recording id or path.
  std::string out;   ///< File or folder; empty: standard output.
  std::vector<std::string> corpus;
};

std::vector<std::string> export_kinds() {
  std::vector<std::string> names;
  for (const imports::Exporter& exporter : imports::exporters()) names.emplace_back(exporter.kind);
  return names;
}

// Returns the recording as the upstream of the case sends it. A case that changes the chunks has no times; gen=timed has
// its own.
Result<recording::Recording> recording_in(const FoundCase& found) {
  return campaign::upstream_of(found.one, found.recording).map([&](const results::Upstream& upstream) {
    recording::Recording made = found.recording;
    if (upstream == campaign::as_recorded(found.recording)) return made;
    made.body = upstream.body;
    made.end = upstream.end;
    made.status = upstream.status.value_or(made.status);
    made.arrivals.clear();
    made.ended_at = 0;
    const auto pause = [&](std::size_t i) {
      return made.ended_at += i < upstream.pauses.size() ? upstream.pauses[i] : 0;
    };
    split::Cuts ends = upstream.cuts;
    if (!made.body.empty()) ends.push_back(made.body.size());
    for (std::size_t i = 0; i < ends.size(); ++i) made.arrivals.push_back({pause(i), ends[i]});
    pause(upstream.cuts.size() + 1);
    return made;
  });
}

int write_out(const ExportCommand& command, const imports::ExportedRecording& made) {
  namespace fs = std::filesystem;
  for (const imports::ExportedFile& file : made.files) {
    if (command.out.empty()) {
      std::cout << file.text;
      continue;
    }
    const fs::path path = file.path.empty() ? fs::path(command.out) : fs::path(command.out) / file.path;
    std::error_code ignored;
    if (path.has_parent_path()) fs::create_directories(path.parent_path(), ignored);
    if (const auto saved = write_file(path.string(), file.text); !saved) return complain(saved.error());
  }
  return kConforms;
}

int export_case(const ExportCommand& command) {
  const imports::Exporter& exporter = *imports::exporter_of(command.kind);
  if (exporter.needs_folder && command.out.empty())
    return complain(Error{command.kind + " is a folder, so --out DIR is required", {}, 0, {}});
  const auto found = find_case(command.what, command.corpus);
  if (!found) return complain(found.error());
  if (!found->one.act.empty())
    return complain(
        Error{"an act needs several clients, so it cannot be exported", {}, 0, "export another case"});
  warn(found->recording);
  const auto recording = recording_in(*found);
  if (!recording) return complain(recording.error());
  const imports::ExportedRecording made = exporter.write(*recording);
  if (!made.lost.empty())
    std::cerr << fmt::format("splitproof: {} cannot hold: {}\n", command.kind, fmt::join(made.lost, ", "));
  return write_out(command, made);
}

void add_options(Options& options, ExportCommand& exported) {
  std::string formats;
  for (const imports::Exporter& exporter : imports::exporters())
    formats += fmt::format("{}{}, {}", formats.empty() ? "" : "; ", exporter.kind, exporter.writes);
  options.text("KIND", exported.kind, formats).required().one_of(export_kinds());
  options.text("CASE", exported.what, "id of a case, or id or path of a recording").required();
  options.text("--out", exported.out, "file, or folder for litellm (default: standard output)")
      .type("PATH")
      .path();
  add_corpus(options, exported.corpus);
}

}  // namespace

const Command kExport = {"export", "Write a case in the format of another tool",
                         "splitproof export har mine/capture.rec.jsonl --out capture.har",
                         adding(add_options, export_case)};

}  // namespace splitproof::cli
