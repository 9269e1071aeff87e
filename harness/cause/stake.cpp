#include "harness/cause/stake.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace splitproof::cause {
namespace {

// Ids of rules, separated by blanks. `ID/2` is the rule's second clause only.
struct RulesOfStake {
  Stake stake;
  std::string_view rules;
};

constexpr std::array kRows{
    RulesOfStake{Stake::process, "RUN-01 RUN-02 RUN-03 CONN-01 CONN-03 CONN-04 META-05 TRN-12 TRN-16"},
    // An error in place of a complete answer loses its content.
    RulesOfStake{
        Stake::content,
        "ANT-03 ANT-05 ANT-06 ANT-07 ANT-08 ANT-11 ANT-12 ANT-18 ANT-19 ANT-20 ANT-23 ANT-24 ANT-31 ANT-32 "
        "TOOL-01 TOOL-02 TOOL-03 TOOL-04 TOOL-05 TOOL-06 TOOL-07 TOOL-08 TOOL-09 TOOL-10 TOOL-11 TOOL-12 "
        "TOOL-14 TOOL-16 TOOL-17 TOOL-18 TOOL-19 TOOL-23 STOP-09 STOP-10 "
        "THK-01 THK-02 THK-05 THK-06 THK-08 THK-09 THK-10 THK-11 THK-13 "
        "UPS-01 UPS-02 UPS-03 UPS-04 LOSS-01 RSC-01 RSC-04 MRK-08 IDN-01 "
        "SSE-01 SSE-03 SSE-04 SSE-05 SSE-06 SSE-12 SSE-13 SSE-16 SSE-20 TRN-02 TRN-03 TRN-04 "
        "CHT-03 CHT-04 CHT-05/2 CHT-08 CHT-11 CHT-14 CHT-15 CHT-18 CHT-23 CHT-27 "
        "RSP-04 RSP-06 RSP-07 RSP-08 RSP-09 RSP-13 RSP-14 RSP-18 RSP-19 RSP-20 RSP-21 RSP-28 RSP-29 RSP-31 "
        "RSP-33 RSP-35 RSP-36 RSP-37 RSP-38 TOOL-20 "
        "END-02 END-12 END-13 CHT-28 RSP-40 "
        "REQ-38 REQ-41 REQ-42 REQ-43 REQ-44 REQ-45 REQ-46 REQ-47 REQ-49 REQ-52 REQ-55 REQ-61 REQ-62 REQ-63 "
        "RET-01 RET-04 RET-08 RET-09 RET-11 RET-19 RET-20 RET-22 RET-24 RET-31 PRE-07 ENV-01 ENV-03 ENV-04 "
        "ENV-05 IDN-07 ARG-01 ARG-02 ARG-03 ARG-04 ARG-05 ARG-06 ARG-07 ARG-08"},
    RulesOfStake{
        Stake::failure,
        "ANT-01 ANT-02 ANT-04 ANT-34 TOOL-15 LOSS-02 END-01 END-03 END-05 END-08 END-15 END-17 END-18 STOP-03 UPS-06 "
        "CHT-05 CHT-10 CHT-16/2 RSP-01 RSP-10 RSP-11 TRN-05 TRN-06 TRN-07 RET-18 REQ-56 PRE-09"},
    RulesOfStake{
        Stake::order,
        "ANT-21 TOOL-13 STOP-01 STOP-02 STOP-04 STOP-05 STOP-06 END-11 END-16 CHT-06 CHT-09 CHT-14/4 CHT-15/2 "
        "CHT-16 RSP-32 RSP-39 RET-17 RET-25 RET-30 TCH-01 TCH-03 TCH-04 TCH-05 TCH-07 META-01 META-04"},
    RulesOfStake{
        Stake::money,
        "USE-03 USE-04 USE-05 USE-06 UPS-05 CHT-17 CHT-29 RSP-41 REQ-50 REQ-66 SSE-14 TRN-10 TRN-14 TRN-15"}};

using Stakes = std::map<std::string, Stake, std::less<>>;

Stakes stakes_by_name() {
  Stakes all;
  for (const RulesOfStake& row : kRows) {
    for (std::size_t begin = 0; begin < row.rules.size();) {
      const std::size_t end = std::min(row.rules.find(' ', begin), row.rules.size());
      if (end > begin) all.emplace(row.rules.substr(begin, end - begin), row.stake);
      begin = end + 1;
    }
  }
  return all;
}

}  // namespace

Stake stake_of(std::string_view rule, std::size_t clause) {
  static const Stakes all = stakes_by_name();
  const auto of_clause = all.find(std::string(rule) + "/" + std::to_string(clause + 1));
  if (of_clause != all.end()) return of_clause->second;
  const auto of_rule = all.find(rule);
  return of_rule == all.end() ? Stake::form : of_rule->second;
}

bool is_grave(Stake stake) { return stake != Stake::order && stake != Stake::form; }

}  // namespace splitproof::cause
