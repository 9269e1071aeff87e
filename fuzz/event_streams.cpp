// Compares the two readers of AWS event streams: the proxy's, which names a frame by its purpose, and the harness's,
// which keeps all of it. They share no code except zlib's CRC. Each reads the input whole and in three pieces.
//
// The first four bytes choose the cuts. The fifth selects the input unchanged, or with correct checksums as far as the
// lengths connect the frames. A mutation would not hit a CRC by itself, and bytes after a wrong one are never read.

#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/input.hpp"
#include "harness/aws_frame.hpp"
#include "harness/observe/aws_frame_reader.hpp"
#include "harness/utf8.hpp"
#include "proxy/wire/event_stream_framer.hpp"

using namespace splitproof;

namespace {

constexpr std::uint8_t kPutRight = 4;  // bit of the fifth byte

void require(bool holds, const char* what) {
  if (holds) return;
  std::cerr << "the readers disagree: " << what << "\n";
  std::abort();
}

bool well_formed(std::string_view text) { return find_ill_formed_utf8(text) == std::string_view::npos; }

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (const char c : bytes.substr(at, 4)) number = number << 8 | static_cast<unsigned char>(c);
  return number;
}

void put_crc(std::string& body, std::size_t from, std::size_t at) {
  const auto* bytes = reinterpret_cast<const Bytef*>(body.data() + from);
  const auto crc = static_cast<std::uint32_t>(crc32_z(0, bytes, at - from));
  for (std::size_t i = 0; i < 4; ++i) body[at + i] = static_cast<char>(crc >> (24 - 8 * i) & 0xFF);
}

std::string with_crcs(std::string_view input) {
  std::string body(input);
  for (std::size_t at = 0; body.size() - at >= kAwsPrelude;) {
    put_crc(body, at, at + kAwsPreludeCrc);
    const std::size_t size = number_at(body, at);
    if (size < kAwsPrelude + kAwsCrc || size > body.size() - at) break;
    put_crc(body, at, at + size - kAwsCrc);
    at += size;
  }
  return body;
}

std::vector<wire::Frame> read_by_proxy(const std::vector<std::string_view>& pieces) {
  wire::EventStreamFramer framer(kMaxAwsFrame);
  std::vector<wire::Frame> frames;
  for (const std::string_view piece : pieces)
    fuzz::with_exact_copy(piece, [&](std::string_view exact) { framer.feed(exact, frames); });
  framer.finish(frames);
  return frames;
}

std::vector<observe::SseEvent> read_by_harness(const std::vector<std::string_view>& pieces) {
  observe::AwsFrameReader reader;
  for (const std::string_view piece : pieces)
    fuzz::with_exact_copy(piece, [&](std::string_view exact) { reader.feed(exact); });
  reader.finish();
  return reader.events();
}

// Returns the last header of that name if it is a text.
std::string_view said(const observe::SseEvent& frame, std::string_view name) {
  std::string_view text;
  for (const AwsHeader& header : frame.headers)
    if (header.name == name) text = header.type == kAwsText ? std::string_view(header.value) : "";
  return text;
}

bool refuses(const wire::Frame& frame) { return !frame.damage.empty() || frame.oversized; }

// True if both continue after the frame.
bool compare(const observe::SseEvent& kept, const wire::Frame& frame) {
  if (!kept.terminated) {
    require(!frame.terminated && frame.data.empty(), "a frame that lacks its end");
    return false;
  }
  if (!kept.broken.empty()) {
    require(refuses(frame), "a frame that is damaged");
    return false;
  }
  const std::string_view type = said(kept, ":message-type");
  if (type != "" && type != "event" && type != "exception" && type != "error") {
    require(refuses(frame), "a type of message that nobody knows");
    return false;
  }
  require(!refuses(frame) && frame.terminated && !frame.bare, "a frame that is sound");
  const bool failed = type == "exception" || type == "error";
  if (failed) {
    require(frame.event == "error", "an error's name");
    if (kept.data.empty()) return true;
  } else {
    require(frame.event == kept.event.value_or("") || !well_formed(frame.event), "the name of an event");
  }
  require(frame.data == kept.data || kept.ill_formed_data, "the payload");
  return true;
}

// A body with this beginning has no frames: as a length, its first byte would exceed any frame.
bool begins_as_json(std::string_view body) {
  return !body.empty() && std::string_view("{ \t\r\n").find(body.front()) != std::string_view::npos;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::CutInput input = fuzz::cut_input(data, size);
  if (input.body.empty()) return 0;
  const bool put_right = (static_cast<std::uint8_t>(input.body.front()) & kPutRight) != 0;
  input.body.remove_prefix(1);
  const std::string body = put_right ? with_crcs(input.body) : std::string(input.body);
  input.body = body;
  input.first = std::min(input.first, body.size());
  input.second = std::min(input.second, body.size());

  const std::vector<wire::Frame> frames = read_by_proxy({body});
  const std::vector<observe::SseEvent> kept = read_by_harness({body});
  require(frames == read_by_proxy(input.pieces()), "the proxy's with itself, over the cuts");
  require(kept == read_by_harness(input.pieces()), "the harness's with itself, over the cuts");

  if (begins_as_json(body)) {
    require(kept.size() == 1 && (!kept.front().terminated || !kept.front().broken.empty()),
            "the harness takes JSON for frames");
    require(
        frames.size() == 1 && (frames.front().bare || !frames.front().terminated || refuses(frames.front())),
        "the proxy takes JSON for frames");
    return 0;
  }
  std::size_t next = 0;
  for (const observe::SseEvent& event : kept) {
    require(next < frames.size(), "the proxy has fewer frames");
    if (!compare(event, frames[next++])) break;
  }
  require(next == frames.size(), "the proxy has more frames");
  return 0;
}
