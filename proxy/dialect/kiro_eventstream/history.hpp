#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "proxy/request/asked.hpp"
#include "proxy/request/json_parts.hpp"

namespace splitproof::proxy::dialect {

/// What a user says in one message of Kiro's.
struct KiroUser {
  request::Joined text;  ///< what is told of results in words stands before what was said
  request::List images;
  request::List results;
};

/// What the assistant says in one.
struct KiroAssistant {
  request::Joined text;
  request::List calls;
};

/// A conversation as Kiro takes it: a user and the assistant by turns, beginning and ending with a user.
struct KiroHistory {
  struct Exchange {
    KiroUser asked;
    KiroAssistant said;
  };
  std::vector<Exchange> past;
  KiroUser current;
};

/// Puts the turns of a request so. What one side says in a row is one message; what the system says is said by the user.
///
/// A call and its result, in the next message of the user, go together. A call without one is left out, and a result
/// without a call is told in words. Where no tools are sent, all results are told so: Kiro takes no call of a tool that it is
/// not told of. An answer with nothing in it is left out. Refuses a conversation that the assistant begins or ends, and
/// images by URL.
tl::expected<KiroHistory, request::Refusal> kiro_history(const request::Asked& asked);

/// Whether tools are sent.
inline bool kiro_sends_tools(const request::Asked& asked) {
  return asked.choice != request::Choice::none && !asked.tools.empty();
}

}  // namespace splitproof::proxy::dialect
