#pragma once

#include <tuple>

#include "proxy/translator.hpp"

namespace splitproof {

/// Calls `read(name, value, choices)` for each knob that configures the translator. Names and values are those of the
/// contracts' profiles.
template <class Read>
void each_knob(TranslatorOptions& options, Read read) {
  using namespace turn;
  using namespace proxy::dialect;
  using names::Names;
  using request::EnvironmentRule;
  using request::Preamble;
  using request::Retention;
  using request::ToolChoice;
  using text::LeakedMarkup;
  using text::Marker;
  using text::OwnIdentity;
  using text::StopRule;
  using text::ThinkTagRule;
  using text::UpstreamBlocks;
  Rules& rules = options.rules;
  Knobs& knobs = options.dialect;
  read("nameless-call", rules.nameless_call,
       NamedValues<NamelessCall>{{"suppress", NamelessCall::suppress},
                                 {"synthesize", NamelessCall::synthesize},
                                 {"error", NamelessCall::error}});
  read("idless-call", rules.idless_call,
       NamedValues<IdlessCall>{{"synthesize", IdlessCall::synthesize}, {"drop", IdlessCall::drop}});
  read("same-index-new-id", knobs.same_index_new_id,
       NamedValues<SameIndexNewId>{{"new-call", SameIndexNewId::new_call},
                                   {"same-call", SameIndexNewId::same_call}});
  read("done-without-finish", rules.done_without_finish,
       NamedValues<DoneWithoutFinish>{{"close", DoneWithoutFinish::close},
                                      {"error", DoneWithoutFinish::error}});
  read(
      "content-filter", knobs.content_filter,
      NamedValues<ContentFilter>{{"refusal", ContentFilter::refusal}, {"end_turn", ContentFilter::end_turn}});
  read("block-index", knobs.block_index,
       NamedValues<BlockIndex>{{"counted", BlockIndex::counted}, {"rising", BlockIndex::rising}});
  read("overlap", knobs.overlap,
       NamedValues<Overlap>{{"sequential", Overlap::sequential}, {"indexed", Overlap::indexed}});
  for (const auto& [name, value, wanted] : {std::tuple("response-object", &knobs.response_object, "kept"),
                                            {"added-items", &knobs.added_items, "read"},
                                            {"output-index", &knobs.output_index, "counted"},
                                            {"parts", &knobs.parts, "read"}}) {
    read(name, *value, NamedValues<ClientReads>{{wanted, ClientReads::it}, {"unread", ClientReads::nothing}});
  }
  read(kAnswerEndKnob, knobs.answer_end, answer_ends());
  read("terminal-signals", rules.terminal_signals,
       NamedValues<TerminalSignals>{{"finish-or-done", TerminalSignals::finish_or_done},
                                    {"done", TerminalSignals::done}});
  read("reasoning-only", rules.reasoning_only,
       NamedValues<ReasoningOnly>{{"thinking", ReasoningOnly::thinking},
                                  {"add-text", ReasoningOnly::add_text}});
  read(
      "unknown-finish", rules.unknown_finish,
      NamedValues<UnknownFinish>{
          {"error", UnknownFinish::error}, {"length", UnknownFinish::length}, {"stop", UnknownFinish::stop}});
  read("think-tags", options.think_tags,
       NamedValues<ThinkTagRule>{{"reroute", ThinkTagRule::reroute}, {"leave", ThinkTagRule::leave}});
  read("leaked-markup", options.leaked_markup,
       NamedValues<LeakedMarkup>{{"pass", LeakedMarkup::pass}, {"rescue", LeakedMarkup::rescue}});
  read("marker", options.cleaning.marker,
       NamedValues<Marker>{
           {"none", Marker::none}, {"pr54", Marker::ellipsis}, {"structural", Marker::structural}});
  read("identity", options.cleaning.identity,
       NamedValues<OwnIdentity>{{"pass", OwnIdentity::pass}, {"rewrite", OwnIdentity::rewrite}});
  read("upstream-blocks", options.cleaning.upstream_blocks,
       NamedValues<UpstreamBlocks>{{"pass", UpstreamBlocks::pass}, {"strip", UpstreamBlocks::strip}});
  read("stop-sequences", options.cleaning.stop_sequences,
       NamedValues<StopRule>{{"upstream", StopRule::upstream}, {"cut", StopRule::cut}});
  read("tool-choice", options.request.tool_choice,
       NamedValues<ToolChoice>{{"native", ToolChoice::native}, {"emulate", ToolChoice::emulate}});
  read("names", options.names, NamedValues<Names>{{"same", Names::same}, {"opencode", Names::opencode}});
  read("environment", options.request.environment,
       NamedValues<EnvironmentRule>{{"leave", EnvironmentRule::leave}, {"lift", EnvironmentRule::lift}});
  read("preamble", options.request.preamble,
       NamedValues<Preamble>{{"none", Preamble::none}, {"pr54", Preamble::pr54}});
  read("retention", options.request.retention,
       NamedValues<Retention>{{"as-sent", Retention::as_sent}, {"structured", Retention::structured}});
  read("truncation-error", rules.truncation_error,
       NamedValues<TruncationError>{{"api_error", TruncationError::api},
                                    {"overloaded_error", TruncationError::overloaded}});
}

}  // namespace splitproof
