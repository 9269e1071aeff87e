#include "harness/dialect/upstream.hpp"

#include "harness/observe/framing.hpp"

namespace splitproof::dialect {

observe::Answer read(const Upstream& upstream, std::string_view body, const observe::Choices& choices) {
  const auto reader = upstream.reader(choices);
  observe::for_each_frame(body, upstream.format().framing, [&](const observe::SseEvent& frame) {
    reader->take(frame);
    return true;
  });
  reader->take_plain_body(body);
  return reader->finished();
}

}  // namespace splitproof::dialect
