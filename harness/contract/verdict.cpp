#include "harness/contract/verdict.hpp"

#include <utility>

namespace splitproof::contract {

std::string_view name(Level level) {
  return level == Level::must ? "must" : level == Level::should ? "should" : "info";
}

bool outweighs(Verdict a, Verdict b) {
  const auto weight = [](Verdict verdict) {
    return verdict == Verdict::violated     ? 3
           : verdict == Verdict::not_judged ? 2
           : verdict == Verdict::met        ? 1
                                            : 0;
  };
  return weight(a) > weight(b);
}

std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::met:
      return "met";
    case Verdict::violated:
      return "violated";
    case Verdict::not_exercised:
      return "not exercised";
    case Verdict::not_judged:
      return "not judged";
    case Verdict::passed_on:
      return "passed on";
  }
  return "";
}

ClauseResult ClauseResult::not_exercised(std::string reason) {
  return {Verdict::not_exercised, std::move(reason), std::nullopt, std::nullopt, ""};
}

ClauseResult ClauseResult::not_judged(std::string reason) {
  return {Verdict::not_judged, std::move(reason), std::nullopt, std::nullopt, ""};
}

ClauseResult ClauseResult::violated(std::optional<std::size_t> subject, std::optional<std::size_t> slice,
                                    std::string detail) {
  return {Verdict::violated, "", subject, slice, std::move(detail)};
}

}  // namespace splitproof::contract
