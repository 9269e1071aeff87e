#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/contract/contracts.hpp"
#include "harness/contract/profile.hpp"
#include "harness/contract/verdict.hpp"

/// Overview of the contract language:
///
///   contracts.hpp      the files in force           contract_file.hpp  one file: rules, clauses, classes
///   event_class.hpp    classes of events            value_test.hpp     tests of values
///   reading.hpp        a trace for one file         slicing.hpp        `per:`
///   pattern.hpp        `never`, `finally`           automaton.hpp      compiled patterns
///   sequence_rule.hpp, field_rule.hpp, joined_rule.hpp, equal_rule.hpp the forms of rules
///   conditions.hpp     given, profile, when, unless verdict.hpp        results, and when a rule counts
///
/// A rule is compiled when it is loaded: names become numbers, pointers become steps, expressions and
/// patterns become automata. A trace of n events is judged with c classes and r rules as follows. Every class
/// is tested once an event (n*c), with one look-up for each distinct field. Each distinct `per` is evaluated
/// once an event. Then each rule makes one pass, with a few bit tests an event and at most one automaton
/// step. No rule reads JSON that its class tests excluded, and nothing backtracks.
///
/// A long stream is read window by window (event_stream.hpp). All rules take a window before the next is
/// read, and their state (`Progress`) needs none of its events. A message about an earlier event reads that
/// window again.

namespace splitproof::contract {

/// The verdict on one obligation for one trace.
struct Judged {
  const Obligation* obligation = nullptr;
  Verdict verdict = Verdict::met;
  std::string reason;  ///< reason for not exercised or not judged
  /// Violated: index in the trace; nullopt: at the end or outside of events.
  std::optional<std::size_t> event;
  std::size_t begin = 0;  ///< violated: byte range; empty, at the end, without an event
  std::size_t end = 0;
  std::size_t line = 0;    ///< violated: line of the stream, counted from 1
  Violation violation;     ///< violated
  std::string found;       ///< violated: description, one sentence without its place
  std::string shown = {};  ///< violated: beginning of a message that is not downstream
  std::string message;     ///< violated: description with its place, and with the deciding knob
  std::vector<std::size_t> clauses = {};  ///< violated: numbers of all violated clauses
};

/// Returns the verdict on an obligation that could not be judged.
Judged not_judged(const Obligation& obligation, std::string reason);

/// Judges a trace. Returns one entry for each obligation that applies to `protocol`, in the order of the
/// files. If several clauses are violated, it reports the earliest event. An empty trace is judged too.
/// `Context` is used only during the call.
std::vector<Judged> judge(const Contracts& contracts, std::string_view protocol, const Profile& profile,
                          const observe::Trace& trace, const Context& context);

/// Judges a stream in the same way. Memory: one window, the joined texts, and the distinct keys that rules
/// compare.
std::vector<Judged> judge(const Contracts& contracts, std::string_view protocol, const Profile& profile,
                          observe::EventStream& stream, const Context& context);

}  // namespace splitproof::contract
