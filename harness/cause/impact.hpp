#pragma once

#include <vector>

#include "harness/cause/cause.hpp"
#include "harness/contract/clients.hpp"
#include "harness/results/result.hpp"

namespace splitproof::cause {

/// What is found in a case, for what clients did with streams in which the same is found.
contract::ClientFinding finding_for_clients(const results::Reproducer& shown);

/// What each client does with an answer that has these symptoms, one for each client of which that is known: what it did with
/// the streams of which nothing but these symptoms is told, and of these the ones of which most of them are. Where it was given
/// none, what it did with streams of which the cause's own finding is told.
std::vector<Impact> impacts_of(const Cause& cause, const std::vector<results::Symptom>& symptoms,
                               const contract::Clients& clients);

}  // namespace splitproof::cause
