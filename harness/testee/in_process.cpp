#include "harness/testee/in_process.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "proxy/translator.hpp"

namespace splitproof::testee {
namespace {

turn::BodyEnd body_end(recording::End end) {
  switch (end) {
    case recording::End::closed:
      return turn::BodyEnd::closed;
    case recording::End::reset:
      return turn::BodyEnd::reset;
    case recording::End::stall:
      return turn::BodyEnd::stall;
    case recording::End::complete:
      break;
  }
  return turn::BodyEnd::complete;
}

class Reference final : public Stream {
 public:
  explicit Reference(const TranslatorOptions& options) : translator_(options) {}

  void feed(std::string_view chunk, std::string& out) override { translator_.feed(chunk, out); }
  void finish(recording::End end, std::string& out) override { translator_.finish(body_end(end), out); }

 private:
  Translator translator_;
};

template <class Value>
using Choice = std::pair<std::string_view, Value>;

// Reads knobs of a profile into the translator's options; keeps the first that it cannot.
class Knobs {
 public:
  explicit Knobs(const contract::Profile& profile) : profile_(profile) {}

  template <class Value>
  void read(const std::string& knob, Value& value, std::initializer_list<Choice<Value>> choices) {
    const auto set = profile_.knobs.find(knob);
    if (set == profile_.knobs.end()) return;
    std::string known;
    for (const Choice<Value>& choice : choices) {
      if (choice.first == set->second) {
        value = choice.second;
        return;
      }
      known.append(known.empty() ? "" : ", ").append(choice.first);
    }
    if (!error_.what.empty()) return;
    error_.what = "the reference cannot play " + knob + ": " + set->second + " of profile " + profile_.name;
    error_.mend = "it knows " + known;
  }

  const Error& error() const { return error_; }

 private:
  const contract::Profile& profile_;
  Error error_;
};

}  // namespace

Observation InProcess::observe(const Exchange& exchange) const {
  Observation seen;
  const std::unique_ptr<Stream> stream = open_();
  for (const std::string_view chunk : exchange.chunks) {
    const auto exact = std::make_unique<char[]>(chunk.size());
    std::copy(chunk.begin(), chunk.end(), exact.get());
    stream->feed(std::string_view(exact.get(), chunk.size()), seen.body);
    seen.after_chunk.push_back(seen.body.size());
  }
  stream->finish(exchange.end, seen.body);
  return seen;
}

Result<StreamFactory> reference_streams(const contract::Profile& profile) {
  using namespace turn;
  TranslatorOptions options;
  Rules& rules = options.rules;
  Knobs knobs(profile);
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
  knobs.read<dialect::SameIndexNewId>(
      "same-index-new-id", options.same_index_new_id,
      {{"new-call", dialect::SameIndexNewId::new_call}, {"same-call", dialect::SameIndexNewId::same_call}});
  knobs.read<dialect::ContentFilter>(
      "content-filter", options.content_filter,
      {{"refusal", dialect::ContentFilter::refusal}, {"end_turn", dialect::ContentFilter::end_turn}});
  if (!knobs.error().what.empty()) return tl::unexpected(knobs.error());
  return StreamFactory([options] { return std::make_unique<Reference>(options); });
}

}  // namespace splitproof::testee
