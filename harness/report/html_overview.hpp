#pragma once

#include <string>
#include <vector>

#include "harness/report/html_card.hpp"

namespace splitproof::report {

/// Maximum size of the list of rules, in bytes.
inline constexpr std::size_t kMostOfRules = 300'000;

/// Returns the head of the page: verdict, run context and remarks.
std::string head_html(const Heading& heading, const Summary& summary, bool complete);

/// Returns a tile for each kind of bug, with the number of its causes.
std::string tiles_html(const Summary& summary);

/// Returns the matrix of clients and targets; "" if no client is known.
std::string clients_html(const Heading& heading, const Overview& overview);

/// Returns the fields that filter causes. The script fills and shows them.
std::string filter_html(const Heading& heading, const Summary& summary, const Overview& overview);

/// Returns all rules with their sentences, by verdict. `shown`: number of causes that have a card.
std::string rules_html(const std::vector<results::RecordingResult>& results, const Heading& heading,
                       const Summary& summary, const Overview& overview, std::size_t shown);

}  // namespace splitproof::report
