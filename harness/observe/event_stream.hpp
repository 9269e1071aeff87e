#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/observe/trace.hpp"

namespace splitproof::observe {

/// Some consecutive events of a stream.
struct Window {
  std::size_t first = 0;               ///< number of the first of them in the stream
  std::span<const Event> events;       ///< at least one
  std::shared_ptr<const void> holder;  ///< keeps them, where the stream does not
};

/// The events of a stream, a window of them at a time: who needs no more than that at once needs no memory for the
/// others. A stream may be read as often as one likes, and from any window.
class EventStream {
 public:
  virtual ~EventStream() = default;

  /// Window `number`, counted from 0; none behind the last. No number may be left out the first time.
  virtual std::optional<Window> window(std::size_t number) = 0;

  std::size_t first_event() const { return first_event_; }  ///< as Trace has it
  MessageEnd message_end() const { return message_end_; }

 protected:
  EventStream(std::size_t first_event, MessageEnd message_end)
      : first_event_(first_event), message_end_(message_end) {}
  EventStream(const EventStream&) = default;
  EventStream& operator=(const EventStream&) = default;

 private:
  std::size_t first_event_;
  MessageEnd message_end_;
};

/// Calls `take` with each event of a stream, in order, until it says false or there is none.
template <class Take>
void for_each_event(EventStream& stream, const Take& take) {
  for (std::size_t number = 0; const auto window = stream.window(number); ++number) {
    for (const Event& event : window->events)
      if (!take(event)) return;
  }
}

/// A trace, which must outlive it: all of its events are one window.
class TraceStream final : public EventStream {
 public:
  explicit TraceStream(const Trace& trace)
      : EventStream(trace.first_event, trace.message_end), trace_(trace) {}
  std::optional<Window> window(std::size_t number) override;

 private:
  const Trace& trace_;
};

/// The events of a body, which must outlive it, as read_trace reads them. Each window is read from the body when it is
/// asked for, and the last two are kept. What stays of a window is the place where it begins.
class BodyStream final : public EventStream {
 public:
  static constexpr std::size_t kWindow = std::size_t{1} << 17;

  /// `size` is how many bytes of the body a window has, or one event if that is longer.
  BodyStream(std::string_view body, DataKind kind, std::size_t size = kWindow,
             MessageEnd message_end = MessageEnd::complete)
      : EventStream(0, message_end), body_(body), kind_(std::move(kind)), size_(size) {}
  std::optional<Window> window(std::size_t number) override;

  /// The number of the window that event `event` stands in, which must have been read.
  std::size_t window_of(std::size_t event) const;

 private:
  struct Begin {
    std::size_t event = 0;
    std::size_t at = 0;     ///< byte of the body
    std::size_t lines = 0;  ///< that ended before it
    std::string last_event_id;
  };
  struct Kept {
    std::size_t number = 0;
    std::optional<Window> window;
  };

  std::vector<SseEvent> read_on();
  std::vector<SseEvent> read_again(std::size_t number) const;

  std::string_view body_;
  DataKind kind_;
  std::size_t size_;
  SseReader reader_;    ///< has read the windows so far, and a little more
  std::size_t at_ = 0;  ///< what it has read of the body
  std::vector<Begin> begins_ = std::vector<Begin>(1);
  bool all_ = false;  ///< the last window was read
  std::array<Kept, 2> kept_;
  std::size_t oldest_ = 0;  ///< of these
};

/// Events `begin` to `end` of another stream, which must outlive it, as a stream of their own: one of several responses.
class PartOfStream final : public EventStream {
 public:
  PartOfStream(BodyStream& whole, std::size_t begin, std::size_t end)
      : EventStream(begin, whole.message_end()),
        whole_(whole),
        begin_(begin),
        end_(end),
        first_window_(whole.window_of(begin)) {}
  std::optional<Window> window(std::size_t number) override;

 private:
  BodyStream& whole_;
  std::size_t begin_;
  std::size_t end_;
  std::size_t first_window_;
};

}  // namespace splitproof::observe
