#include "harness/record/call_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/visible.hpp"

namespace splitproof::record {
namespace {

std::string counted(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string end_of(const CallReport& report) {
  if (report.end == recording::End::complete) return "complete";
  return fmt::format("{} by the {}", recording::name(report.end), name(report.by));
}

std::string verdict_of(const CallReport& report) {
  if (report.sound) return "sound";
  return (report.removed ? "not kept: " : "not sound: ") + report.why;
}

}  // namespace

std::string line_of(const CallReport& report) {
  const std::string request = report.method + " " + report.target;
  if (report.file.empty()) {
    const std::string status = report.status == 0 ? "no response" : std::to_string(report.status);
    return visible(fmt::format("not recorded  {}  {}: {}", status, request, report.why));
  }
  return visible(fmt::format("{}  {}  {}{}  {}  {}  {:.2f} s  {}  {}", report.file, report.status, request,
                             report.model.empty() ? "" : "  " + report.model, counted(report.reads, "read"),
                             counted(report.bytes, "byte"), report.seconds, end_of(report),
                             verdict_of(report)));
}

std::string table_of(const std::vector<CallReport>& reports) {
  // Calls with the same model, status and result are one line.
  struct Row {
    std::size_t calls = 0, reads = 0, bytes = 0;
  };
  std::map<std::string, Row> rows;
  std::size_t recorded = 0;
  std::size_t sound = 0;
  std::size_t removed = 0;
  std::size_t unwritten = 0;
  for (const CallReport& report : reports) {
    const bool kept = !report.file.empty();
    recorded += kept ? 1 : 0;
    sound += report.sound ? 1 : 0;
    removed += report.removed ? 1 : 0;
    unwritten += report.unwritten ? 1 : 0;
    const std::string result = !kept          ? "not recorded"
                               : report.sound ? "sound"
                                              : end_of(report) + ", not sound";
    const std::string status = report.status == 0 ? "-" : std::to_string(report.status);
    Row& row = rows[visible(
        fmt::format("{:<32} {:<6} {:<34}", report.model.empty() ? "-" : report.model, status, result))];
    ++row.calls;
    row.reads += report.reads;
    row.bytes += report.bytes;
  }
  std::string table;
  if (!rows.empty())
    table = fmt::format("{:<32} {:<6} {:<34} {:>6} {:>8} {:>10}\n", "model", "status", "result", "calls",
                        "reads", "bytes");
  for (const auto& [key, row] : rows)
    table += fmt::format("{} {:>6} {:>8} {:>10}\n", key, row.calls, row.reads, row.bytes);
  return table + fmt::format("splitproof: recorded {} of {}, {} sound{}{}\n", recorded - removed,
                             counted(reports.size(), "call"), sound,
                             removed > 0 ? fmt::format(", {} not kept", removed) : "",
                             unwritten > 0 ? fmt::format(", {} not written", unwritten) : "");
}

}  // namespace splitproof::record
