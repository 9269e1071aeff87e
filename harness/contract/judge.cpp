#include "harness/contract/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <tl/expected.hpp>
#include <type_traits>
#include <utility>
#include <variant>

#include "harness/contract/contract_file.hpp"

namespace splitproof::contract {
namespace {

using Progress = std::variant<SequenceRule::Progress, WhereRule::Progress, OrderRule::Progress,
                              SumRule::Progress, EqualRule::Progress, JoinedRule::Progress>;

/// A joined text for each slice, shared by the rules that use it.
struct SharedTexts {
  const Joined* joined = nullptr;
  std::size_t slicing = 0;
  std::vector<Joined::Text> texts;
};

/// An active clause and the state of its rule.
struct Running {
  const Clause* clause = nullptr;
  Progress progress;
  std::array<std::optional<std::size_t>, 2> texts;  ///< Joined texts that it uses.
};

/// True if profile and context let the clause apply.
bool in_force(const Clause& clause, const Profile& profile, const Context& context) {
  return std::none_of(clause.conditions.begin(), clause.conditions.end(),
                      [&](const Conditions& conditions) { return conditions.objection(profile, context); });
}

std::array<const Joined*, 2> joined_of(const ClauseRule& rule) {
  if (const auto* equal = std::get_if<EqualRule>(&rule)) return equal->joined();
  if (const auto* joined = std::get_if<JoinedRule>(&rule)) return {&joined->joined(), nullptr};
  return {};
}

/// The rules of one file while they read a stream, window by window.
class Session {
 public:
  Session(const ContractFile& file, observe::EventStream& stream, const Profile& profile,
          const Context& context)
      : file_(file), stream_(stream), profile_(profile), context_(context) {
    begin(Ended::complete);
  }

  const ContractFile& file() const { return file_; }
  const Profile& profile() const { return profile_; }
  const Context& context() const { return context_; }
  const Reading& reading() const { return *reading_; }
  const Slices& slices_of(const Clause& clause) const { return *slices_[clause.slicing]; }

  void take(const observe::Window& window) {
    if (!asks_) return;
    reading_->read(window);
    for (auto& slices : slices_) {
      if (slices) slices->take(*reading_);
    }
    for (SharedTexts& shared : texts_) shared.joined->take(shared.texts, *reading_, *slices_[shared.slicing]);
    for (Running& running : running_) take(running);
  }

  bool errors() const {
    return std::any_of(file_.error.begin(), file_.error.end(),
                       [this](std::size_t id) { return reading_->occurs(id); });
  }

  /// Finishes with the real end of the stream. Until now a complete end was assumed.
  void finish(Ended ended) {
    ended_ = ended;
    if (ended != Ended::complete && reading_->asked_for_end()) {
      begin(ended);
      for (std::size_t number = 0; const auto window = stream_.window(number); ++number) take(*window);
    }
    reading_->set_ended(ended);
    for (SharedTexts& shared : texts_) Joined::finish(shared.texts, *slices_[shared.slicing]);
  }

  /// Judges the clauses in their order in the file, each once.
  tl::expected<ClauseResult, Inapplicable> judge(const Clause& clause) {
    const bool runs = next_ < running_.size() && running_[next_].clause == &clause;
    Running* const running = runs ? &running_[next_++] : nullptr;
    for (const Conditions& conditions : clause.conditions) {
      if (!runs) {
        if (auto objection = conditions.objection(profile_, context_)) return tl::unexpected(*objection);
      }
      if (!conditions.ask_of_stream()) continue;
      if (auto objection = conditions.objection(file_.alphabet, *reading_, ended_))
        return tl::unexpected(*objection);
    }
    return finish(*running);
  }

 private:
  void begin(Ended ended) {
    reading_.emplace(file_.alphabet, stream_, ended);
    slices_.clear();
    slices_.resize(file_.slicings.size());
    texts_.clear();
    running_.clear();
    next_ = 0;
    asks_ = !file_.error.empty();
    for (const CompiledObligation& obligation : file_.obligations) {
      for (const Clause& clause : obligation.clauses) {
        asks_ = asks_ || std::any_of(clause.conditions.begin(), clause.conditions.end(),
                                     [](const Conditions& one) { return one.ask_of_stream(); });
        if (!in_force(clause, profile_, context_)) continue;
        asks_ = true;
        auto& slices = slices_[clause.slicing];
        if (!slices) slices.emplace(file_.slicings[clause.slicing]);
        running_.push_back(start(clause));
      }
    }
  }

  Running start(const Clause& clause) {
    Running running;
    running.clause = &clause;
    std::visit(
        [&](const auto& rule) {
          running.progress.emplace<typename std::decay_t<decltype(rule)>::Progress>();
        },
        clause.rule);
    const auto joined = joined_of(clause.rule);
    for (std::size_t side = 0; side < joined.size(); ++side) {
      if (joined[side] == nullptr) continue;
      const auto known = std::find_if(texts_.begin(), texts_.end(), [&](const SharedTexts& shared) {
        return *shared.joined == *joined[side] && shared.slicing == clause.slicing;
      });
      running.texts[side] = static_cast<std::size_t>(known - texts_.begin());
      if (known == texts_.end()) texts_.push_back({joined[side], clause.slicing, {}});
    }
    return running;
  }

  void take(Running& running) {
    const Slices& slices = slices_of(*running.clause);
    std::visit(
        [&](const auto& rule) {
          using Form = std::decay_t<decltype(rule)>;
          auto& progress = std::get<typename Form::Progress>(running.progress);
          if constexpr (std::is_same_v<Form, EqualRule>) {
            rule.take(progress, *reading_, slices, context_);
          } else if constexpr (!std::is_same_v<Form, JoinedRule>) {
            rule.take(progress, *reading_, slices);
          }
        },
        running.clause->rule);
  }

  ClauseResult finish(Running& running) {
    const Slices& slices = slices_of(*running.clause);
    const auto texts = [&](std::size_t side) {
      return running.texts[side] ? &texts_[*running.texts[side]].texts : nullptr;
    };
    return std::visit(
        [&](const auto& rule) {
          using Form = std::decay_t<decltype(rule)>;
          auto& progress = std::get<typename Form::Progress>(running.progress);
          if constexpr (std::is_same_v<Form, EqualRule>) {
            return rule.finish(progress, slices, context_, {texts(0), texts(1)});
          } else if constexpr (std::is_same_v<Form, JoinedRule>) {
            return rule.judge(*texts(0));
          } else {
            return rule.finish(progress, *reading_, slices);
          }
        },
        running.clause->rule);
  }

  const ContractFile& file_;
  observe::EventStream& stream_;
  const Profile& profile_;
  const Context& context_;
  Ended ended_ = Ended::complete;
  bool asks_ = false;  ///< An active clause needs the events.
  std::optional<Reading> reading_;
  std::vector<std::optional<Slices>> slices_;  ///< By slicing; only the needed ones.
  std::vector<SharedTexts> texts_;
  std::vector<Running> running_;  ///< In the order of the file.
  std::size_t next_ = 0;          ///< The next of them to judge.
};

/// The end of a stream, by its last event.
struct StreamEnd {
  std::size_t at = 0;
  std::size_t line = 1;
};

/// Describes the violation and its place: "block 1 starts while block 0 is open, at event 5 (ping, line 13),
/// bytes 310-420".
void tell_violation(Judged& judged, const std::vector<Clause>& clauses, const Clause& clause,
                    const ClauseResult& outcome, const Session& session, const StreamEnd& end) {
  const Slices& slices = session.slices_of(clause);
  const Reading& reading = session.reading();
  const std::string slice = outcome.slice ? slices.label(*outcome.slice) : std::string();
  std::string place;
  std::string fault;
  if (outcome.odd) {
    judged.begin = outcome.odd->begin;
    judged.end = outcome.odd->end;
    judged.line = outcome.odd->line;
    place = fmt::format("at line {}, bytes {}-{}", judged.line, judged.begin, judged.end);
  } else if (outcome.subject) {
    judged.event = reading.subject(*outcome.subject).event;
    const observe::Event& event = reading.event_of(*outcome.subject);
    judged.begin = event.begin;
    judged.end = event.end;
    judged.line = event.line;
    place = fmt::format("at {}, bytes {}-{}", place_of(reading, *outcome.subject), judged.begin, judged.end);
    fault = event.fault_reason;
  } else {
    judged.begin = judged.end = end.at;
    judged.line = end.line;
    place = fmt::format("at the end of the stream, byte {}", judged.end);
  }
  judged.found = clause.wording.tell(outcome, reading, slices, session.context());
  if (judged.found.empty()) judged.found = slice.empty() ? outcome.detail : slice + ": " + outcome.detail;
  if (!outcome.elsewhere.empty()) judged.found += "; this text is under " + outcome.elsewhere;
  if (!fault.empty()) judged.found += fmt::format(" ({})", fault);
  const auto number = static_cast<std::size_t>(&clause - clauses.data());
  judged.violation = {number, slice, outcome.field, outcome.found, outcome.wanted, fault};
  std::string knobs;
  for (const Conditions& conditions : clause.conditions) knobs += conditions.knobs(session.profile());
  judged.message = fmt::format("{}, {}{}", judged.found, place, knobs);
}

Verdict verdict_of(const tl::expected<ClauseResult, Inapplicable>& outcome) {
  return outcome ? outcome->verdict : outcome.error().verdict;
}

Judged judge_obligation(const CompiledObligation& obligation, Session& session, const StreamEnd& end) {
  Judged judged;
  judged.obligation = &obligation.about;
  const auto place = [&session](const ClauseResult& outcome) {
    return outcome.subject ? session.reading().subject(*outcome.subject).event
                           : std::numeric_limits<std::size_t>::max();
  };

  std::optional<tl::expected<ClauseResult, Inapplicable>> worst;
  const Clause* where = nullptr;
  for (const Clause& clause : obligation.clauses) {
    auto outcome = session.judge(clause);
    const Verdict verdict = verdict_of(outcome);
    if (verdict == Verdict::violated)
      judged.clauses.push_back(static_cast<std::size_t>(&clause - obligation.clauses.data()));
    const bool worse = !worst || outweighs(verdict, verdict_of(*worst)) ||
                       (verdict == Verdict::violated && verdict_of(*worst) == Verdict::violated &&
                        place(**worst) > place(*outcome));
    if (!worse) continue;
    worst = std::move(outcome);
    where = &clause;
  }
  judged.verdict = verdict_of(*worst);
  judged.reason = *worst ? (*worst)->reason : worst->error().reason();
  if (judged.verdict == Verdict::violated)
    tell_violation(judged, obligation.clauses, *where, **worst, session, end);
  return judged;
}

}  // namespace

Judged not_judged(const Obligation& obligation, std::string reason) {
  Judged judged;
  judged.obligation = &obligation;
  judged.verdict = Verdict::not_judged;
  judged.reason = std::move(reason);
  return judged;
}

std::vector<Judged> judge(const Contracts& contracts, std::string_view protocol, const Profile& profile,
                          observe::EventStream& stream, const Context& context) {
  std::vector<Session> sessions;
  for (const ContractFile* file : contracts.files_for(protocol))
    sessions.emplace_back(*file, stream, profile, context);
  StreamEnd end;
  for (std::size_t number = 0; const auto window = stream.window(number); ++number) {
    for (Session& session : sessions) session.take(*window);
    end = {window->events.back().end, window->events.back().line};
  }
  const bool failed =
      std::any_of(sessions.begin(), sessions.end(), [](const Session& session) { return session.errors(); });
  const Ended ended = failed                                             ? Ended::error
                      : stream.message_end() == observe::MessageEnd::cut ? Ended::cut
                                                                         : Ended::complete;
  std::vector<Judged> all;
  for (Session& session : sessions) {
    session.finish(ended);
    for (const CompiledObligation& obligation : session.file().obligations) {
      all.push_back(judge_obligation(obligation, session, end));
    }
  }
  return all;
}

std::vector<Judged> judge(const Contracts& contracts, std::string_view protocol, const Profile& profile,
                          const observe::Trace& trace, const Context& context) {
  observe::TraceStream stream(trace);
  return judge(contracts, protocol, profile, stream, context);
}

}  // namespace splitproof::contract
