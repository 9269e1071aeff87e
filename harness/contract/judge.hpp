#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/contract/contracts.hpp"
#include "harness/contract/profile.hpp"
#include "harness/contract/verdict.hpp"

/// The contract language, from the outside in:
///
///   contracts.hpp      the files in force           contract_file.hpp  one file: rules, clauses, classes
///   event_class.hpp    classes of events            value_test.hpp     what a class or rule asks of a value
///   reading.hpp        a trace as a file reads it   slicing.hpp        `per:`
///   pattern.hpp        `never`, `finally`           automaton.hpp      the same, compiled
///   sequence_rule.hpp, field_rule.hpp, joined_rule.hpp, equal_rule.hpp the forms of rules
///   conditions.hpp     given, profile, when, unless verdict.hpp        what comes out, and when it counts
///
/// A rule is compiled when it is loaded: names become numbers, pointers are cut into steps, expressions
/// become automata, patterns position automata. To judge a trace of n events under a file with c classes and
/// r rules, every class is tested once an event (n*c, and each distinct field is looked up once an event),
/// each distinct `per` is evaluated once an event, and then each rule makes one pass over the events in which
/// an event costs a few bit tests and, where the rule reads it, one automaton step. No rule rereads JSON that
/// its class tests have seen to be irrelevant, and nothing backtracks.
///
/// A long stream is read a window at a time (event_stream.hpp): all rules take a window before the next is read, and what
/// a rule keeps of it (`Progress`) needs none of its events. A message that names an earlier event reads its window again.

namespace splitproof::contract {

/// What became of one obligation on one trace.
struct Judged {
  const Obligation* obligation = nullptr;
  Verdict verdict = Verdict::met;
  std::string reason;  ///< why not exercised, or not judged
  std::optional<std::size_t>
      event;  ///< violated: index of the event in the trace; none at the end, or on a line beside events
  std::size_t begin = 0;  ///< violated: its byte range; empty, at the end, without an event
  std::size_t end = 0;
  std::size_t line = 0;    ///< violated: on which line of the stream, counted from 1
  Violation violation;     ///< violated
  std::string found;       ///< violated: what is wrong, one sentence without its place
  std::string shown = {};  ///< violated: of a message that does not go downstream, how it begins
  std::string message;     ///< violated: the same with its place, and the knob that decides it if one does
  std::vector<std::size_t> clauses = {};  ///< violated: the numbers of all its clauses that are
};

/// An obligation that could not be judged.
Judged not_judged(const Obligation& obligation, std::string reason);

/// Judges a trace: one entry for each obligation of the contracts that apply to `protocol`, in the order of
/// the files. Of several violated clauses, the one with the earliest event is told. A trace of no events is
/// judged like any other. What `Context` points to is read during the call only.
std::vector<Judged> judge(const Contracts& contracts, std::string_view protocol, const Profile& profile,
                          const observe::Trace& trace, const Context& context);

/// Judges a stream alike, in the memory that one of its windows takes, and the joined texts and distinct keys that rules
/// compare.
std::vector<Judged> judge(const Contracts& contracts, std::string_view protocol, const Profile& profile,
                          observe::EventStream& stream, const Context& context);

}  // namespace splitproof::contract
