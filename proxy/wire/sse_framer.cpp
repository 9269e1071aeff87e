#include "proxy/wire/sse_framer.hpp"

namespace splitproof::wire {

void SseFramer::feed(std::string_view bytes, std::vector<Frame>& frames) {
  const std::size_t before = frames.size();
  events_.feed(bytes, frames);
  bare_.feed(bytes);
  if (frames.size() > before) bare_.stop();
}

void SseFramer::finish(std::vector<Frame>& frames) {
  const std::size_t before = frames.size();
  events_.finish(frames);
  if (frames.size() == before && !bare_.text().empty())
    frames.push_back({{}, bare_.text(), true, false, true});
}

void SseFramer::stop() {
  events_.stop();
  bare_.stop();
}

}  // namespace splitproof::wire
