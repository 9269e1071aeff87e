#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "harness/selftest/findings.hpp"
#include "harness/selftest/kinds/kind.hpp"

namespace splitproof::selftest {
namespace {

// Sums of the results of flaws, or of legal variations.
struct Sums {
  std::size_t kinds = 0;
  std::size_t always = 0;     // kinds that are always detected
  std::size_t sometimes = 0;  // kinds that are sometimes silent
  KindCount count;

  void add(const KindCount& kind) {
    ++kinds;
    if (kind.silent == 0) ++always;
    if (kind.silent > 0 && kind.silent < kind.made) ++sometimes;
    count += kind;
  }
};

std::string row(std::string_view family, const Sums& sums) {
  const KindCount& count = sums.count;
  return fmt::format("{:<12} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7}\n", family, sums.kinds, count.made,
                     count.must, count.should, count.meaning, count.silent);
}

}  // namespace

std::string kind_table(const std::string& protocol, const KindTally& tally) {
  std::vector<std::pair<std::string_view, Sums>> families;
  Sums flaws;
  Sums legal;
  for (const Kind& kind : kinds_of(protocol)) {
    const auto found = tally.find(kind.name);
    if (found == tally.end()) continue;
    if (kind.effect == Effect::none) {
      legal.add(found->second);
      continue;
    }
    flaws.add(found->second);
    auto family = std::find_if(families.begin(), families.end(),
                               [&](const auto& one) { return one.first == kind.family; });
    if (family == families.end()) family = families.insert(families.end(), {kind.family, {}});
    family->second.add(found->second);
  }
  std::string text = fmt::format(
      "{}: {} kinds of flaw, {} flawed streams\n\n{:<12} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7}\n", protocol,
      flaws.kinds, flaws.count.made, "", "kinds", "made", "must", "should", "meaning", "silent");
  for (const auto& [family, sums] : families) text += row(family, sums);
  const std::size_t seen = flaws.count.made - flaws.count.silent;
  text +=
      fmt::format("\nOf {} kinds of flaw, the contracts notice {} always, {} sometimes and {} never.\n",
                  flaws.kinds, flaws.always, flaws.sometimes, flaws.kinds - flaws.always - flaws.sometimes);
  text += fmt::format("Of {} flawed streams, the contracts notice {}.\n", flaws.count.made, seen);
  const std::size_t blamed = legal.count.must + legal.count.should + legal.count.meaning;
  text += fmt::format("Of {} kinds of legal variation, {} of {} streams pass.\n", legal.kinds,
                      legal.count.made - blamed, legal.count.made);
  return text;
}

std::vector<std::string> kind_objections(const Findings& findings, bool whole) {
  std::vector<std::string> all;
  const auto object = [&](const std::string& protocol, const Kind& kind, const KindCount& count) {
    if (whole && count.made == 0)
      all.push_back(fmt::format("{}: no stream is suitable for {}", protocol, kind.name));
    if (kind.effect == Effect::none && !count.example.empty())
      all.push_back(
          fmt::format("{}: {} is legal, but a rule reports it: {}", protocol, kind.name, count.example));
    if (count.silent > 0 && !silence_for(findings.silences, protocol, kind.name)) {
      all.push_back(fmt::format("{}: {} of {} with {} pass without a reason: {}", protocol, count.silent,
                                count.made, kind.name, count.example));
    }
  };
  for (const auto& [protocol, tally] : findings.kinds) {
    for (const Kind& kind : kinds_of(protocol)) {
      if (const auto found = tally.find(kind.name); found != tally.end())
        object(protocol, kind, found->second);
    }
  }
  for (const SilentKinds& silence : findings.silences) {
    const auto tally = findings.kinds.find(silence.protocol);
    if (!whole || tally == findings.kinds.end()) continue;
    for (const std::string& pattern : silence.kinds) {
      const bool needed = std::any_of(tally->second.begin(), tally->second.end(), [&](const auto& one) {
        return one.second.silent > 0 && fits_kind(pattern, one.first);
      });
      if (!needed)
        all.push_back(fmt::format("{}:{}: no silent kind matches {}", silence.file, silence.line, pattern));
    }
  }
  return all;
}

std::string silent_kinds(const std::string& protocol, const Findings& findings) {
  const auto tally = findings.kinds.find(protocol);
  if (tally == findings.kinds.end()) return "";
  std::string text;
  const auto list = [&](std::optional<std::size_t> reason, const std::string& title) {
    std::string lines;
    for (const auto& [kind, count] : tally->second) {
      if (count.silent == 0 || silence_for(findings.silences, protocol, kind) != reason) continue;
      lines += fmt::format("  {:>7}  {}: {}\n", fmt::format("{}/{}", count.silent, count.made), kind,
                           count.example);
    }
    if (!lines.empty()) text += title + "\n" + lines;
  };
  for (std::size_t i = 0; i < findings.silences.size(); ++i) list(i, findings.silences[i].why);
  list(std::nullopt, "Without a reason:");
  return text;
}

}  // namespace splitproof::selftest
