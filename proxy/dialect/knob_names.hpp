#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "proxy/dialect/knobs.hpp"
#include "proxy/text/think_tags.hpp"
#include "proxy/turn/ledger.hpp"

namespace splitproof::proxy::dialect {

/// Values by their names.
template <class Value>
using Choices = std::vector<std::pair<std::string_view, Value>>;

inline Choices<MaxTokensField> max_tokens_fields() {
  return {{"max_tokens", MaxTokensField::max_tokens},
          {"max_completion_tokens", MaxTokensField::max_completion_tokens}};
}

/// Calls `read(name, value, choices)` for each knob that configures the translator. Names and values are those of the
/// contracts' profiles.
template <class Read>
void each_knob(turn::Rules& rules, Knobs& knobs, text::ThinkTagRule& think_tags, Read read) {
  using namespace turn;
  using text::ThinkTagRule;
  read("nameless-call", rules.nameless_call,
       Choices<NamelessCall>{{"suppress", NamelessCall::suppress},
                             {"synthesize", NamelessCall::synthesize},
                             {"error", NamelessCall::error}});
  read("idless-call", rules.idless_call,
       Choices<IdlessCall>{{"synthesize", IdlessCall::synthesize}, {"drop", IdlessCall::drop}});
  read("same-index-new-id", knobs.same_index_new_id,
       Choices<SameIndexNewId>{{"new-call", SameIndexNewId::new_call},
                               {"same-call", SameIndexNewId::same_call}});
  read("done-without-finish", rules.done_without_finish,
       Choices<DoneWithoutFinish>{{"close", DoneWithoutFinish::close}, {"error", DoneWithoutFinish::error}});
  read("content-filter", knobs.content_filter,
       Choices<ContentFilter>{{"refusal", ContentFilter::refusal}, {"end_turn", ContentFilter::end_turn}});
  read("terminal-signals", rules.terminal_signals,
       Choices<TerminalSignals>{{"finish-or-done", TerminalSignals::finish_or_done},
                                {"done", TerminalSignals::done}});
  read("reasoning-only", rules.reasoning_only,
       Choices<ReasoningOnly>{{"thinking", ReasoningOnly::thinking}, {"add-text", ReasoningOnly::add_text}});
  read("think-tags", think_tags,
       Choices<ThinkTagRule>{{"reroute", ThinkTagRule::reroute}, {"leave", ThinkTagRule::leave}});
  read("truncation-error", rules.truncation_error,
       Choices<TruncationError>{{"api_error", TruncationError::api_error},
                                {"overloaded_error", TruncationError::overloaded_error}});
}

}  // namespace splitproof::proxy::dialect
