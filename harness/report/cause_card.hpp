#pragma once

#include <cstddef>
#include <string>

#include "harness/cause/cause.hpp"
#include "harness/report/findings.hpp"
#include "harness/report/summary.hpp"

namespace splitproof::report {

/// Escape sequences of a terminal; empty without colours.
struct Ink {
  std::string bold, red, green, off;
};

/// Returns the lines of a bug for the console: its title; who is affected and how; its extent; expected and actual
/// output; the smallest case, or what the upstream sent; the commands; then the rule with its reason. `number` counts
/// from 1.
std::string cause_card(const cause::Cause& cause, std::size_t number, const Heading& heading, const Ink& ink);

/// Returns only its title and its extent.
std::string brief_card(const cause::Cause& cause, std::size_t number, const Ink& ink);

/// Returns the lines of a finding for the console, in the same order.
std::string finding_card(const Finding& finding, const Heading& heading, const Ink& ink);

}  // namespace splitproof::report
