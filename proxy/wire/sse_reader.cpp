#include "proxy/wire/sse_reader.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "proxy/wire/empty.hpp"

namespace splitproof::wire {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Finds line ends from left to right. It remembers the next LF and searches a CR only before it. So every byte is read
// twice at most.
class LineEnds {
 public:
  explicit LineEnds(std::string_view bytes) : bytes_(bytes) {}

  // Returns the first CR or LF at or after `from`, which never decreases; npos without one.
  std::size_t next(std::size_t from) {
    if (!searched_ || (lf_ != std::string_view::npos && lf_ < from)) lf_ = bytes_.find('\n', from);
    searched_ = true;
    const std::size_t end = std::min(lf_, bytes_.size());
    const void* cr = std::memchr(bytes_.data() + from, '\r', end - from);
    if (cr == nullptr) return lf_;
    return static_cast<std::size_t>(static_cast<const char*>(cr) - bytes_.data());
  }

 private:
  std::string_view bytes_;
  std::size_t lf_ = 0;
  bool searched_ = false;
};

}  // namespace

void SseReader::feed(std::string_view bytes, std::vector<Frame>& frames) {
  if (over_ || bytes.empty()) return;
  std::size_t at = 0;
  if (after_cr_ && bytes.front() == '\n') at = 1;
  after_cr_ = false;
  LineEnds line_ends(bytes);
  while (at < bytes.size()) {
    const std::size_t end = line_ends.next(at);
    if (end == std::string_view::npos) {
      line_.append(bytes.substr(at));
      too_large(line_.size(), frames);
      return;
    }
    std::string_view line = bytes.substr(at, end - at);
    if (!line_.empty()) line = line_.append(line);
    if (too_large(line.size(), frames)) return;
    take_line(line, frames);
    empty(line_);
    at = end + 1;
    if (bytes[end] == '\r') {
      if (at == bytes.size()) {
        after_cr_ = true;
      } else if (bytes[at] == '\n') {
        ++at;
      }
    }
  }
}

void SseReader::finish(std::vector<Frame>& frames) {
  if (over_) return;
  over_ = true;
  if (!line_.empty()) take_line(line_, frames);
  line_.clear();
  if (data_.empty()) return;
  data_.pop_back();
  frames.push_back(Frame{std::move(event_), std::move(data_), false, false});
}

void SseReader::take_line(std::string_view line, std::vector<Frame>& frames) {
  if (first_line_ && line.substr(0, kByteOrderMark.size()) == kByteOrderMark)
    line.remove_prefix(kByteOrderMark.size());
  first_line_ = false;
  if (!line.empty()) {
    take_field(line);
    return;
  }
  if (!data_.empty()) {
    data_.pop_back();  // the LF of the last data line
    frames.push_back(Frame{std::move(event_), std::move(data_), true, false});
  }
  empty(event_);
  empty(data_);
}

void SseReader::take_field(std::string_view line) {
  const std::size_t colon = line.find(':');
  const std::string_view field = line.substr(0, colon);
  std::string_view value = colon == std::string_view::npos ? std::string_view() : line.substr(colon + 1);
  if (!value.empty() && value.front() == ' ') value.remove_prefix(1);
  if (field == "data") {
    if (data_.empty()) data_.reserve(value.size() + 1);  // one allocation for an event of one line
    data_.append(value).push_back('\n');
  } else if (field == "event") {
    event_ = value;
  }
}

void SseReader::stop() {
  *this = SseReader(limit_);
  over_ = true;
}

bool SseReader::too_large(std::size_t line, std::vector<Frame>& frames) {
  if (line + data_.size() + event_.size() <= limit_) return false;
  stop();
  frames.push_back(Frame{{}, {}, true, true});
  return true;
}

}  // namespace splitproof::wire
