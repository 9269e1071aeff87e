#include "harness/dialect/upstream.hpp"

#include "harness/observe/framing.hpp"

namespace splitproof::dialect {

observe::Answer read(const Upstream& upstream, std::string_view body, const observe::Choices& choices) {
  const auto reader = upstream.reader(choices);
  observe::FrameReader frames(upstream.format().framing);
  frames.feed(body);
  frames.finish();
  for (const observe::SseEvent& frame : frames.events()) reader->take(frame);
  reader->take_plain_body(body);
  return reader->finished();
}

}  // namespace splitproof::dialect
