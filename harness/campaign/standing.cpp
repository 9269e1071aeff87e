#include "harness/campaign/standing.hpp"

#include <string>
#include <string_view>

#include "harness/campaign/meta.hpp"
#include "harness/lower_case.hpp"
#include "harness/testee/http_header.hpp"

namespace splitproof::campaign {
namespace {

using testee::Ending;

std::string instead_of_stream(const testee::HttpMessage& message) {
  if (message.status != kOk) return "status " + std::to_string(message.status);
  for (const testee::Header& header : message.headers) {
    if (testee::same_name(header.name, "content-type") && is_json_type(header.value)) return header.value;
  }
  return "";
}

}  // namespace

bool is_json_type(std::string_view content_type) {
  std::string type = lower_case(std::string(content_type.substr(0, content_type.find(';'))));
  while (!type.empty() && (type.back() == ' ' || type.back() == '\t')) type.pop_back();
  return type == "application/json" || type.ends_with("+json");
}

bool called_upstream(const testee::Observation& observation, const testee::Traits& testee) {
  return !observation.calls.empty() || (!testee.over_http && !observation.http);
}

Standing standing_of(const testee::Observation& observation, const testee::Traits& testee,
                     const Upstream& upstream) {
  Standing standing;
  standing.cut = observation.ending == Ending::cut;
  const auto uncalled = [&] {
    standing.unjudged = "the testee did not call its upstream";
    standing.ran = false;
  };
  if (!testee.outside) {
    if (!called_upstream(observation, testee)) uncalled();
    return standing;
  }
  const auto broken = [&](std::string_view obligation, const char* what) {
    standing.broke = obligation;
    standing.detail = observation.detail;
    standing.unjudged = what;
    standing.ran = false;
  };
  switch (observation.ending) {
    case Ending::crashed:
      broken(kCrashed, "the testee crashed");
      return standing;
    case Ending::hung:
      broken(kHung, "the testee fell silent");
      return standing;
    case Ending::garbage:
      broken(kGarbage, "the testee's answer could not be read");
      return standing;
    case Ending::skipped:
      standing.unjudged = "the testee does not do this case: " + observation.detail;
      standing.ran = false;
      return standing;
    case Ending::unavailable:
      standing.unjudged = "the testee could not be started: " + observation.detail;
      standing.ran = false;
      return standing;
    case Ending::complete:
    case Ending::cut:
    case Ending::left:
      break;
  }
  if (!called_upstream(observation, testee)) {
    uncalled();
  } else if (upstream.leave_at || observation.ending == Ending::left) {
    standing.unjudged = "the client left";
  } else if (observation.http) {
    standing.no_stream = instead_of_stream(*observation.http);
    standing.refused = observation.http->status >= 400;
  }
  return standing;
}

}  // namespace splitproof::campaign
