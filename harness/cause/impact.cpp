#include "harness/cause/impact.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "harness/campaign/case.hpp"
#include "harness/campaign/client_breaks.hpp"
#include "harness/campaign/connections.hpp"

namespace splitproof::cause {
namespace {

using contract::ClientReaction;
using contract::ClientStream;
using contract::ClientViolation;

bool contains(const std::set<std::string>& ids, const std::string& id) { return ids.count(id) != 0; }

// Returns the tested streams most like an answer with these symptoms. Each violates a rule of the cause.
std::vector<const ClientStream*> alike(const std::set<std::string>& of_cause,
                                       const std::vector<results::Symptom>& symptoms,
                                       const std::string& protocol, const contract::Clients& clients) {
  const auto is_of_cause = [&](const ClientViolation& one) { return contains(of_cause, one.obligation); };
  std::vector<const ClientStream*> found;
  for (const ClientStream& stream : clients.streams) {
    const auto& violates = stream.violates;
    if (stream.protocol != protocol || std::none_of(violates.begin(), violates.end(), is_of_cause) ||
        !campaign::has_all_of(stream, symptoms))
      continue;
    if (!found.empty() && found.front()->violates.size() > violates.size()) continue;
    if (!found.empty() && found.front()->violates.size() < violates.size()) found.clear();
    found.push_back(&stream);
  }
  return found;
}

}  // namespace

contract::ClientFinding finding_for_clients(const results::Reproducer& shown) {
  const auto parsed = campaign::parse_case(shown.case_id);
  return {parsed ? parsed->client : std::string(), shown.message};
}

std::vector<Impact> impacts_of(const Cause& cause, const std::vector<results::Symptom>& symptoms,
                               const std::set<std::string>& of_form, const contract::Clients& clients) {
  const contract::ClientFinding finding = finding_for_clients(cause.shown);
  std::set<std::string> of_cause{cause.rule->id};
  for (const results::Rule* below : cause.below) of_cause.insert(below->id);
  std::vector<const ClientStream*> streams = alike(of_cause, symptoms, finding.protocol, clients);
  if (streams.empty()) streams = clients.about(cause.rule->id, finding);
  std::vector<Impact> impacts;
  for (const ClientStream* stream : streams) {
    const bool is_same = std::all_of(of_form.begin(), of_form.end(), [&](const std::string& rule) {
      return stream->violation_of(rule) != nullptr;
    });
    for (const ClientReaction& does : stream->does) {
      auto known = std::find_if(impacts.begin(), impacts.end(),
                                [&](const Impact& impact) { return impact.client == does.client; });
      if (known == impacts.end())
        known = impacts.insert(impacts.end(), {does.client, does.reaction, does.says, is_same});
      if (does.reaction < known->reaction) *known = {does.client, does.reaction, does.says, is_same};
    }
  }
  return impacts;
}

int Cause::harm() const {
  if (rule->id == campaign::kOwnAnswer) return -1;
  if (impacts.empty()) {
    const bool hurts_a_client = std::any_of(rule->harm.begin(), rule->harm.end(),
                                            [](const results::Harm& one) { return !one.client.empty(); });
    return hurts_a_client ? 1 : 2;
  }
  switch (std::min_element(impacts.begin(), impacts.end(), [](const Impact& a, const Impact& b) {
            return a.reaction < b.reaction;
          })->reaction) {
    case contract::Reaction::wrong:
      return 0;
    case contract::Reaction::throws:
      return 1;
    case contract::Reaction::accepts:
      break;
  }
  return 3;
}

std::vector<Readiness> readiness(const std::vector<Cause>& causes, const std::string& target,
                                 const std::string& protocol, const contract::Clients& clients) {
  std::set<std::string> of_protocol;
  for (const ClientStream& stream : clients.streams)
    if (stream.protocol == protocol)
      for (const ClientReaction& does : stream.does) of_protocol.insert(does.client);
  std::vector<Readiness> all;
  for (const contract::ClientProgram& client : clients.programs) {
    if (!contains(of_protocol, client.id)) continue;
    Readiness one{&client};
    for (const Cause& cause : causes) {
      if (cause.target != target) continue;
      const auto impact = std::find_if(cause.impacts.begin(), cause.impacts.end(),
                                       [&](const Impact& does) { return does.client == client.id; });
      if (impact == cause.impacts.end()) {
        const auto& harm = cause.rule->harm;
        const bool hurt = std::any_of(harm.begin(), harm.end(),
                                      [&](const results::Harm& known) { return known.client == client.id; });
        ++(hurt ? one.hurt : one.untried);
      } else if (!impact->is_same_stream) {
        ++(impact->reaction == contract::Reaction::accepts ? one.untried : one.hurt);
      } else {
        one.wrong += impact->reaction == contract::Reaction::wrong ? 1 : 0;
        one.throws += impact->reaction == contract::Reaction::throws ? 1 : 0;
      }
    }
    all.push_back(one);
  }
  return all;
}

}  // namespace splitproof::cause
