#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/cli/commands.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/print_json.hpp"
#include "harness/cli/sources.hpp"
#include "harness/cli/target_values.hpp"
#include "harness/cli/wiring_draft.hpp"
#include "harness/wiring/wiring.hpp"

namespace splitproof::cli {
namespace {

using nlohmann::ordered_json;

struct DoctorCommand {
  WiringOptions wiring;  ///< its command may be the name or the path of a target file
  bool json = false;
};

void print(const wiring::Step& step, bool json) {
  if (json) {
    print_json(
        ordered_json{{"step", step.name}, {"tried", step.tried}, {"saw", step.saw}, {"change", step.change}});
    std::cout.flush();
    return;
  }
  std::cout << fmt::format("{:<6} {}\n  tried   {}\n  saw     {}\n", step.failed() ? "FAILED" : "ok",
                           step.name, step.tried, step.saw);
  if (step.failed()) std::cout << "  change  " << step.change << "\n";
  std::cout << std::flush;
}

// True if the word names a target file; otherwise it is a command.
bool names_file(const std::string& word) {
  if (word.ends_with(".yaml") || word.ends_with(".yml")) return true;
  const auto names = target_names();
  return names && std::any_of(names->begin(), names->end(),
                              [&](const TargetName& target) { return target.name == word; });
}

// The first option that describes a proxy; a target file does so itself.
std::string given_option(const WiringOptions& wiring) {
  for (const auto& [name, value] :
       {std::pair{"--url", &wiring.url}, std::pair{"--upstream-listen", &wiring.upstream_listen},
        std::pair{"--client", &wiring.client}, std::pair{"--upstream", &wiring.upstream},
        std::pair{"--path", &wiring.path}, std::pair{"--model", &wiring.model}})
    if (!value->empty()) return name;
  return wiring.headers.empty() ? "" : "--header";
}

Result<testee::TargetFile> target_of(const WiringOptions& wiring, bool is_file) {
  if (!is_file) return draft_of(wiring);
  if (const std::string option = given_option(wiring); !option.empty())
    return tl::unexpected(Error{option + " has no effect on a target file", {}, 0, "edit " + wiring.command});
  return find_target(wiring.command).and_then([&](testee::TargetFile file) -> Result<testee::TargetFile> {
    if (file.kind == testee::TargetFile::Kind::http) return file;
    return tl::unexpected(Error{"doctor checks targets of kind http only", file.path, 0,
                                "splitproof run --target " + wiring.command + " --quick tests it"});
  });
}

int examine(const DoctorCommand& command) {
  const bool is_file = names_file(command.wiring.command);
  const auto target = target_of(command.wiring, is_file);
  if (!target) return complain(target.error());
  auto supervisor = supervisor_for({is_file ? command.wiring.command : std::string("target.yaml")});
  if (!supervisor) return complain(supervisor.error());
  const testee::StopToken never;
  const wiring::Wired wired =
      wiring::wire(*target, is_file ? wiring::Advised::target_file : wiring::Advised::command_line,
                   **supervisor, never, [&](const wiring::Step& step) { print(step, command.json); });
  if (!wired.complete()) return kUnavailable;
  if (!command.json)
    std::cout << fmt::format("splitproof: CONNECTED  {} client at {} -> {} upstream\n", wired.target.client,
                             wired.target.request_path, wired.target.upstream);
  return kConforms;
}

void add_options(Options& options, DoctorCommand& command) {
  options.text("TARGET", command.wiring.command,
               "the path or name of a target file, or a command as splitproof try takes it");
  add_wiring(options, command.wiring);
  options.flag("--json", command.json, "print a JSON line for each step");
}

}  // namespace

const Command kDoctor = {
    "doctor", "Check how a proxy is connected: for each step what was tried, what was seen, what to change",
    "splitproof doctor splitproof/target.yaml", adding(add_options, examine)};

}  // namespace splitproof::cli
