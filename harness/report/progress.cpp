#include "harness/report/progress.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/report/summary.hpp"

namespace splitproof::report {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr double kMostlyIdle = 0.3;
constexpr double kMostlyFull = 0.8;

}  // namespace

std::string rough_time(seconds time) {
  if (time < minutes(2) && time != minutes(1)) return fmt::format("{}s", time.count());
  const auto whole = std::chrono::round<minutes>(time);
  if (whole < minutes(90)) return fmt::format("{}m", whole.count());
  return fmt::format("{}h{:02}m", whole / hours(1), (whole % hours(1)).count());
}

std::string progress_text(const campaign::CampaignProgress& progress, seconds elapsed,
                          std::optional<seconds> limit) {
  // Within a limit all recordings end together, if at all, so started recordings measure progress.
  std::string text = fmt::format(
      "{}/{} recordings{}, {} of about {}, {}", limit ? progress.begun : progress.done, progress.total,
      limit ? " tried" : "", progress.cases, counted(std::max(progress.planned, progress.cases), "case"),
      counted(progress.findings, "finding"));
  if (progress.cases == 0 || elapsed.count() == 0)
    return limit ? text + ", " + rough_time(std::max(*limit - elapsed, seconds(0))) + " left" : text;
  const double rate = static_cast<double>(progress.cases) / static_cast<double>(elapsed.count());
  const auto rest = static_cast<double>(std::max(progress.planned, progress.cases) - progress.cases);
  seconds left(static_cast<seconds::rep>(rest / rate));
  if (limit) left = std::min(left, std::max(*limit - elapsed, seconds(0)));
  return text + fmt::format(", {:.0f} a second, {} left", rate, rough_time(left));
}

std::string ProgressLine::at(const campaign::CampaignProgress& progress, seconds elapsed) {
  if (terminal_) return "\r\033[K" + progress_text(progress, elapsed, limit_);
  const auto whole = std::chrono::floor<minutes>(elapsed);
  if (whole <= told_) return "";
  told_ = whole;
  return fmt::format("splitproof: {}: {}\n", rough_time(elapsed), progress_text(progress, elapsed, limit_));
}

std::string text_of(const Throughput& seen) {
  const double rate = seen.pace.seconds > 0 ? static_cast<double>(seen.cases) / seen.pace.seconds : 0;
  std::string text =
      fmt::format("{:.{}f} cases a second with {} at once", rate, rate < 10 ? 1 : 0, seen.pace.at_once);
  const std::size_t at_once = seen.pace.at_once / seen.instances;  // of each instance
  if (seen.fell && at_once > 1)
    return text +
           fmt::format("; it crashed or hung, and no single case is the cause, so try max_concurrency: {}",
                       at_once / 2);
  if (seen.fell) return text;
  if (seen.pace.at_once < seen.max_concurrency)
    return text + fmt::format("; the target file allows more, so try --jobs {}", seen.max_concurrency);
  const bool full = seen.pace.in_flight() > kMostlyFull * static_cast<double>(seen.pace.at_once);
  const bool multiply = seen.can_multiply && (seen.instances > 1 || !seen.can_overlap);
  if ((seen.can_overlap || multiply) && full && seen.idle_processors > kMostlyIdle)
    text += fmt::format("; the processors were idle for {:.0f} % of the time, so try {}: {}",
                        100 * seen.idle_processors, multiply ? "instances" : "max_concurrency",
                        2 * (multiply ? seen.instances : at_once));
  return text;
}

}  // namespace splitproof::report
