#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/cli/commands.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/how_it_breaks.hpp"
#include "harness/cli/listing.hpp"
#include "harness/cli/print_json.hpp"
#include "harness/cli/selection.hpp"
#include "harness/cli/sources.hpp"
#include "harness/cli/unknown_word.hpp"
#include "harness/contract/contract_file.hpp"
#include "harness/read_file.hpp"
#include "harness/report/cause_text.hpp"

namespace splitproof::cli {
namespace {

using nlohmann::ordered_json;

struct ExplainCommand {
  std::string id;
  std::vector<std::string> contracts;
  bool json = false;
};

struct Sample {
  std::string stream;
  std::map<std::string, std::string> knobs;  // for which it violates the rule
};

// Returns the smallest known stream that violates the rule, under the default profile if possible.
std::optional<Sample> smallest_falsifier(const contract::Obligation& obligation) {
  const std::filesystem::path folder = std::filesystem::path(obligation.file).parent_path();
  std::optional<Sample> smallest;
  const auto rank = [](const Sample& sample) {
    return std::pair(!sample.knobs.empty(), sample.stream.size());
  };
  for (const contract::Falsifier& falsifier : obligation.falsifiers) {
    Result<std::string> stream = read_file((folder / falsifier.file).string());
    if (!stream) continue;
    Sample sample{std::move(*stream), falsifier.knobs};
    if (!smallest || rank(sample) < rank(*smallest)) smallest = std::move(sample);
  }
  return smallest;
}

// Returns " (tested 2026-11-22 by hand)", or without a date "".
std::string tested(const contract::ClientProgram& client) {
  if (client.tried.empty()) return {};
  return fmt::format(" (tested {}{})", client.tried, client.target.empty() ? " by hand" : "");
}

// Prints each client's reaction to the best example streams, and the clients' versions.
void print_impact(const contract::Clients& clients, const std::string& id) {
  const auto streams = clients.about(id);
  if (streams.empty()) return;
  std::cout << "\nWhat clients do with it:\n";
  for (const contract::ClientStream* stream : streams) {
    std::cout << "  " << stream->says << "\n";
    for (const contract::ClientReaction& one : stream->does)
      std::cout << fmt::format("    {:<18} {:<15} {}{}\n", one.client, contract::name(one.reaction), one.says,
                               one.is_by_hand ? " (tested by hand)" : "");
  }
  for (const contract::Clients::Impact& impact : clients.impact(id)) {
    const contract::ClientProgram& client = *clients.find(impact.client);
    std::cout << fmt::format("  {}: {} {}, {}{}\n", client.id, client.name, client.version, client.run,
                             tested(client));
  }
}

void print(const contract::Obligation& obligation, const contract::Clients& clients,
           const std::string& breaks) {
  std::cout << fmt::format("{}  {}  ({})\n\n{}{}\n\nWhy: {}\n", obligation.id,
                           contract::name(obligation.level), obligation.contract,
                           obligation.title.empty() ? "" : obligation.title + "\n\n", obligation.says,
                           obligation.why);
  if (!obligation.harm.empty()) {
    std::cout << "\nSources:\n";
    for (const contract::Harm& harm : obligation.harm)
      std::cout << fmt::format("  {}: {}\n", harm.source(), harm.says);
  }
  if (!obligation.seen.empty()) {
    std::cout << "\nPublic incidents:\n";
    for (const std::string& incident : obligation.seen) {
      const std::string url = report::incident_url(incident);
      std::cout << "  " << incident << (url.empty() ? "" : "  ") << url << "\n";
    }
  }
  print_impact(clients, obligation.id);
  std::cout << "\n" << judged_by(obligation);
  if (!breaks.empty()) std::cout << "\n" << breaks;
  const auto sample = smallest_falsifier(obligation);
  if (!sample) return;
  std::string under;
  for (const auto& [knob, value] : sample->knobs)
    under += fmt::format("{}{}: {}, ", under.empty() ? "Under " : "", knob, value);
  const bool of_requests = !contract::side_of_requests(obligation.contract, {}).empty();
  std::string what = of_requests                                     ? "a request"
                     : contract::is_of_evidence(obligation.contract) ? "evidence"
                                                                     : "a stream";
  if (under.empty()) what.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(what.front())));
  std::cout << fmt::format("\n{}{} that violates it:\n\n{}", under, what, sample->stream);
}

ordered_json to_json(const contract::Obligation& rule, const contract::Clients& clients) {
  ordered_json sources = ordered_json::array();
  for (const contract::Harm& harm : rule.harm)
    sources.push_back({{harm.document.empty() ? "client" : "document", harm.source()}, {"says", harm.says}});
  ordered_json reactions = ordered_json::array();
  for (const contract::ClientStream* stream : clients.about(rule.id))
    for (const contract::ClientReaction& one : stream->does)
      reactions.push_back({{"client", one.client},
                           {"stream", stream->says},
                           {"reaction", contract::name(one.reaction)},
                           {"says", one.says},
                           {"version", clients.find(one.client)->version},
                           {"tested", clients.find(one.client)->tried}});
  return {{"id", rule.id},
          {"level", contract::name(rule.level)},
          {"contract", rule.contract},
          {"title", rule.title},
          {"says", rule.says},
          {"why", rule.why},
          {"sources", sources},
          {"incidents", rule.seen},
          {"clients", reactions}};
}

// The letters of an id before its number: "TOOL" of "TOOL-02".
std::string family_of(const std::string& id) { return id.substr(0, id.rfind('-')); }

// Lists the rules of a family. Returns nullopt if it has no rule.
std::optional<int> list_family(const std::string& family,
                               const std::vector<const contract::Obligation*>& rules, bool json) {
  Listing listing("rule", {}, json);
  bool any = false;
  for (const contract::Obligation* rule : rules) {
    if (family_of(rule->id) != family) continue;
    any = true;
    listing.add({{"id", rule->id, 10},
                 {"level", std::string(contract::name(rule->level)), 7},
                 {"title", rule->headline()}});
  }
  if (!any) return std::nullopt;
  return listing.end();
}

Error no_such_rule(const std::string& word, const std::string& id,
                   const std::vector<const contract::Obligation*>& rules) {
  std::vector<std::string> ids;
  bool has_family = false;
  for (const contract::Obligation* rule : rules) {
    ids.push_back(rule->id);
    has_family |= family_of(rule->id) == family_of(id);
  }
  Error error = unknown_word("rule", word, ids, "run splitproof list rules to see all rules");
  if (has_family) error.hint += ", or splitproof explain " + family_of(id) + " to see its family";
  return error;
}

int explain(const ExplainCommand& command) {
  const auto contracts = load_contracts(command.contracts);
  if (!contracts) return complain(contracts.error());
  const auto clients = load_clients(command.contracts, *contracts);
  if (!clients) return complain(clients.error());
  std::string id = command.id.substr(0, command.id.find(':'));  // a cause's name has a kind, as ANT-20:less
  // Ids are upper case, and typed by hand.
  std::transform(id.begin(), id.end(), id.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  const std::vector<const contract::Obligation*> rules = all_rules(*contracts);
  const auto found = std::find_if(rules.begin(), rules.end(), [&](const contract::Obligation* rule) {
    return rule->id == id || rule->id == command.id.substr(0, command.id.find(':'));
  });
  if (found == rules.end()) {
    const std::string family = id.ends_with('-') ? id.substr(0, id.size() - 1) : id;
    if (const auto listed = list_family(family, rules, command.json)) return *listed;
    return complain(no_such_rule(command.id, id, rules));
  }
  if (command.json) {
    print_json(to_json(**found, *clients));
    return kConforms;
  }
  const auto profile = load_profile("default", command.contracts);
  if (!profile) return complain(profile.error());
  print(**found, *clients, how_it_breaks(*contracts, *profile, **found));
  return kConforms;
}

void add_options(Options& options, ExplainCommand& explain) {
  options.text("ID", explain.id, "id of a rule, name of a cause, or letters such as TOOL to list the family")
      .required();
  add_contracts(options, explain.contracts);
  options.flag("--json", explain.json, "print a JSON object");
}

}  // namespace

const Command kExplain = {
    "explain", "Explain a rule: its reason, what clients do, public incidents, and a stream that violates it",
    "splitproof explain ANT-05", adding(add_options, explain)};

}  // namespace splitproof::cli
