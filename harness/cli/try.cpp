#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/cli/command_line.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/print_json.hpp"
#include "harness/cli/run_session.hpp"
#include "harness/cli/sources.hpp"
#include "harness/cli/target_values.hpp"
#include "harness/cli/try_files.hpp"
#include "harness/cli/wiring_draft.hpp"
#include "harness/wiring/wiring.hpp"

namespace splitproof::cli {
namespace {

using nlohmann::ordered_json;
using std::chrono::steady_clock;

constexpr std::size_t kMostOfLine = 160;

struct TryCommand {
  std::string command_line;  ///< As reports show it.
  WiringOptions wiring;
  std::string only;
  std::string profile = Selection().profile;
  std::chrono::seconds limit{60};
  bool json = false;
  bool write = false;
  bool all = false;
  bool verbose = false;
};

// Prints what `try` finds, for people or for programs.
class TryOutput {
 public:
  explicit TryOutput(bool json) : json_(json) {}

  // For people it prints only failures and the start. The following lines show what succeeded.
  void step(const wiring::Step& step) const {
    if (json_) {
      return line({{"event", "step"},
                   {"step", step.name},
                   {"tried", step.tried},
                   {"saw", step.saw},
                   {"change", step.change}});
    }
    if (step.failed())
      std::cout << fmt::format("{:<10} {}: {}\n", step.name, step.tried, step.saw) << std::flush;
    else if (step.name == "start")
      std::cout << fmt::format("proxy      {}\n", step.saw) << std::flush;
  }

  void wired(const wiring::Wired& wired) const {
    for (const wiring::ClientProbe& probe : wired.directions)
      direction(probe, &probe == &wired.directions.front());
    const wiring::ClientProbe& question = wired.directions.front();
    const wiring::Call& call = *question.call();
    exchange("sent", fmt::format("POST {}", question.path), question.request);
    exchange("upstream", fmt::format("{} {}", call.method, call.target), call.body);
    exchange("returned", fmt::format("status {}", question.status()), question.reply.body);
    std::cout << std::flush;
  }

 private:
  static void line(const ordered_json& event) {
    print_json(event);
    std::cout.flush();
  }

  void direction(const wiring::ClientProbe& probe, bool tested) const {
    const wiring::Call& call = *probe.call();
    if (json_) {
      return line({{"event", "direction"},
                   {"client", probe.client},
                   {"path", probe.path},
                   {"upstream", call.protocol},
                   {"upstream_path", call.target},
                   {"tested", tested}});
    }
    std::cout << fmt::format("{:<10} {} client at {} -> {} upstream at {}\n", tested ? "direction" : "also",
                             probe.client, probe.path, call.protocol, call.target);
  }

  void exchange(const char* name, const std::string& head, const std::string& body) const {
    if (json_) return line({{"event", name}, {"head", head}, {"body", body}});
    std::cout << fmt::format("{:<10} {} {}\n", name, head, wiring::clipped(body, kMostOfLine));
  }

  const bool json_;
};

RunCommand run_of(const TryCommand& command) {
  RunCommand run;
  run.targets = {kTargetPath};
  run.selection.only = command.only;
  run.selection.profile = command.profile;
  run.quick = true;
  run.no_shard = true;
  run.command = command.command_line;
  run.limit = command.limit;
  run.all = command.all;
  run.verbose = command.verbose;
  if (command.json) run.reports.files = {"jsonl:/dev/stdout"};
  if (command.write) run.write_expect = kKnownPath;
  return run;
}

// The files that were written, or that --write would write. Known failures are written if the run has a verdict.
void print_files(bool written, bool judged, std::size_t repeatable) {
  if (written && judged)
    std::cout << fmt::format("wrote      {}, {} and {}\nagain      {}\n", kTargetPath, kKnownPath,
                             kWorkflowPath, run_again_line(repeatable));
  else if (written)
    std::cout << fmt::format("wrote      {} and {}\n", kTargetPath, kWorkflowPath);
  else if (judged)
    std::cout << fmt::format(
        "next       add --write: it writes {}, which the commands above name, {} and {}\n", kTargetPath,
        kKnownPath, kWorkflowPath);
}

int try_proxy(const TryCommand& command) {
  const auto began = steady_clock::now();
  const auto draft = draft_of(command.wiring);
  if (!draft) return complain(draft.error());
  if (command.write)
    if (const auto unwritten = check_unwritten(); !unwritten) return complain(unwritten.error());
  const TryOutput output(command.json);
  wiring::Wired wired;
  {
    auto supervisor = supervisor_for({kTargetPath});
    if (!supervisor) return complain(supervisor.error());
    const testee::StopToken never;
    wired = wiring::wire(*draft, wiring::Advised::command_line, **supervisor, never,
                         [&](const wiring::Step& step) { output.step(step); });
  }
  if (!wired.complete()) {
    std::cerr << "splitproof: " << wired.steps.back().change << "\n";
    return kUnavailable;
  }
  output.wired(wired);
  if (!command.write && !command.json)
    std::cout << fmt::format("commands   those below name {}, which try writes with --write\n", kTargetPath);
  if (command.write)
    if (const auto written = write_try_target(wired.target); !written) return complain(written.error());
  if (command.write && !command.wiring.headers.empty())
    std::cerr << "splitproof: warning: " << kTargetPath
              << " has the values of --header; commit no real key\n";
  std::size_t repeatable = 0;
  const int code =
      run_campaign(run_of(command), {{{kTargetPath, wired.target}}, began, !command.json, {}, &repeatable});
  if (command.write)
    if (const auto written = write_try_workflow(repeatable); !written) return complain(written.error());
  if (!command.json) print_files(command.write, code == kConforms || code == kViolates, repeatable);
  return code;
}

void add_options(Options& options, TryCommand& command) {
  command.command_line = shown_command(options.words());
  options.text(
      "COMMAND", command.wiring.command,
      "command line of a shell that starts the proxy. {port} and {upstream} in it are its port and the base "
      "URL of the stand-in for the provider. Without them, PORT and the variables of the official SDKs "
      "have both");
  add_wiring(options, command.wiring);
  options.text("--only", command.only, "only recordings or cases whose id matches, such as '*/tool-*'")
      .type("GLOB");
  add_profile(options, command.profile);
  options.time("--for", command.limit, "end after this time, such as 30s or 10m (default: 60s)").type("TIME");
  options.flag("--json", command.json,
               "print JSON lines: steps, directions, one exchange, the report of the run");
  add_verbose(options, command.verbose);
  add_all(options, command.all);
  options.flag(
      "--write", command.write,
      "write splitproof/target.yaml, splitproof/known.txt and a workflow of GitHub; never over a file");
}

}  // namespace

const Command kTry = {"try", "Start a proxy, find out how it is connected, and look for bugs for a minute",
                      "splitproof try 'node server.js --port {port} --upstream {upstream}/v1'",
                      adding(add_options, try_proxy)};

}  // namespace splitproof::cli
