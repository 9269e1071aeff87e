#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cause/cause.hpp"
#include "harness/report/client_state.hpp"
#include "harness/report/summary.hpp"
#include "harness/results/result.hpp"

namespace splitproof::report {

/// Returns the first few names, "and 3 more".
std::string few(const std::vector<std::string>& names);

/// The number of each finding's cause, counted from 1.
using CauseNumbers = std::map<const results::Row*, std::size_t>;
CauseNumbers cause_numbers(const Summary& summary);

/// Returns at most `most` bytes, in whole characters, and "...".
std::string clipped(const std::string& text, std::size_t most);

/// Counts the cases that show a cause. A recording has at least the cases that violate the rule of the cause.
std::size_t count_cases(const cause::Cause& cause);

/// Returns "88 recordings (8 as recorded), 330 cases, 412 findings on ccr".
std::string extent(const cause::Cause& cause);

/// Returns the changes to recordings that trigger the cause, the most frequent first; "" if unmodified
/// recordings show it.
std::string trigger(const cause::Cause& cause);

/// Returns "unstable: in 2 of 5 tries of this case" if the cause comes and goes, otherwise "".
std::string instability(const cause::Cause& cause);

/// Returns "overlap, signature; accepted with overlap: indexed", or "" without knobs. These are the knobs of
/// its rule, and the known profile values that accept the answer.
std::string knobs(const cause::Cause& cause);

/// Returns the ids of the rules below it, sorted.
std::vector<std::string> below(const cause::Cause& cause);

/// Returns the ids of co-occurring rules that may have other causes, sorted.
std::vector<std::string> perhaps(const cause::Cause& cause);

/// Returns the command that reproduces it.
std::string reproduce_line(const cause::Cause& cause, const Heading& heading);

/// Returns "3 of 9 events, no cut".
std::string extent(const cause::Smallest& smallest);

/// Returns the first lines of an upstream's body for display, each with its line feed.
std::string first_lines(std::string_view body);

/// Returns the command that finds the smallest case again.
std::string shrink_line(const cause::Cause& cause, const Heading& heading);

/// Returns the page of a public incident "owner/name#12"; "" for other forms.
std::string incident_url(const std::string& incident);

/// Returns "works", "breaks" or "not tested".
std::string_view name(ClientState state);

/// Returns the harm to clients, the worst first, one line each, as "sdk throws: It says so." If no client was
/// tested with such an answer, it returns the rule's sources.
std::vector<std::string> hurts(const cause::Cause& cause);

}  // namespace splitproof::report
