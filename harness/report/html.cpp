#include "harness/report/html.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/report/html_card.hpp"
#include "harness/report/html_overview.hpp"
#include "harness/report/page_texts.hpp"

namespace splitproof::report {
namespace {

constexpr std::size_t kTail = 50'000;  // bytes for the end of the page

std::string page_head(const Summary& summary, bool complete) {
  const std::string verdict = !complete              ? "interrupted"
                              : !summary.conforms()  ? "violates"
                              : summary.is_partial() ? "conforms so far"
                                                     : "conforms";
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
      "<title>splitproof: {}</title>\n<style>\n{}</style>\n</head>\n<body>\n",
      verdict, kPageStyle);
}

// Returns the cards of as many causes as fit into `room` bytes, and sets their number. The most harmful causes
// come first and have their streams first.
std::string cards_html(const Heading& heading, const Summary& summary, const Overview& overview,
                       std::size_t room, std::size_t& shown) {
  std::vector<Card> cards;
  std::size_t size = 0;
  for (std::size_t number = 1; number <= summary.causes.size(); ++number) {
    Card card = card_html(number, heading, summary, overview);
    const std::size_t least = card.least() + card_end(false).size();
    if (size + least > room) break;
    size += least;
    cards.push_back(std::move(card));
  }
  shown = cards.size();
  // Then the smallest cases, then the whole streams.
  for (std::string Card::*const part : {&Card::smallest, &Card::wires}) {
    for (Card& card : cards) {
      std::string& text = card.*part;
      if (size + text.size() > room) text.clear();
      size += text.size();
    }
  }
  std::string out;
  for (const Card& card : cards)
    out += card.begin + card.smallest + card.middle + card.wires + card_end(!card.wires.empty());
  return out;
}

}  // namespace

std::string html_report(const std::vector<results::RecordingResult>& results, const Heading& heading,
                        const Summary& summary, bool complete) {
  const Overview overview{client_results(results, heading, summary), card_ids(heading, summary)};
  std::string out = page_head(summary, complete) + head_html(heading, summary, complete) + "<main>\n";
  if (!summary.causes.empty()) out += tiles_html(summary);
  out += clients_html(heading, overview);
  if (!summary.causes.empty())
    out += "<h2 id=\"bugs\">Bugs, the most harmful first</h2>\n" + filter_html(heading, summary, overview);
  std::size_t shown = 0;
  const std::size_t room = kMostOfPage - std::min(kMostOfPage, out.size() + kMostOfRules + kTail);
  out += "<div class=\"bugs\">\n" + cards_html(heading, summary, overview, room, shown) + "</div>\n";
  if (shown < summary.causes.size())
    out += fmt::format("<p>and {} more</p>\n", counted(summary.causes.size() - shown, "cause"));
  out += rules_html(results, heading, summary, overview, shown);
  for (const results::StaleExpectation& gone : summary.stale)
    out += "<p>Stale expectation: " + html(results::line_of(gone.expectation)) + ": " + html(gone.why) +
           "</p>\n";
  return out + "</main>\n<script>\n" + kPageScript + "</script>\n</body>\n</html>\n";
}

}  // namespace splitproof::report
