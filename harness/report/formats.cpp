#include "harness/report/formats.hpp"

#include "harness/report/badge.hpp"
#include "harness/report/github.hpp"
#include "harness/report/html.hpp"
#include "harness/report/jsonl.hpp"
#include "harness/report/junit.hpp"
#include "harness/report/sarif.hpp"
#include "harness/report/scorecard.hpp"

namespace splitproof::report {

std::span<const Format> formats() {
  static constexpr Format kFormats[] = {
      {"jsonl", "a line of JSON for each target, recording and rule, and for each cause", jsonl_report, true},
      {"junit", "JUnit XML, a suite for each target and a test for each rule", junit_report},
      {"md", "a scorecard for people, in Markdown", scorecard},
      {"html", "a page for a browser", html_report},
      {"sarif", "SARIF 2.1.0, a result for each cause", sarif_report},
      {"github", "annotations for the output of a GitHub step (/dev/stdout)", github_annotations},
      {"github-summary", "a summary for a GitHub job ($GITHUB_STEP_SUMMARY)", github_summary},
      {"badge", "JSON for a shields.io badge", badge},
  };
  return kFormats;
}

}  // namespace splitproof::report
