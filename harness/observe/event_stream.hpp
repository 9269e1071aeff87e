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

/// Consecutive events of a stream.
struct Window {
  std::size_t first = 0;               ///< Number of its first event in the stream.
  std::span<const Event> events;       ///< At least one.
  std::shared_ptr<const void> holder;  ///< Owns the events if the stream does not.
};

/// Events of a stream, one window at a time. So a reader of few events needs little memory. A stream can be
/// read repeatedly and from any window.
class EventStream {
 public:
  virtual ~EventStream() = default;

  /// Returns window `number`, counted from 0, or nullopt after the last. The first reading must not skip a
  /// number.
  virtual std::optional<Window> window(std::size_t number) = 0;

  std::size_t first_event() const { return first_event_; }  ///< As in Trace.
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

/// Calls `take` with each event in order, until it returns false or the stream ends.
template <class Take>
void for_each_event(EventStream& stream, const Take& take) {
  for (std::size_t number = 0; const auto window = stream.window(number); ++number) {
    for (const Event& event : window->events)
      if (!take(event)) return;
  }
}

/// All events of a trace as one window. The trace must outlive it.
class TraceStream final : public EventStream {
 public:
  explicit TraceStream(const Trace& trace)
      : EventStream(trace.first_event, trace.message_end), trace_(trace) {}
  std::optional<Window> window(std::size_t number) override;

 private:
  const Trace& trace_;
};

/// Events of a body, as read_trace reads them. The body must outlive it. Reads a window on request and keeps
/// the last two. For other windows it keeps only where they begin.
class BodyStream final : public EventStream {
 public:
  static constexpr std::size_t kWindow = std::size_t{1} << 17;

  /// `size` is the number of bytes of a window, unless a single event is longer.
  BodyStream(std::string_view body, DataKind kind, std::size_t size = kWindow,
             MessageEnd message_end = MessageEnd::complete)
      : EventStream(0, message_end), body_(body), kind_(std::move(kind)), size_(size) {}
  std::optional<Window> window(std::size_t number) override;

  /// Returns the number of the window that holds event `event`. This window must have been read before.
  std::size_t window_of(std::size_t event) const;

 private:
  struct Begin {
    std::size_t event = 0;
    std::size_t at = 0;     ///< Offset in the body.
    std::size_t lines = 0;  ///< Lines that ended before it.
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
  SseReader reader_;    ///< Has read the windows so far, and a little more.
  std::size_t at_ = 0;  ///< Offset of the first byte that it has not read.
  std::vector<Begin> begins_ = std::vector<Begin>(1);
  bool all_ = false;  ///< The last window was read.
  std::array<Kept, 2> kept_;
  std::size_t oldest_ = 0;  ///< Index of the older one.
};

/// Events `begin` to `end` of another stream as a stream, for one of several responses. The other stream must
/// outlive it.
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
