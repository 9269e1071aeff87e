#include "harness/report/junit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "harness/report/cause_text.hpp"
#include "harness/report/run_context.hpp"
#include "harness/visible.hpp"

namespace splitproof::report {
namespace {

using contract::Verdict;

constexpr std::size_t kMostOfMessage = 1000;  // bytes in one line

// Escapes attribute values and text. XML 1.0 excludes most control characters, U+FFFE and U+FFFF, but
// `visible` has already escaped them.
std::string escaped(const std::string& shown) {
  std::string out;
  for (const char c : shown) {
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

std::string xml(const std::string& text) { return escaped(visible(text)); }

// One rule with one target, over all recordings.
struct Test {
  const results::Rule* rule = nullptr;
  bool is_failure = false;
  // The shown violations.
  std::vector<std::pair<const results::RecordingResult*, const results::Row*>> violated;
  Verdict verdict = Verdict::not_exercised;  // if nothing is violated
  std::string reason;
};

// Returns the rows of a target by rule, in their order, without rules that no case exercised.
std::vector<Test> tests_of(const std::vector<results::RecordingResult>& results, const std::string& target,
                           const Heading& heading) {
  std::vector<Test> tests;
  std::map<std::string, std::size_t> known;
  for (const results::RecordingResult& result : results) {
    if (result.target != target) continue;
    for (const results::Row& row : result.rows) {
      if (row.verdict == Verdict::not_exercised) continue;
      const auto [number, is_new] = known.try_emplace(row.rule, tests.size());
      if (is_new) tests.push_back({&heading.rules.at(row.rule), false, {}, row.verdict, row.reason});
      Test& test = tests[number->second];
      if (row.verdict == Verdict::violated) {
        const bool is_failure = !row.expectation && results::decides(row, heading.strict);
        if (is_failure && !test.is_failure) test.violated.clear();
        if (is_failure || !test.is_failure) test.violated.emplace_back(&result, &row);
        test.is_failure |= is_failure;
      } else if (row.verdict == Verdict::met) {
        test.verdict = row.verdict;
        test.reason = row.reason;
      }
    }
  }
  return tests;
}

// Returns "3. TOOL-04", for each cause with such a finding.
std::string causes_behind(const Test& test, const Summary& summary, const CauseNumbers& causes) {
  std::set<std::size_t> numbers;
  for (const auto& entry : test.violated)
    if (const auto known = causes.find(entry.second); known != causes.end()) numbers.insert(known->second);
  std::vector<std::string> names;
  for (const std::size_t number : numbers) {
    const results::Rule& rule = *summary.causes[number - 1].rule;
    names.push_back(fmt::format("{}. {} ({})", number, rule.headline(), rule.id));
  }
  return few(names);
}

std::string failure_body(const Test& test, const results::Row& shown, const std::string& behind,
                         const Heading& heading) {
  std::string body =
      "The rule: " + visible(test.rule->says) + "\nFound: " + visible(shown.first->message) + "\n";
  if (!behind.empty()) body += "The cause: " + visible(behind) + "\n";
  std::vector<std::string> recordings;
  for (const auto& entry : test.violated) recordings.push_back(entry.first->recording.id);
  return body + counted(recordings.size(), "recording") + ": " + visible(few(recordings)) + "\n" +
         visible(reproduce_line(*shown.first, test.violated.front().first->target, heading));
}

std::string test_xml(const Test& test, const std::string& target, const std::string& behind,
                     const Heading& heading) {
  const std::string head =
      fmt::format("    <testcase classname=\"{}\" name=\"{}\"", xml(target), xml(test.rule->id));
  const auto body = [&](const std::string& inner) {
    return head + ">\n      " + inner + "\n    </testcase>\n";
  };
  const auto skipped = [&](const std::string& why) {
    return body(fmt::format("<skipped message=\"{}\"/>", xml(why)));
  };
  if (test.violated.empty()) {
    if (test.verdict == Verdict::met) return head + "/>\n";
    return skipped(std::string(contract::name(test.verdict)) + ": " + test.reason);
  }
  const results::Row& shown =
      *std::min_element(test.violated.begin(), test.violated.end(), [](const auto& a, const auto& b) {
         return effort(*a.second->first) < effort(*b.second->first);
       })->second;
  const std::string& message = shown.first->message;
  if (test.is_failure)
    return body(fmt::format("<failure message=\"{}\">{}</failure>", xml(clipped(message, kMostOfMessage)),
                            escaped(failure_body(test, shown, behind, heading))));
  if (!shown.expectation) return skipped("advice: " + message);
  return skipped("expected: " + (shown.expectation->reason.empty() ? message : shown.expectation->reason));
}

std::string property_xml(const std::string& name, const std::string& value) {
  return fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", xml(name), xml(value));
}

// Returns when and how the run was made, and the note on a target.
std::string properties_xml(const std::string& target, const Heading& heading, const Summary& summary) {
  std::string out = "    <properties>\n";
  for (const auto& [name, value] : run_context(heading, summary)) out += property_xml(name, value);
  if (const auto note = heading.notes.find(target); note != heading.notes.end())
    out += property_xml("note", note->second);
  return out + "    </properties>\n";
}

}  // namespace

std::string junit_report(const std::vector<results::RecordingResult>& results, const Heading& heading,
                         const Summary& summary, bool complete) {
  const CauseNumbers numbers = cause_numbers(summary);
  std::string suites;
  std::vector<std::string> targets;
  for (const results::RecordingResult& result : results)
    if (targets.empty() || targets.back() != result.target) targets.push_back(result.target);
  for (const std::string& target : targets) {
    const std::vector<Test> of_rules = tests_of(results, target, heading);
    std::size_t tests = of_rules.size();
    std::size_t failures = 0;
    std::size_t skipped = 0;
    std::string cases;
    for (const Test& test : of_rules) {
      failures += test.is_failure ? 1 : 0;
      skipped += !test.is_failure && (!test.violated.empty() || test.verdict != Verdict::met) ? 1 : 0;
      cases += test_xml(test, target, causes_behind(test, summary, numbers), heading);
    }
    for (const results::RecordingResult& result : results) {
      if (result.target != target) continue;
      if (const std::string why = why_nothing_judged(result, heading.rules); !why.empty()) {
        ++tests;
        ++failures;
        cases += fmt::format(
            "    <testcase classname=\"{}\" name=\"judged\">\n      <failure message=\"{}\"/>\n    </testcase>\n",
            xml(target + "." + result.recording.id), xml("no rule was judged: " + why));
      }
      if (result.unrun > 0) {
        ++tests;
        ++skipped;
        cases += fmt::format(
            "    <testcase classname=\"{}\" name=\"run\">\n      <skipped message=\"{}\"/>\n    </testcase>\n",
            xml(target + "." + result.recording.id),
            xml("the target hangs: " + counted(result.unrun, "case") + " not run"));
      }
    }
    suites += fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\">\n",
                          xml(target), tests, failures, skipped);
    suites += properties_xml(target, heading, summary) + cases + "  </testsuite>\n";
  }
  for (const auto& [target, why] : heading.untested) {
    suites += fmt::format(
        "  <testsuite name=\"{0}\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\">\n    <testcase classname=\"{0}\" "
        "name=\"available\">\n      <error message=\"{1}\"/>\n    </testcase>\n  </testsuite>\n",
        xml(target), xml("not tested to the end: " + why));
  }
  std::string stale;
  for (const results::StaleExpectation& gone : summary.stale) {
    stale += fmt::format(
        "    <testcase classname=\"expectations\" name=\"{}:{}\">\n      <failure message=\"{}\">{}</failure>\n    </testcase>\n",
        xml(gone.expectation.file), gone.expectation.line, xml(gone.why),
        xml(results::line_of(gone.expectation)));
  }
  if (!stale.empty()) {
    suites +=
        fmt::format("  <testsuite name=\"expectations\" tests=\"{0}\" failures=\"{0}\" skipped=\"0\">\n",
                    summary.stale.size()) +
        stale + "  </testsuite>\n";
  }
  if (!complete) {
    suites +=
        "  <testsuite name=\"run\" tests=\"1\" failures=\"1\" skipped=\"0\">\n    <testcase "
        "classname=\"run\" name=\"complete\">\n      <failure message=\"interrupted\"/>\n    "
        "</testcase>\n  </testsuite>\n";
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
