#include "harness/report/junit.hpp"

#include <fmt/format.h>

#include "harness/report/picture.hpp"

namespace splitproof::report {
namespace {

using contract::Verdict;

// For attribute values and text alike. XML 1.0 has no place for most control characters, nor for U+FFFE and U+FFFF:
// `visible` has escaped them all.
std::string xml(const std::string& text) {
  std::string out;
  for (const char c : visible(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string case_xml(const campaign::RecordingResult& result, const campaign::Row& row,
                     const Heading& heading) {
  const std::string head =
      fmt::format("    <testcase classname=\"{}\" name=\"{}\"",
                  xml(result.target + "." + result.recording->id), xml(row.obligation->id));
  const auto body = [&](const std::string& inner) {
    return head + ">\n      " + inner + "\n    </testcase>\n";
  };
  if (row.verdict == Verdict::met) return head + "/>\n";
  if (row.verdict != Verdict::violated) {
    return body(fmt::format("<skipped message=\"{}\"/>",
                            xml(std::string(contract::name(row.verdict)) + ": " + row.reason)));
  }
  if (row.expectation) {
    return body(fmt::format("<skipped message=\"{}\"/>",
                            xml("expected: " + (row.expectation->reason.empty() ? row.first->message
                                                                                : row.expectation->reason))));
  }
  if (!campaign::decides(row.level, heading.strict)) {
    return body(fmt::format("<skipped message=\"{}\"/>", xml("advice: " + row.first->message)));
  }
  return body(fmt::format("<failure message=\"{}\">The rule: {}\n{}</failure>", xml(row.first->message),
                          xml(row.obligation->says),
                          xml(reproduce_line(*row.first, result.target, heading))));
}

}  // namespace

std::string junit_report(const std::vector<campaign::RecordingResult>& results, const Heading& heading,
                         const Summary& summary, bool complete) {
  std::string suites;
  for (const campaign::RecordingResult& result : results) {
    std::size_t failures = 0;
    std::size_t skipped = 0;
    std::string cases;
    for (const campaign::Row& row : result.rows) {
      const bool failure = row.verdict == Verdict::violated && !row.expectation &&
                           campaign::decides(row.level, heading.strict);
      failures += failure ? 1 : 0;
      skipped += !failure && row.verdict != Verdict::met ? 1 : 0;
      cases += case_xml(result, row, heading);
    }
    std::size_t tests = result.rows.size();
    if (const std::string why = why_nothing_judged(result); !why.empty()) {
      ++tests;
      ++failures;
      cases += fmt::format(
          "    <testcase classname=\"{}\" name=\"judged\">\n      <failure message=\"{}\"/>\n    </testcase>\n",
          xml(result.target + "." + result.recording->id), xml("nothing could be judged: " + why));
    }
    if (result.unrun > 0) {
      ++tests;
      ++skipped;
      cases += fmt::format(
          "    <testcase classname=\"{}\" name=\"run\">\n      <skipped message=\"{}\"/>\n    </testcase>\n",
          xml(result.target + "." + result.recording->id),
          xml("the target hangs: " + counted(result.unrun, "case") + " not run"));
    }
    suites += fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\">\n",
                          xml(result.target + " " + result.recording->id), tests, failures, skipped);
    const auto remark = heading.remarks.find(result.target);
    if (remark != heading.remarks.end()) {
      suites +=
          fmt::format("    <properties>\n      <property name=\"remark\" value=\"{}\"/>\n    </properties>\n",
                      xml(remark->second));
    }
    suites += cases + "  </testsuite>\n";
  }
  for (const auto& [target, why] : heading.untested) {
    suites += fmt::format(
        "  <testsuite name=\"{0}\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\">\n    <testcase classname=\"{0}\" "
        "name=\"available\">\n      <error message=\"{1}\"/>\n    </testcase>\n  </testsuite>\n",
        xml(target), xml("not run to the end: " + why));
  }
  std::string stale;
  for (const campaign::StaleExpectation& gone : summary.stale) {
    stale += fmt::format(
        "    <testcase classname=\"expectations\" name=\"{}:{}\">\n      <failure message=\"{}\">{}</failure>\n    </testcase>\n",
        xml(gone.expectation.file), gone.expectation.line, xml(gone.why),
        xml(campaign::line_of(gone.expectation)));
  }
  if (!stale.empty()) {
    suites +=
        fmt::format("  <testsuite name=\"expectations\" tests=\"{0}\" failures=\"{0}\" skipped=\"0\">\n",
                    summary.stale.size()) +
        stale + "  </testsuite>\n";
  }
  if (!complete) {
    suites +=
        "  <testsuite name=\"run\" tests=\"1\" failures=\"1\" skipped=\"0\">\n    <testcase classname=\"run\" "
        "name=\"complete\">\n      <failure message=\"broken off\"/>\n    </testcase>\n  </testsuite>\n";
  }
  if (summary.unreadable > 0) {
    suites += fmt::format(
        "  <testsuite name=\"corpus\" tests=\"1\" failures=\"1\" skipped=\"0\">\n    <testcase classname=\"corpus\" "
        "name=\"readable\">\n      <failure message=\"{} unreadable\"/>\n    </testcase>\n  </testsuite>\n",
        counted(summary.unreadable, "recording"));
  }
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"splitproof\">\n" + suites +
         "</testsuites>\n";
}

}  // namespace splitproof::report
