#include "harness/cli/arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <chrono>
#include <iostream>
#include <optional>
#include <system_error>

#include "harness/cli/exit_code.hpp"
#include "harness/cli/wrong_arguments.hpp"
#include "harness/report/formats.hpp"

namespace splitproof::cli {
namespace {

constexpr std::uint64_t kMostSplits =
    10000;  // a recording's splits are held in memory; other seeds draw others
constexpr std::uint64_t kMostJobs = 1024;
constexpr std::uint64_t kMostTries = 1000000;
constexpr const char* kAll = "print the findings rule by rule, instead of what is behind them";

CLI::Validator one_of(const std::vector<std::string>& words) {
  return CLI::Validator(
      [=](const std::string& text) {
        if (std::find(words.begin(), words.end(), text) != words.end()) return std::string();
        const auto near = nearest(text, words);
        return "'" + text + "' is not " + (words.size() > 1 ? "one of " : "") +
               CLI::detail::join(words, ", ") + (near ? "; did you mean " + *near + "?" : "");
      },
      "");
}

// Refuses what a conversion would wrap round, and asks for no more than a machine can do.
CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
  const std::string range = std::to_string(least) + " to " + std::to_string(most);
  return CLI::Validator(
      [=](const std::string& text) {
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool whole = error == std::errc() && end == text.data() + text.size();
        return whole && value >= least && value <= most
                   ? std::string()
                   : "'" + text + "' is not a whole number from " + range;
      },
      "");
}

// "30s", "10m" or "1h".
std::optional<std::chrono::seconds> duration_of(std::string_view text) {
  constexpr std::chrono::seconds kMost = std::chrono::hours(168);
  std::int64_t value = 0;
  const char* last = text.data() + text.size() - (text.empty() ? 0 : 1);
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc() || end != last || value < 1 || value > kMost.count()) return std::nullopt;
  const std::int64_t unit = *last == 's' ? 1 : *last == 'm' ? 60 : *last == 'h' ? 3600 : 0;
  const std::chrono::seconds time(value * unit);
  return time > kMost || unit == 0 ? std::nullopt : std::optional(time);
}

// An empty word is what an unset variable of a script leaves.
CLI::Validator path() {
  return CLI::Validator(
      [](const std::string& text) { return text.empty() ? std::string("a path is missing") : std::string(); },
      "");
}

CLI::Validator duration() {
  return CLI::Validator(
      [](const std::string& text) {
        return duration_of(text)
                   ? std::string()
                   : "'" + text + "' is no time: write 30s, 10m or 1h, at least 1s and at most 168h";
      },
      "");
}

void add_contracts(CLI::App& command, std::vector<std::string>& folders) {
  command.add_option("--contracts", folders, "adds contracts to the built-in ones (repeatable)")
      ->type_name("DIR");
}

void add_profile(CLI::App& command, std::string& profile) {
  command
      .add_option("--profile", profile,
                  "answers to contested questions: a name, such as claude-code, or a file")
      ->capture_default_str()
      ->type_name("NAME");
}

// Where recordings and contracts come from.
void add_sources(CLI::App& command, Selection& selection) {
  command
      .add_option("--corpus", selection.corpus,
                  "folder of recordings (repeatable; default: the project's own)")
      ->type_name("DIR");
  command.add_option("--only", selection.only, "only recordings or cases whose id matches")
      ->type_name("GLOB");
  add_contracts(command, selection.contracts);
}

// And which of the cases they make are meant, as every command that runs cases understands it.
void add_selection(CLI::App& command, Selection& selection) {
  add_sources(command, selection);
  command.add_option("--client", selection.client, "only targets that speak this protocol to clients")
      ->type_name("PROTOCOL");
  command.add_option("--upstream", selection.upstream, "only targets that speak this protocol to upstreams")
      ->type_name("PROTOCOL");
  add_profile(command, selection.profile);
}

void add_reports(CLI::App& command, std::vector<std::string>& reports) {
  std::string does = "write a report (repeatable)";
  for (const report::Format& format : report::formats()) {
    does += &format == &report::formats().front() ? ": " : "; ";
    does += std::string(format.name) + ":PATH, " + std::string(format.is);
  }
  command.add_option("--report", reports, does)->type_name("FORMAT:PATH");
}

struct Parsed {
  RunCommand run;
  CheckCommand check;
  DecodeCommand decode;
  ReplayCommand replay;
  ShrinkCommand shrink;
  UpstreamCommand upstream;
  ExplainCommand explain;
  ListCommand list;
  ImportCommand import;
  JudgeCommand judge;
  DiffCommand diff;
  SelfTestCommand self_test;
  FalsifyCommand falsify;
};

CLI::App* add(CLI::App& app, const std::string& name, const std::string& does, const std::string& example) {
  CLI::App* command = app.add_subcommand(name, does);
  command->footer("Example:\n  " + example);
  return command;
}

void add_run(CLI::App& app, RunCommand& run) {
  CLI::App* c =
      add(app, "run",
          "Run a campaign: recordings, cut, recut and broken, through a target, judged against the contracts",
          "splitproof run --splits 64 --only 'openai.chat/tool-*'");
  c->add_option("--target", run.targets,
                "what to test: a name of splitproof list targets, mutant:NAME, or the path of a target file "
                "(repeatable; default: reference)")
      ->type_name("T");
  add_selection(*c, run.selection);
  c->add_option("--splits", run.splits,
                "random splits of every recording, beside recorded, whole, bytes and seams")
      ->check(whole_number(0, kMostSplits))
      ->capture_default_str()
      ->type_name("N");
  c->add_flag("--sweep", run.sweep, "every single cut too, of bytes and of recut text");
  c->add_option(
       "--recuts", run.recuts,
       "random recuts of every recording's text and arguments, beside each other kind of recut it has")
      ->check(whole_number(0, kMostSplits))
      ->capture_default_str()
      ->type_name("N");
  c->add_flag(
      "--faults", run.faults,
      "end the upstream early and damage it, at every offset; over HTTP, at every event's end, and let "
      "it answer with errors");
  c->add_option("--seed", run.seed, "of random splits, recuts and faults")
      ->check(whole_number(0, ~std::uint64_t{0}))
      ->capture_default_str()
      ->type_name("S");
  c->add_option(
       "--expect", run.expect,
       "known failures, one a line: VIOLATES TARGET-GLOB RECORDING-GLOB OBLIGATION-GLOB # reason; only "
       "what differs from them fails")
      ->check(path())
      ->type_name("FILE");
  c->add_option("--write-expect", run.write_expect,
                "write the failures of this run as such a file, keeping what it says already and still holds")
      ->check(path())
      ->type_name("FILE");
  add_reports(*c, run.reports);
  c->add_option("--evidence", run.evidence,
                "store what was seen there, every different outcome once, for splitproof judge")
      ->check(path())
      ->type_name("DIR");
  c->add_option("--jobs", run.jobs,
                "recordings in flight (default: one a core, or as many as the targets bear)")
      ->check(whole_number(1, kMostJobs))
      ->type_name("N");
  c->add_flag(
      "--quick", run.quick,
      "only what finds most, in about a minute with a proxy: of every recording one unbroken read, byte by byte, "
      "held back, one recut, and with --faults one fault");
  c->add_flag(
      "--growth", run.growth,
      "afterwards, look for costs that grow with the square of what targets over HTTP are sent: ever more "
      "tools, messages, calls, events and so on, for some 20 s each; what is found is advice");
  c->add_option_function<std::string>(
       "--for", [&run](const std::string& text) { run.limit = *duration_of(text); },
       "end after this time, such as 30s, 10m or 1h, with what was found; what finds most is tried first, on all "
       "recordings")
      ->check(duration())
      ->type_name("TIME");
  c->add_flag("--strict", run.strict, "rules of level `should` decide too");
  c->add_flag("--all", run.all, kAll);
  c->add_flag("--fail-fast", run.fail_fast,
              "end with the first recording that has a finding that was not expected");
}

void add_check(CLI::App& app, CheckCommand& check) {
  CLI::App* c = add(app, "check", "Judge captured streams, or requests; no proxy needed",
                    "splitproof check --as anthropic.messages capture.sse");
  c->add_option(
       "FILE", check.files,
       "raw response body; with --as PROTOCOL.upstream the JSON body of a request, an exchange "
       "({\"method\", \"path\", \"headers\", \"body\"}), JSON lines of either, or evidence; - is standard input")
      ->required();
  c->add_option("--as", check.protocol,
                "its protocol (default: recognised), or PROTOCOL.upstream of requests")
      ->type_name("PROTOCOL");
  add_contracts(*c, check.contracts);
  add_profile(*c, check.profile);
  c->add_flag("--several", check.several, "a file holds several responses, one after the other");
  c->add_flag("--json", check.json, "one line of JSON a finding on standard output");
  c->add_flag("--strict", check.strict, "rules of level `should` decide too");
}

void add_decode(CLI::App& app, DecodeCommand& decode) {
  CLI::App* c = add(app, "decode", "Print the events of a stream, one JSON object a line",
                    "splitproof decode capture.sse");
  c->add_option("FILE", decode.file, "raw response body; - is standard input")->required();
  c->add_option(
       "--as", decode.protocol,
       "sse, or a protocol; without it AWS event frames are known by their first bytes, and all else is sse")
      ->type_name("PROTOCOL");
}

void add_replay(CLI::App& app, ReplayCommand& replay) {
  CLI::App* c = add(app, "replay", "Run one case and show upstream chunks and downstream events side by side",
                    "splitproof replay 'openai.chat/text-plain?client=anthropic.messages&cuts=118'");
  c->add_option("CASE", replay.what, "a case id, or a recording's id or path")->required();
  c->add_option("--target", replay.target,
                "what to run it through: a name, mutant:NAME, or the path of a target file")
      ->capture_default_str()
      ->type_name("T");
  add_selection(*c, replay.selection);
  c->add_flag("--downstream", replay.downstream, "write the bare downstream bytes instead");
  c->add_flag("--strict", replay.strict, "rules of level `should` decide too");
}

void add_shrink(CLI::App& app, ShrinkCommand& shrink) {
  CLI::App* c =
      add(app, "shrink",
          "Find the smallest case that still shows a failure: fewest events and cuts, shortest text",
          "splitproof shrink recordings/odd.rec.jsonl --target splitproof/target.yaml --out smallest");
  c->add_option("CASE", shrink.what, "a case id, or a recording's id or path")->required();
  c->add_option("--target", shrink.target,
                "what shows the failure: a name, mutant:NAME, or the path of a target file")
      ->capture_default_str()
      ->type_name("T");
  add_selection(*c, shrink.selection);
  c->add_option("--rule", shrink.rule,
                "the obligation whose violation is kept (default: the first `must` violated)")
      ->type_name("ID");
  c->add_option("--out", shrink.out, "write the smallest case as a recording there")
      ->check(path())
      ->type_name("DIR");
  c->add_option("--as", shrink.as, "print it as a test of your own: vitest, pytest or go")
      ->check(one_of({"vitest", "pytest", "go"}))
      ->type_name("FRAMEWORK");
  c->add_option("--tries", shrink.tries, "smaller cases to try at most")
      ->check(whole_number(1, kMostTries))
      ->capture_default_str()
      ->type_name("N");
}

void add_upstream(CLI::App& app, UpstreamCommand& upstream) {
  CLI::App* c = add(app, "upstream", "Stand in for the provider: serve a case's upstream side to any client",
                    "splitproof upstream 'openai.chat/text-plain?cuts=118' --listen 127.0.0.1:8089");
  c->add_option("CASE", upstream.what, "a case id, or a recording's id or path")->required();
  c->add_option("--listen", upstream.listen, "where; port 0 lets the system choose one")
      ->required()
      ->type_name("HOST:PORT");
  c->add_option("--framing", upstream.framing,
                "how the end of the body is told: chunked, content-length or close")
      ->capture_default_str()
      ->type_name("F");
  c->add_option("--packing", upstream.packing,
                "how HTTP chunks are laid into writes: piece, one-chunk, two-pieces, in-size, in-size-end, "
                "before-end, in-end or bytes")
      ->capture_default_str()
      ->type_name("P");
  c->add_option("--requests", upstream.requests, "end after so many (default: serve until a signal)")
      ->check(whole_number(1, ~std::uint64_t{0}))
      ->type_name("N");
  c->add_option("--corpus", upstream.corpus, "folder of recordings (repeatable; default: the project's own)")
      ->type_name("DIR");
}

void add_explain(CLI::App& app, ExplainCommand& explain) {
  CLI::App* c = add(app, "explain", "What a rule says, why, who got hurt, and a stream that violates it",
                    "splitproof explain ANT-05");
  c->add_option("ID", explain.id, "an obligation")->required();
  add_contracts(*c, explain.contracts);
}

void add_list(CLI::App& app, ListCommand& list) {
  CLI::App* c = add(
      app, "list",
      "List obligations, recordings, targets, profiles, mutants, clients or losses; the first column is the id",
      "splitproof list obligations");
  c->add_option(
       "WHAT", list.what,
       "obligations, recordings, targets, profiles, mutants, what clients do with broken streams, or what "
       "becomes of what an answer holds")
      ->required()
      ->check(one_of({"obligations", "recordings", "targets", "profiles", "mutants", "clients", "losses"}));
  c->add_flag("--harm", list.harm, "of obligations: the document or the client that each rests on");
  c->add_option("--corpus", list.selection.corpus,
                "folder of recordings (repeatable; default: the project's own)")
      ->type_name("DIR");
  c->add_option("--only", list.selection.only, "only recordings whose id matches")->type_name("GLOB");
  add_contracts(*c, list.selection.contracts);
}

void add_import(CLI::App& app, ImportCommand& import) {
  CLI::App* c = add(app, "import", "Turn a captured upstream stream into a recording",
                    "splitproof import sse capture.sse --protocol openai.chat --out corpus/openai.chat");
  c->add_option("KIND", import.kind, "sse, or aws for an AWS event stream")
      ->required()
      ->check(one_of({"sse", "aws"}));
  c->add_option("FILE", import.file, "raw response body")->required();
  c->add_option("--protocol", import.protocol, "that the body speaks")->required()->type_name("P");
  c->add_option("--out", import.out, "folder for STEM.rec.jsonl")->required()->type_name("DIR");
  c->add_option("--chunks", import.chunks, "sizes of the pieces in which it arrived, separated by commas")
      ->type_name("SIZES");
  c->add_flag("--replace", import.replace, "replace a recording of that name");
  c->add_option("--request", import.request, "file with the request that led to it, as JSON")
      ->type_name("FILE");
}

void add_judge(CLI::App& app, JudgeCommand& judge) {
  CLI::App* c =
      add(app, "judge", "Judge stored observations again; nothing is run", "splitproof judge seen --strict");
  c->add_option("EVIDENCE", judge.evidence, "files that --evidence wrote, or folders of them")->required();
  add_contracts(*c, judge.contracts);
  c->add_option("--profile", judge.profile, "by name or path (default: the one that the evidence names)")
      ->type_name("NAME");
  c->add_option("--expect", judge.expect, "known failures, as run takes them")
      ->check(path())
      ->type_name("FILE");
  add_reports(*c, judge.reports);
  c->add_flag("--strict", judge.strict, "rules of level `should` decide too");
  c->add_flag("--all", judge.all, kAll);
}

void add_diff(CLI::App& app, DiffCommand& diff) {
  CLI::App* c = add(
      app, "diff",
      "Compare the reports of two runs: which rules a version newly violates, and which it no longer does",
      "splitproof diff old.jsonl new.jsonl");
  c->add_option("OLD", diff.before, "report that run --report jsonl:PATH wrote")->required();
  c->add_option("NEW", diff.after, "the same, of another version")->required();
  c->add_flag("--strict", diff.strict, "rules of level `should` decide too");
}

void add_self_test(CLI::App& app, SelfTestCommand& self_test) {
  CLI::App* c = add(
      app, "self-test",
      "Make every small change and every kind of flaw of streams that conform, and say which of them the contracts see",
      "splitproof self-test --contracts house --client anthropic.messages");
  c->add_option("--corpus", self_test.selection.corpus,
                "folder of recordings (repeatable; default: the project's own)")
      ->type_name("DIR");
  c->add_option("--only", self_test.selection.only,
                "only streams of recordings and controls whose name matches")
      ->type_name("GLOB");
  add_contracts(*c, self_test.selection.contracts);
  c->add_option("--client", self_test.selection.client, "only streams of this protocol")
      ->type_name("PROTOCOL");
  add_profile(*c, self_test.selection.profile);
}

void add_falsify(CLI::App& app, FalsifyCommand& falsify) {
  CLI::App* c =
      add(app, "falsify",
          "Show that every rule and each of its clauses can be violated, by the falsifiers of the contracts",
          "splitproof falsify --contracts house --only 'HOUSE-*'");
  add_contracts(*c, falsify.contracts);
  c->add_option("--only", falsify.only, "only rules whose id matches")->type_name("GLOB");
}

int complain(const CLI::App& app, const CLI::ParseError& error, int argc, const char* const* argv) {
  const std::string name = &chosen(app) == &app ? "" : " " + chosen(app).get_name();
  std::cerr << "splitproof: " << what_is_wrong(app, error, argc, argv) << "\nsplitproof: see splitproof"
            << name << " --help\n";
  return kWrongInput;
}

}  // namespace

Command parse_arguments(int argc, const char* const* argv) {
  Parsed parsed;
  CLI::App app("The conformance suite for LLM streaming proxies.", "splitproof");
  app.set_version_flag("--version", "splitproof " SPLITPROOF_VERSION);
  app.require_subcommand(1);
  app.footer("Example:\n  splitproof run --splits 64");
  add_run(app, parsed.run);
  add_check(app, parsed.check);
  add_decode(app, parsed.decode);
  add_replay(app, parsed.replay);
  add_shrink(app, parsed.shrink);
  add_upstream(app, parsed.upstream);
  add_explain(app, parsed.explain);
  add_list(app, parsed.list);
  add_import(app, parsed.import);
  add_judge(app, parsed.judge);
  add_diff(app, parsed.diff);
  add_self_test(app, parsed.self_test);
  add_falsify(app, parsed.falsify);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return EarlyExit{app.exit(help)};
  } catch (const CLI::ParseError& error) {
    return EarlyExit{complain(app, error, argc, argv)};
  }
  const std::string name = chosen(app).get_name();
  if (name == "run") return parsed.run;
  if (name == "check") return parsed.check;
  if (name == "decode") return parsed.decode;
  if (name == "replay") return parsed.replay;
  if (name == "shrink") return parsed.shrink;
  if (name == "upstream") return parsed.upstream;
  if (name == "explain") return parsed.explain;
  if (name == "list") return parsed.list;
  if (name == "judge") return parsed.judge;
  if (name == "diff") return parsed.diff;
  if (name == "self-test") return parsed.self_test;
  if (name == "falsify") return parsed.falsify;
  return parsed.import;
}

}  // namespace splitproof::cli
