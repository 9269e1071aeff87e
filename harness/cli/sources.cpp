#include "harness/cli/sources.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <iterator>
#include <optional>
#include <system_error>

#include "harness/built_in.hpp"
#include "harness/campaign/case.hpp"
#include "harness/campaign/meta.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/unknown_word.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/dialect/request_recordings.hpp"
#include "harness/fnv1a.hpp"
#include "harness/import/importer.hpp"
#include "harness/observe/expect.hpp"
#include "harness/observe/framing.hpp"
#include "harness/read_file.hpp"
#include "harness/report/summary.hpp"

namespace splitproof::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kLevelsAbove = 4;  // a build folder may be below the source tree's own `build`

bool holds_data(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_regular_file(folder / "contracts" / "profiles" / "default.yaml", ignored);
}

}  // namespace

Result<std::string> data_folder() {
  if (const char* given = std::getenv("SPLITPROOF_DATA"); given != nullptr && *given != '\0') {
    if (holds_data(given)) return given;
    return tl::unexpected(Error{"SPLITPROOF_DATA names a folder that has no contracts", given, 0,
                                "set it to a folder with `contracts` and `corpus`, or unset it"});
  }
  std::error_code failed;
  const fs::path executable = fs::read_symlink("/proc/self/exe", failed);
  fs::path folder = executable.parent_path();
  for (int level = 0; !failed && level < kLevelsAbove; ++level, folder = folder.parent_path()) {
    if (holds_data(folder)) return folder.string();
  }
  return std::string(kBuiltIn);
}

Result<std::vector<fs::path>> contract_folders(const std::vector<std::string>& folders) {
  const Result<std::string> data = data_folder();
  if (!data) return tl::unexpected(data.error());
  std::vector<fs::path> all{fs::path(*data) / "contracts"};
  all.insert(all.end(), folders.begin(), folders.end());
  return all;
}

Result<contract::Contracts> load_contracts(const std::vector<std::string>& folders) {
  return contract_folders(folders).and_then(contract::Contracts::load);
}

std::vector<const contract::Obligation*> all_rules(const contract::Contracts& contracts) {
  std::vector<const contract::Obligation*> all = contracts.obligations();
  for (const contract::Obligation& meta : campaign::meta_obligations()) all.push_back(&meta);
  return all;
}

Result<contract::Clients> load_clients(const std::vector<std::string>& folders,
                                       const contract::Contracts& contracts) {
  return contract_folders(folders).and_then(
      [&](const std::vector<fs::path>& dirs) { return contract::Clients::load(dirs, contracts); });
}

std::map<std::string, std::string> contract_digests(const contract::Contracts& contracts) {
  std::map<std::string, std::string> digests;
  for (const contract::Obligation* obligation : contracts.obligations()) {
    std::string& digest = digests[fs::path(obligation->file).filename().string()];
    if (!digest.empty()) continue;
    if (const Result<std::string> text = read_file(obligation->file))
      digest = fmt::format("{:016x}", fnv1a(*text));
  }
  return digests;
}

Result<contract::Profile> load_profile(const std::string& name, const std::vector<std::string>& folders) {
  auto profile = contract_folders(folders).and_then(
      [&](const std::vector<fs::path>& dirs) { return contract::load_profile(name, dirs); });
  if (!profile) return profile;
  for (const std::string& upstream : profile->upstreams) {
    if (dialect::upstream_of(upstream) != nullptr) continue;
    return tl::unexpected(Error{"there is no upstream protocol `" + upstream + "`", profile->upstreams_file,
                                profile->upstreams_line, "use " + dialect::upstream_names()});
  }
  return profile;
}

Result<void> check_recording(const recording::Recording& recording) {
  const auto unknown = [&](const std::string& protocol, const char* where) {
    Error error = unknown_protocol(protocol);
    error.what += where;
    error.file = recording.path;
    error.line = 1;
    return tl::unexpected(std::move(error));
  };
  if (dialect::find(recording.protocol) == nullptr) return unknown(recording.protocol, "");
  if (recording.requests) {
    for (const auto& request : recording.requests->items()) {
      if (dialect::find(request.key()) == nullptr) return unknown(request.key(), ", which `requests` names");
    }
  }
  observe::Expected nothing;
  return observe::apply_expect(recording, {}, nothing);
}

Result<void> check_losses(const recording::Recording& recording, const std::string& client,
                          const contract::Contracts& contracts) {
  const dialect::UpstreamDialect* upstream = dialect::upstream_of(recording.protocol);
  const auto on_purpose = std::count(recording.features.begin(), recording.features.end(), "unknown_block");
  if (recording.protocol == client || upstream == nullptr || dialect::client_of(client) == nullptr ||
      on_purpose > 0)
    return {};
  const auto& losses = contracts.losses(recording.protocol, client);
  const auto unlisted = [&](const observe::Answer& answer) -> std::optional<std::string> {
    for (const std::string& kind : observe::kinds_of(answer))
      if (!losses.contains(kind)) return kind;
    return std::nullopt;
  };
  const std::optional<std::string> kind = unlisted(dialect::read(*upstream, recording.body));
  if (!kind) return {};
  // Finds the line of the chunk that begins the first frame with the unlisted content.
  std::size_t begin = 0;
  const auto reader = upstream->reader({});
  observe::for_each_frame(recording.body, upstream->format().framing, [&](const observe::SseEvent& frame) {
    reader->take(frame);
    begin = frame.begin;
    return !unlisted(reader->finished());
  });
  const auto chunk = std::find_if(recording.arrivals.begin(), recording.arrivals.end(),
                                  [&](const recording::Arrival& arrival) { return arrival.end > begin; });
  constexpr std::size_t kFirstChunk = 2;
  const std::size_t line = kFirstChunk + static_cast<std::size_t>(chunk - recording.arrivals.begin());
  return tl::unexpected(
      Error{fmt::format("no {} has a row for `{}` and clients of {}", contract::kLossyFile, *kind, client),
            recording.path, line,
            fmt::format(
                "put `rows: [{{from: {1}, what: {2}, to: {3}, becomes: dropped}}]`, or refused, into DIR/{0} "
                "and add --contracts DIR. If the recording tests unknown blocks, give it the feature "
                "`unknown_block` (contracts/specifications/losses.md)",
                contract::kLossyFile, recording.protocol, *kind, client)});
}

Result<recording::Corpus> load_recordings(const std::vector<std::string>& folders, const std::string& only) {
  std::vector<std::string> from = folders;
  std::function<bool(const std::string&)> wanted;
  if (from.empty()) {
    const Result<std::string> data = data_folder();
    if (!data) return tl::unexpected(data.error());
    from = {(fs::path(*data) / "corpus").string()};
    // Errors in given folders are reported regardless of `only`.
    wanted = [&only](const std::string& id) { return campaign::may_select(only, id, id); };
  }
  Result<recording::Corpus> corpus = recording::load_corpus(from, wanted);
  if (!corpus) return corpus;
  for (const recording::RequestFile& request : corpus->requests) {
    if (wanted) {
      const std::vector<std::string> ids = dialect::recording_ids_of_request(request.id);
      if (std::none_of(ids.begin(), ids.end(), wanted)) continue;
    }
    const auto recordings = read_file(request.path).and_then([&request](const std::string& text) {
      return dialect::recordings_of_request(request.id, request.path, text);
    });
    if (recordings) {
      corpus->recordings.insert(corpus->recordings.end(), recordings->begin(), recordings->end());
    } else {
      corpus->errors.push_back(recordings.error());
    }
  }
  std::erase_if(corpus->recordings, [&](const recording::Recording& recording) {
    const Result<void> demanded = check_recording(recording);
    if (!demanded) corpus->errors.push_back(demanded.error());
    return !demanded;
  });
  return corpus;
}

std::string source_options(const Selection& selection, bool strict) {
  std::string options = strict ? " --strict" : "";
  for (const std::string& folder : selection.corpus) options += " --corpus " + report::shell_quoted(folder);
  for (const std::string& folder : selection.contracts)
    options += " --contracts " + report::shell_quoted(folder);
  if (selection.profile != Selection().profile)
    options += " --profile " + report::shell_quoted(selection.profile);
  return options;
}

void warn(const recording::Recording& recording) {
  for (const std::string& warning : recording.warnings) {
    std::cerr << "splitproof: warning: " << recording.path + ": " + warning << "\n";
  }
}

int complain(const Error& error) {
  std::cerr << "splitproof: " << describe(error) << "\n";
  return kWrongInput;
}

Result<imports::ImportedFile> streams_in(const std::string& file, std::string bytes) {
  imports::ImportSource source;
  source.path = file;
  source.bytes = std::move(bytes);
  auto found = imports::read_any(source);
  if (found) report_wrapper(file, *found);
  return found;
}

void report_wrapper(const std::string& file, const imports::ImportedFile& found) {
  if (found.wrapper.empty()) return;
  const std::size_t count = found.streams.size();
  const std::string streams = count == 1 ? "the event stream" : report::counted(count, "event stream");
  const std::string left =
      found.left.empty() ? "" : fmt::format("; left out: {}", fmt::join(found.left, ", "));
  std::cerr << fmt::format("splitproof: {}: found {} inside {}{}\n", file, streams, found.wrapper, left);
}

}  // namespace splitproof::cli
