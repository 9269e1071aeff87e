#include "harness/cli/evidence_folder.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "harness/cli/sources.hpp"
#include "harness/evidence/evidence_name.hpp"
#include "harness/read_file.hpp"
#include "harness/write_file.hpp"

namespace splitproof::cli {
namespace {

namespace fs = std::filesystem;

const char* name(campaign::Round round) {
  switch (round) {
    case campaign::Round::exact:
      return "exact";
    case campaign::Round::over_http:
      return "over-http";
    case campaign::Round::statuses:
      return "statuses";
  }
  return "";
}

std::string manifest_in(const std::string& folder) {
  return (fs::path(folder) / evidence::kManifest).string();
}

}  // namespace

Result<void> EvidenceFolder::make(const std::string& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (!failed && !fs::is_directory(folder, failed)) failed = std::make_error_code(std::errc::not_a_directory);
  if (!failed && access(folder.c_str(), W_OK | X_OK) != 0) failed = {errno, std::generic_category()};
  if (!failed) fs::remove(manifest_in(folder), failed);
  if (!failed) return {};
  return tl::unexpected(Error{"evidence cannot be written to this folder: " + failed.message(), folder, 0,
                              "pass --evidence a folder that you can write to"});
}

void EvidenceFolder::keep(const evidence::Evidence& seen, campaign::Round round) {
  evidence::Manifest::File file;
  file.target = seen.testee.name;
  file.recording = seen.recording ? seen.recording->id : std::string();
  file.round = name(round);
  file.path = evidence::evidence_name(file.target, file.recording, round == campaign::Round::statuses);
  for (const evidence::StoredExchange& exhibit : seen.exhibits) file.cases += exhibit.cases;
  const std::string path = (fs::path(folder_) / file.path).string();
  const Result<std::string> written = evidence::save(seen, path).and_then([&] { return read_file(path); });
  const std::lock_guard lock(mutex_);
  if (!written) {
    complain(written.error());
    ++unwritten_;
    return;
  }
  file.bytes = written->size();
  file.digest = evidence::digest_of(*written);
  std::erase_if(files_, [&](const auto& earlier) { return earlier.path == file.path; });
  files_.push_back(std::move(file));
}

void EvidenceFolder::end(evidence::Manifest manifest) {
  if (unwritten_ > 0) return;  // it would claim a complete run
  std::sort(files_.begin(), files_.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  manifest.files = files_;
  const auto written = write_file(manifest_in(folder_), to_text(manifest));
  if (written) return;
  complain(written.error());
  ++unwritten_;
}

}  // namespace splitproof::cli
