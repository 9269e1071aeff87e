#pragma once

#include <compare>
#include <string>
#include <string_view>

#include "harness/campaign/upstream.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::campaign {

inline constexpr int kOk = 200;  ///< of HTTP's statuses, that of an answer

/// How far an observation can be judged, before anybody looks at its bytes. Observations of equal standing and equal
/// bytes are judged alike.
struct Judgeability {
  std::string unjudged;    ///< why nothing of it can be judged; empty: it can be
  std::string no_stream;   ///< what the answer is instead of an event stream: "status 502"; empty: it is one
  bool refused = false;    ///< that is an HTTP status of 400 or more
  bool ran = true;         ///< RUN can be judged: the testee took the case up
  std::string_view broke;  ///< id of the RUN obligation that it violates; empty: none
  std::string detail;      ///< about that
  bool cut = false;        ///< the message that carried the stream broke

  auto operator<=>(const Judgeability&) const = default;
};

/// A testee that crashed, fell silent or sent garbage is told by RUN, and nothing else of that case is judged; nor is a
/// case that it skipped, in which it never called its upstream, or in which the client was to leave. An HTTP answer
/// whose status is not 200, or whose content type is JSON, is no event stream.
Judgeability judgeability_of(const testee::Observation& observation, const testee::Traits& testee,
                             const Upstream& upstream);

/// Whether a content type is JSON's, "application/json; charset=utf-8" and "application/problem+json" alike: no event stream.
bool is_json_type(std::string_view content_type);

/// Whether the testee asked its upstream for anything, as far as that is seen.
bool called_upstream(const testee::Observation& observation, const testee::Traits& testee);

}  // namespace splitproof::campaign
