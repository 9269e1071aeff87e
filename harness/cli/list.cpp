#include <fmt/format.h>

#include <iostream>

#include "harness/campaign/meta.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/mutants.hpp"
#include "harness/cli/selection.hpp"
#include "harness/cli/sources.hpp"
#include "harness/cli/targets.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/glob.hpp"

namespace splitproof::cli {
namespace {

struct ListCommand {
  std::string what;
  bool harm = false;  ///< of obligations: their sources
  Selection selection;
};

/// Prints lines whose first column, the id, matches `--only`.
class Listing {
 public:
  explicit Listing(const std::string& only) : only_(only) {}

  void add(const std::string& id, const std::string& line) {
    if (!only_.empty() && !matches(only_, id)) return;
    any_ = true;
    std::cout << line << "\n";
  }

  /// The exit code: kNothingSelected if `--only` left nothing.
  int code() const { return any_ || only_.empty() ? kConforms : kNothingSelected; }

 private:
  const std::string& only_;
  bool any_ = false;
};

void add_rule(Listing& listing, const contract::Obligation& rule) {
  listing.add(rule.id, fmt::format("{:<10} {:<7} {:<16} {:<31} {}", rule.id, contract::name(rule.level),
                                   rule.form, rule.contract, rule.headline()));
}

// Adds the rule's sources, a line each; a rule without sources also has a line.
void add_harm(Listing& listing, const contract::Obligation& rule) {
  const std::string head = fmt::format("{:<10} {:<7}", rule.id, contract::name(rule.level));
  if (rule.harm.empty()) listing.add(rule.id, head + " -");
  for (const contract::Harm& harm : rule.harm) {
    const char* kind = harm.document.empty() ? "client" : "document";
    listing.add(rule.id, fmt::format("{} {:<9} {}: {}", head, kind, harm.source(), harm.says));
  }
}

int list_rules(const Selection& selection, bool harm) {
  const auto contracts = load_contracts(selection.contracts);
  if (!contracts) return complain(contracts.error());
  const auto add = harm ? add_harm : add_rule;
  Listing listing(selection.only);
  for (const contract::Obligation* rule : contracts->obligations()) add(listing, *rule);
  for (const contract::Obligation& rule : campaign::meta_obligations()) add(listing, rule);
  return listing.code();
}

int list_recordings(const Selection& selection) {
  const auto corpus = load_recordings(selection.corpus, selection.only);
  if (!corpus) return complain(corpus.error());
  Listing listing(selection.only);
  for (const recording::Recording& recording : corpus->recordings) {
    listing.add(recording.id, fmt::format("{:<44} {:>6} bytes  {:<9} {}", recording.id, recording.body.size(),
                                          recording::name(recording.end), recording.title));
  }
  for (const Error& error : corpus->errors) complain(error);
  if (!corpus->errors.empty()) return kWrongInput;
  return corpus->recordings.empty() ? kNothingSelected : listing.code();
}

int list_targets(const Selection& selection) {
  const auto targets = target_names();
  if (!targets) return complain(targets.error());
  Listing listing(selection.only);
  for (const TargetName& target : *targets) {
    listing.add(target.name, fmt::format("{:<16} {:<11} {:<33} {}", target.name, target.kind,
                                         target.client + " <- " + target.upstream, target.what));
  }
  return listing.code();
}

// All knobs of the profile `default`, and those in which another profile departs from it.
int list_profiles(const Selection& selection) {
  const auto folders = contract_folders(selection.contracts);
  if (!folders) return complain(folders.error());
  const auto standard = contract::load_profile("default", *folders);
  if (!standard) return complain(standard.error());
  Listing listing(selection.only);
  for (const std::string& name : contract::profile_names(*folders)) {
    const auto profile = contract::load_profile(name, *folders);
    if (!profile) return complain(profile.error());
    bool departs = false;
    for (const auto& [knob, value] : profile->knobs) {
      const auto usual = standard->knobs.find(knob);
      const bool same = usual != standard->knobs.end() && usual->second == value;
      if (name != "default" && same) continue;
      departs = true;
      const bool has_default = usual != standard->knobs.end() && !same;
      listing.add(name, fmt::format("{:<14} {:<26} {}{}", name, knob, value,
                                    has_default ? " (default: " + usual->second + ")" : ""));
    }
    if (!departs) listing.add(name, fmt::format("{:<14} same as default", name));
  }
  return listing.code();
}

int list_clients(const Selection& selection) {
  const auto contracts = load_contracts(selection.contracts);
  if (!contracts) return complain(contracts.error());
  const auto clients = load_clients(selection.contracts, *contracts);
  if (!clients) return complain(clients.error());
  Listing listing(selection.only);
  for (const contract::ClientStream& stream : clients->streams) {
    for (const contract::ClientReaction& one : stream.does) {
      listing.add(one.client,
                  fmt::format("{:<18} {:<48} {:<15} {}", one.client, stream.protocol + "/" + stream.name,
                              contract::name(one.reaction), one.says));
    }
  }
  return listing.code();
}

int list_losses(const Selection& selection) {
  const auto contracts = load_contracts(selection.contracts);
  if (!contracts) return complain(contracts.error());
  Listing listing(selection.only);
  for (const dialect::Dialect& upstream : dialect::all()) {
    const std::string from(upstream.protocol);
    for (const dialect::Dialect& client : dialect::all()) {
      const std::string to(client.protocol);
      for (const auto& [kind, becomes] : contracts->losses(from, to))
        listing.add(from, fmt::format("{:<19} {:<39} {:<19} {}", from, kind, to, contract::name(becomes)));
    }
  }
  return listing.code();
}

int list_mutants(const Selection& selection) {
  const auto mutants = open_mutants();
  if (!mutants) return complain(mutants.error());
  Listing listing(selection.only);
  for (const testee::Variant& mutant : (*mutants)->variants()) {
    std::string seen = mutant.seen.empty() ? "" : " (" + mutant.seen + ")";
    if (!mutant.profile.empty()) seen += " With --profile " + mutant.profile + ".";
    listing.add(mutant.name, fmt::format("{:<28} {:<8} {:<18} {:<18} {}{}", mutant.name, mutant.obligation,
                                         mutant.upstream, mutant.client, mutant.says, seen));
  }
  return listing.code();
}

int list(const ListCommand& command) {
  const Selection& selection = command.selection;
  if (command.what == "rules" || command.what == "obligations") return list_rules(selection, command.harm);
  if (command.what == "recordings") return list_recordings(selection);
  if (command.what == "targets") return list_targets(selection);
  if (command.what == "clients") return list_clients(selection);
  if (command.what == "losses") return list_losses(selection);
  if (command.what == "mutants") return list_mutants(selection);
  return list_profiles(selection);
}

void add_options(Options& options, ListCommand& list) {
  options
      .text("WHAT", list.what,
            "rules (or obligations), recordings, targets, profiles, mutants, clients (their reactions to "
            "broken streams) or losses (parts of an answer that another protocol cannot carry)")
      .required()
      .one_of({"rules", "obligations", "recordings", "targets", "profiles", "mutants", "clients", "losses"});
  options.flag("--harm", list.harm,
               "for rules: show the document or the client behaviour that each rule follows from");
  add_corpus(options, list.selection.corpus);
  options.text("--only", list.selection.only, "list only lines whose id, the first column, matches")
      .type("GLOB");
  add_contracts(options, list.selection.contracts);
}

}  // namespace

const Command kList = {
    "list",
    "List rules, recordings, targets, profiles, mutants, clients or losses; the first column is the id",
    "splitproof list rules", adding(add_options, list)};

}  // namespace splitproof::cli
