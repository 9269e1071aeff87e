#include "harness/selftest/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace splitproof::selftest {
namespace {

std::string title(const ChangePlace& place) {
  std::string text = place.kind + " of " + place.event_class;
  return place.field_class.empty() ? text : text + " " + place.field_class;
}

std::string share(std::size_t seen, std::size_t all) {
  // Rounded down, so that 100.0 means all of them.
  const std::size_t tenths = all == 0 ? 1000 : seen * 1000 / all;
  return fmt::format("{}.{} %", tenths / 10, tenths % 10);
}

std::string row(const std::string& part, const std::string& kind, const ChangeCount& count) {
  return fmt::format("{:<10} {:<17} {:>7} {:>7} {:>7} {:>9} {:>7}\n", part, kind, count.changes, count.alone,
                     count.with_meaning, count.altering, count.altering_seen);
}

}  // namespace

std::vector<std::string> objections(const Findings& findings, bool whole) {
  std::vector<std::string> all;
  std::set<std::size_t> used;
  for (const auto& [protocol, tally] : findings.tallies) {
    const ChangeCount count = tally.structure_and_framing();
    if (count.alone * 100 < kLeastSeen * count.changes) {
      all.push_back(
          fmt::format("{}: contracts alone notice {} of the changes to structure and framing, not {} %",
                      protocol, share(count.alone, count.changes), kLeastSeen));
    }
    for (const auto& [place, group] : tally.unseen) {
      if (group.altering > 0) {
        all.push_back(fmt::format("{}: {} passes, although it alters the answer: {}", protocol, title(place),
                                  group.example));
      }
      const auto pass = pass_for(findings.passes, protocol, place);
      if (pass) {
        used.insert(*pass);
      } else if (group.altering == 0) {
        all.push_back(
            fmt::format("{}: {} passes without a reason: {}", protocol, title(place), group.example));
      }
    }
  }
  for (std::size_t i = 0; whole && i < findings.passes.size(); ++i) {
    const Pass& pass = findings.passes[i];
    if (used.count(i) > 0) continue;
    all.push_back(fmt::format("{}:{}: nothing passes for this reason", pass.file, pass.line));
  }
  const std::vector<std::string> of_kinds = kind_objections(findings, whole);
  all.insert(all.end(), of_kinds.begin(), of_kinds.end());
  return all;
}

std::string table(const std::string& protocol, const ChangeTally& tally) {
  const ChangeCount sum = tally.structure_and_framing();
  const ChangeCount all = tally.total();
  std::string text = fmt::format("{}: {} stream{}, {} changes\n\n", protocol, tally.streams,
                                 tally.streams == 1 ? "" : "s", all.changes);
  text += fmt::format("{:<28} {:>7} {:>7} {:>7} {:>9} {:>7}\n", "", "changes", "alone", "meaning", "altering",
                      "seen");
  for (const auto& [key, count] : tally.counts) text += row(std::string(name(key.first)), key.second, count);
  text += fmt::format("\nChanges to structure and framing that contracts alone notice: {} of {}, {}.\n",
                      sum.alone, sum.changes, share(sum.alone, sum.changes));
  text += fmt::format("Changes to the answer that contracts with meaning notice: {} of {}, {}.\n",
                      all.altering_seen, all.altering, share(all.altering_seen, all.altering));
  return text;
}

std::string unseen(const std::string& protocol, const Findings& findings) {
  const auto tally = findings.tallies.find(protocol);
  if (tally == findings.tallies.end()) return "";
  std::string text;
  const auto list = [&](std::optional<std::size_t> reason) {
    for (const auto& [place, group] : tally->second.unseen) {
      if (pass_for(findings.passes, protocol, place) != reason) continue;
      text += fmt::format("  {:>5}  {}: {}\n", group.changes, title(place), group.example);
    }
  };
  for (std::size_t i = 0; i < findings.passes.size(); ++i) {
    const std::size_t before = text.size();
    list(i);
    if (text.size() > before) text.insert(before, findings.passes[i].why + "\n");
  }
  const std::size_t before = text.size();
  list(std::nullopt);
  if (text.size() > before) text.insert(before, "Without a reason:\n");
  return text;
}

}  // namespace splitproof::selftest
