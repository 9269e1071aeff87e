// Texts of the built-in rules: their own words for a violation, and their source.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "harness/campaign/meta.hpp"
#include "harness/contract/clients.hpp"
#include "harness/contract/contract_file.hpp"
#include "harness/contract/judge.hpp"
#include "harness/contract/lossy.hpp"
#include "tests/contracts/built_in.hpp"

namespace splitproof::contract::words_test {
namespace {

const Clients& clients() {
  static const auto loaded = Clients::load({contract_folder()}, built_in_contracts());
  EXPECT_TRUE(loaded) << describe(loaded.error());
  return *loaded;
}

// True if the default words would show internals: a pattern, an operand, an expression.
bool needs_words(const Clause& clause) {
  if (const auto* where = std::get_if<WhereRule>(&clause.rule)) return where->asks_for_a_form();
  return !std::holds_alternative<OrderRule>(clause.rule);
}

TEST(Words, EveryClauseThatNeedsThemHasThem) {
  for (const std::filesystem::path& path : yaml_files(contract_folder())) {
    if (path.filename() == kLossyFile) continue;
    const ContractFile file = read_contract(path.string());
    for (const CompiledObligation& obligation : file.obligations) {
      for (std::size_t i = 0; i < obligation.clauses.size(); ++i) {
        const Clause& clause = obligation.clauses[i];
        if (!needs_words(clause)) continue;
        EXPECT_TRUE(clause.wording.says_at_event() || clause.wording.says_at_end())
            << obligation.about.id << ", clause " << i;
        const auto* sequence = std::get_if<SequenceRule>(&clause.rule);
        if (sequence == nullptr || sequence->kind() == SequenceRule::Kind::never) continue;
        EXPECT_TRUE(clause.wording.says_at_end()) << obligation.about.id << ", clause " << i;
      }
    }
  }
}

TEST(Words, EveryRuleHasATitleOfItsOwn) {
  std::set<std::string> titles;
  const auto expect_title = [&](const Obligation& rule) {
    EXPECT_FALSE(rule.title.empty()) << rule.id;
    EXPECT_TRUE(titles.insert(rule.title).second) << rule.id << ": " << rule.title;
  };
  for (const Obligation* rule : built_in_contracts().obligations()) expect_title(*rule);
  for (const Obligation& rule : campaign::meta_obligations()) expect_title(rule);
}
// A rule needs a source: a document, or a client that was seen to fail.
TEST(Words, EveryMustSaysWhatItRestsOn) {
  const auto rests = [](const Obligation& obligation) {
    if (obligation.level != Level::must) return;
    EXPECT_FALSE(obligation.harm.empty()) << obligation.id;
  };
  for (const Obligation* obligation : built_in_contracts().obligations()) rests(*obligation);
  for (const Obligation& obligation : campaign::meta_obligations()) rests(obligation);
}

TEST(Words, AClientThatARuleRestsOnIsKnownAndFails) {
  for (const Obligation* obligation : built_in_contracts().obligations()) {
    for (const Harm& harm : obligation->harm) {
      if (harm.client.empty()) continue;
      SCOPED_TRACE(obligation->id + ": " + harm.client);
      EXPECT_NE(clients().find(harm.client), nullptr);
      if (!harm.stream.empty()) {
        EXPECT_TRUE(std::any_of(obligation->falsifiers.begin(), obligation->falsifiers.end(),
                                [&](const Falsifier& one) { return one.file == harm.stream; }))
            << harm.stream << " is no falsifier of it";
        continue;  // tests/clients tests the client itself
      }
      const auto& streams = clients().streams;
      EXPECT_TRUE(std::any_of(streams.begin(), streams.end(), [&](const ClientStream& stream) {
        return stream.violation_of(obligation->id) != nullptr &&
               std::any_of(stream.does.begin(), stream.does.end(), [&](const ClientReaction& one) {
                 return one.client == harm.client && one.reaction != Reaction::accepts;
               });
      })) << "no stream of contracts/clients shows it";
    }
  }
}

// Messages for maintainers contain no document name or operand of the contract language.
TEST(Words, MessagesNameNothingOfTheContractLanguage) {
  constexpr std::array kInner = {"expected./", "got./", "request./", "joined(", "of the form "};
  for (const Obligation* obligation : built_in_contracts().obligations()) {
    for (const Falsifier& falsifier : obligation->falsifiers) {
      if (falsifier.evidence) continue;
      for (const Judged& judged : judge_example(*obligation, falsifier, falsifier.file)) {
        for (const char* inner : kInner)
          EXPECT_EQ(judged.message.find(inner), std::string::npos)
              << judged.obligation->id << ", " << falsifier.file << ": " << judged.message;
      }
    }
  }
}

}  // namespace
}  // namespace splitproof::contract::words_test
