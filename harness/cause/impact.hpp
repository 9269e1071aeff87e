#pragma once

#include <set>
#include <string>
#include <vector>

#include "harness/cause/cause.hpp"
#include "harness/contract/clients.hpp"
#include "harness/results/result.hpp"

namespace splitproof::cause {

/// Returns the finding of a case in the form that client tests are indexed by.
contract::ClientFinding finding_for_clients(const results::Reproducer& shown);

/// Returns the reaction of each client to an answer with these symptoms, if it is known. Uses the tested
/// streams without other violations, and among them the streams with most of the symptoms. Otherwise it uses
/// streams with the finding of the cause itself. A stream counts as the same if it violates all rules of
/// `of_form`: those that the answer violates and that a stream alone can violate.
std::vector<Impact> impacts_of(const Cause& cause, const std::vector<results::Symptom>& symptoms,
                               const std::set<std::string>& of_form, const contract::Clients& clients);

}  // namespace splitproof::cause
