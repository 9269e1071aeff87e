#include "proxy/wire/event_stream_frame.hpp"

#include <zlib.h>

#include <cstddef>
#include <cstdint>

#include "proxy/wire/network_order.hpp"

namespace splitproof::wire {
namespace {

constexpr char kTextHeader = 7;

std::uint64_t checksum_of(std::string_view bytes) {
  return crc32_z(0, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
}

}  // namespace

void append_event_frame(std::string& out, std::initializer_list<FrameHeader> headers,
                        std::string_view payload) {
  constexpr std::size_t kAround = 16;  // the prelude and the last checksum
  std::string written;
  for (const FrameHeader& header : headers) {
    append_number(written, header.name.size(), 1);
    written.append(header.name).append(1, kTextHeader);
    append_number(written, header.value.size(), 2);
    written += header.value;
  }
  const std::size_t begin = out.size();
  append_number(out, kAround + written.size() + payload.size(), 4);
  append_number(out, written.size(), 4);
  append_number(out, checksum_of(std::string_view(out).substr(begin)), 4);
  out.append(written).append(payload);
  append_number(out, checksum_of(std::string_view(out).substr(begin)), 4);
}

}  // namespace splitproof::wire
