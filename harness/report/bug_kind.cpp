#include "harness/report/bug_kind.hpp"

#include <algorithm>
#include <string>

namespace splitproof::report {
namespace {

bool compares_meaning(const results::Rule& rule) {
  return rule.contract == "meaning" || rule.contract.ends_with(".meaning") || rule.contract == "meta";
}

}  // namespace

std::string_view id(BugKind kind) {
  switch (kind) {
    case BugKind::crash:
      return "crash";
    case BugKind::corruption:
      return "corruption";
    case BugKind::protocol:
      return "protocol";
    case BugKind::request:
      break;
  }
  return "request";
}

std::string_view title(BugKind kind) {
  switch (kind) {
    case BugKind::crash:
      return "Crash or hang";
    case BugKind::corruption:
      return "Silent corruption";
    case BugKind::protocol:
      return "Protocol error";
    case BugKind::request:
      break;
  }
  return "Wrong request";
}

BugKind kind_of(const cause::Cause& cause) {
  const results::Rule& rule = *cause.rule;
  if (cause.is_breakdown()) return BugKind::crash;
  if (rule.of_requests || cause.shown.of_request) return BugKind::request;
  const bool silent = std::any_of(cause.impacts.begin(), cause.impacts.end(), [](const cause::Impact& one) {
    return one.reaction == contract::Reaction::wrong;
  });
  return silent || (cause.impacts.empty() && compares_meaning(rule)) ? BugKind::corruption
                                                                     : BugKind::protocol;
}

}  // namespace splitproof::report
