#include "harness/shrink/shrink.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/campaign/meta.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/open_case.hpp"
#include "harness/cli/print_json.hpp"
#include "harness/cli/selection.hpp"
#include "harness/cli/sources.hpp"
#include "harness/lower_case.hpp"
#include "harness/observe/trace.hpp"
#include "harness/report/side_by_side.hpp"
#include "harness/report/summary.hpp"
#include "harness/shrink/pasted_test.hpp"
#include "harness/visible.hpp"

namespace splitproof::cli {
namespace {

struct ShrinkCommand {
  std::string what;  ///< Case id, recording id or path.
  std::string target = "reference";
  Selection selection;
  std::string rule;  ///< Empty: the first `must` that the case violates.
  std::string out;   ///< Folder for the smallest recording; empty: none.
  std::string as;    ///< Framework of the printed test; empty: no test.
  std::size_t tries = 2000;
  bool json = false;
};

std::string text_of(const shrink::Size& size) {
  return report::counted(size.events, "event") + ", " + report::counted(size.bytes, "byte") + ", " +
         report::counted(size.cuts, "cut");
}

nlohmann::ordered_json to_json(const shrink::Size& size) {
  return {{"events", size.events}, {"bytes", size.bytes}, {"cuts", size.cuts}};
}

// "ant-05-tool-plain": the rule and the original recording.
std::string name_of(const std::string& rule, const std::string& recording) {
  return lower_case(rule + "-" + std::filesystem::path(recording).filename().string());
}

bool is_of_campaigns(const std::string& rule) {
  const auto& all = campaign::meta_obligations();
  return std::any_of(all.begin(), all.end(), [&](const contract::Obligation& one) { return one.id == rule; });
}

// Names the smallest case as a recording, with its provenance.
void name(shrink::Shrunk& shrunk, const ShrinkCommand& command, const campaign::Case& one) {
  const std::string& rule = shrunk.judged.obligation->id;
  recording::Recording& recording = shrunk.recording;
  nlohmann::json provenance = {{"source", "made by splitproof shrink"},
                               {"case", campaign::to_string(one)},
                               {"target", command.target},
                               {"rule", rule}};
  if (recording.provenance && recording.provenance->contains("license"))
    provenance["license"] = (*recording.provenance)["license"];
  recording.provenance = std::make_shared<const nlohmann::json>(std::move(provenance));
  recording.title = "The smallest stream that violates " + rule + ", made from " + one.recording;
  recording.id = shrunk.one.recording = name_of(rule, one.recording);
}

int shrink_case(const ShrinkCommand& command) {
  auto open = open_case(command.what, command.target, command.selection);
  if (!open) return open.error();
  if (!open->found.one.act.empty())
    return complain(
        Error{"a case with an act has no stream to shrink", {}, 0, "run splitproof replay instead"});
  if (const auto started = open->target->start(); !started) {
    complain(started.error());
    return kUnavailable;
  }
  shrink::ShrinkSettings settings;
  settings.contracts = &open->contracts;
  settings.profile = &open->profile;
  settings.rule =
      command.rule.substr(0, command.rule.find(':'));  // a cause's name has a kind, as ANT-20:less
  settings.most_tries = command.tries;
  if (!settings.rule.empty() && open->contracts.find(settings.rule) == nullptr &&
      !is_of_campaigns(settings.rule)) {
    return complain(Error{
        "there is no rule '" + command.rule + "'", {}, 0, "run splitproof list rules to see all rules"});
  }
  const campaign::Case& one = open->found.one;
  auto shrunk = shrink::shrink(*open->target, open->found.recording, one, settings);
  if (!shrunk) {
    complain(shrunk.error());
    return kNothingSelected;
  }
  name(*shrunk, command, one);
  Selection there = command.selection;
  there.corpus = {command.out};
  const std::string again = fmt::format("splitproof replay {} --target {}{}",
                                        report::shell_quoted(campaign::to_string(shrunk->one)),
                                        report::shell_quoted(command.target), source_options(there, false));
  if (!command.out.empty()) {
    const std::string path =
        (std::filesystem::path(command.out) / (shrunk->recording.id + std::string(recording::kSuffix)))
            .string();
    if (const auto saved = recording::save(shrunk->recording, path); !saved) return complain(saved.error());
  }
  if (!command.as.empty()) {
    const auto test = data_folder().and_then([&](const std::string& data) {
      return shrink::pasted_test(*shrunk, open->target->traits(), command.as, data + "/contracts/pasted");
    });
    if (!test) return complain(test.error());
    std::cout << *test;
    return kConforms;
  }
  const contract::Judged& judged = shrunk->judged;
  const auto level = contract::name(campaign::level_for(*judged.obligation, open->target->traits()));
  if (command.json) {
    nlohmann::ordered_json line = {{"case", campaign::to_string(one)},
                                   {"obligation", judged.obligation->id},
                                   {"level", level},
                                   {"message", judged.message},
                                   {"from", to_json(shrunk->from)},
                                   {"to", to_json(shrunk->to)},
                                   {"tries", shrunk->tries},
                                   {"may_be_smaller", shrunk->exhausted},
                                   {"upstream", shrunk->recording.body},
                                   {"downstream", shrunk->seen.body}};
    if (!command.out.empty()) line["reproduce"] = again;
    print_json(line);
    return kConforms;
  }
  observe::Trace trace =
      observe::read_trace(shrunk->seen.body, open->contracts.data_kind(open->target->client()));
  std::cout << "case  " << campaign::to_string(one) << "\n"
            << "from  " << text_of(shrunk->from) << "\n"
            << "to    " << text_of(shrunk->to) << ", after " << shrunk->tries
            << (shrunk->tries == 1 ? " try" : " tries")
            << (shrunk->exhausted ? "; --tries ended the search, so a smaller case may exist" : "") << "\n\n"
            << report::side_by_side(shrunk->recording.protocol, shrunk->upstream, shrunk->seen, trace) << "\n"
            << fmt::format("{} {}: {}\n", judged.obligation->id, level, visible(judged.message))
            << fmt::format("  the rule: {}\n", visible(judged.obligation->says))
            << (command.out.empty() ? "Add --out DIR to write it as a recording.\n" : again + "\n");
  return kConforms;
}

constexpr std::uint64_t kMostShrinkTries = 1000000;

void add_options(Options& options, ShrinkCommand& shrink) {
  options.text("CASE", shrink.what, "id of a case, or id or path of a recording").required();
  add_target(options, shrink.target, "target that shows the failure");
  add_selection(options, shrink.selection);
  options
      .text("--rule", shrink.rule,
            "rule that the smallest case must still violate (default: the first violated `must`)")
      .type("ID");
  options.text("--out", shrink.out, "folder for the smallest case, as a recording").path().type("DIR");
  options.text("--as", shrink.as, "print the smallest case as a test: vitest, pytest or go")
      .one_of({"vitest", "pytest", "go"})
      .type("FRAMEWORK");
  options.flag("--json", shrink.json, "print a JSON object: the rule, both sizes, and both streams");
  options.number("--tries", shrink.tries, {1, kMostShrinkTries}, "number of smaller cases to try at most")
      .shows_default()
      .type("N");
}

}  // namespace

const Command kShrink = {
    "shrink",
    "Find the smallest case that still shows a failure, with the fewest events and cuts and the "
    "shortest text",
    "splitproof shrink recordings/odd.rec.jsonl --target splitproof/target.yaml --out smallest",
    adding(add_options, shrink_case)};

}  // namespace splitproof::cli
