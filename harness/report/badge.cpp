#include "harness/report/badge.hpp"

#include <nlohmann/json.hpp>

namespace splitproof::report {

std::string badge(const std::vector<results::RecordingResult>& /*results*/, const Heading& /*heading*/,
                  const Summary& summary, bool complete) {
  std::string message = summary.is_partial() ? "conforms so far" : "conforms";
  std::string colour = "brightgreen";
  if (!complete) {
    message = "interrupted";
    colour = "lightgrey";
  } else if (!summary.causes.empty()) {
    message = counted(summary.causes.size(), "cause");
    colour = "red";
  } else if (summary.unavailable > 0) {
    message = "not tested";
    colour = "lightgrey";
  } else if (!summary.conforms()) {
    message = "violates";
    colour = "red";
  }
  return nlohmann::ordered_json{
             {"schemaVersion", 1}, {"label", "splitproof"}, {"message", message}, {"color", colour}}
             .dump() +
         "\n";
}

}  // namespace splitproof::report
