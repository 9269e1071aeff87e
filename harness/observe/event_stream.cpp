#include "harness/observe/event_stream.hpp"

#include <algorithm>
#include <utility>

#include "harness/aws_document.hpp"
#include "harness/observe/framing.hpp"
#include "harness/observe/sse_reader.hpp"

namespace splitproof::observe {
namespace {

std::size_t line_ends(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool first_of_two = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
    count += (text[i] == '\n' || text[i] == '\r') && !first_of_two ? 1 : 0;
  }
  return count;
}

std::vector<SseEvent> frames_of_aws(std::string_view body) {
  AwsFrameReader reader;
  reader.feed(body);
  reader.finish();
  return std::move(reader).take_events();
}

}  // namespace

std::optional<Window> TraceStream::window(std::size_t number) {
  if (number > 0 || trace_.events.empty()) return std::nullopt;
  return Window{0, trace_.events, nullptr};
}

std::optional<Window> BodyStream::window(std::size_t number) {
  for (const Kept& kept : kept_) {
    if (kept.window && kept.number == number) return kept.window;
  }
  if (number >= begins_.size()) return std::nullopt;
  const bool known = all_ || number + 1 < begins_.size();
  std::vector<SseEvent> read = known ? read_again(number) : read_on();
  if (read.empty()) return std::nullopt;
  const auto events = std::make_shared<const std::vector<Event>>(to_events(std::move(read), kind_));
  Kept& kept = kept_[oldest_];
  oldest_ = 1 - oldest_;
  kept = {number, Window{begins_[number].event, *events, events}};
  return kept.window;
}

// All frames of an AWS event stream are one window.
std::vector<SseEvent> BodyStream::read_on() {
  if (begins_with_aws_frame(body_)) {
    at_ = body_.size();
    all_ = true;
    return frames_of_aws(body_);
  }
  // The last event is settled when another follows or the body ends.
  do {
    const std::size_t line_end = body_.find('\n', std::min(body_.size(), at_ + size_));
    const std::size_t end = line_end == body_.npos ? body_.size() : line_end + 1;
    reader_.feed(body_.substr(at_, end - at_));
    at_ = end;
  } while (at_ < body_.size() && reader_.events().size() < 2);
  all_ = at_ == body_.size();
  if (all_) {
    reader_.finish();
    return std::exchange(reader_, {}).take_events();
  }
  std::vector<SseEvent> read = reader_.take_settled();
  const SseEvent& last = read.back();
  const std::size_t lines = last.line - 1 + line_ends(body_.substr(last.begin, last.end - last.begin));
  begins_.push_back({begins_.back().event + read.size(), last.end, lines, last.id});
  return read;
}

std::vector<SseEvent> BodyStream::read_again(std::size_t number) const {
  if (begins_with_aws_frame(body_)) return frames_of_aws(body_);
  const Begin& from = begins_[number];
  const std::size_t end = number + 1 < begins_.size() ? begins_[number + 1].at : body_.size();
  SseReader reader(from.at, from.lines, from.last_event_id);
  reader.feed(body_.substr(from.at, end - from.at));
  reader.finish();
  return std::move(reader).take_events();
}

std::size_t BodyStream::window_of(std::size_t event) const {
  const auto behind = std::upper_bound(begins_.begin(), begins_.end(), event,
                                       [](std::size_t e, const Begin& begin) { return e < begin.event; });
  return static_cast<std::size_t>(behind - begins_.begin()) - 1;
}

std::optional<Window> PartOfStream::window(std::size_t number) {
  std::optional<Window> window = whole_.window(first_window_ + number);
  if (!window || window->first >= end_) return std::nullopt;
  const std::size_t skipped = begin_ - std::min(begin_, window->first);
  const std::size_t end = std::min(end_ - window->first, window->events.size());
  if (skipped >= end) return std::nullopt;
  window->events = window->events.subspan(skipped, end - skipped);
  window->first = window->first + skipped - begin_;
  return window;
}

}  // namespace splitproof::observe
