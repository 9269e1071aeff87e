#include "proxy/translator.hpp"

#include <utility>

#include "proxy/wire/secret.hpp"

namespace splitproof {
namespace {

using turn::Event;
using turn::Step;

// Events on their way through the filters. `read` holds them before and after.
struct Passage {
  std::vector<Event> read;
  std::vector<Event> passed;

  // `last`: the body is over, and no events follow.
  void pass(text::ThinkTags& first, std::vector<Filter>& filters, bool last) {
    pass_one(first, last);
    for (Filter& filter : filters) std::visit([&](auto& taking) { pass_one(taking, last); }, filter);
  }

  template <class Taking>
  void pass_one(Taking& filter, bool last) {
    passed.clear();
    for (Event& event : read) filter.accept(std::move(event), passed);
    if (last) filter.finish(passed);
    read.swap(passed);
  }
};

}  // namespace

Translator::Translator(const TranslatorOptions& options)
    : framer_(options.upstream->framer(options.rules.limits)),
      reader_(options.upstream->reader(options.dialect, options.rules.limits)),
      think_tags_(options.think_tags),
      ledger_(options.rules, options.client->layout),
      writer_(options.client->writer(options.dialect, options.reply)),
      secret_(options.secret) {
  if (options.leaked_markup == text::LeakedMarkup::rescue && !options.functions.empty())
    filters_.emplace_back(
        text::Rescue(options.functions, options.reply.seed, options.rules.limits.waiting_bytes));
  if (options.cleaning.any()) filters_.emplace_back(text::Cleaning(options.cleaning));
  if (!options.tool_map.empty())
    filters_.emplace_back(names::AnswerNames(options.tool_map, options.rules.limits.json_depth,
                                             options.rules.limits.call_bytes));
  if (!options.relays()) return;
  std::optional<proxy::dialect::ToldCalls> calls;
  if (options.names_in_place() && !options.tool_map.empty())
    calls = options.upstream->tools_in_place->calls(options.tool_map, options.rules.limits);
  proxy::dialect::Order order = options.upstream->order(options.rules, options.dialect, options.reply);
  const std::size_t most = options.rules.limits.event_bytes;
  if (std::holds_alternative<wire::EventStreamFramer>(framer_)) {
    relay_.emplace(relay::FrameRelay(std::move(order), most, options.secret));
  } else {
    relay_.emplace(relay::Relay(std::move(order), options.relay, most, options.secret, std::move(calls)));
  }
  if (options.reply.array) in_array_.emplace(options.rules.limits.event_bytes);
}

// Calls `relaying` with the text to which the relay appends. In an array the upstream's events become elements.
template <class Relaying>
void Translator::relay(Relaying relaying, std::string& out) {
  if (!in_array_) return relaying(out);
  std::string passed;
  relaying(passed);
  in_array_->feed(passed, out);
  if (over()) in_array_->finish(out);
}

void Translator::feed(std::string_view bytes, std::string& out) {
  if (over()) return;
  if (relay_) {
    return relay(
        [&](std::string& passed) {
          std::visit([&](auto& relaying) { relaying.feed(bytes, passed); }, *relay_);
        },
        out);
  }
  std::vector<wire::Frame> frames;
  std::visit([&](auto& framer) { framer.feed(bytes, frames); }, framer_);
  pass_on(frames, out);
  // Bytes after the end must not change the state, in its chunk or later.
  if (over()) std::visit([](auto& framer) { framer.stop(); }, framer_);
}

void Translator::set_time(std::uint64_t now) {
  std::visit(
      [&](auto& writer) {
        if constexpr (requires { writer.set_time(now); }) writer.set_time(now);
      },
      writer_);
}

std::vector<proxy::dialect::ToldItem> Translator::told() const {
  if (relay_) return {};
  return std::visit(
      [](const auto& writer) {
        if constexpr (requires { writer.told(); })
          return writer.told();
        else
          return std::vector<proxy::dialect::ToldItem>();
      },
      writer_);
}

void Translator::finish(turn::BodyEnd end, std::string& out) {
  if (relay_) {
    return relay(
        [&](std::string& passed) {
          std::visit([&](auto& relaying) { relaying.finish(end, passed); }, *relay_);
        },
        out);
  }
  std::vector<wire::Frame> frames;
  std::visit([&](auto& framer) { framer.finish(frames); }, framer_);
  pass_on(frames, out);
  Passage events;
  std::vector<Step> steps;
  std::visit(
      [&](auto& reader) {
        if constexpr (requires { reader.finish(end, events.read); }) reader.finish(end, events.read);
      },
      reader_);
  events.pass(think_tags_, filters_, true);
  for (Event& event : events.read) ledger_.accept(std::move(event), steps);
  ledger_.end_of_body(end, steps);
  write(steps, out);
}

void Translator::write_ping(std::string& out) const {
  if (relay_ && !in_array_)
    std::visit([&](const auto& relaying) { relaying.write_ping(out); }, *relay_);
  else
    std::visit([&](const auto& writer) { writer.write_ping(out); }, writer_);
}

void Translator::pass_on(const std::vector<wire::Frame>& frames, std::string& out) {
  if (frames.empty()) return;  // most chunks of single bytes end no frame
  Passage events;
  std::vector<Step> steps;
  for (const wire::Frame& frame : frames) {
    if (over()) return;
    events.read.clear();
    steps.clear();
    std::visit([&](auto& reader) { reader.read(frame, events.read); }, reader_);
    events.pass(think_tags_, filters_, false);
    for (Event& event : events.read) ledger_.accept(std::move(event), steps);
    write(steps, out);
  }
}

void Translator::write(std::vector<Step>& steps, std::string& out) {
  for (Step& step : steps) {
    auto* failure = std::get_if<turn::FailMessage>(&step);
    if (failure == nullptr) continue;
    wire::conceal(failure->message, secret_);
    wire::conceal(failure->code, secret_);
  }
  std::visit(
      [&](auto& writer) {
        for (const Step& step : steps) writer.write(step, out);
      },
      writer_);
}

}  // namespace splitproof
