#include "harness/report/run_context.hpp"

#include <fmt/format.h>

namespace splitproof::report {
namespace {

constexpr std::size_t kShownCommands = 3;

// "2026-11-29 10:01:07 UTC" from "2026-11-29T10:01:07Z"
std::string shown_time(std::string began) {
  if (began.size() != std::string_view("2026-11-29T10:01:07Z").size()) return began;
  began[10] = ' ';
  began.replace(began.size() - 1, 1, " UTC");
  return began;
}

std::string selection_of(const Heading& heading, const Summary& summary) {
  std::string text = heading.quick ? "quick: the cases that find most" : "all planned cases";
  if (!summary.shards.empty()) text += ", " + summary.shards;
  if (summary.cut_short)
    text += fmt::format("; stopped after {} with {} of about {}", summary.cut_short->after,
                        grouped(summary.cases), grouped(summary.cut_short->planned, "case"));
  return text + fmt::format("; seed {}, profile {}", heading.seed, heading.profile);
}

std::string versions_of(const results::RunDetails& details) {
  std::vector<std::string> all;
  for (const std::string& suite : details.suites) all.push_back("splitproof " + suite);
  for (const auto& [target, version] : details.versions) all.push_back(target + ": " + version);
  return fmt::format("{}", fmt::join(all, "; "));
}

}  // namespace

std::vector<std::pair<std::string, std::string>> run_context(const Heading& heading, const Summary& summary) {
  const results::RunDetails& details = heading.details;
  std::vector<std::pair<std::string, std::string>> all;
  const auto add = [&](const char* name, std::string text) {
    if (!text.empty()) all.emplace_back(name, std::move(text));
  };
  std::size_t shown = 0;
  for (const std::string& command : details.commands)
    if (++shown <= kShownCommands) add("command", command);
  if (shown > kShownCommands)
    add("commands", fmt::format("{} more, of the other parts", grouped(shown - kShownCommands)));
  add("began", shown_time(details.began));
  if (details.milliseconds > 0) add("took", duration_text(details.milliseconds));
  if (!summary.shards.empty())
    add("shards", fmt::format("{}, plan {}{}{}", summary.shards, heading.plan.digest(),
                              heading.shard_source.empty() ? "" : ", from ", heading.shard_source));
  add("cases", selection_of(heading, summary));
  add("verdict by", heading.strict ? "rules of level must or should" : "rules of level must");
  add("versions", versions_of(details));
  return all;
}

std::string duration_text(std::uint64_t milliseconds) {
  constexpr std::uint64_t kSecond = 1000;
  constexpr std::uint64_t kMinute = 60 * kSecond;
  constexpr std::uint64_t kHour = 60 * kMinute;
  if (milliseconds < kSecond) return fmt::format("{:.2f} s", static_cast<double>(milliseconds) / kSecond);
  if (milliseconds < 10 * kSecond)
    return fmt::format("{:.1f} s", static_cast<double>(milliseconds) / kSecond);
  if (milliseconds < 2 * kMinute) return fmt::format("{} s", milliseconds / kSecond);
  if (milliseconds < kHour)
    return fmt::format("{} min {} s", milliseconds / kMinute, milliseconds % kMinute / kSecond);
  return fmt::format("{} h {} min", milliseconds / kHour, milliseconds % kHour / kMinute);
}

std::string grouped(std::size_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string grouped(std::size_t number, const std::string& thing) {
  return grouped(number) + " " + thing + (number == 1 ? "" : "s");
}

}  // namespace splitproof::report
