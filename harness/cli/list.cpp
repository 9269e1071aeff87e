#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <vector>

#include "harness/cli/commands.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/listing.hpp"
#include "harness/cli/mutants.hpp"
#include "harness/cli/selection.hpp"
#include "harness/cli/sources.hpp"
#include "harness/cli/targets.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/record/features.hpp"

namespace splitproof::cli {
namespace {

struct ListCommand {
  std::string what;
  bool harm = false;  ///< Print the sources of obligations.
  bool json = false;
  Selection selection;
};

void add_rule(Listing& listing, const contract::Obligation& rule) {
  listing.add({{"id", rule.id, 10},
               {"level", std::string(contract::name(rule.level)), 7},
               {"form", rule.form, 16},
               {"contract", rule.contract, 31},
               {"title", rule.headline()}});
}

// Adds the rule's sources, a line each; a rule without sources also has a line.
void add_harm(Listing& listing, const contract::Obligation& rule) {
  const Column id{"id", rule.id, 10};
  const Column level{"level", std::string(contract::name(rule.level)), 7};
  if (rule.harm.empty()) listing.add({id, level, {"kind", "-"}});
  for (const contract::Harm& harm : rule.harm)
    listing.add({id,
                 level,
                 {"kind", harm.document.empty() ? "client" : "document", 9},
                 {"source", harm.source() + ": " + harm.says}});
}

int list_rules(const ListCommand& command) {
  const auto contracts = load_contracts(command.selection.contracts);
  if (!contracts) return complain(contracts.error());
  const auto add = command.harm ? add_harm : add_rule;
  Listing listing("rule", command.selection.only, command.json);
  for (const contract::Obligation* rule : all_rules(*contracts)) add(listing, *rule);
  return listing.end();
}

// Your own recordings are listed with what each covers. The titles of the project's own say it.
int list_recordings(const ListCommand& command) {
  // All are loaded, so that the error for a wrong --only can name the closest.
  const auto corpus = load_recordings(command.selection.corpus);
  if (!corpus) return complain(corpus.error());
  const auto contracts = load_contracts(command.selection.contracts);
  if (!contracts) return complain(contracts.error());
  const auto profile = load_profile("default", command.selection.contracts);
  if (!profile) return complain(profile.error());
  Listing listing("recording", command.selection.only, command.json);
  for (const recording::Recording& recording : corpus->recordings) {
    std::vector<Column> columns{{"id", recording.id, 44},
                                {"bytes", fmt::format("{:>6} bytes", recording.body.size()), 13},
                                {"end", std::string(recording::name(recording.end)), 9},
                                {"title", recording.title}};
    if (!command.selection.corpus.empty()) {
      columns.push_back(
          {"covers", "covers " + record::summary_of(record::features_of(recording, *contracts, *profile))});
    }
    listing.add(columns);
  }
  for (const Error& error : corpus->errors) complain(error);
  if (!corpus->errors.empty()) return kWrongInput;
  return corpus->recordings.empty() ? static_cast<int>(kNothingSelected) : listing.end();
}

int list_targets(const ListCommand& command) {
  const auto targets = target_names();
  if (!targets) return complain(targets.error());
  Listing listing("target", command.selection.only, command.json);
  for (const TargetName& target : *targets)
    listing.add({{"name", target.name, 16},
                 {"kind", target.kind, 11},
                 {"direction", target.client + " <- " + target.upstream, 33},
                 {"does", target.what}});
  return listing.end();
}

/// Calls `each` for every profile, with the values of the profile `default`.
int for_each_profile(const ListCommand& command,
                     const std::function<void(const contract::Profile&, const contract::Profile&)>& each) {
  const auto folders = contract_folders(command.selection.contracts);
  if (!folders) return complain(folders.error());
  const auto standard = contract::load_profile("default", *folders);
  if (!standard) return complain(standard.error());
  for (const std::string& name : contract::profile_names(*folders)) {
    const auto profile = contract::load_profile(name, *folders);
    if (!profile) return complain(profile.error());
    each(*profile, *standard);
  }
  return kConforms;
}

bool differs(const contract::Profile& standard, const std::string& knob, const std::string& value) {
  const auto usual = standard.knobs.find(knob);
  return usual == standard.knobs.end() || usual->second != value;
}

int list_profiles(const ListCommand& command) {
  Listing listing("profile", command.selection.only, command.json);
  const int code =
      for_each_profile(command, [&](const contract::Profile& profile, const contract::Profile& standard) {
        std::vector<std::string> knobs;
        for (const auto& [knob, value] : profile.knobs)
          if (differs(standard, knob, value)) knobs.push_back(knob + ": " + value);
        const std::string text = knobs.empty()
                                     ? fmt::format("{} knobs", profile.knobs.size())
                                     : fmt::format("{} of {} knobs differ from default: {}", knobs.size(),
                                                   profile.knobs.size(), fmt::join(knobs, ", "));
        listing.add({{"name", profile.name, 14}, {"knobs", text}});
      });
  return code == kConforms ? listing.end() : code;
}

// All knobs of the profile `default`, and those in which another profile departs from it.
int list_knobs(const ListCommand& command) {
  Listing listing("profile", command.selection.only, command.json);
  const int code = for_each_profile(command, [&](const contract::Profile& profile,
                                                 const contract::Profile& standard) {
    for (const auto& [knob, value] : profile.knobs) {
      const bool departs = differs(standard, knob, value);
      if (profile.name != "default" && !departs) continue;
      const auto usual = standard.knobs.find(knob);
      listing.add({{"profile", profile.name, 14},
                   {"knob", knob, 26},
                   {"value", value},
                   {"default", departs && usual != standard.knobs.end() ? "(default: " + usual->second + ")"
                                                                        : std::string()}});
    }
  });
  return code == kConforms ? listing.end() : code;
}

int list_clients(const ListCommand& command) {
  const auto contracts = load_contracts(command.selection.contracts);
  if (!contracts) return complain(contracts.error());
  const auto clients = load_clients(command.selection.contracts, *contracts);
  if (!clients) return complain(clients.error());
  Listing listing("client", command.selection.only, command.json);
  for (const contract::ClientStream& stream : clients->streams)
    for (const contract::ClientReaction& one : stream.does)
      listing.add({{"client", one.client, 18},
                   {"stream", stream.protocol + "/" + stream.name, 48},
                   {"reaction", std::string(contract::name(one.reaction)), 15},
                   {"says", one.says}});
  return listing.end();
}

int list_losses(const ListCommand& command) {
  const auto contracts = load_contracts(command.selection.contracts);
  if (!contracts) return complain(contracts.error());
  Listing listing("upstream protocol", command.selection.only, command.json);
  for (const dialect::Dialect& upstream : dialect::all()) {
    const std::string from(upstream.protocol);
    for (const dialect::Dialect& client : dialect::all()) {
      const std::string to(client.protocol);
      for (const auto& [kind, becomes] : contracts->losses(from, to))
        listing.add({{"from", from, 19},
                     {"what", kind, 39},
                     {"to", to, 19},
                     {"becomes", std::string(contract::name(becomes))}});
    }
  }
  return listing.end();
}

int list_mutants(const ListCommand& command) {
  const auto mutants = open_mutants();
  if (!mutants) return complain(mutants.error());
  Listing listing("mutant", command.selection.only, command.json);
  for (const testee::Variant& mutant : (*mutants)->variants()) {
    std::string seen = mutant.seen.empty() ? "" : " (" + mutant.seen + ")";
    if (!mutant.profile.empty()) seen += " With --profile " + mutant.profile + ".";
    listing.add({{"name", mutant.name, 28},
                 {"rule", mutant.obligation, 8},
                 {"upstream", mutant.upstream, 18},
                 {"client", mutant.client, 18},
                 {"does", mutant.says + seen}});
  }
  return listing.end();
}

/// A kind of list, and the options that it reads.
struct ListKind {
  const char* what;
  int (*list)(const ListCommand& command);
  bool has_harm = false;
  bool has_corpus = false;
  bool has_contracts = false;
};

constexpr ListKind kListKinds[] = {
    {"rules", list_rules, true, false, true},
    {"obligations", list_rules, true, false, true},
    {"recordings", list_recordings, false, true},
    {"targets", list_targets},
    {"profiles", list_profiles, false, false, true},
    {"knobs", list_knobs, false, false, true},
    {"mutants", list_mutants},
    {"clients", list_clients, false, false, true},
    {"losses", list_losses, false, false, true},
};

int list(const ListCommand& command) {
  const ListKind& kind = *std::find_if(std::begin(kListKinds), std::end(kListKinds),
                                       [&](const ListKind& one) { return command.what == one.what; });
  const char* idle = command.harm && !kind.has_harm                                ? "--harm"
                     : !command.selection.corpus.empty() && !kind.has_corpus       ? "--corpus"
                     : !command.selection.contracts.empty() && !kind.has_contracts ? "--contracts"
                                                                                   : nullptr;
  if (idle != nullptr)
    return complain(
        Error{std::string(idle) + " has no effect on list " + command.what, {}, 0, "leave it out"});
  return kind.list(command);
}

void add_options(Options& options, ListCommand& list) {
  options
      .text(
          "WHAT", list.what,
          "rules (or obligations), recordings, targets, profiles, knobs (of the profiles), mutants, clients "
          "(their reactions to broken streams) or losses (parts of an answer that another protocol cannot carry)")
      .required()
      .one_of({"rules", "obligations", "recordings", "targets", "profiles", "knobs", "mutants", "clients",
               "losses"});
  options.flag("--harm", list.harm,
               "for rules: show the document or the client behaviour that each rule follows from");
  add_corpus(options, list.selection.corpus);
  options.text("--only", list.selection.only, "list only lines whose id, the first column, matches")
      .type("GLOB");
  add_contracts(options, list.selection.contracts);
  options.flag("--json", list.json, "print a JSON object for each line");
}

}  // namespace

const Command kList = {
    "list",
    "List rules, recordings, targets, profiles, knobs, mutants, clients or losses; the first column is the id",
    "splitproof list rules", adding(add_options, list)};

}  // namespace splitproof::cli
