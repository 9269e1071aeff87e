#include "proxy/translator.hpp"

#include <utility>
#include <vector>

namespace splitproof {

Translator::Translator(const TranslatorOptions& options)
    : sse_(options.rules.limits.event_bytes),
      bare_(options.rules.limits.event_bytes),
      reader_(options.same_index_new_id, options.rules.limits),
      think_tags_(options.think_tags),
      ledger_(options.rules),
      writer_(options.seed, options.content_filter) {}

void Translator::feed(std::string_view bytes, std::string& out) {
  if (over()) return;
  std::vector<wire::SseFrame> frames;
  sse_.feed(bytes, frames);
  bare_.feed(bytes);
  pass_on(frames, out);
  // Whether bytes after the end came in its chunk or later must not show, in the state either.
  if (over()) sse_.stop();
}

void Translator::finish(turn::BodyEnd end, std::string& out) {
  std::vector<wire::SseFrame> frames;
  sse_.finish(frames);
  pass_on(frames, out);
  std::vector<turn::Event> read;
  std::vector<turn::Event> events;
  std::vector<turn::Step> steps;
  if (!bare_.text().empty()) reader_.read_bare_body(bare_.text(), read);
  for (turn::Event& event : read) think_tags_.accept(std::move(event), events);
  think_tags_.finish(events);
  for (turn::Event& event : events) ledger_.accept(std::move(event), steps);
  ledger_.end_of_body(end, steps);
  write(steps, out);
}

void Translator::pass_on(const std::vector<wire::SseFrame>& frames, std::string& out) {
  if (!frames.empty()) bare_.stop();
  std::vector<turn::Event> read;
  std::vector<turn::Event> events;
  std::vector<turn::Step> steps;
  for (const wire::SseFrame& frame : frames) {
    if (ledger_.over()) return;
    read.clear();
    events.clear();
    steps.clear();
    reader_.read(frame, read);
    for (turn::Event& event : read) think_tags_.accept(std::move(event), events);
    for (turn::Event& event : events) ledger_.accept(std::move(event), steps);
    write(steps, out);
  }
}

void Translator::write(const std::vector<turn::Step>& steps, std::string& out) {
  for (const turn::Step& step : steps) writer_.write(step, out);
}

}  // namespace splitproof
