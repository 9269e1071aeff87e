#include "harness/testee/reference_options.hpp"

#include <initializer_list>
#include <string_view>
#include <utility>

namespace splitproof::testee {
namespace {

template <class Value>
using Choice = std::pair<std::string_view, Value>;

// Reads knobs into the translator's options; keeps the first that it cannot.
class Knobs {
 public:
  explicit Knobs(const std::map<std::string, std::string>& knobs) : knobs_(knobs) {}

  template <class Value>
  void read(const std::string& knob, Value& value, std::initializer_list<Choice<Value>> choices) {
    const auto set = knobs_.find(knob);
    if (set == knobs_.end()) return;
    std::string known;
    for (const Choice<Value>& choice : choices) {
      if (choice.first == set->second) {
        value = choice.second;
        return;
      }
      known.append(known.empty() ? "" : ", ").append(choice.first);
    }
    if (!error_.what.empty()) return;
    error_.what = "the reference cannot play " + knob + ": " + set->second;
    error_.mend = "it knows " + known;
  }

  const Error& error() const { return error_; }

 private:
  const std::map<std::string, std::string>& knobs_;
  Error error_;
};

}  // namespace

Result<TranslatorOptions> reference_options(const std::map<std::string, std::string>& set) {
  using namespace turn;
  TranslatorOptions options;
  Rules& rules = options.rules;
  Knobs knobs(set);
  knobs.read<NamelessCall>("nameless-call", rules.nameless_call,
                           {{"suppress", NamelessCall::suppress},
                            {"synthesize", NamelessCall::synthesize},
                            {"error", NamelessCall::error}});
  knobs.read<IdlessCall>("idless-call", rules.idless_call,
                         {{"synthesize", IdlessCall::synthesize}, {"drop", IdlessCall::drop}});
  knobs.read<DoneWithoutFinish>("done-without-finish", rules.done_without_finish,
                                {{"close", DoneWithoutFinish::close}, {"error", DoneWithoutFinish::error}});
  knobs.read<TerminalSignals>(
      "terminal-signals", rules.terminal_signals,
      {{"finish-or-done", TerminalSignals::finish_or_done}, {"done", TerminalSignals::done}});
  knobs.read<ReasoningOnly>("reasoning-only", rules.reasoning_only,
                            {{"thinking", ReasoningOnly::thinking}, {"add-text", ReasoningOnly::add_text}});
  knobs.read<text::ThinkTagRule>(
      "think-tags", options.think_tags,
      {{"reroute", text::ThinkTagRule::reroute}, {"leave", text::ThinkTagRule::leave}});
  knobs.read<TruncationError>(
      "truncation-error", rules.truncation_error,
      {{"api_error", TruncationError::api_error}, {"overloaded_error", TruncationError::overloaded_error}});
  knobs.read<proxy::dialect::SameIndexNewId>("same-index-new-id", options.dialect.same_index_new_id,
                                             {{"new-call", proxy::dialect::SameIndexNewId::new_call},
                                              {"same-call", proxy::dialect::SameIndexNewId::same_call}});
  knobs.read<proxy::dialect::ContentFilter>("content-filter", options.dialect.content_filter,
                                            {{"refusal", proxy::dialect::ContentFilter::refusal},
                                             {"end_turn", proxy::dialect::ContentFilter::end_turn}});
  // What only another proxy would promise.
  for (const auto& [knob, played] :
       {std::pair("leaked-markup", "pass"), std::pair("marker", "none"), std::pair("upstream-blocks", "pass"),
        std::pair("identity", "pass"), std::pair("signature", "optional")}) {
    bool plain = true;
    knobs.read<bool>(knob, plain, {{played, true}});
  }
  if (!knobs.error().what.empty()) return tl::unexpected(knobs.error());
  return options;
}

}  // namespace splitproof::testee
