#include "harness/cli/how_it_breaks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/cli/sources.hpp"
#include "harness/contract/contract_file.hpp"
#include "harness/falsify/example.hpp"
#include "harness/read_file.hpp"
#include "harness/visible.hpp"

namespace splitproof::cli {
namespace {

using Lines = std::vector<std::string>;

constexpr std::size_t kMostChanges = 8;  // more differing lines do not help

/// A stream that violates the rule, and the nearest sound stream.
struct Pair {
  std::string broken;
  std::string sound;  ///< empty if unknown
  const contract::Falsifier* falsifier = nullptr;
};

std::optional<Pair> smallest_pair(const contract::Obligation& obligation) {
  const std::filesystem::path folder = std::filesystem::path(obligation.file).parent_path();
  std::optional<Pair> smallest;
  const auto rank = [](const Pair& pair) {
    return std::pair(!pair.falsifier->knobs.empty(), pair.broken.size());
  };
  for (const contract::Falsifier& falsifier : obligation.falsifiers) {
    auto broken = read_file((folder / falsifier.file).string());
    if (!broken || falsifier.evidence) continue;
    const Result<std::string> sound =
        falsifier.control.empty() ? Result<std::string>() : read_file((folder / falsifier.control).string());
    Pair pair{std::move(*broken), sound ? *sound : std::string(), &falsifier};
    if (!smallest || rank(pair) < rank(*smallest)) smallest = std::move(pair);
  }
  return smallest;
}

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t length = std::min(text.find('\n'), text.size());
    if (length > 0) lines.emplace_back(visible(text.substr(0, length)));
    text.remove_prefix(std::min(length + 1, text.size()));
  }
  return lines;
}

/// Returns the lines in only one of the two, in their order, by the longest common subsequence.
Lines difference(const Lines& broken, const Lines& sound) {
  std::vector<std::vector<std::size_t>> shared(broken.size() + 1,
                                               std::vector<std::size_t>(sound.size() + 1, 0));
  for (std::size_t i = broken.size(); i-- > 0;) {
    for (std::size_t j = sound.size(); j-- > 0;) {
      shared[i][j] =
          broken[i] == sound[j] ? shared[i + 1][j + 1] + 1 : std::max(shared[i + 1][j], shared[i][j + 1]);
    }
  }
  Lines told;
  for (std::size_t i = 0, j = 0; i < broken.size() || j < sound.size();) {
    if (i < broken.size() && j < sound.size() && broken[i] == sound[j]) {
      ++i;
      ++j;
    } else if (j == sound.size() || (i < broken.size() && shared[i + 1][j] >= shared[i][j + 1])) {
      told.push_back("- " + broken[i++]);
    } else {
      told.push_back("+ " + sound[j++]);
    }
  }
  return told;
}

}  // namespace

std::string how_it_breaks(const contract::Contracts& contracts, const contract::Profile& profile,
                          const contract::Obligation& obligation) {
  const auto pair = smallest_pair(obligation);
  if (!pair) return {};
  std::string told;
  const auto verdicts =
      falsify::judge_example(contracts, profile, obligation, *pair->falsifier, pair->falsifier->file);
  for (const contract::Judged& judged : verdicts.value_or(std::vector<contract::Judged>())) {
    if (judged.obligation->id != obligation.id || judged.verdict != contract::Verdict::violated) continue;
    told += "  " + visible(judged.message) + "\n";
  }
  const bool of_requests = !contract::side_of_requests(obligation.contract, {}).empty();
  if (!told.empty())
    told = fmt::format("Where the {} below breaks it:\n", of_requests ? "request" : "stream") + told;
  if (pair->sound.empty()) return told;
  const Lines changes = difference(lines_of(pair->broken), lines_of(pair->sound));
  if (changes.empty() || changes.size() > kMostChanges) return told;
  told += told.empty() ? "" : "\n";
  told += "What would fix it, line by line:\n";
  for (const std::string& line : changes) told += "  " + line + "\n";
  return told;
}

std::string judged_by(const contract::Obligation& obligation) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kOfCampaigns = {{
      {"META-01",
       "`splitproof run --target` where the target is behind HTTP, which asks for each recording once more with stream: false; "
       "`splitproof replay CASE --target FILE` shows that answer. The usual cause is a second translator for it"},
      {"META-03",
       "`splitproof run`, which compares the cases of a recording; `splitproof replay CASE` shows the one that differs. The "
       "usual cause is a reader that takes what one read returned for whole lines or characters"},
      {"META-04",
       "`splitproof run`, which compares the cases of a recording; `splitproof replay CASE` shows the one that differs. The "
       "usual cause is state that a piece of a certain form resets"},
      {"META-05",
       "`splitproof run --target`, which asks for several streams at once. The usual cause is a buffer or a table that "
       "belongs to the process, or to a connection, and not to the stream"},
      {"CONN-01",
       "`splitproof run --target` where the target is behind HTTP. The usual cause is a pooled connection that is used again "
       "although bytes wait in it, or a buffer that outlives its answer"},
      {"CONN-02",
       "`splitproof run --target` where the target is behind HTTP. The usual cause is a pool that does not look whether a "
       "connection has ended before it sends the next request"},
      {"CONN-03",
       "`splitproof run --target` where the target is behind HTTP, which counts the requests that reach the upstream. The "
       "usual cause is a retry that does not ask whether the upstream has begun to work"},
      {"CONN-04",
       "`splitproof run --target` where the target is behind HTTP, which also measures its memory. The usual cause is a loop "
       "over interim answers without a limit"},
      {"SSE-15",
       "`splitproof run`, over HTTP by holding the upstream back. The usual causes are a buffer that waits until it is full, "
       "compression, and a flush that is missing"},
      {"RUN-01",
       "`splitproof run --target`; `splitproof replay CASE --target FILE` sends the answer that ended it again"},
      {"RUN-02",
       "`splitproof run --target`; `splitproof replay CASE --target FILE` sends the answer again, and shows how far it came"},
      {"RUN-03",
       "`splitproof run --target`; `splitproof replay CASE --target FILE` sends the answer again, and shows what came"},
  }};
  const auto known = std::find_if(kOfCampaigns.begin(), kOfCampaigns.end(),
                                  [&obligation](const auto& entry) { return entry.first == obligation.id; });
  if (known != kOfCampaigns.end()) return fmt::format("Judged by {}.\n", known->second);
  if (obligation.contract == contract::kTransport) {
    return "Judged by `splitproof run --target` where the target is behind HTTP, and by `splitproof judge` on its evidence.\n";
  }
  if (!contract::side_of_requests(obligation.contract, {}).empty())
    return "Judged by `splitproof run`, and by `splitproof check --as PROTOCOL.upstream FILE` in any captured request; where "
           "it compares that with what the client asked, in an exchange that holds it.\n";
  const bool of_meaning = std::any_of(obligation.falsifiers.begin(), obligation.falsifiers.end(),
                                      [](const contract::Falsifier& one) { return !one.recording.empty(); });
  if (of_meaning) {
    return "Judged by `splitproof run` and `splitproof replay`, which know what the upstream said; `splitproof check` cannot.\n";
  }
  return "Judged by `splitproof check FILE` in any capture, and by `splitproof run`.\n";
}

}  // namespace splitproof::cli
