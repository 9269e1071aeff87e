#include "proxy/dialect/google_gemini/framer.hpp"

#include <algorithm>
#include <utility>

namespace splitproof::proxy::dialect {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

void GeminiFramer::feed(std::string_view bytes, std::vector<wire::Frame>& frames) {
  if (form_ == Form::unknown) choose_form(bytes, frames);
  if (form_ == Form::events) return feed_events(bytes, frames);
  if (form_ == Form::array) return array_.feed(bytes, frames);
  if (form_ == Form::object) return feed_object(bytes, frames);
}

// Takes what comes before the first byte of the form.
void GeminiFramer::choose_form(std::string_view& bytes, std::vector<wire::Frame>& frames) {
  while (!bytes.empty() && mark_ < kByteOrderMark.size() && bytes.front() == kByteOrderMark[mark_]) {
    bytes.remove_prefix(1);
    ++mark_;
  }
  if (bytes.empty()) return;
  const std::size_t mark = std::exchange(mark_, kByteOrderMark.size());
  if (mark > 0 && mark < kByteOrderMark.size()) {
    // No mark, but the beginning of a line.
    events_.feed(kByteOrderMark.substr(0, mark), frames);
    line_begins_ = false;
    form_ = Form::events;
    return;
  }
  bytes.remove_prefix(std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size()));
  if (bytes.empty()) return;
  form_ = bytes.front() == '[' ? Form::array : bytes.front() == '{' ? Form::object : Form::events;
}

void GeminiFramer::finish(std::vector<wire::Frame>& frames) {
  events_.finish(frames);
  if (form_ == Form::array) array_.finish(frames);
  if (form_ == Form::object) frames.push_back(wire::Frame{{}, std::move(object_), false});
  stop();
}

void GeminiFramer::stop() {
  *this = GeminiFramer(limit_);
  events_.stop();
  form_ = Form::over;
}

// Looks for an object between the events, line by line.
void GeminiFramer::feed_events(std::string_view bytes, std::vector<wire::Frame>& frames) {
  std::size_t read = 0;
  while (read < bytes.size()) {
    if (line_begins_ && !in_event_ && bytes[read] == '{') {
      if (!cut_events(bytes.substr(0, read), frames)) return;
      events_.finish(frames);
      form_ = Form::object;
      return feed_object(bytes.substr(read), frames);
    }
    const std::size_t end = bytes.find_first_of("\r\n", read);
    const bool is_blank = line_begins_ && end == read;
    const bool is_second = is_blank && after_cr_ && bytes[end] == '\n';
    if (!is_second) in_event_ = !is_blank;
    line_begins_ = end != std::string_view::npos;
    after_cr_ = line_begins_ && bytes[end] == '\r';
    read = line_begins_ ? end + 1 : bytes.size();
  }
  cut_events(bytes, frames);
}

// Returns false if an event is above the limit.
bool GeminiFramer::cut_events(std::string_view bytes, std::vector<wire::Frame>& frames) {
  const std::size_t before = frames.size();
  events_.feed(bytes, frames);
  if (frames.size() == before || !frames.back().oversized) return true;
  stop();
  return false;
}

void GeminiFramer::feed_object(std::string_view bytes, std::vector<wire::Frame>& frames) {
  if (bytes.size() > limit_ - object_.size()) {
    stop();
    frames.push_back(wire::Frame{{}, {}, true, true});
    return;
  }
  object_ += bytes;
}

}  // namespace splitproof::proxy::dialect
