#include "proxy/dialect/ollama_chat/framer.hpp"

#include <utility>

#include "proxy/wire/empty.hpp"

namespace splitproof::proxy::dialect {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

void OllamaFramer::feed(std::string_view bytes, std::vector<wire::Frame>& frames) {
  while (!over_ && !bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    line_ += bytes.substr(0, end);
    if (line_.size() > limit_) {
      stop();
      frames.push_back(wire::Frame{{}, {}, true, true});
      return;
    }
    if (end == std::string_view::npos) return;
    take_line(true, frames);
    bytes.remove_prefix(end + 1);
  }
}

void OllamaFramer::finish(std::vector<wire::Frame>& frames) {
  if (over_) return;
  take_line(false, frames);
  over_ = true;
}

void OllamaFramer::stop() {
  *this = OllamaFramer(limit_);
  over_ = true;
}

void OllamaFramer::take_line(bool terminated, std::vector<wire::Frame>& frames) {
  if (std::exchange(first_line_, false) && line_.starts_with(kByteOrderMark))
    line_.erase(0, kByteOrderMark.size());
  if (line_.find_first_not_of(" \t\r") != std::string::npos)
    frames.push_back(wire::Frame{{}, std::move(line_), terminated});
  wire::empty(line_);
}

}  // namespace splitproof::proxy::dialect
