#include "harness/observe/choices.hpp"

#include <string_view>

namespace splitproof::observe {

Choices choices_of(const std::map<std::string, std::string>& knobs) {
  const auto says = [&](const char* knob, std::string_view value) {
    const auto found = knobs.find(knob);
    return found != knobs.end() && found->second == value;
  };
  Choices choices;
  if (says("nameless-call", "synthesize")) choices.nameless_call = Choices::Nameless::synthesize;
  if (says("nameless-call", "error")) choices.nameless_call = Choices::Nameless::error;
  choices.drop_idless_calls = says("idless-call", "drop");
  if (says("same-index-new-id", "same-call")) choices.same_index_new_id = SameIndexNewId::same_call;
  choices.done_needs_finish = says("done-without-finish", "error");
  choices.filtered_is_refusal = !says("content-filter", "end_turn");
  choices.reroute_think_tags = !says("think-tags", "leave");
  choices.think_tags_may_stay = !says("think-tags-as-text", "forbidden");
  choices.rescue_markup = says("leaked-markup", "rescue");
  choices.add_text_to_thinking = says("reasoning-only", "add-text");
  choices.only_done_ends = says("terminal-signals", "done");
  choices.metering_ends = says("end-event", "metering");
  choices.cuts_at_stops = says("stop-sequences", "cut");
  if (says("marker", "pr54")) choices.marker = Choices::Marker::ellipsis;
  if (says("marker", "structural")) choices.marker = Choices::Marker::structural;
  choices.rewrites_identity = says("identity", "rewrite");
  choices.strips_blocks = says("upstream-blocks", "strip");
  return choices;
}

}  // namespace splitproof::observe
