#pragma once

#include <compare>
#include <string>
#include <string_view>

#include "harness/campaign/upstream.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::campaign {

inline constexpr int kOk = 200;  ///< HTTP status of an answer

/// Judgeability of an observation, independent of its bytes. Observations of equal standing and equal bytes
/// are judged alike.
struct Judgeability {
  std::string unjudged;    ///< reason why nothing can be judged; empty: it can
  std::string no_stream;   ///< the answer if it is no event stream: "status 502"; else empty
  bool refused = false;    ///< `no_stream` is an HTTP status of 400 or more
  bool ran = true;         ///< RUN can be judged: the testee ran the case
  std::string_view broke;  ///< id of the violated RUN obligation; empty: none
  std::string detail;      ///< detail of that
  bool cut = false;        ///< the message of the stream was truncated

  auto operator<=>(const Judgeability&) const = default;
};

/// Returns the standing of an observation. If the testee crashed, hung or sent garbage, only RUN is judged.
/// The same holds for a skipped case, a case without an upstream call, and a case in which the client leaves.
/// An HTTP answer with another status than 200 or a JSON content type is no event stream.
Judgeability judgeability_of(const testee::Observation& observation, const testee::Traits& testee,
                             const Upstream& upstream);

/// True for JSON content types, such as "application/json; charset=utf-8" and "application/problem+json": no
/// event stream.
bool is_json_type(std::string_view content_type);

/// True if the testee observably called its upstream.
bool called_upstream(const testee::Observation& observation, const testee::Traits& testee);

}  // namespace splitproof::campaign
