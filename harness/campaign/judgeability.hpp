#pragma once

#include <compare>
#include <string>
#include <string_view>

#include "harness/campaign/upstream.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::campaign {

inline constexpr int kOk = 200;  ///< HTTP status of an answer.

/// Judgeability of an observation, independent of its bytes. Observations of equal judgeability and equal bytes have
/// equal verdicts.
struct Judgeability {
  std::string unjudged;  ///< Reason why nothing can be judged. Empty if the answer can be judged.
  std::string
      no_stream;  ///< The kind of answer that is not an event stream, such as "status 502". Otherwise empty.
  bool refused = false;    ///< `no_stream` is an HTTP status of 400 or more.
  bool ran = true;         ///< The testee ran the case, so RUN can be judged.
  std::string_view broke;  ///< Id of the violated RUN obligation. Empty if none is violated.
  std::string detail;      ///< Detail of this violation.
  bool cut = false;        ///< The message of the stream was truncated.

  auto operator<=>(const Judgeability&) const = default;
};

/// Returns the judgeability of an observation. If the testee crashed, hung or sent garbage, only RUN is judged.
/// The same holds for a skipped case, a case without an upstream call, and a case in which the client leaves. It also holds
/// if other_form() has a reason.
/// Only an HTTP answer with status 200 and without a JSON content type can be an event stream.
Judgeability judgeability_of(const testee::Observation& observation, const testee::Traits& testee,
                             const Upstream& upstream);

/// True for JSON content types, such as "application/json; charset=utf-8" and "application/problem+json". Such an
/// answer is not an event stream.
bool is_json_type(std::string_view content_type);

/// Returns the reason why no provider sends this body for the testee's requests, or "".
std::string other_form(const testee::Observation& observation, const testee::Traits& testee,
                       std::string_view body);

/// True if the testee observably called its upstream.
bool called_upstream(const testee::Observation& observation, const testee::Traits& testee);

}  // namespace splitproof::campaign
