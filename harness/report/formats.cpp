#include "harness/report/formats.hpp"

#include "harness/report/jsonl.hpp"
#include "harness/report/junit.hpp"
#include "harness/report/scorecard.hpp"

namespace splitproof::report {

std::span<const Format> formats() {
  static constexpr Format kFormats[] = {
      {"jsonl", "a line of JSON for each target, recording and obligation", jsonl_report},
      {"junit", "JUnit XML, a suite for each target and recording", junit_report},
      {"md", "a scorecard for people, in Markdown", scorecard},
  };
  return kFormats;
}

}  // namespace splitproof::report
