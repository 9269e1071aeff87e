#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace splitproof::proxy::dialect {

/// The values of a knob by their names.
template <class Value>
using NamedValues = std::vector<std::pair<std::string_view, Value>>;

enum class SameIndexNewId : std::uint8_t { new_call, same_call };
/// Which field of a request carries the limit on output tokens. OpenAI's reasoning models take only the second, many other
/// servers only the first.
enum class MaxTokensField : std::uint8_t { max_tokens, max_completion_tokens };
/// How an upstream of Anthropic Messages is asked to think. Its latest models take only the first, models before Claude 4.6
/// only a budget of tokens.
enum class AskThinking : std::uint8_t { adaptive, budget, none };
enum class ContentFilter : std::uint8_t { refusal, end_turn };
/// How the content blocks of a stream of Anthropic Messages that is passed on may be numbered, and whether several may be
/// open at once. Answers that the proxy writes itself hold to the first of each.
enum class BlockIndex : std::uint8_t { counted, rising };
enum class Overlap : std::uint8_t { sequential, indexed };
/// Whether a client of Responses reads something in a stream that is passed on: what it does not read may be missing, or be
/// otherwise than the protocol has it. Answers that the proxy writes itself have all of it.
enum class ClientReads : std::uint8_t { it, nothing };
/// Which event of Kiro's says that the answer is whole. Some accounts are never sent the first.
enum class AnswerEnd : std::uint8_t { metadata, metering };

/// The answers of readers and writers to questions on which real proxies differ; the first of each is the default.
struct Knobs {
  SameIndexNewId same_index_new_id = SameIndexNewId::new_call;
  ContentFilter content_filter = ContentFilter::refusal;
  BlockIndex block_index = BlockIndex::counted;
  Overlap overlap = Overlap::sequential;
  ClientReads response_object = ClientReads::it;
  ClientReads added_items = ClientReads::it;
  ClientReads output_index = ClientReads::it;
  ClientReads parts = ClientReads::it;
  AnswerEnd answer_end = AnswerEnd::metadata;
  MaxTokensField max_tokens_field = MaxTokensField::max_tokens;
  AskThinking ask_thinking = AskThinking::adaptive;
  std::size_t max_tokens =
      32'000;  ///< where an upstream needs a limit on output tokens and the client has none

  bool operator==(const Knobs&) const = default;
};

inline constexpr const char* kAnswerEndKnob = "end-event";

inline NamedValues<AnswerEnd> answer_ends() {
  return {{"metadata", AnswerEnd::metadata}, {"metering", AnswerEnd::metering}};
}

inline NamedValues<AskThinking> ways_to_ask_thinking() {
  return {{"adaptive", AskThinking::adaptive}, {"budget", AskThinking::budget}, {"none", AskThinking::none}};
}

inline NamedValues<MaxTokensField> max_tokens_fields() {
  return {{"max_tokens", MaxTokensField::max_tokens},
          {"max_completion_tokens", MaxTokensField::max_completion_tokens}};
}

}  // namespace splitproof::proxy::dialect
