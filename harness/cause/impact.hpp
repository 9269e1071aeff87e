#pragma once

#include <vector>

#include "harness/campaign/campaign.hpp"
#include "harness/cause/cause.hpp"
#include "harness/contract/clients.hpp"

namespace splitproof::cause {

/// What each client does with an answer that has these symptoms, one for each client of which that is known: what it did with
/// the streams that violate nothing but what this answer violates, and of these the ones that violate the most of it.
/// Where it was given none, what it did with streams that show the cause's own rule.
std::vector<Impact> impacts_of(const Cause& cause, const std::vector<campaign::Symptom>& symptoms,
                               const contract::Clients& clients);

}  // namespace splitproof::cause
