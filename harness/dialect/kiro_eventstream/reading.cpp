#include "harness/dialect/kiro_eventstream/reading.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "harness/dialect/aws_events.hpp"
#include "harness/dialect/json_events.hpp"
#include "harness/dialect/kiro_eventstream/words.hpp"
#include "harness/observe/unread.hpp"
#include "harness/utf8.hpp"

namespace splitproof::dialect {
namespace {

using Kind = observe::WireJson::Kind;

/// Returns the first of these members that is a text and not empty.
std::string text_in(const observe::WireJson& event, std::span<const std::string_view> keys) {
  for (const std::string_view key : keys) {
    std::string text = observe::replace_surrogates(event.at(key).string());
    if (!text.empty()) return text;
  }
  return {};
}

bool is_stop(const observe::WireJson& event) {
  return std::any_of(kKiroStops.begin(), kKiroStops.end(), [&](std::string_view key) {
    const observe::WireJson& value = event.at(key);
    return value.is(Kind::boolean) && value.raw == "true";
  });
}

}  // namespace

void KiroReading::take(const observe::SseEvent& frame) {
  if (answer_.error) return;
  if (!frame.terminated) {
    torn_ = true;
    return;
  }
  if (take_failure(frame, answer_)) return prose_.end(answer_);
  ++sound_;
  const std::string_view type = frame.event ? std::string_view(*frame.event) : "";
  const ReadJson read = read_json(frame, kMaxKiroPayload);
  const bool is_known = std::find(kKiroEvents.begin(), kKiroEvents.end(), type) != kKiroEvents.end();
  if (read) note_unread(*read, decode_utf8(type), is_known);
  if (!is_known) return;
  if (!read || !read->is(Kind::object))
    return fail("the payload of the frame at byte " + std::to_string(frame.begin) +
                " cannot be read: " + why_unread(read));
  if (type == kKiroText) take_piece(observe::PartKind::text, read->at("content").string());
  if (type == kKiroThinking) {
    take_piece(observe::PartKind::thinking, read->at("text").string());
    take_signature(read->at("signature").string());
  }
  if (type == kKiroCall) take_tool_use(*read);
  if (type == kKiroMetering) metered_last_ = true;
  if (const std::string_view reason = read->at("stopReason").string();
      type == kKiroMetadata && !reason.empty())
    take_finish(reason, answer_);
}

/// Notes the unread members. In an unknown event, these are all members but metadata.
void KiroReading::note_unread(const observe::WireJson& event, const std::string& type, bool is_known) {
  std::vector<std::string_view> known(kKiroMetadataMembers.begin(), kKiroMetadataMembers.end());
  if (is_known) known.insert(known.end(), kKiroMembers.begin(), kKiroMembers.end());
  observe::note_unread_of("event", event, known, " of " + type, answer_);
}

void KiroReading::take_plain_body(std::string_view body) {
  if (sound_ == 0) document_ = body;
}

void KiroReading::take_piece(observe::PartKind kind, std::string_view piece) {
  if (piece.empty()) return;
  metered_last_ = false;
  if (unplaced_ > 0) answer_.shapes.emplace("prose_meanwhile");
  if (!std::exchange(begun_, true)) answer_.begins_with_text = kind == observe::PartKind::text;
  prose_.add(kind, piece, answer_);
}

void KiroReading::take_signature(std::string_view signature) {
  if (signature.empty()) return;
  begun_ = true;
  metered_last_ = false;
  prose_.begin(observe::PartKind::thinking, answer_).signature = observe::replace_surrogates(signature);
}

KiroReading::Call* KiroReading::call_of(const std::string& id, const std::string& name) {
  if (!id.empty()) {
    const auto known =
        std::find_if(calls_.begin(), calls_.end(), [&](const Call& call) { return call.id == id; });
    if (known != calls_.end()) return &*known;
  }
  if (calls_.empty()) return nullptr;
  Call& last = calls_.back();
  const bool goes_on = !last.stopped && (name.empty() || last.name.empty() || name == last.name);
  return goes_on && (id.empty() || last.id.empty()) ? &last : nullptr;
}

void KiroReading::take_tool_use(const observe::WireJson& event) {
  const std::string id = text_in(event, kKiroIds);
  const std::string name = text_in(event, kKiroNames);
  const observe::WireJson& input = event.at("input");
  const std::string_view piece = input.is(Kind::object) ? input.raw : input.string();
  Call* call = call_of(id, name);
  if (call == nullptr) {
    if (id.empty() && name.empty() && piece.empty()) return;
    begun_ = true;
    if (calls_.size() == kMaxKiroCalls) return fail("more calls than can be read");
    call = &calls_.emplace_back();
    call->part.kind = observe::PartKind::call;
    call->part.rank = calls_.size() - 1;
    ++unplaced_;
  }
  if (call->stopped) return;
  metered_last_ = false;
  const auto number = static_cast<std::size_t>(call - calls_.data());
  if (call->id.empty()) call->part.id = call->id = id;
  if (call->name.empty()) call->part.name = call->name = name;
  if (!call->at && !call->id.empty() && !call->name.empty()) place(number);
  observe::Part& part = call->at ? answer_.parts[*call->at] : call->part;
  part.arguments += input.is(Kind::object) ? std::string(piece) : call->pieces.join(piece);
  if (is_stop(event)) {
    call->stopped = true;
    part.arguments += call->pieces.close();
  }
  call_bytes_ += id.size() + name.size() + piece.size();
  if (call_bytes_ > kMaxKiroCallBytes) fail("more bytes of calls than can be read");
}

void KiroReading::place(std::size_t number) {
  prose_.end(answer_);
  Call& call = calls_[number];
  call.at = answer_.parts.size();
  answer_.parts.push_back(std::exchange(call.part, {}));
  placed_.push_back(number);
  --unplaced_;
}

void KiroReading::fail(std::string reason) {
  answer_.error = std::move(reason);
  prose_.end(answer_);
}

observe::Answer KiroReading::finished() const {
  KiroReading last = *this;
  last.prose_.end(last.answer_);
  const bool calls_stopped =
      std::all_of(calls_.begin(), calls_.end(), [](const Call& call) { return call.stopped; });
  if (!last.answer_.finish && metered_last_ && metering_ends_ && calls_stopped)
    last.answer_.finish = observe::FinishReason{observe::FinishKind::stop, {}, true};
  // Nobody knows the content of an incomplete last frame, so the answer has not ended.
  if (torn_) last.answer_.finish.reset();
  if (!document_.empty()) take_document(document_, last.answer_);
  if (last.answer_.error) last.answer_.shapes.emplace(kFailedAnswer);
  for (std::size_t number = 0; number < last.calls_.size(); ++number) {
    Call& call = last.calls_[number];
    observe::Part& part = call.at ? last.answer_.parts[*call.at] : call.part;
    part.arguments += call.pieces.close();
    if (call.at) continue;
    if (call.id.empty()) last.answer_.shapes.emplace("id_never");
    if (call.name.empty()) last.answer_.shapes.emplace("name_never");
    last.placed_.push_back(number);
    last.answer_.parts.push_back(std::move(part));
  }
  last.answer_.begun = last.placed_;
  return std::move(last.answer_);
}

}  // namespace splitproof::dialect
