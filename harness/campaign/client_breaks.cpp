#include "harness/campaign/client_breaks.hpp"

#include <algorithm>

#include "harness/campaign/case.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/observe/trace.hpp"

namespace splitproof::campaign {
namespace {

using contract::ClientReaction;
using contract::ClientStream;
using contract::Reaction;
using results::Symptom;

// True if a client that counts under the profile did not accept the stream.
bool breaks_one(const ClientStream& stream, const std::string& profile) {
  const bool is_of_client = std::any_of(stream.does.begin(), stream.does.end(),
                                        [&](const ClientReaction& one) { return one.client == profile; });
  return std::any_of(stream.does.begin(), stream.does.end(), [&](const ClientReaction& one) {
    return one.reaction != Reaction::accepts && (!is_of_client || one.client == profile);
  });
}

bool ends_in_error(const std::string& body, const std::string& client, const contract::Contracts& contracts) {
  const dialect::Client* reader = dialect::client_of(client);
  return reader != nullptr &&
         reader->assemble(observe::read_trace(body, contracts.data_kind(client))).error.has_value();
}

}  // namespace

bool has_all_of(const ClientStream& stream, const std::vector<Symptom>& symptoms) {
  return std::all_of(stream.violates.begin(), stream.violates.end(),
                     [&](const contract::ClientViolation& one) {
                       return std::any_of(symptoms.begin(), symptoms.end(), [&](const Symptom& symptom) {
                         return symptom.rule == one.obligation && one.is_told_by(symptom.message);
                       });
                     });
}

std::set<std::string> rules_of_form(const std::vector<Symptom>& symptoms, const results::Rules& rules,
                                    bool strict) {
  std::set<std::string> ids;
  for (const Symptom& symptom : symptoms) {
    const results::Rule& rule = rules.at(symptom.rule);
    const bool compares = rule.of_a_shape || rule.of_requests || rule.form.starts_with("equality") ||
                          !results::says_something(rule, contract::Verdict::violated);
    if (!compares && results::decides(symptom, strict)) ids.insert(rule.id);
  }
  return ids;
}

std::set<std::string> rules_that_break_clients(const std::vector<Symptom>& symptoms, const std::string& body,
                                               const std::string& client, const std::string& profile,
                                               const results::Rules& rules,
                                               const contract::Contracts& contracts,
                                               const contract::Clients& clients) {
  const std::set<std::string> of_form = rules_of_form(symptoms, rules, false);
  std::set<std::string> found;
  for (const Symptom& symptom : symptoms) {
    if (symptom.level != contract::Level::should) continue;
    const bool breaks =
        std::any_of(clients.streams.begin(), clients.streams.end(), [&](const ClientStream& stream) {
          return stream.protocol == client && stream.violation_of(symptom.rule) != nullptr &&
                 has_all_of(stream, symptoms) && breaks_one(stream, profile) &&
                 std::all_of(of_form.begin(), of_form.end(),
                             [&](const std::string& rule) { return stream.violation_of(rule) != nullptr; });
        });
    if (breaks) found.insert(symptom.rule);
  }
  return found.empty() || ends_in_error(body, client, contracts) ? std::set<std::string>() : found;
}

void mark_client_breaks(results::RecordingResult& result, const std::string& profile,
                        const results::Rules& rules, const contract::Contracts& contracts,
                        const contract::Clients& clients) {
  std::set<std::string> all;
  for (results::Behaviour& behaviour : result.behaviours) {
    const auto one = parse_case(behaviour.case_id);
    if (!one) continue;
    const std::set<std::string> broken = rules_that_break_clients(
        behaviour.symptoms, behaviour.body, one->client, profile, rules, contracts, clients);
    for (Symptom& symptom : behaviour.symptoms) symptom.breaks_client = broken.contains(symptom.rule);
    all.insert(broken.begin(), broken.end());
  }
  for (results::Row& row : result.rows) row.breaks_client = all.contains(row.rule);
}

}  // namespace splitproof::campaign
