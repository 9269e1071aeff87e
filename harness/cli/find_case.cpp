#include "harness/cli/find_case.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "harness/cli/sources.hpp"

namespace splitproof::cli {

Result<Case> find_case(const std::string& what, const std::vector<std::string>& corpus) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(what, ignored)) {
    auto recording = recording::load(what);
    if (!recording) return tl::unexpected(recording.error());
    if (const auto demanded = check_demands(*recording); !demanded) return tl::unexpected(demanded.error());
    campaign::CaseId id;
    id.recording = recording->id;
    return Case{id, std::move(*recording)};
  }
  const auto id = campaign::parse_case_id(what);
  if (!id) return tl::unexpected(id.error());
  auto loaded = load_recordings(corpus);
  if (!loaded) return tl::unexpected(loaded.error());
  const auto found =
      std::find_if(loaded->recordings.begin(), loaded->recordings.end(),
                   [&](const recording::Recording& recording) { return recording.id == id->recording; });
  if (found != loaded->recordings.end()) return Case{*id, std::move(*found)};
  for (const Error& error : loaded->errors) complain(error);
  return tl::unexpected(Error{"there is no recording '" + id->recording + "'",
                              {},
                              0,
                              "see splitproof list recordings, or name its folder with --corpus"});
}

}  // namespace splitproof::cli
