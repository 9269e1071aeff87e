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

/// Capabilities of an upstream's dialect.
struct UpstreamCapabilities {
  bool same_dialect =
      false;  ///< The dialect is also the client's: ids, seals of thinking and kinds of tools must stay.
  bool keeps_order = false;       ///< It can place text after a call of the same turn.
  bool forgets_thinking = false;  ///< Its servers ignore thinking before the last question.
  std::uint64_t least_limit = 1;  ///< The smallest token limit that its servers accept.

  bool (*takes_id)(std::string_view id) = is_any_id;  ///< True if its servers accept this id of a call.

  /// The upstream's previous answer, if the client's request refers to it. null: not known.
  const Answer* answered = nullptr;

  /// Changes that the proxy promises to make to the client's request.
  AskedRules rules = {};
};

/// Returns the documents that rules compare as `expected.` and `got.` of a request: the client's request and
/// the proxy's upstream request. contracts/specifications/requests.md lists the members.
///
/// A conversation consists of turns. A turn holds all that one side says until the other side speaks. Results
/// belong to the user. Thinking and empty text form no turn. `got` is normalised, so that a translator may
/// make these changes:
/// - blank space between pieces of text
/// - other tool names, if no two tools share one
/// - another order of results
/// - no tools, if no tool may be called
/// - a custom tool as a tool with one text argument
/// - a schema without `$schema`
/// - a limit raised to the upstream's minimum, or lowered to a model's maximum
/// - a text document as text
/// - no billing line of a client's program
Documents asked_meaning(const AskedRequest& asked, const AskedRequest& got, const UpstreamCapabilities& room);

/// Returns the features of a client's request that rules ask for with `given`: `choice-none`, `choice-any`,
/// `choice-one`, `choice-auto`, and those in contracts/specifications/in-words.md.
std::set<std::string> shapes_of(const AskedRequest& asked);

}  // namespace splitproof::observe
