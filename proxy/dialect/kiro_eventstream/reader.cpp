#include "proxy/dialect/kiro_eventstream/reader.hpp"

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "proxy/dialect/aws_frame.hpp"
#include "proxy/dialect/finish_word.hpp"
#include "proxy/wire/ascii.hpp"
#include "proxy/wire/surrogates.hpp"

namespace splitproof::proxy::dialect {
namespace {

using turn::BlockKind;
using turn::Event;
using turn::Finish;
using wire::Json;

// The events that are read.
constexpr std::array<std::string_view, 5> kRead = {"assistantResponseEvent", "reasoningContentEvent",
                                                   "toolUseEvent", "meteringEvent", "metadataEvent"};

void add_prose(BlockKind kind, const Json& text, std::vector<Event>& events) {
  if (std::string said = text.text(); !said.empty()) events.push_back(turn::Prose{kind, std::move(said)});
}

}  // namespace

void KiroReader::read(const wire::Frame& frame, std::vector<Event>& events) {
  if (!frame.terminated) torn_ = true;
  if (torn_) return;
  const AwsFrame read(frame, limits_, kRead);
  if (read.failure()) events.push_back(*read.failure());
  if (read.event()) read_event(frame.event, read.event(), events);
}

void KiroReader::read_event(const std::string& name, const Json& event, std::vector<Event>& events) {
  const std::size_t before = events.size();
  if (name == "assistantResponseEvent") {
    add_prose(BlockKind::text, event["content"], events);
  } else if (name == "reasoningContentEvent") {
    add_prose(BlockKind::thinking, event["text"], events);
    if (std::string signature = wire::whole(event["signature"].text()); !signature.empty())
      events.push_back(turn::Signature{std::move(signature)});
  } else if (name == "toolUseEvent") {
    calls_.read(event, events);
  } else if (name == "meteringEvent") {
    metered_ = end_ == AnswerEnd::metering;
  } else {
    take_reason(wire::lowered(event["stopReason"].text()));
  }
  if (events.size() > before) metered_ = false;
}

// Takes a stopReason. The first counts, unless a later one means that the answer was cut short.
void KiroReader::take_reason(const std::string& reason) {
  if (reason.empty()) return;
  const turn::Event said = finish_of("aws", reason);
  const auto* meant = std::get_if<turn::Finished>(&said);
  const bool cuts_short = meant != nullptr && turn::cuts_short(meant->reason);
  if (!reason_ || cuts_short) reason_ = reason;
}

void KiroReader::finish(turn::BodyEnd end, std::vector<Event>& events) {
  if (torn_) return;
  if (reason_) {
    events.push_back(finish_of("aws", *reason_));
  } else if (metered_ && calls_.stopped() && end == turn::BodyEnd::complete) {
    events.push_back(turn::Finished{Finish::stop});
  }
}

}  // namespace splitproof::proxy::dialect
