#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "proxy/turn/event.hpp"

namespace splitproof::proxy::dialect {

/// Writes an event of the canonical turn in a short notation. Prose has its part's number, except in the first.
struct Notation {
  static std::string count(const std::optional<std::uint64_t>& n) { return n ? std::to_string(*n) : "-"; }
  std::string operator()(const turn::Begin& e) const { return "begin(" + e.model + ")"; }
  std::string operator()(const turn::Prose& e) const {
    static const char* const kKinds[] = {"text", "thinking", "refusal"};
    return kKinds[static_cast<int>(e.kind)] + (e.part == 0 ? "" : std::to_string(e.part)) + "(" + e.text +
           ")";
  }
  std::string operator()(const turn::Signature& e) const {
    return std::string(e.ends ? "last-" : "") + "signature(" + e.text + ")";
  }
  std::string operator()(const turn::Sealed& e) const { return "sealed(" + e.data + ")"; }
  std::string operator()(const turn::CallPiece& e) const {
    return "call" + std::to_string(e.call) + "(" + e.id + "," + e.name + "," + e.arguments + ")";
  }
  std::string operator()(const turn::Usage& e) const {
    return "usage(" + count(e.prompt) + "," + count(e.cached) + "," + count(e.completion) +
           (e.reasoning ? "," + count(e.reasoning) : "") + ")";
  }
  std::string operator()(const turn::Finished& e) const {
    static const char* const kReasons[] = {"stop", "length", "tool_calls", "content_filter", "unknown: "};
    return std::string("finished(") + kReasons[static_cast<int>(e.reason)] + e.word + ")";
  }
  std::string operator()(const turn::Done&) const { return "done"; }
  std::string operator()(const turn::Close& e) const { return "close" + std::to_string(e.part); }
  std::string operator()(const turn::Unplaced& e) const { return "unplaced(" + e.what + ")"; }
  std::string operator()(const turn::Failure& e) const {
    static const char* const kKinds[] = {
        "invalid_request", "authentication", "permission", "not_found",  "request_too_large",
        "rate_limit",      "billing",        "timeout",    "overloaded", "api"};
    return std::string("failure(") + kKinds[static_cast<int>(e.kind)] + "," + e.message + ")";
  }
};

/// Returns events, one after another.
inline std::string notation(const std::vector<turn::Event>& events) {
  std::string text;
  for (const turn::Event& event : events) text += (text.empty() ? "" : " ") + std::visit(Notation{}, event);
  return text;
}

}  // namespace splitproof::proxy::dialect
