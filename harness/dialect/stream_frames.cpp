#include "harness/dialect/stream_frames.hpp"

#include <nlohmann/json.hpp>

#include "harness/aws_document.hpp"
#include "harness/observe/framing.hpp"
#include "harness/observe/sse_reader.hpp"

namespace splitproof::dialect {

std::vector<Frame> frames_of(std::string_view body) {
  observe::FrameReader reader(framing_of_answer(body));
  reader.feed(body);
  reader.finish();
  std::vector<Frame> frames;
  std::size_t from = 0;
  for (const observe::SseEvent& event : reader.events()) {
    Frame frame;
    frame.bytes = std::string(body.substr(from, event.end - from));
    if (event.headers.empty()) {
      frame.event = event.event;
      frame.data = event.data;
    } else {
      frame.data = aws_document(event.headers, event.data);
    }
    auto json = nlohmann::ordered_json::parse(frame.data, nullptr, false);
    if (!json.is_discarded()) frame.json = std::make_shared<const nlohmann::ordered_json>(std::move(json));
    from = event.end;
    frames.push_back(std::move(frame));
  }
  if (!frames.empty()) frames.back().bytes += body.substr(from);
  return frames;
}

std::string joined(const std::vector<Frame>& frames) {
  std::string body;
  for (const Frame& frame : frames) body += frame.bytes;
  return body;
}

std::string frame_bytes(const std::optional<std::string>& event, std::string_view data) {
  if (auto frame = frame_of_aws_document(data)) return *std::move(frame);
  std::string bytes;
  if (event) bytes += "event: " + *event + "\n";
  bytes += "data: ";
  for (const char c : data) {
    bytes += c;
    if (c == '\n') bytes += "data: ";
  }
  return bytes + "\n\n";
}

}  // namespace splitproof::dialect
