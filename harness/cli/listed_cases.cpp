#include "harness/cli/listed_cases.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

#include "harness/cli/sources.hpp"
#include "harness/read_file.hpp"
#include "harness/report/summary.hpp"

namespace splitproof::cli {
namespace {

constexpr std::uint64_t kMostCases = 1'000'000'000'000;

// Returns the first option that a run of listed cases would ignore, or "".
std::string option_without_effect_on_list(const RunCommand& command) {
  const RunCommand usual;
  if (command.quick) return "--quick";
  if (command.sweep) return "--sweep";
  if (command.faults) return "--faults";
  if (command.splits != usual.splits) return "--splits";
  return command.recuts != usual.recuts ? "--recuts" : "";
}

}  // namespace

Result<void> take_cases(RunCommand& run) {
  const std::string& text = run.cases_or_file;
  if (text.find_first_not_of("0123456789") != text.npos || text.empty()) {
    run.case_file = text;
    return {};
  }
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), run.cases);
  if (failure == std::errc() && run.cases <= kMostCases) return {};
  return tl::unexpected(Error{"--cases " + text + " is not between 0 and " + std::to_string(kMostCases),
                              {},
                              0,
                              "for a file with this name write ./" + text});
}

Result<std::shared_ptr<const campaign::CaseList>> load_listed_cases(const RunCommand& command) {
  if (command.case_file.empty()) return nullptr;
  if (const std::string idle = option_without_effect_on_list(command); !idle.empty())
    return tl::unexpected(
        Error{idle + " has no effect on the cases of a file", {}, 0, "leave one of them out"});
  return read_file(command.case_file)
      .map_error([](Error error) {
        error.hint = "--cases takes a number, or the path of a file with a case id on each line";
        return error;
      })
      .and_then([&](const std::string& text) { return campaign::CaseList::parse(text, command.case_file); })
      .map([](campaign::CaseList list) {
        return std::make_shared<const campaign::CaseList>(std::move(list));
      });
}

Result<void> check_listed_cases(const campaign::CaseList& listed, const Selection& selection,
                                const recording::Corpus& corpus) {
  if (selection.only.empty()) return listed.check(corpus.recordings);
  return load_recordings(selection.corpus).and_then([&](const recording::Corpus& all) {
    return listed.check(all.recordings);
  });
}

std::string other_directions(const campaign::CaseList& listed, const std::string& file,
                             const recording::Corpus& corpus,
                             const std::vector<std::unique_ptr<testee::Testee>>& targets) {
  std::map<std::string_view, std::string_view> protocols;
  for (const recording::Recording& recording : corpus.recordings)
    protocols.emplace(recording.id, recording.protocol);
  std::size_t left = 0;
  for (const campaign::CaseList::Entry& entry : listed.entries()) {
    const auto known = protocols.find(entry.one.recording);
    if (known == protocols.end()) continue;
    left += std::none_of(targets.begin(), targets.end(), [&](const auto& target) {
      return target->traits().takes(known->second) &&
             (entry.one.client.empty() || entry.one.client == target->client());
    });
  }
  if (left == 0) return {};
  return "splitproof: " + file + ": " + report::counted(left, "case") +
         " left out, because no target has this direction\n";
}

}  // namespace splitproof::cli
