#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/cause/cause.hpp"

namespace splitproof::cause {

/// A hand-made campaign: for each group of equal cases of a recording, the violated rules. The others are met.
class Made {
 public:
  Made& rule(const std::string& id, bool of_a_shape = false, std::vector<std::string> follows = {}) {
    results::Rule& one = rules_[id];
    order_.push_back(id);
    one.id = id;
    one.of_a_shape = of_a_shape;
    one.follows = std::move(follows);
    return *this;
  }

  // Adds a rule that compares output with its expectation.
  Made& compares(const std::string& id, bool of_a_shape = false) {
    rule(id, of_a_shape);
    rules_[id].form = "equality";
    return *this;
  }

  // Adds a rule that checks the order of events and the end.
  Made& orders(const std::string& id) {
    rule(id);
    rules_[id].form = "pattern";
    return *this;
  }

  Made& follows(const std::string& id, const std::string& other) {
    rules_[id].follows.push_back(other);
    return *this;
  }

  // Bases a rule on harm to a client.
  Made& harms(const std::string& id, const std::string& client) {
    rules_[id].harm.push_back({"", client, "was hurt"});
    return *this;
  }

  // Sets the contract of a rule.
  Made& of_contract(const std::string& id, const std::string& contract) {
    rules_[id].contract = contract;
    return *this;
  }

  // Marks a rule as one about upstream requests.
  Made& of_requests(const std::string& id) {
    rules_[id].of_requests = true;
    return *this;
  }

  // Marks the last recording as one about its request.
  Made& is_about_request() {
    results.back().recording.about_request = true;
    return *this;
  }

  // Sets the upstream's body of the last recording.
  Made& sends(const std::string& body) {
    results.back().recording.body = body;
    return *this;
  }

  // Sets the content type of its upstream's answer.
  Made& answers_with(const std::string& content_type) {
    results.back().recording.is_document = content_type == "application/json";
    return *this;
  }

  // Marks the last recording as invented, not based on a real stream.
  Made& is_invented() {
    results.back().recording.follows_real_stream = false;
    return *this;
  }

  Made& recording(const std::string& id, const std::string& target = "t") {
    results::RecordingResult& result = results.emplace_back();
    result.target = target;
    result.recording.id = id;
    result.recording.follows_real_stream = true;
    for (const std::string& rule : order_) result.rows.emplace_back().rule = rule;
    return *this;
  }

  // `how`: "gen=whole", "recut=char&gen=whole". Rules in neither `violates` nor `meets` are not exercised. Without
  // `meets`, all others are met.
  Made& turns_out(const std::string& how, const std::set<std::string>& violates,
                  std::optional<std::set<std::string>> meets = {}, std::size_t cases = 1) {
    results::RecordingResult& result = results.back();
    results::Behaviour& behaviour = result.behaviours.emplace_back();
    behaviour.case_id = result.recording.id + "?client=c&" + how;
    behaviour.only_cut = how.find("recut=") == std::string::npos && how.find("fault=") == std::string::npos;
    behaviour.cases = cases;
    for (results::Row& row : result.rows) {
      const std::string& id = row.rule;
      if (violates.count(id) != 0) {
        results::Symptom& symptom = behaviour.symptoms.emplace_back();
        symptom.rule = row.rule;
        symptom.message = id + " in " + behaviour.case_id;
        row.verdict = contract::Verdict::violated;
        row.violating += cases;
        if (!row.first) row.first = results::reproducer_of(behaviour, symptom);
      } else if (!meets || meets->count(id) != 0) {
        behaviour.meets.push_back(row.rule);
        if (row.verdict != contract::Verdict::violated) row.verdict = contract::Verdict::met;
      }
    }
    return *this;
  }

  // Sets the shapes of the upstream's answer in the last group.
  Made& shaped(std::set<std::string> shapes) {
    results.back().behaviours.back().shapes = std::move(shapes);
    return *this;
  }

  // Sets the clause, the found and the wanted value of a violation in the last group.
  Made& says(const std::string& id, const std::string& found, const std::string& wanted,
             std::size_t clause = 0) {
    contract::Violation& violation = symptom(id).violation;
    violation.found = found;
    violation.wanted = wanted;
    violation.clause = clause;
    return *this;
  }

  // Sets the downstream body of the last group, and the event of a violation.
  Made& tells(const std::string& id, const std::string& body, std::size_t event, std::size_t begin,
              std::size_t end) {
    results.back().behaviours.back().body = body;
    results::Symptom& of = symptom(id);
    of.place = {event, begin, end};
    return *this;
  }

  results::Symptom& symptom(const std::string& id) {
    for (results::Symptom& symptom : results.back().behaviours.back().symptoms)
      if (symptom.rule == id) return symptom;
    throw std::out_of_range(id);
  }

  // Adds a recording with these texts. A text that no recording has is invented by the target.
  Made& knows(const std::string& texts) { return recording("texts").turns_out("gen=whole", {}).sends(texts); }

  // Adds this many recordings that meet everything.
  Made& sound(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      recording("sound-" + std::to_string(i)).turns_out("gen=whole", {});
    return *this;
  }

  results::Row& row(const std::string& id) {
    for (results::Row& row : results.back().rows)
      if (row.rule == id) return row;
    throw std::out_of_range(id);
  }

  std::vector<Cause> causes(bool strict = false) const { return causes_of(results, rules_, clients, strict); }
  std::vector<Cause> candidates() const { return candidates_of(results, rules_, clients, false); }

  const results::Rules& rules() const { return rules_; }

  std::vector<results::RecordingResult> results;
  contract::Clients clients;

 private:
  results::Rules rules_;
  std::vector<std::string> order_;  // of the rules
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
  for (const results::Rule* rule : cause.below) all.push_back(rule->id);
  std::sort(all.begin(), all.end());
  return all;
}

inline std::vector<std::string> perhaps(const Cause& cause) {
  std::vector<std::string> all;
  for (const results::Rule* rule : cause.perhaps) all.push_back(rule->id);
  return all;
}

}  // namespace splitproof::cause
