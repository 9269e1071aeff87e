#include "proxy/text/cleaning.hpp"

#include <utility>
#include <variant>

namespace splitproof::text {

using turn::BlockKind;
using turn::Event;

namespace {

// Redacts a whole text.
void redact(const CleaningRules& rules, std::string& text) {
  const RedactionRules redacted = redaction_rules(rules.marker, rules.internal_paths);
  if (redacted.marker.empty()) return;
  Redaction redaction;
  redaction.feed(redacted, text);
  redaction.finish(text);
}

}  // namespace

Cleaning::Cleaning(const CleaningRules& rules)
    : rules_(rules), redacted_(redaction_rules(rules.marker, rules.internal_paths)) {
  if (rules.cuts()) stops_ = WantedTexts(rules.stops);
}

void Cleaning::accept(Event event, std::vector<Event>& events) {
  if (ended_) return;
  if (auto* piece = std::get_if<turn::CallPiece>(&event)) return take(std::move(*piece), events);
  if (std::holds_alternative<turn::Usage>(event)) {
    events.push_back(std::move(event));
    return;
  }
  const bool ends = std::holds_alternative<turn::Done>(event) || std::holds_alternative<turn::Failure>(event);
  if (ends) {
    finish(events);
    if (stopped_) return;
    if (auto* failure = std::get_if<turn::Failure>(&event)) clean_error(rules_, *failure);
    ended_ = true;
  } else if (stopped_) {
    return;
  } else if (auto* prose = std::get_if<turn::Prose>(&event)) {
    return take(std::move(*prose), events);
  } else if (auto* signature = std::get_if<turn::Signature>(&event)) {
    return take(std::move(*signature), events);
  } else if (const auto* close = std::get_if<turn::Close>(&event); close != nullptr && close->part == part_) {
    end_part(events);
  } else if (std::holds_alternative<turn::Sealed>(event)) {
    end_part(events);
  }
  events.push_back(std::move(event));
}

void Cleaning::finish(std::vector<Event>& events) {
  if (ended_) return;
  end_part(events);
  end_arguments(events);
  if (!stopped_) return;
  ended_ = true;
  events.push_back(turn::Done{});
}

void Cleaning::take(turn::Prose prose, std::vector<Event>& events) {
  if (prose.text.empty()) return;
  if (in_part_ && (prose.kind != kind_ || prose.part != part_)) end_part(events);
  if (!in_part_) {
    in_part_ = true;
    kind_ = prose.kind;
    part_ = prose.part;
    redaction_ = {};
    identity_ = {};
    blocks_ = {};
  }
  read(pairs_.take(std::move(prose.text)), false, events);
}

// A signature belongs to the unchanged thinking before it. Changed thinking loses it.
void Cleaning::take(turn::Signature signature, std::vector<Event>& events) {
  const bool thinks = kind_ == BlockKind::thinking && in_part_;
  if (thinks && !signature.ends) {
    signature_ = std::move(signature);
  } else if (signature.ends) {
    end_part(events);
    if (thinks && changed())
      events.push_back(turn::Close{part_});
    else
      events.push_back(std::move(signature));
  } else if (kind_ != BlockKind::thinking || !changed()) {
    events.push_back(std::move(signature));
  }
}

void Cleaning::take(turn::CallPiece piece, std::vector<Event>& events) {
  if (piece.call >= made_) {
    if (stopped_) return;
    end_part(events);
    made_ = piece.call + 1;
    kind_ = BlockKind::call;
  }
  if (!redacted_.marker.empty() && !piece.arguments.empty()) {
    Arguments& arguments = arguments_[piece.call];
    arguments.rank = piece.rank;
    arguments.redaction.feed(redacted_, piece.arguments);
  }
  events.push_back(std::move(piece));
}

void Cleaning::end_part(std::vector<Event>& events) {
  if (!std::exchange(in_part_, false)) return;
  std::string text;
  pairs_.finish(text);
  read(std::move(text), true, events);
  if (signature_ && !changed()) events.push_back(*std::move(signature_));
  signature_.reset();
}

// Ends arguments with an unclosed string.
void Cleaning::end_arguments(std::vector<Event>& events) {
  for (auto& [call, arguments] : arguments_) {
    turn::CallPiece rest{call, arguments.rank, {}, {}, {}};
    arguments.redaction.finish(rest.arguments);
    if (!rest.arguments.empty()) events.push_back(std::move(rest));
  }
  arguments_.clear();
}

// Each filter reads the output of the one before it.
void Cleaning::read(std::string text, bool over, std::vector<Event>& events) {
  if (!redacted_.marker.empty()) {
    redaction_.feed(redacted_, text);
    if (over) redaction_.finish(text);
  }
  if (rules_.rewrites()) {
    identity_.feed(rules_.model, text);
    if (over) identity_.finish(rules_.model, text);
  }
  if (rules_.upstream_blocks == UpstreamBlocks::strip) {
    blocks_.feed(text);
    if (over) blocks_.finish(text);
  }
  std::optional<std::string> stopped_at;
  if (rules_.cuts() && kind_ == BlockKind::text) {
    stopped_at = stop_.feed(stops_, text);
    if (over && !stopped_at) stop_.finish(text);
  }
  if (!text.empty()) events.push_back(turn::Prose{kind_, std::move(text), part_});
  if (!stopped_at) return;
  events.push_back(turn::Finished{turn::Finish::stop, *std::move(stopped_at)});
  stopped_ = true;
  in_part_ = false;
  // The state must not depend on whether later text came in the same piece.
  pairs_ = {};
  redaction_ = {};
  identity_ = {};
  blocks_ = {};
}

void clean_error(const CleaningRules& rules, std::string& message) {
  redact(rules, message);
  if (!rules.rewrites()) return;
  Identity identity;
  identity.feed(rules.model, message);
  identity.finish(rules.model, message);
}

void clean_error(const CleaningRules& rules, turn::Failure& failure) {
  clean_error(rules, failure.message);
  redact(rules, failure.code);
}

}  // namespace splitproof::text
