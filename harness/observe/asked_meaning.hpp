#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "harness/observe/answer.hpp"
#include "harness/observe/asked.hpp"
#include "harness/observe/asked_rules.hpp"
#include "harness/observe/client_capabilities.hpp"
#include "harness/observe/documents.hpp"

namespace splitproof::observe {

/// What the dialect of an upstream has room for.
struct UpstreamCapabilities {
  bool same_dialect =
      false;  ///< as the client's: then ids, seals of thinking and the kinds of tools have to stay
  bool keeps_order = false;       ///< it has a place for text behind a call of the same turn
  bool forgets_thinking = false;  ///< its servers leave thinking unread that stands before the last question
  std::uint64_t least_limit = 1;  ///< the smallest limit of tokens that its servers take

  bool (*takes_id)(std::string_view id) = is_any_id;  ///< whether they take such an id of a call

  /// What it said itself in the turn before, where the client's request holds what the client was told of that; null: not
  /// known.
  const Answer* answered = nullptr;

  /// What the proxy promises to say otherwise than the client.
  AskedRules rules = {};
};

/// What rules compare as `expected.` and `got.` of a request: what a client asked for, and what its proxy asked of the
/// upstream. docs/upstream-requests.md lists the members.
///
/// A conversation is its turns, each with all that one side says until the other speaks; results are the user's, and thinking and
/// empty text are nobody's turn. What a translator may do is undone in `got`: blank space where pieces of text meet, tools
/// under other names as long as no two share one, results in another order, tools left out where none may be called, a
/// tool that takes text as one whose arguments are that text, a schema without `$schema`, a limit that had to be raised to what the upstream takes,
/// or lowered to what some model can say at most, a document that is a text as that text, and a line on billing left out that a client's program
/// writes for its own server.
Documents asked_meaning(const AskedRequest& asked, const AskedRequest& got, const UpstreamCapabilities& room);

/// What a client's request has that rules ask for by `given`: `choice-none`, `choice-any`, `choice-one`, `choice-auto`, and what
/// docs/in-words.md lists.
std::set<std::string> shapes_of(const AskedRequest& asked);

}  // namespace splitproof::observe
