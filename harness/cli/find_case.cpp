#include "harness/cli/find_case.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "harness/cli/sources.hpp"
#include "harness/cli/unknown_word.hpp"

namespace splitproof::cli {

namespace {

Error no_such_recording(const std::string& id, const std::vector<std::string>& corpus) {
  std::vector<std::string> ids;
  if (const auto all = load_recordings(corpus))
    for (const recording::Recording& recording : all->recordings) ids.push_back(recording.id);
  const std::vector<std::string> closest = closest_ids(id, ids);
  return Error{"there is no recording '" + id + "'",
               {},
               0,
               (closest.empty() ? "" : "did you mean " + closest.front() + "? ") +
                   "run splitproof list recordings, or name its folder with --corpus"};
}

}  // namespace

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
  return tl::unexpected(no_such_recording(one->recording, corpus));
}

}  // namespace splitproof::cli
