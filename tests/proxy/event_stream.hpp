#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Frames of an AWS event stream, made independently of the tested code.
namespace splitproof::event_stream {

inline std::string big_endian(std::uint64_t number, int bytes) {
  std::string text;
  for (int i = bytes - 1; i >= 0; --i) text.push_back(static_cast<char>(number >> (8 * i)));
  return text;
}

/// Computes CRC-32 bit by bit.
inline std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t crc = ~0U;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1) != 0 ? crc >> 1 ^ 0xEDB88320U : crc >> 1;
  }
  return ~crc;
}

/// Returns a header with an encoded value.
inline std::string header(std::string_view name, int type, std::string_view value) {
  return big_endian(name.size(), 1) + std::string(name) + big_endian(static_cast<std::uint64_t>(type), 1) +
         std::string(value);
}

/// Returns a header with a text value.
inline std::string text_header(std::string_view name, std::string_view value) {
  return header(name, 7, big_endian(value.size(), 2) + std::string(value));
}

/// Returns a frame with these encoded headers and correct checksums.
inline std::string frame_of(std::string_view headers, std::string_view payload) {
  const std::string lengths =
      big_endian(16 + headers.size() + payload.size(), 4) + big_endian(headers.size(), 4);
  const std::string all =
      lengths + big_endian(crc32(lengths), 4) + std::string(headers) + std::string(payload);
  return all + big_endian(crc32(all), 4);
}

inline std::string event(std::string_view type, std::string_view payload) {
  return frame_of(text_header(":event-type", type) + text_header(":content-type", "application/json") +
                      text_header(":message-type", "event"),
                  payload);
}

inline std::string exception(std::string_view type, std::string_view payload) {
  return frame_of(text_header(":exception-type", type) + text_header(":message-type", "exception"), payload);
}

}  // namespace splitproof::event_stream
