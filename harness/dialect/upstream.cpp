#include "harness/dialect/upstream.hpp"

#include "harness/observe/framing.hpp"

namespace splitproof::dialect {

observe::Answer read(const UpstreamDialect& upstream, std::string_view body,
                     const observe::Choices& choices) {
  const auto reader = upstream.reader(choices);
  observe::for_each_frame(body, upstream.format().framing, [&](const observe::SseEvent& frame) {
    reader->take(frame);
    return true;
  });
  reader->take_plain_body(body);
  return reader->finished();
}

observe::Answer read(AnswerReader& reader, observe::EventStream& stream) {
  observe::for_each_event(stream, [&](const observe::Event& event) {
    if (!event.terminated) return true;
    observe::SseEvent sse;
    sse.event = event.event;
    sse.data = event.data;
    sse.begin = event.begin;
    sse.end = event.end;
    if (event.fault == observe::StreamFault::invalid_utf8) {
      sse.ill_formed_at = event.fault_at;
      sse.ill_formed_data = true;
    }
    reader.take(sse);
    return true;
  });
  return reader.finished();
}

}  // namespace splitproof::dialect
