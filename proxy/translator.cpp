#include "proxy/translator.hpp"

#include <utility>
#include <vector>

namespace splitproof {

Translator::Translator(const TranslatorOptions& options)
    : sse_(options.rules.limits.event_bytes),
      reader_(options.same_index_new_id, options.rules.limits),
      ledger_(options.rules),
      writer_(options.seed, options.content_filter) {}

void Translator::feed(std::string_view bytes, std::string& out) {
  if (over()) return;
  std::vector<wire::SseFrame> frames;
  sse_.feed(bytes, frames);
  pass_on(frames, out);
  // Whether bytes after the end came in its chunk or later must not show, in the state either.
  if (over()) sse_.stop();
}

void Translator::finish(turn::BodyEnd end, std::string& out) {
  std::vector<wire::SseFrame> frames;
  sse_.finish(frames);
  pass_on(frames, out);
  std::vector<turn::Step> steps;
  ledger_.end_of_body(end, steps);
  for (const turn::Step& step : steps) writer_.write(step, out);
}

void Translator::pass_on(const std::vector<wire::SseFrame>& frames, std::string& out) {
  std::vector<turn::Event> events;
  std::vector<turn::Step> steps;
  for (const wire::SseFrame& frame : frames) {
    if (ledger_.over()) return;
    events.clear();
    steps.clear();
    reader_.read(frame, events);
    for (turn::Event& event : events) ledger_.accept(std::move(event), steps);
    for (const turn::Step& step : steps) writer_.write(step, out);
  }
}

}  // namespace splitproof
