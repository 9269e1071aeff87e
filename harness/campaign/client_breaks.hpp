#pragma once

#include <set>
#include <string>
#include <vector>

#include "harness/contract/clients.hpp"
#include "harness/contract/contracts.hpp"
#include "harness/results/result.hpp"
#include "harness/results/rule.hpp"

namespace splitproof::campaign {

/// True if every violation of a tested stream is one of these symptoms.
bool has_all_of(const contract::ClientStream& stream, const std::vector<results::Symptom>& symptoms);

/// Returns the rules among these deciding symptoms that a stream alone can violate. Other rules need the
/// upstream's answer or request.
std::set<std::string> rules_of_form(const std::vector<results::Symptom>& symptoms,
                                    const results::Rules& rules, bool strict);

/// Returns the `should` rules among the symptoms of an answer that break a client: it was tested with a stream
/// that violates the same rules of form, and it did not accept that stream. Returns none for an answer with an
/// error, because clients report an error anyway. If the profile has the name of a client, only this client
/// counts: the profile answers for it.
std::set<std::string> rules_that_break_clients(const std::vector<results::Symptom>& symptoms,
                                               const std::string& body, const std::string& client,
                                               const std::string& profile, const results::Rules& rules,
                                               const contract::Contracts& contracts,
                                               const contract::Clients& clients);

/// Sets `breaks_client` of the symptoms and rows of a result.
void mark_client_breaks(results::RecordingResult& result, const std::string& profile,
                        const results::Rules& rules, const contract::Contracts& contracts,
                        const contract::Clients& clients);

}  // namespace splitproof::campaign
