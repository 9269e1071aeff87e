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
  std::string sound;  ///< Empty if unknown.
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
    told = fmt::format("Findings in the {} below:\n", of_requests ? "request" : "stream") + told;
  if (pair->sound.empty()) return told;
  const Lines changes = difference(lines_of(pair->broken), lines_of(pair->sound));
  if (changes.empty() || changes.size() > kMostChanges) return told;
  told += told.empty() ? "" : "\n";
  told += "Changes that make it conform, line by line:\n";
  for (const std::string& line : changes) told += "  " + line + "\n";
  return told;
}

std::string judged_by(const contract::Obligation& obligation) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kOfCampaigns = {{
      {"META-01",
       "`splitproof run --target FILE`, for targets over HTTP. The run asks for each recording "
       "again with stream: false. `splitproof replay CASE --target FILE` shows that answer. The "
       "usual cause is a second translator for such answers"},
      {"META-03",
       "`splitproof run`, which compares the cases of a recording. `splitproof replay CASE` shows "
       "the case that differs. The usual cause is a reader that expects whole lines or characters "
       "from each read"},
      {"META-04",
       "`splitproof run`, which compares the cases of a recording. `splitproof replay CASE` shows "
       "the case that differs. The usual cause is state that certain pieces reset"},
      {"META-05",
       "`splitproof run --target FILE`, which asks for several streams at once. The usual cause is "
       "a buffer or a table that streams of one process or connection share"},
      {"CONN-01",
       "`splitproof run --target FILE`, for targets over HTTP. The usual cause is a pooled "
       "connection that the proxy reuses although bytes wait in it. Another cause is a buffer that "
       "the proxy keeps after its answer"},
      {"CONN-02",
       "`splitproof run --target FILE`, for targets over HTTP. The usual cause is a pool that sends "
       "a request without checking that the connection is still open"},
      {"CONN-03",
       "`splitproof run --target FILE`, for targets over HTTP. The run counts the requests that "
       "reach the upstream. The usual cause is a retry after the upstream has already begun to work"},
      {"CONN-04",
       "`splitproof run --target FILE`, for targets over HTTP. The run also measures the memory of "
       "the target. The usual cause is a loop over interim answers without a limit"},
      {"SSE-15",
       "`splitproof run`, which delays the upstream of targets over HTTP. The usual causes are a "
       "buffer that waits until it is full, compression, and a missing flush"},
      {"RUN-01",
       "`splitproof run --target FILE`. `splitproof replay CASE --target FILE` sends the answer "
       "again that crashed the target"},
      {"RUN-02",
       "`splitproof run --target FILE`. `splitproof replay CASE --target FILE` sends the answer "
       "again and shows the output before the target hangs"},
      {"RUN-03",
       "`splitproof run --target FILE`. `splitproof replay CASE --target FILE` sends the answer "
       "again and shows the output"},
  }};
  const auto known = std::find_if(kOfCampaigns.begin(), kOfCampaigns.end(),
                                  [&obligation](const auto& entry) { return entry.first == obligation.id; });
  if (known != kOfCampaigns.end()) return fmt::format("Judged by {}.\n", known->second);
  if (obligation.contract == contract::kTransport) {
    return "Judged by `splitproof run --target FILE` for targets over HTTP, and by `splitproof judge` "
           "from their evidence.\n";
  }
  if (obligation.contract == contract::kLibrary || obligation.contract == contract::kSdk) {
    return "Judged by `splitproof run` for targets with `tests: client`, and by `splitproof judge` from their "
           "evidence.\n";
  }
  if (!contract::side_of_requests(obligation.contract, {}).empty())
    return "Judged by `splitproof run`, and by `splitproof check --as PROTOCOL.upstream FILE` in "
           "captured requests. If the rule reads the client's request too, the file must have the whole "
           "exchange.\n";
  const bool of_meaning = std::any_of(obligation.falsifiers.begin(), obligation.falsifiers.end(),
                                      [](const contract::Falsifier& one) { return !one.recording.empty(); });
  if (of_meaning) {
    return "Judged by `splitproof run` and `splitproof replay`, which know the upstream's stream. "
           "`splitproof check` cannot judge it.\n";
  }
  return "Judged by `splitproof check FILE` in captured streams, and by `splitproof run`.\n";
}

}  // namespace splitproof::cli
