#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/cause/cause.hpp"

namespace splitproof::cause {

/// A campaign put together by hand: for each way in which cases of a recording turned out, which of the rules it violates;
/// the others it meets.
class Made {
 public:
  Made& rule(const std::string& id, bool of_a_shape = false, std::vector<std::string> follows = {}) {
    contract::Obligation& one = rules_.emplace_back();
    one.id = id;
    one.of_a_shape = of_a_shape;
    one.follows = std::move(follows);
    return *this;
  }

  // A rule that compares what came with what should have.
  Made& compares(const std::string& id) {
    rule(id);
    rules_.back().form = "equality";
    return *this;
  }

  Made& follows(const std::string& id, const std::string& other) {
    for (contract::Obligation& one : rules_)
      if (one.id == id) one.follows.push_back(other);
    return *this;
  }

  // That a rule rests on what hurt a client.
  Made& harms(const std::string& id, const std::string& client) {
    for (contract::Obligation& one : rules_)
      if (one.id == id) one.harm.push_back({"", client, "was hurt", "", 0});
    return *this;
  }

  // That a rule is about what is asked of the upstream.
  Made& of_requests(const std::string& id) {
    for (contract::Obligation& one : rules_)
      if (one.id == id) one.contract = "openai.chat.upstream";
    return *this;
  }

  // The last recording is there for its request.
  Made& is_about_request() {
    recordings_.back().features = {"request"};
    return *this;
  }

  // Of the last recording: what its upstream sends.
  Made& sends(const std::string& body) {
    recordings_.back().body = body;
    return *this;
  }

  // The type of what its upstream answers with.
  Made& answers_with(const std::string& content_type) {
    recordings_.back().headers["content-type"] = content_type;
    return *this;
  }

  // The last recording was made up, after no stream that somebody has seen.
  Made& is_invented() {
    recordings_.back().provenance =
        std::make_shared<const nlohmann::json>(nlohmann::json{{"source", "written for splitproof"}});
    return *this;
  }

  Made& recording(const std::string& id, const std::string& target = "t") {
    recordings_.emplace_back().id = id;
    campaign::RecordingResult& result = results.emplace_back();
    result.target = target;
    result.recording = &recordings_.back();
    for (const contract::Obligation& one : rules_) result.rows.emplace_back().obligation = &one;
    return *this;
  }

  // `how`: "gen=whole", "recut=char&gen=whole". What is neither in `violates` nor `meets` is not exercised; `meets` without
  // anything: all others are met.
  Made& turns_out(const std::string& how, const std::set<std::string>& violates,
                  std::optional<std::set<std::string>> meets = {}, std::size_t cases = 1) {
    campaign::RecordingResult& result = results.back();
    campaign::Behaviour& behaviour = result.behaviours.emplace_back();
    behaviour.case_id = result.recording->id + "?client=c&" + how;
    behaviour.only_cut = how.find("recut=") == std::string::npos && how.find("fault=") == std::string::npos;
    behaviour.cases = cases;
    for (campaign::Row& row : result.rows) {
      const std::string& id = row.obligation->id;
      if (violates.count(id) != 0) {
        campaign::Symptom& symptom = behaviour.symptoms.emplace_back();
        symptom.obligation = row.obligation;
        symptom.message = id + " in " + behaviour.case_id;
        row.verdict = contract::Verdict::violated;
        row.violating += cases;
        if (!row.first) row.first = campaign::reproducer_of(behaviour, symptom);
      } else if (!meets || meets->count(id) != 0) {
        behaviour.meets.push_back(row.obligation);
        if (row.verdict != contract::Verdict::violated) row.verdict = contract::Verdict::met;
      }
    }
    return *this;
  }

  // Of the last way: the shapes of the upstream's answer.
  Made& shaped(std::set<std::string> shapes) {
    results.back().behaviours.back().shapes = std::move(shapes);
    return *this;
  }

  // Of the last way: by which clause a rule is violated, what was found and what was wanted.
  Made& says(const std::string& id, const std::string& found, const std::string& wanted,
             std::size_t clause = 0) {
    contract::Violation& violation = symptom(id).violation;
    violation.found = found;
    violation.wanted = wanted;
    violation.clause = clause;
    return *this;
  }

  // Of the last way: all that came downstream, and the event of which a rule is told.
  Made& tells(const std::string& id, const std::string& body, std::size_t event, std::size_t begin,
              std::size_t end) {
    results.back().behaviours.back().body = body;
    campaign::Symptom& of = symptom(id);
    of.event = event;
    of.begin = begin;
    of.end = end;
    return *this;
  }

  campaign::Symptom& symptom(const std::string& id) {
    for (campaign::Symptom& symptom : results.back().behaviours.back().symptoms)
      if (symptom.obligation->id == id) return symptom;
    throw std::out_of_range(id);
  }

  // So many recordings that meet everything.
  Made& sound(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      recording("sound-" + std::to_string(i)).turns_out("gen=whole", {});
    return *this;
  }

  campaign::Row& row(const std::string& id) {
    for (campaign::Row& row : results.back().rows)
      if (row.obligation->id == id) return row;
    throw std::out_of_range(id);
  }

  std::vector<Cause> causes(bool strict = false) const { return causes_of(results, clients, strict); }

  std::vector<campaign::RecordingResult> results;
  contract::Clients clients;

 private:
  std::deque<contract::Obligation> rules_;
  std::deque<recording::Recording> recordings_;
};

inline std::vector<std::string> ids(const std::vector<Cause>& causes) {
  std::vector<std::string> all;
  for (const Cause& cause : causes) all.push_back(cause.rule->id);
  return all;
}

inline const Cause& named(const std::vector<Cause>& causes, const std::string& id) {
  for (const Cause& cause : causes)
    if (cause.rule->id == id) return cause;
  throw std::out_of_range(id);
}

inline std::vector<std::string> below(const Cause& cause) {
  std::vector<std::string> all;
  for (const contract::Obligation* rule : cause.below) all.push_back(rule->id);
  std::sort(all.begin(), all.end());
  return all;
}

inline std::vector<std::string> perhaps(const Cause& cause) {
  std::vector<std::string> all;
  for (const contract::Obligation* rule : cause.perhaps) all.push_back(rule->id);
  return all;
}

}  // namespace splitproof::cause
