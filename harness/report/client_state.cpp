#include "harness/report/client_state.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/campaign/case.hpp"
#include "harness/report/bug_kind.hpp"

namespace splitproof::report {
namespace {

// The extent of the test of a target.
struct Tested {
  std::string protocol;        // of its clients; empty: no case is known
  std::size_t recordings = 0;  // with a verdict
  std::size_t expected = 0;    // known failures
};

std::string protocol_in(const results::RecordingResult& result) {
  std::string id = result.behaviours.empty() ? std::string() : result.behaviours.front().case_id;
  for (const results::Row& row : result.rows)
    if (id.empty() && row.first) id = row.first->case_id;
  const auto one = campaign::parse_case(id);
  return one ? one->client : std::string();
}

Tested tested(const std::vector<results::RecordingResult>& results, const Heading& heading,
              const std::string& target) {
  Tested extent;
  for (const results::RecordingResult& result : results) {
    if (result.target != target) continue;
    if (extent.protocol.empty()) extent.protocol = protocol_in(result);
    extent.recordings += nothing_judged(result, heading.rules) ? 0 : 1;
    for (const results::Row& row : result.rows)
      extent.expected += row.verdict == contract::Verdict::violated && row.expectation ? 1 : 0;
  }
  return extent;
}

bool was_tried(const cause::Cause& cause, const std::string& client) {
  return std::any_of(cause.impacts.begin(), cause.impacts.end(),
                     [&](const cause::Impact& one) { return one.client == client; });
}

}  // namespace

bool breaks(const cause::Cause& cause, const std::string& client) {
  if (kind_of(cause) == BugKind::crash) return true;
  for (const cause::Impact& one : cause.impacts)
    if (one.client == client) return one.reaction != contract::Reaction::accepts;
  return std::any_of(cause.rule->harm.begin(), cause.rule->harm.end(),
                     [&](const results::Harm& one) { return one.client == client; });
}

std::vector<ClientResult> client_results(const std::vector<results::RecordingResult>& results,
                                         const Heading& heading, const Summary& summary) {
  std::vector<ClientResult> all;
  for (const std::string& target : heading.targets) {
    const Tested extent = tested(results, heading, target);
    for (const cause::Readiness& known : cause::readiness({}, target, extent.protocol, heading.clients)) {
      ClientResult one{target, known.client, ClientState::works, {}, {}};
      std::size_t of = 0;
      std::size_t untried = 0;
      for (std::size_t i = 0; i < summary.causes.size(); ++i) {
        const cause::Cause& cause = summary.causes[i];
        if (cause.target != target) continue;
        ++of;
        if (breaks(cause, one.client->id))
          one.breaks_on.push_back(i + 1);
        else
          untried += was_tried(cause, one.client->id) ? 0 : 1;
      }
      const bool in_part = heading.quick || summary.is_partial();
      if (!one.breaks_on.empty()) {
        one.state = ClientState::breaks;
        one.says = fmt::format("breaks on {} of {}", one.breaks_on.size(), counted(of, "bug"));
        if (untried > 0) one.says += fmt::format("; {} not tried with it", untried);
      } else if (heading.untested.contains(target) || extent.recordings == 0) {
        one.state = ClientState::not_tested;
        one.says = "the target was not tested";
      } else if (untried > 0) {
        one.state = ClientState::not_tested;
        one.says = fmt::format("{} of {} not tried with it", untried, counted(of, "bug"));
      } else {
        one.says = fmt::format("no bug that breaks it in {}{}", counted(extent.recordings, "recording"),
                               in_part ? ", in some of their cases" : "");
      }
      if (extent.expected > 0)
        one.says += fmt::format("; {} not counted", counted(extent.expected, "known failure"));
      all.push_back(std::move(one));
    }
  }
  return all;
}

}  // namespace splitproof::report
