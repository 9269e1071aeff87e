#include <fmt/format.h>
#include <fnmatch.h>

#include <iostream>

#include "harness/campaign/meta.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/mutants.hpp"
#include "harness/cli/selection.hpp"
#include "harness/cli/sources.hpp"
#include "harness/cli/targets.hpp"
#include "harness/dialect/registry.hpp"

namespace splitproof::cli {
namespace {

struct ListCommand {
  std::string what;
  bool harm = false;  ///< of obligations: their sources
  Selection selection;
};

void print_rule(const contract::Obligation& obligation) {
  std::cout << fmt::format("{:<10} {:<7} {:<16} {:<31} {}\n", obligation.id, contract::name(obligation.level),
                           obligation.form, obligation.contract, obligation.says);
}

// Prints the rule's sources, a line each; a rule without sources also has a line.
void print_harm(const contract::Obligation& obligation) {
  const std::string head = fmt::format("{:<10} {:<7}", obligation.id, contract::name(obligation.level));
  if (obligation.harm.empty()) std::cout << head << " -\n";
  for (const contract::Harm& harm : obligation.harm) {
    const char* kind = harm.document.empty() ? "client" : "document";
    std::cout << fmt::format("{} {:<9} {}: {}\n", head, kind, harm.source(), harm.says);
  }
}

int list_obligations(const Selection& selection, bool harm) {
  const auto contracts = load_contracts(selection.contracts);
  if (!contracts) return complain(contracts.error());
  const auto print = harm ? print_harm : print_rule;
  for (const contract::Obligation* obligation : contracts->obligations()) print(*obligation);
  for (const contract::Obligation& obligation : campaign::meta_obligations()) print(obligation);
  return kConforms;
}

int list_recordings(const Selection& selection) {
  const auto corpus = load_recordings(selection.corpus, selection.only);
  if (!corpus) return complain(corpus.error());
  bool any = false;
  for (const recording::Recording& recording : corpus->recordings) {
    if (!selection.only.empty() && fnmatch(selection.only.c_str(), recording.id.c_str(), 0) != 0) continue;
    any = true;
    std::cout << fmt::format("{:<44} {:>6} bytes  {:<9} {}\n", recording.id, recording.body.size(),
                             recording::name(recording.end), recording.title);
  }
  for (const Error& error : corpus->errors) complain(error);
  if (!corpus->errors.empty()) return kWrongInput;
  return any ? kConforms : kNothingSelected;
}

int list_targets() {
  const auto targets = target_names();
  if (!targets) return complain(targets.error());
  for (const TargetName& target : *targets) {
    std::cout << fmt::format("{:<16} {:<11} {:<33} {}\n", target.name, target.kind,
                             target.client + " <- " + target.upstream, target.what);
  }
  return kConforms;
}

int list_profiles(const Selection& selection) {
  const auto folders = contract_folders(selection.contracts);
  if (!folders) return complain(folders.error());
  const auto standard = contract::load_profile("default", *folders);
  if (!standard) return complain(standard.error());
  for (const std::string& name : contract::profile_names(*folders)) {
    const auto profile = contract::load_profile(name, *folders);
    if (!profile) return complain(profile.error());
    for (const auto& [knob, value] : profile->knobs) {
      const auto usual = standard->knobs.find(knob);
      const bool departs = usual != standard->knobs.end() && usual->second != value;
      std::cout << fmt::format("{:<14} {:<26} {}{}\n", name, knob, value,
                               departs ? " (default: " + usual->second + ")" : "");
    }
  }
  return kConforms;
}

int list_clients(const Selection& selection) {
  const auto contracts = load_contracts(selection.contracts);
  if (!contracts) return complain(contracts.error());
  const auto clients = load_clients(selection.contracts, *contracts);
  if (!clients) return complain(clients.error());
  for (const contract::ClientStream& stream : clients->streams) {
    for (const contract::ClientReaction& one : stream.does) {
      std::cout << fmt::format("{:<18} {:<48} {:<15} {}\n", one.client, stream.protocol + "/" + stream.name,
                               contract::name(one.reaction), one.says);
    }
  }
  return kConforms;
}

int list_losses(const Selection& selection) {
  const auto contracts = load_contracts(selection.contracts);
  if (!contracts) return complain(contracts.error());
  for (const dialect::Dialect& upstream : dialect::all()) {
    for (const dialect::Dialect& client : dialect::all()) {
      const std::string to(client.protocol);
      for (const auto& [kind, becomes] : contracts->losses(std::string(upstream.protocol), to))
        std::cout << fmt::format("{:<19} {:<39} {:<19} {}\n", upstream.protocol, kind, to,
                                 contract::name(becomes));
    }
  }
  return kConforms;
}

int list_mutants() {
  const auto mutants = open_mutants();
  if (!mutants) return complain(mutants.error());
  for (const testee::Variant& mutant : (*mutants)->variants()) {
    std::string seen = mutant.seen.empty() ? "" : " (" + mutant.seen + ")";
    if (!mutant.profile.empty()) seen += " With --profile " + mutant.profile + ".";
    std::cout << fmt::format("{:<28} {:<8} {:<18} {:<18} {}{}\n", mutant.name, mutant.obligation,
                             mutant.upstream, mutant.client, mutant.says, seen);
  }
  return kConforms;
}

int list(const ListCommand& command) {
  if (command.what == "obligations") return list_obligations(command.selection, command.harm);
  if (command.what == "recordings") return list_recordings(command.selection);
  if (command.what == "targets") return list_targets();
  if (command.what == "clients") return list_clients(command.selection);
  if (command.what == "losses") return list_losses(command.selection);
  if (command.what == "mutants") return list_mutants();
  return list_profiles(command.selection);
}

void add_options(Options& options, ListCommand& list) {
  options
      .text(
          "WHAT", list.what,
          "obligations, recordings, targets, profiles, mutants, what clients do with broken streams, or what "
          "becomes of what an answer holds")
      .required()
      .one_of({"obligations", "recordings", "targets", "profiles", "mutants", "clients", "losses"});
  options.flag("--harm", list.harm, "of obligations: the document or the client that each rests on");
  add_corpus(options, list.selection.corpus);
  options.text("--only", list.selection.only, "only recordings whose id matches").type("GLOB");
  add_contracts(options, list.selection.contracts);
}

}  // namespace

const Command kList = {
    "list",
    "List obligations, recordings, targets, profiles, mutants, clients or losses; the first column is the id",
    "splitproof list obligations", adding(add_options, list)};

}  // namespace splitproof::cli
