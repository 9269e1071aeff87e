#include "harness/campaign/judgeability.hpp"

#include <string>
#include <string_view>
#include <utility>

#include "harness/campaign/meta.hpp"
#include "harness/campaign/refusal.hpp"
#include "harness/dialect/registry.hpp"
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

std::string other_form(const testee::Observation& observation, const testee::Traits& testee,
                       std::string_view body) {
  const dialect::UpstreamDialect* upstream = dialect::upstream_of(testee.upstream);
  if (upstream == nullptr || observation.calls.empty()) return {};
  const testee::UpstreamCall& last = observation.calls.back();
  return last.status == kOk ? upstream->other_form(last.target, body) : std::string();
}

bool called_upstream(const testee::Observation& observation, const testee::Traits& testee) {
  return !observation.calls.empty() || (!testee.over_http && !observation.http);
}

Judgeability judgeability_of(const testee::Observation& observation, const testee::Traits& testee,
                             const Upstream& upstream) {
  Judgeability judgeability;
  judgeability.cut = observation.ending == Ending::cut;
  const auto uncalled = [&] {
    judgeability.unjudged = "the target did not call its upstream";
    judgeability.ran = false;
  };
  if (!testee.outside) {
    if (!called_upstream(observation, testee)) uncalled();
    return judgeability;
  }
  const auto broken = [&](std::string_view obligation, const char* what) {
    judgeability.broke = obligation;
    judgeability.detail = observation.detail;
    judgeability.unjudged = what;
    judgeability.ran = false;
  };
  switch (observation.ending) {
    case Ending::crashed:
      broken(kCrashed, "the target crashed");
      return judgeability;
    case Ending::hung:
      broken(kHung, "the target hung");
      return judgeability;
    case Ending::garbage:
      broken(kGarbage, "splitproof could not read the target's answer");
      return judgeability;
    case Ending::skipped:
      judgeability.unjudged = "this case was skipped: " + observation.detail;
      judgeability.ran = false;
      return judgeability;
    case Ending::unavailable:
      judgeability.unjudged = "the target could not start: " + observation.detail;
      judgeability.ran = false;
      return judgeability;
    case Ending::complete:
    case Ending::cut:
    case Ending::left:
      break;
  }
  if (!called_upstream(observation, testee)) {
    uncalled();
  } else if (std::string form = other_form(observation, testee, upstream.body); !form.empty()) {
    judgeability.unjudged = std::move(form);
    judgeability.ran = false;
  } else if (upstream.leave_at || observation.ending == Ending::left) {
    judgeability.unjudged = "the client left";
  } else if (observation.http) {
    judgeability.no_stream = instead_of_stream(*observation.http);
    judgeability.refused = refused_status(observation) != 0;
  } else if (const int status = refused_status(observation); status != 0) {
    judgeability.no_stream = "status " + std::to_string(status);
    judgeability.refused = true;
  }
  return judgeability;
}

}  // namespace splitproof::campaign
