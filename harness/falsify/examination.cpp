#include "harness/falsify/examination.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "harness/falsify/example.hpp"
#include "harness/glob.hpp"

namespace splitproof::falsify {
namespace {

using contract::Falsifier;
using contract::Judged;
using contract::Obligation;
using contract::Verdict;

using Ids = std::set<std::string>;

constexpr std::size_t kMostNamed = 3;  // falsifiers in one message

/// Falsifiers that violate a clause.
struct Shown {
  bool alone = false;  ///< one violates no other clause of its rule
  Ids beside;          ///< falsifiers that violate other clauses too
};

std::filesystem::path folder_of(const Obligation& rule) {
  return std::filesystem::path(rule.file).parent_path();
}

std::string listed(const Ids& ids) {
  return ids.empty() ? "nothing" : fmt::format("{}", fmt::join(ids, ", "));
}

Ids without(const Ids& some, const Ids& others) {
  Ids rest;
  std::set_difference(some.begin(), some.end(), others.begin(), others.end(),
                      std::inserter(rest, rest.end()));
  return rest;
}

/// "clause 2 of ANT-20", or only the rule if it has one clause.
std::string name_of(const Obligation& rule, std::size_t clause) {
  return rule.clauses.size() == 1 ? rule.id : fmt::format("clause {} of {}", clause + 1, rule.id);
}

class Examiner {
 public:
  Examiner(const contract::Contracts& contracts, const std::filesystem::path& built_in,
           const contract::Profile& standard, const std::string& only)
      : contracts_(contracts), built_in_(built_in), standard_(standard), only_(only) {}

  Result<Examination> examine(const std::vector<Unfalsified>& unfalsified) {
    for (const Obligation* rule : contracts_.obligations()) {
      for (const Falsifier& falsifier : rule->falsifiers) {
        const Result<void> read = examine(*rule, falsifier);
        if (!read) return tl::unexpected(read.error());
      }
    }
    for (const Obligation* rule : contracts_.obligations()) {
      if (!is_selected(rule->id)) continue;
      count(*rule);
      for (std::size_t clause = 0; clause < rule->clauses.size(); ++clause)
        examine(*rule, clause, unfalsified);
    }
    for (const Unfalsified& entry : unfalsified) {
      const Obligation* rule = contracts_.find(entry.rule);
      if (is_selected(entry.rule) && is_shown(*rule, entry.clause)) object_to_stale(entry, *rule);
    }
    return std::move(made_);
  }

 private:
  bool is_selected(const std::string& id) const { return only_.empty() || matches(only_, id); }

  bool is_shown(const Obligation& rule, std::size_t clause) const {
    const auto shown = shown_.find({&rule, clause});
    return shown != shown_.end() && shown->second.alone;
  }

  /// True if a falsifier of `owner` that trips `rule` must name it.
  bool answers_to(const Obligation& owner, const Ids& named, const Obligation& rule) const {
    const std::filesystem::path folder = folder_of(rule);
    return folder == built_in_ || folder == folder_of(owner) || named.contains(rule.id);
  }

  Result<void> examine(const Obligation& rule, const Falsifier& falsifier) {
    const Ids named(falsifier.trips.begin(), falsifier.trips.end());
    const bool asked =
        is_selected(rule.id) ||
        std::any_of(named.begin(), named.end(), [this](const auto& id) { return is_selected(id); });
    if (!asked) return {};
    const auto verdicts = judge_example(contracts_, standard_, rule, falsifier, falsifier.file);
    if (!verdicts) return tl::unexpected(verdicts.error());
    for (const Judged& judged : *verdicts) {
      if (folder_of(*judged.obligation) == folder_of(rule)) note_clauses(judged, falsifier.file);
    }
    object_to_falsifier(rule, falsifier, named, *verdicts);
    if (falsifier.control.empty()) {
      object(rule, falsifier.line,
             fmt::format("the falsifier {} of {} has no control", falsifier.file, rule.id), {},
             "name a similar stream without a violation under `control`");
      return {};
    }
    const std::string control = example_path(rule, falsifier.control);
    const std::string recording = example_path(rule, falsifier.recording);
    if (!controls_judged_.emplace(rule.contract, control, recording, falsifier.knobs).second) return {};
    const auto of_control = judge_example(contracts_, standard_, rule, falsifier, falsifier.control);
    if (!of_control) return tl::unexpected(of_control.error());
    object_to_control(rule, falsifier, *of_control);
    return {};
  }

  void note_clauses(const Judged& judged, const std::string& file) {
    for (const std::size_t clause : judged.clauses) {
      Shown& shown = shown_[{judged.obligation, clause}];
      if (judged.clauses.size() == 1) {
        shown.alone = true;
      } else {
        shown.beside.insert(file);
      }
    }
  }

  void object(const Obligation& rule, std::size_t line, std::string what, std::vector<std::string> details,
              std::string advice) {
    made_.objections.push_back({rule.file, line, std::move(what), std::move(details), std::move(advice)});
  }

  void object_to_falsifier(const Obligation& rule, const Falsifier& falsifier, const Ids& named,
                           const std::vector<Judged>& verdicts) {
    Ids tripped;
    std::vector<std::string> details;
    std::vector<std::string> lacking;
    for (const Judged& judged : verdicts) {
      const Obligation& one = *judged.obligation;
      if (judged.verdict == Verdict::violated && answers_to(rule, named, one)) {
        tripped.insert(one.id);
        if (!named.contains(one.id))
          details.push_back(fmt::format("too much: {}: {}", one.id, judged.message));
      } else if (named.contains(one.id)) {
        lacking.push_back(fmt::format("too little: {} is {}{}", one.id, contract::name(judged.verdict),
                                      judged.reason.empty() ? "" : ", as " + judged.reason));
      }
    }
    if (!named.contains(rule.id)) {
      object(rule, falsifier.line,
             fmt::format("the falsifier {} of {} names {} but not its own rule", falsifier.file, rule.id,
                         listed(named)),
             {}, fmt::format("add {} to `trips`", rule.id));
    }
    if (tripped == named) return;
    for (const std::string& id : without(named, tripped)) {
      const bool told = std::any_of(verdicts.begin(), verdicts.end(),
                                    [&id](const Judged& one) { return one.obligation->id == id; });
      if (!told)
        lacking.push_back(fmt::format("too little: {} is not in a contract that applies to the example", id));
    }
    const bool too_little = !lacking.empty();
    const bool too_much = !details.empty();
    details.insert(details.begin(), lacking.begin(), lacking.end());
    std::string advice = too_little ? "change the example so that it violates the named rules" : "";
    if (too_much) {
      advice +=
          too_little ? " and no other rule; " : "change the example so that it violates no other rule; ";
      advice += "if one violation causes the other, name both under `trips`";
    }
    object(rule, falsifier.line,
           fmt::format("the falsifier {} of {} should violate {}, and violates {}", falsifier.file, rule.id,
                       listed(named), listed(tripped)),
           std::move(details), std::move(advice));
  }

  void object_to_control(const Obligation& rule, const Falsifier& falsifier,
                         const std::vector<Judged>& verdicts) {
    Ids tripped;
    std::vector<std::string> details;
    for (const Judged& judged : verdicts) {
      if (judged.verdict != Verdict::violated || !answers_to(rule, {}, *judged.obligation)) continue;
      tripped.insert(judged.obligation->id);
      details.push_back(fmt::format("too much: {}: {}", judged.obligation->id, judged.message));
    }
    if (tripped.empty()) return;
    object(rule, falsifier.line,
           fmt::format("the control {} of {} should violate nothing, and violates {}", falsifier.control,
                       rule.id, listed(tripped)),
           std::move(details),
           "make the control conform, or name another; if it already conforms, fix the rule");
  }

  void count(const Obligation& rule) {
    if (made_.files.empty() || made_.files.back().file != rule.file) {
      made_.files.push_back({rule.file});
      controls_.clear();
    }
    Examined& file = made_.files.back();
    ++file.rules;
    file.clauses += rule.clauses.size();
    file.falsifiers += rule.falsifiers.size();
    for (const Falsifier& falsifier : rule.falsifiers)
      if (!falsifier.control.empty()) controls_.insert(falsifier.control);
    file.controls = controls_.size();
  }

  void examine(const Obligation& rule, std::size_t clause, const std::vector<Unfalsified>& unfalsified) {
    if (is_shown(rule, clause)) return;
    const auto entry = std::find_if(unfalsified.begin(), unfalsified.end(), [&](const Unfalsified& one) {
      return one.rule == rule.id && one.clause == clause;
    });
    if (entry != unfalsified.end()) {
      made_.excused.push_back(*entry);
      return;
    }
    const bool lone = rule.clauses.size() == 1;
    if (lone && !rule.falsifiers.empty()) return;  // they fail, which is reported already
    const auto shown = shown_.find({&rule, clause});
    std::vector<std::string> details;
    if (shown != shown_.end()) {
      std::vector<std::string> files(shown->second.beside.begin(), shown->second.beside.end());
      if (files.size() > kMostNamed) files.resize(kMostNamed);
      details.push_back(
          fmt::format("other clauses of the rule are also violated in {}", fmt::join(files, ", ")));
    }
    object(
        rule, rule.clauses[clause],
        fmt::format("no falsifier notices if {} is deleted", name_of(rule, clause)), std::move(details),
        fmt::format("write a falsifier that violates {}, or explain in `unfalsified` why this is impossible",
                    lone ? "it" : "only this clause of the rule"));
  }

  void object_to_stale(const Unfalsified& entry, const Obligation& rule) {
    made_.objections.push_back({entry.file,
                                entry.line,
                                fmt::format("{} now has a falsifier", name_of(rule, entry.clause)),
                                {},
                                "remove the entry"});
  }

  const contract::Contracts& contracts_;
  const std::filesystem::path& built_in_;
  const contract::Profile& standard_;
  const std::string& only_;
  Examination made_;
  Ids controls_;  // controls of the current file
  std::set<std::tuple<std::string, std::string, std::string, std::map<std::string, std::string>>>
      controls_judged_;  // by contract, path, recording and knobs
  std::map<std::pair<const Obligation*, std::size_t>, Shown> shown_;
};

}  // namespace

Result<Examination> examine(const contract::Contracts& contracts, const std::filesystem::path& built_in,
                            const contract::Profile& standard, const std::vector<Unfalsified>& unfalsified,
                            const std::string& only) {
  return Examiner(contracts, built_in, standard, only).examine(unfalsified);
}

}  // namespace splitproof::falsify
