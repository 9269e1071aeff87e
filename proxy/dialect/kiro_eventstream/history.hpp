#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "proxy/request/asked.hpp"
#include "proxy/request/json_parts.hpp"

namespace splitproof::proxy::dialect {

/// Content of a user's message for Kiro.
struct KiroUser {
  request::Joined text;  ///< results in words come before the user's own text
  request::List images;
  request::List results;
};

/// Content of an assistant's message.
struct KiroAssistant {
  request::Joined text;
  request::List calls;
};

/// A conversation in Kiro's form: alternating, with a user first and last.
struct KiroHistory {
  struct Exchange {
    KiroUser asked;
    KiroAssistant said;
  };
  std::vector<Exchange> past;
  KiroUser current;
};

/// Arranges the turns of a request in this form. Consecutive turns of one side become one message. System texts become
/// the user's.
///
/// A call and its result in the user's next message form a pair. A call without a result is left out. A result without
/// a call becomes words. Without tools all results become words, because Kiro refuses calls of unknown tools. Empty
/// answers are left out. Refuses a conversation that the assistant begins or ends, and images by URL.
tl::expected<KiroHistory, request::Refusal> kiro_history(const request::Asked& asked);

/// True if the request contains tools.
inline bool kiro_sends_tools(const request::Asked& asked) {
  return asked.choice != request::Choice::none && !asked.tools.empty();
}

}  // namespace splitproof::proxy::dialect
