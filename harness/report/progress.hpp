#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "harness/campaign/campaign.hpp"

namespace splitproof::report {

/// "45s", "16m", "1h05m": as a person says how long something takes.
std::string rough_time(std::chrono::seconds time);

/// "123/250 recordings, 4100 of about 41445 cases, 12 findings, 38 a second, 16m left". Where there is a `limit`, what is left
/// is no more than what is left of it, and it counts the recordings of which something was tried: "123/250 recordings tried".
std::string progress_text(const campaign::CampaignProgress& progress, std::chrono::seconds elapsed,
                          std::optional<std::chrono::seconds> limit);

/// What to print of a campaign that goes on: on a terminal one line that changes, into a log a line for each minute.
class ProgressLine {
 public:
  ProgressLine(bool terminal, std::optional<std::chrono::seconds> limit)
      : terminal_(terminal), limit_(limit) {}

  /// Empty: nothing now.
  std::string at(const campaign::CampaignProgress& progress, std::chrono::seconds elapsed);

 private:
  const bool terminal_;
  const std::optional<std::chrono::seconds> limit_;
  std::chrono::minutes told_{0};
};

/// How fast one target was, and what would make it faster: "39 cases a second with 8 at once; ...".
struct Throughput {
  campaign::Pace pace;
  std::size_t cases = 0;
  std::size_t max_concurrency = 1;
  bool can_overlap = true;     ///< exchanges that are under way at once can be told apart
  bool fell = false;           ///< it died or hung, and no case was to blame
  double idle_processors = 0;  ///< 0 .. 1: how much of them nobody used meanwhile
};
std::string text_of(const Throughput& seen);

}  // namespace splitproof::report
