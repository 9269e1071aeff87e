#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace splitproof::proxy::dialect {

/// The values of a knob with their names.
template <class Value>
using NamedValues = std::vector<std::pair<std::string_view, Value>>;

enum class SameIndexNewId : std::uint8_t { new_call, same_call };
/// Request field for the limit on output tokens. OpenAI's reasoning models accept only the second, many other servers
/// only the first.
enum class MaxTokensField : std::uint8_t { max_tokens, max_completion_tokens };
/// Form of a request for thinking in Anthropic Messages. The latest models accept only the first, models before Claude
/// 4.6 only a budget of tokens.
enum class AskThinking : std::uint8_t { adaptive, budget, none };
enum class ContentFilter : std::uint8_t { refusal, end_turn };
/// Numbering of content blocks in a relayed stream of Anthropic Messages, and whether several may be open at once. The
/// proxy's own answers use the first value of each.
enum class BlockIndex : std::uint8_t { counted, rising };
enum class Overlap : std::uint8_t { sequential, indexed };
/// Parts of a relayed Responses stream that the client reads. Unread parts may be absent or differ from the protocol.
/// The proxy's own answers have all parts.
enum class ClientReads : std::uint8_t { it, nothing };
/// Kiro's event for the end of an answer. Some accounts never get the first.
enum class AnswerEnd : std::uint8_t { metadata, metering };

/// Settings of readers and writers for questions on which real proxies differ. The first value of each is the default.
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
      32'000;  ///< for an upstream that needs a limit on output tokens, if the client has none

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
