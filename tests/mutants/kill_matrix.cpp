// Writes a page with the cases and requests that kill each mutant of the translator. `.ci/kill-matrix-data` makes the
// tables in docs/data from it.
//
//     kill_matrix PAGE
//     kill_matrix PAGE NAMES    only for mutants that match a shell pattern
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <fstream>
#include <future>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "deck.hpp"
#include "harness/campaign/asked_judge.hpp"
#include "harness/glob.hpp"
#include "harness/testee/in_process.hpp"
#include "hunt.hpp"
#include "mutant_targets.hpp"
#include "project.hpp"

namespace splitproof::mutants {
namespace {

constexpr std::size_t kBudget = 2000;
constexpr std::size_t kFewerCases = 500;  // for protocols other than the default

// Recordings that anybody has after recording a few answers of a good provider, and of a model with think tags.
constexpr std::array<const char*, 10> kOrdinary = {
    "text-plain",      "text-multibyte",     "tool-plain",         "tool-parallel",
    "tool-after-text", "thinking-then-text", "thinking-then-tool", "thinking-tags-in-one-piece",
    "framing-crlf",    "finish-length"};

using Decks = std::map<Generator, std::vector<Dealt>>;
using Mutants = std::vector<testee::Variant>;

// Results for one mutant.
struct Fate {
  std::map<Generator, Kill> own;    // by its own obligation; none: it survived
  std::map<Generator, Kill> first;  // by the first violated obligation
  Hunt plan;                        // the whole budget of the default plan
};

Fate fate_of(const testee::Variant& mutant, const Decks& decks) {
  const contract::Profile& profile = profile_of(mutant);
  const testee::LibraryTestee testee = mutant_target(mutant, profile);
  Fate fate;
  for (const auto& [generator, deck] : decks) {
    const bool plan = generator == Generator::plan;
    Hunt found = hunt(testee, deck, project().contracts, profile, plan ? "" : mutant.obligation);
    const auto own = found.kills.find(mutant.obligation);
    if (own != found.kills.end()) fate.own[generator] = own->second;
    for (const auto& [id, kill] : found.kills) {
      const auto [first, is_new] = fate.first.try_emplace(generator, kill);
      if (!is_new && kill.number < first->second.number) first->second = kill;
    }
    if (plan) fate.plan = std::move(found);
  }
  return fate;
}

std::vector<Fate> fates_of(const Mutants& mutants, const Decks& decks) {
  std::vector<Fate> fates(mutants.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < mutants.size(); i = next++) {
      fates[i] = fate_of(mutants[i], decks);
      std::cerr << "." << std::flush;
    }
  };
  auto other = std::async(std::launch::async, work);
  work();
  other.get();
  std::cerr << "\n";
  return fates;
}

// In brackets if only other obligations were violated.
std::string cell(const Fate& fate, Generator generator) {
  const auto own = fate.own.find(generator);
  if (own != fate.own.end()) return std::to_string(own->second.number);
  const auto first = fate.first.find(generator);
  return first != fate.first.end() ? fmt::format("({})", first->second.number) : "-";
}

Decks decks_of(const std::vector<recording::Recording>& recordings, std::size_t most = kBudget) {
  Decks decks;
  for (const Generator generator : {Generator::whole, Generator::bytes, Generator::seams, Generator::random,
                                    Generator::recuts, Generator::faults, Generator::plan})
    decks[generator] = deal(recordings, generator, most);
  return decks;
}

std::string head(const Decks& decks) {
  std::string text = "| mutant | obligation |";
  std::string line = "|---|---|";
  for (const auto& [generator, deck] : decks) {
    text += fmt::format(" {} |", name(generator));
    line += "---|";
  }
  text += "\n" + line + "\n| *cases* | |";
  for (const auto& [generator, deck] : decks) text += fmt::format(" *{}* |", deck.size());
  return text + "\n";
}

std::string totals(const std::vector<Fate>& fates, const Decks& decks) {
  std::string text;
  for (const auto& [what, any] : {std::pair("by its own", false), std::pair("by any", true)}) {
    text += fmt::format("| **killed** | {} |", what);
    for (const auto& [generator, deck] : decks) {
      std::size_t killed = 0;
      for (const Fate& fate : fates) killed += (any ? fate.first : fate.own).count(generator);
      text += fmt::format(" **{} of {}** |", killed, fates.size());
    }
    text += "\n";
  }
  return text;
}

std::string first_kills(const Mutants& mutants, const std::vector<Fate>& fates, const Decks& decks) {
  std::string text = head(decks);
  for (std::size_t i = 0; i < mutants.size(); ++i) {
    text += fmt::format("| {} | {} |", mutants[i].name, mutants[i].obligation);
    for (const auto& [generator, deck] : decks) text += fmt::format(" {} |", cell(fates[i], generator));
    text += "\n";
  }
  return text + totals(fates, decks);
}

std::string link_to(const std::string& report) {
  const std::size_t hash = report.find('#');
  if (hash == std::string::npos) return {};
  return fmt::format(" ([{}](https://github.com/{}/issues/{}))", report, report.substr(0, hash),
                     report.substr(hash + 1));
}

std::string obligations(const Mutants& mutants, const std::vector<Fate>& fates) {
  std::string text = "| mutant | bug | shown by | also violated |\n|---|---|---|---|\n";
  for (std::size_t i = 0; i < mutants.size(); ++i) {
    const auto& kills = fates[i].plan.kills;
    const auto own = kills.find(mutants[i].obligation);
    std::string others;
    for (const auto& [id, kill] : kills) {
      if (id != mutants[i].obligation) others += (others.empty() ? "" : ", ") + id;
    }
    text +=
        fmt::format("| {} | {}{} | {} | {} |\n", mutants[i].name, mutants[i].says, link_to(mutants[i].seen),
                    own != kills.end() ? "`" + own->second.case_id + "`" : "", others);
  }
  return text;
}

// Groups mutants by their protocols, in the order of the library.
std::vector<Mutants> by_protocols(const Mutants& mutants) {
  std::vector<Mutants> groups;
  for (const testee::Variant& mutant : mutants) {
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const Mutants& group) {
      return group.front().upstream == mutant.upstream && group.front().client == mutant.client &&
             group.front().profile == mutant.profile;
    });
    (same == groups.end() ? groups.emplace_back() : *same).push_back(mutant);
  }
  return groups;
}

// Takes out the mutants of upstream requests, which a request shows.
Mutants take_those_of_requests(Mutants& mutants) {
  Mutants taken;
  std::erase_if(mutants, [&](const testee::Variant& mutant) {
    const contract::Obligation* obligation = project().contracts.find(mutant.obligation);
    const bool of_requests = obligation != nullptr && campaign::is_of_requests(*obligation);
    if (of_requests) taken.push_back(mutant);
    return of_requests;
  });
  return taken;
}

// Returns the request that exposes each mutant, and the other violations of all requests.
std::string table_of_requests(const Mutants& mutants) {
  std::string text =
      "| mutant | obligation | profile | first request | also violated |\n|---|---|---|---|---|\n";
  std::size_t killed = 0;
  for (const testee::Variant& mutant : mutants) {
    const contract::Profile& profile = profile_of(mutant);
    const Hunt found = hunt_requests(mutant_target(mutant, profile),
                                     requests_of(project().corpus, mutant.upstream, mutant.client),
                                     project().contracts, profile);
    std::string own = "-";
    std::string others;
    for (const auto& [id, kill] : found.kills) {
      if (id == mutant.obligation)
        own = fmt::format("`{}`, {} of {}", kill.case_id, kill.number, found.cases);
      else
        others += (others.empty() ? "" : ", ") + id;
    }
    killed += own == "-" ? 0 : 1;
    text += fmt::format("| {} | {} | {} | {} | {} |\n", mutant.name, mutant.obligation, profile.name, own,
                        others.empty() ? "-" : others);
  }
  return text + fmt::format("| **killed** | by its own | | **{} of {}** | |\n", killed, mutants.size());
}

// Results of the whole corpus for mutants.
struct Tables {
  std::string kills;
  std::string violated;
};

Tables tables_of(const std::vector<Mutants>& groups) {
  Tables tables;
  for (const Mutants& mutants : groups) {
    const std::string& profile = mutants.front().profile;
    const std::string title =
        fmt::format("### {} to {}{}\n\n", mutants.front().upstream, mutants.front().client,
                    profile.empty() ? "" : ", profile " + profile);
    const auto recordings = recordings_of(project().of_all_upstreams, mutants.front().upstream);
    const bool is_default = mutants.front().upstream == testee::reference_upstreams().front() &&
                            mutants.front().client == testee::reference_clients().front() && profile.empty();
    const Decks decks = decks_of(recordings, is_default ? kBudget : kFewerCases);
    const std::vector<Fate> fates = fates_of(mutants, decks);
    tables.kills += (tables.kills.empty() ? "" : "\n") + title + first_kills(mutants, fates, decks);
    tables.violated += "\n" + title + obligations(mutants, fates);
  }
  return tables;
}

constexpr const char* kTitle = "# What catches which bug: all tables\n\n";

int write_some(const std::string& page, const std::string& names) {
  Mutants wanted = mutants_library()->variants();
  std::erase_if(wanted, [&](const testee::Variant& mutant) { return !matches(names, mutant.name); });
  const std::string requests = table_of_requests(take_those_of_requests(wanted));
  const Tables tables = tables_of(by_protocols(wanted));
  std::ofstream out(page, std::ios::binary | std::ios::trunc);
  out << kTitle << tables.kills << "\n## What is asked of the upstream\n\n"
      << requests << "\n## What each mutant violates\n"
      << tables.violated;
  return out.flush() ? 0 : 1;
}

int write(const std::string& page) {
  Mutants of_answers = mutants_library()->variants();
  const std::string requests = table_of_requests(take_those_of_requests(of_answers));
  const std::vector<Mutants> groups = by_protocols(of_answers);
  const Tables tables = tables_of(groups);
  std::vector<recording::Recording> ordinary;
  for (const char* id : kOrdinary) ordinary.push_back(project().recording(std::string("openai.chat/") + id));
  const Decks few = decks_of(ordinary);
  const std::vector<Fate> ordinary_fates = fates_of(groups.front(), few);
  std::ofstream out(page, std::ios::binary | std::ios::trunc);
  out << kTitle << "tests/mutants/README.md says how to read them.\n\n"
      << "## With the whole corpus\n\n"
      << tables.kills << "\n## With ten ordinary recordings\n\n"
      << first_kills(groups.front(), ordinary_fates, few) << "\n## What is asked of the upstream\n\n"
      << requests
      << "\n## What each mutant violates\n\nWith the whole corpus and the default plan, cut off after "
      << kBudget << " cases, and after " << kFewerCases << " where the protocols are not the default.\n"
      << tables.violated;
  return out.flush() ? 0 : 1;
}

}  // namespace
}  // namespace splitproof::mutants

int main(int argc, char** argv) {
  using namespace splitproof::mutants;
  if (argc == 2) return write(argv[1]);
  if (argc == 3) return write_some(argv[1], argv[2]);
  std::cerr << "usage: kill_matrix PAGE [NAMES]\n";
  return 2;
}
