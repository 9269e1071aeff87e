#include "harness/campaign/recorded.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "harness/campaign/asked_judge.hpp"
#include "harness/campaign/connections.hpp"
#include "harness/campaign/judgeability.hpp"
#include "harness/campaign/meta.hpp"
#include "harness/campaign/upstream.hpp"
#include "harness/contract/contracts.hpp"
#include "harness/fnv1a.hpp"

namespace splitproof::campaign {
namespace {

using results::Speaks;

// Covers all fields that distinguish recordings.
std::string recording_digest(const recording::Recording& recording) {
  std::string text = fmt::format("{}\n{}\n{}\n{}\n", recording.protocol, recording.title, recording.status,
                                 recording.ended_at);
  text += recording::name(recording.end);
  for (const auto& [name, value] : recording.headers) text += "\n" + name + ": " + value;
  for (const recording::Arrival& arrival : recording.arrivals)
    text += fmt::format("\n{} {}", arrival.at, arrival.end);
  for (const std::string& feature : recording.features) text += "\n" + feature;
  for (const auto& part : {recording.requests, recording.expect, recording.provenance})
    text += "\n" + (part ? part->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) : "");
  return fmt::format("{:016x}{:016x}", fnv1a(text), fnv1a(recording.body));
}

bool is_document(const recording::Recording& recording) {
  const auto type = recording.headers.find("content-type");
  return type != recording.headers.end() && is_json_type(type->second);
}

Speaks speaks(const contract::Obligation& obligation) {
  if (obligation.id == kCrashed || obligation.id == kHung || obligation.id == kGarbage)
    return Speaks::if_violated;
  if (obligation.contract == contract::kTransport || is_of_requests(obligation)) return Speaks::if_violated;
  return is_connection_rule(obligation) || obligation.contract != "meta" ? Speaks::always : Speaks::never;
}

}  // namespace

results::Recorded recorded_of(const recording::Recording& recording) {
  return {recording.id,
          recording.protocol,
          recording_digest(recording),
          is_about_request(recording),
          is_document(recording),
          recording::follows_real_stream(recording)};
}

void keep_shown_body(results::RecordingResult& result, const recording::Recording& recording) {
  const bool violated = std::any_of(result.rows.begin(), result.rows.end(), [](const results::Row& row) {
    return row.verdict == contract::Verdict::violated;
  });
  result.recording.body = violated ? recording.body : "";
}

results::Rule rule_of(const contract::Obligation& obligation) {
  results::Rule rule;
  rule.id = obligation.id;
  rule.level = obligation.level;
  rule.says = obligation.says;
  rule.title = obligation.title;
  rule.why = obligation.why;
  for (const contract::Harm& harm : obligation.harm)
    rule.harm.push_back({harm.document, harm.client, harm.says});
  rule.seen = obligation.seen;
  rule.contract = obligation.contract;
  rule.knobs = obligation.knobs;
  rule.follows = obligation.follows;
  rule.form = obligation.form;
  rule.of_a_shape = obligation.of_a_shape;
  rule.of_requests = is_of_requests(obligation);
  rule.speaks = speaks(obligation);
  return rule;
}

results::Rules rules_of(const contract::Contracts& contracts) {
  results::Rules rules;
  for (const contract::Obligation* obligation : contracts.obligations())
    rules.emplace(obligation->id, rule_of(*obligation));
  for (const contract::Obligation& obligation : meta_obligations())
    rules.emplace(obligation.id, rule_of(obligation));
  return rules;
}

}  // namespace splitproof::campaign
