#include "harness/cli/find_case.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "harness/cli/sources.hpp"

namespace splitproof::cli {

Result<FoundCase> find_case(const std::string& what, const std::vector<std::string>& corpus) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(what, ignored)) {
    if (!what.ends_with(".jsonl")) {
      return tl::unexpected(Error{"is not a recording: the name does not end in .rec.jsonl", what, 0,
                                  "turn a captured stream into a recording with splitproof import"});
    }
    auto recording = recording::load(what);
    if (!recording) return tl::unexpected(recording.error());
    if (!recording::can_be_id(recording->id))
      return tl::unexpected(
          Error{"the file's name cannot be part of a case id", what, 0, recording::kNameOfRecording});
    if (const auto demanded = check_recording(*recording); !demanded) return tl::unexpected(demanded.error());
    campaign::Case one;
    one.recording = recording->id;
    return FoundCase{std::move(one), std::move(*recording)};
  }
  const auto one = campaign::parse_case(what);
  if (!one) return tl::unexpected(one.error());
  auto loaded = load_recordings(corpus, one->recording);
  if (!loaded) return tl::unexpected(loaded.error());
  const auto found =
      std::find_if(loaded->recordings.begin(), loaded->recordings.end(),
                   [&](const recording::Recording& recording) { return recording.id == one->recording; });
  if (found != loaded->recordings.end()) return FoundCase{*one, std::move(*found)};
  for (const Error& error : loaded->errors) complain(error);
  return tl::unexpected(Error{"there is no recording '" + one->recording + "'",
                              {},
                              0,
                              "run splitproof list recordings, or name its folder with --corpus"});
}

}  // namespace splitproof::cli
