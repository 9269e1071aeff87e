#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>

#include "harness/observe/expected.hpp"
#include "harness/observe/meaning.hpp"
#include "harness/observe/trace.hpp"

namespace splitproof::observe {

/// What rules compare as `expected.` and `got.`: two documents of one form, never null. docs/contract-language.md lists
/// their members.
struct Documents {
  std::shared_ptr<const nlohmann::json> expected;
  std::shared_ptr<const nlohmann::json> got;
};

/// The documents of an answer and of what came out downstream, as a strict client of Anthropic Messages
/// assembles it (anthropic_message.hpp) and as a client runs its calls (client_runs.hpp).
///
/// What the upstream leaves open is absent on both sides, or null in a list of both: ids that the translator
/// chooses, signatures where there was none, counts that were never said, and the order of two calls of which
/// the later one was known first. So is what cannot be told apart: the order of names where the names differ,
/// `ids` and `inputs` where their order does, `thoughts` and `signatures` where the thinking does, the finish,
/// usage and runs where either side ends in an error, and `parts` and `kinds` of an order left open. What is
/// empty on both sides is absent, but for `others`.
Documents documents(const Expected& expected, const Trace& downstream);

/// The documents of two streams of one protocol, of which the first says what was meant: of Anthropic Messages, or of
/// Chat Completions, whose clients assemble what chat_reading.hpp reads. What either leaves open is absent as above. Where
/// the first of Chat Completions neither has a finish_reason nor an error, any end is one.
Documents documents_of_two(const Trace& meant, const Trace& downstream);
Documents chat_documents_of_two(const Trace& meant, const Trace& downstream);

/// What a trace of Chat Completions means, without the shapes that it was dealt out in.
Meaning chat_meaning(const Trace& trace);

}  // namespace splitproof::observe
