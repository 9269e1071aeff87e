#include "harness/cli/record_distil.hpp"

#include <filesystem>
#include <iostream>
#include <system_error>
#include <vector>

#include "harness/cli/distiller.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/recording_files.hpp"
#include "harness/cli/sources.hpp"
#include "harness/report/summary.hpp"
#include "harness/visible.hpp"

namespace splitproof::cli {
namespace {

// Copies a file to its place below another folder. An existing file with other content is an error.
Result<void> copy_recording(const std::filesystem::path& from, const std::filesystem::path& to) {
  std::error_code failed;
  std::filesystem::create_directories(to.parent_path(), failed);
  if (!failed) std::filesystem::copy_file(from, to, failed);
  if (!failed) return {};
  return tl::unexpected(
      Error{"cannot be written: " + failed.message(), to.string(), 0, "name another folder with --out"});
}

}  // namespace

int distil_recordings(const std::string& folder, const std::string& out) {
  const auto files = recording_files(folder);
  if (!files) return complain(files.error());
  auto distiller = Distiller::make();
  if (!distiller) return complain(distiller.error());
  std::size_t unread = 0;
  for (const std::string& file : *files) {
    if (const auto recording = recording::load(file)) {
      distiller->add(file, *recording);
    } else {
      complain(recording.error());
      ++unread;
    }
  }
  if (distiller->empty()) {
    complain(Error{"there is no readable recording (*.rec.jsonl)", folder, 0, {}});
    return unread > 0 ? kWrongInput : kNothingSelected;
  }
  const std::vector<record::KeptRecording> kept = distiller->choose();
  for (const record::KeptRecording& one : kept) {
    const std::string& path = distiller->path_of(one);
    const auto below = std::filesystem::path(path).lexically_relative(folder);
    if (const auto copied = copy_recording(path, std::filesystem::path(out) / below); !copied)
      return complain(copied.error());
    std::cout << visible(below.string()) << "  " << features_added_by(one) << "\n";
  }
  std::cout << "splitproof: " << distiller->total_of(kept);
  if (unread > 0) std::cout << ", " << report::counted(unread, "file") << " not read";
  std::cout << "\n";
  return unread > 0 ? kWrongInput : kConforms;
}

}  // namespace splitproof::cli
