#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "harness/campaign/campaign.hpp"

namespace splitproof::report {

/// Returns a rounded time: "45s", "16m", "1h05m".
std::string rough_time(std::chrono::seconds time);

/// Returns "123/250 recordings, 4100 of about 41445 cases, 12 findings, 38 a second, 16m left". A `limit`
/// bounds the remaining time. Then started recordings are counted: "123/250 recordings tried".
std::string progress_text(const campaign::CampaignProgress& progress, std::chrono::seconds elapsed,
                          std::optional<std::chrono::seconds> limit);

/// Output during a campaign: one changing line on a terminal, one line a minute in a log.
class ProgressLine {
 public:
  ProgressLine(bool terminal, std::optional<std::chrono::seconds> limit)
      : terminal_(terminal), limit_(limit) {}

  /// Returns the text to print now, or "".
  std::string at(const campaign::CampaignProgress& progress, std::chrono::seconds elapsed);

 private:
  const bool terminal_;
  const std::optional<std::chrono::seconds> limit_;
  std::chrono::minutes told_{0};
};

/// Throughput of one target, and how to increase it: "39 cases a second with 8 at once; ...".
struct Throughput {
  campaign::Pace pace;
  std::size_t cases = 0;
  std::size_t max_concurrency = 1;
  std::size_t instances = 1;   ///< Programs that share these exchanges.
  bool can_overlap = true;     ///< Concurrent exchanges can be distinguished.
  bool can_multiply = false;   ///< This program starts it, so it can start several instances.
  bool fell = false;           ///< It died or hung for no case's fault.
  double idle_processors = 0;  ///< 0 .. 1: unused share of the processors.
};
std::string text_of(const Throughput& seen);

}  // namespace splitproof::report
