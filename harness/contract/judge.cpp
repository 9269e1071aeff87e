#include "harness/contract/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "harness/contract/contract_file.hpp"

namespace splitproof::contract {
namespace {

/// Everything that the rules of one file are asked about. The trace is read when a rule first looks at it: of a file
/// whose rules the profile leaves out, never.
struct Session {
  const ContractFile& file;
  const observe::Trace& trace;
  const Profile& profile;
  const Evidence& evidence;
  Ended ended = Ended::complete;
  std::optional<Reading> read;
  std::vector<std::optional<Slices>> slices;  ///< by slicing, made when first needed

  const Reading& reading() {
    if (!read) read.emplace(file.alphabet, trace, ended);
    return *read;
  }

  const Slices& slices_of(const Clause& clause) {
    slices.resize(file.slicings.size());
    auto& made = slices[clause.slicing];
    if (!made) made.emplace(file.slicings[clause.slicing], reading());
    return *made;
  }
};

Ended how_it_ended(std::vector<Session>& sessions, const observe::Trace& trace) {
  for (Session& session : sessions) {
    for (const std::size_t id : session.file.error) {
      if (session.reading().occurs(id)) return Ended::error;
    }
  }
  return trace.message_end == observe::MessageEnd::cut ? Ended::cut : Ended::complete;
}

Outcome judge_clause(const Clause& clause, Session& session) {
  for (const Conditions& conditions : clause.conditions) {
    if (auto objection = conditions.objection(session.profile, session.evidence)) return *objection;
    if (!conditions.ask_of_stream()) continue;
    if (auto objection = conditions.objection(session.file.alphabet, session.reading(), session.ended))
      return *objection;
  }
  const Slices& slices = session.slices_of(clause);
  return std::visit(
      [&](const auto& rule) {
        if constexpr (std::is_same_v<std::decay_t<decltype(rule)>, EqualRule>) {
          return rule.judge(session.reading(), slices, session.evidence);
        } else {
          return rule.judge(session.reading(), slices);
        }
      },
      clause.rule);
}

/// Says what was found, and where: "block 1 starts while block 0 is open, at event 5 (content_block_start, line 13),
/// bytes 310-420".
void tell_violation(Judged& judged, const std::vector<Clause>& clauses, const Clause& clause,
                    const Outcome& outcome, Session& session) {
  const Slices& slices = session.slices_of(clause);
  const Reading& reading = session.reading();
  const auto& events = reading.trace().events;
  const std::string slice = outcome.slice ? slices.label(*outcome.slice) : std::string();
  std::string place;
  std::string fault;
  if (outcome.odd != nullptr) {
    judged.begin = outcome.odd->begin;
    judged.end = outcome.odd->end;
    judged.line = outcome.odd->line;
    place = fmt::format("at line {}, bytes {}-{}", judged.line, judged.begin, judged.end);
  } else if (outcome.subject) {
    judged.event = reading.subject(*outcome.subject).event;
    const observe::Event& event = events[*judged.event];
    judged.begin = event.begin;
    judged.end = event.end;
    judged.line = event.line;
    place = fmt::format("at {}, bytes {}-{}", place_of(reading, *outcome.subject), event.begin, event.end);
    if (!event.fault_reason.empty()) fault = fmt::format(" ({})", event.fault_reason);
  } else {
    judged.begin = judged.end = events.empty() ? 0 : events.back().end;
    judged.line = events.empty() ? 1 : events.back().line;
    place = fmt::format("at the end of the stream, byte {}", judged.end);
  }
  judged.found = clause.wording.tell(outcome, reading, slices);
  if (judged.found.empty()) judged.found = slice.empty() ? outcome.detail : slice + ": " + outcome.detail;
  judged.found += fault;
  const auto number = static_cast<std::size_t>(&clause - clauses.data());
  judged.identity =
      fmt::format("{}\n{}\n{}{}", number, slice, outcome.found.empty() ? "" : outcome.detail, fault);
  std::string knobs;
  for (const Conditions& conditions : clause.conditions) knobs += conditions.knobs(session.profile);
  judged.message = fmt::format("{}, {}{}", judged.found, place, knobs);
}

Judged judge_obligation(const CompiledObligation& obligation, Session& session) {
  Judged judged;
  judged.obligation = &obligation.about;
  const auto place = [&session](const Outcome& outcome) {
    return outcome.subject ? session.reading().subject(*outcome.subject).event
                           : std::numeric_limits<std::size_t>::max();
  };

  std::optional<Outcome> worst;
  const Clause* where = nullptr;
  const auto rank = [](Verdict verdict) {
    return verdict == Verdict::violated     ? 3
           : verdict == Verdict::not_judged ? 2
           : verdict == Verdict::met        ? 1
                                            : 0;
  };
  for (const Clause& clause : obligation.clauses) {
    Outcome outcome = judge_clause(clause, session);
    const bool worse = !worst || rank(outcome.verdict) > rank(worst->verdict) ||
                       (outcome.verdict == Verdict::violated && worst->verdict == Verdict::violated &&
                        place(outcome) < place(*worst));
    if (!worse) continue;
    worst = std::move(outcome);
    where = &clause;
  }
  judged.verdict = worst->verdict;
  judged.reason = worst->reason;
  if (worst->verdict == Verdict::violated) {
    tell_violation(judged, obligation.clauses, *where, *worst, session);
  }
  return judged;
}

}  // namespace

std::vector<Judged> judge(const Contracts& contracts, std::string_view protocol, const Profile& profile,
                          const observe::Trace& trace, const Evidence& evidence) {
  std::vector<Session> sessions;
  for (const ContractFile* file : contracts.files_for(protocol)) {
    sessions.push_back({*file, trace, profile, evidence, Ended::complete, std::nullopt, {}});
  }
  const Ended ended = how_it_ended(sessions, trace);

  std::vector<Judged> all;
  for (Session& session : sessions) {
    session.ended = ended;
    if (session.read) session.read->set_ended(ended);
    for (const CompiledObligation& obligation : session.file.obligations) {
      all.push_back(judge_obligation(obligation, session));
    }
  }
  return all;
}

}  // namespace splitproof::contract
