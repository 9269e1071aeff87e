#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/report/client_state.hpp"
#include "harness/report/html_text.hpp"
#include "harness/report/summary.hpp"

namespace splitproof::report {

/// Results that several parts of the page show.
struct Overview {
  std::vector<ClientResult> clients;
  std::vector<std::string> ids;  ///< Ids of the elements of causes, in the order of the summary.
};

/// Returns the ids of the cards. They name the rule, and the target if the run has several. So a link still works
/// after the next run.
std::vector<std::string> card_ids(const Heading& heading, const Summary& summary);

/// A cause on the page, in parts. The size of the page decides which streams it has.
struct Card {
  std::string begin;     ///< From the title to the smallest case.
  std::string smallest;  ///< The stream of the smallest case.
  std::string middle;    ///< From the commands to the recordings.
  std::string wires;     ///< The whole streams, folded.

  std::size_t least() const { return begin.size() + middle.size(); }
};

/// Returns the card of a cause. `number` counts from 1.
Card card_html(std::size_t number, const Heading& heading, const Summary& summary, const Overview& overview);

/// Returns the end of a card.
std::string card_end(bool with_wires);

}  // namespace splitproof::report
