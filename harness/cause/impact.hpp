#pragma once

#include <vector>

#include "harness/cause/cause.hpp"
#include "harness/contract/clients.hpp"
#include "harness/results/result.hpp"

namespace splitproof::cause {

/// Returns the finding of a case in the form that client tests are indexed by.
contract::ClientFinding finding_for_clients(const results::Reproducer& shown);

/// Returns the reaction of each client to an answer with these symptoms, if it is known. Uses the tested
/// streams without other violations, and among them the streams with most of the symptoms. Otherwise it uses
/// streams with the finding of the cause itself.
std::vector<Impact> impacts_of(const Cause& cause, const std::vector<results::Symptom>& symptoms,
                               const contract::Clients& clients);

}  // namespace splitproof::cause
