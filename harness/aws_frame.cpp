#include "harness/aws_frame.hpp"

#include <zlib.h>

#include <array>
#include <optional>

namespace splitproof {
namespace {

constexpr std::size_t kLength = 2;  // bytes of a text's length

std::uint32_t crc_of(std::string_view bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::uint32_t number_at(std::string_view bytes, std::size_t at, std::size_t length) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < length; ++i) number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
  return number;
}

void append_number(std::string& to, std::size_t number, std::size_t length) {
  while (length-- > 0) to += static_cast<char>(number >> (8 * length) & 0xFF);
}

/// Returns the size of a type's values, or nullopt if the value has its own length or the type is unknown.
std::optional<std::size_t> size_of_type(std::uint8_t type) {
  constexpr std::array<std::size_t, 10> kSizes = {0, 0, 1, 2, 4, 8, 0, 0, 8, 16};
  if (type >= kSizes.size() || type == kAwsBytes || type == kAwsText) return std::nullopt;
  return kSizes[type];
}

bool says_its_size(std::uint8_t type) { return type == kAwsBytes || type == kAwsText; }

std::string read_headers(std::string_view bytes, std::size_t end, AwsFrame& frame) {
  for (std::size_t at = kAwsPrelude; at < end;) {
    const auto torn = [&](const std::string& what) {
      return "header " + std::to_string(frame.headers.size()) + " of the frame " + what;
    };
    AwsHeaderPlace place{at, 0, 0, 0};
    const std::size_t name_size = static_cast<unsigned char>(bytes[at]);
    if (name_size == 0) return torn("has no name");
    place.behind_type = at + 1 + name_size + 1;
    if (place.behind_type > end) return torn("goes beyond the headers");
    AwsHeader header;
    header.name = bytes.substr(at + 1, name_size);
    header.type = static_cast<std::uint8_t>(bytes[place.behind_type - 1]);
    place.value = place.behind_type;
    std::size_t size = 0;
    if (says_its_size(header.type)) {
      place.value += kLength;
      if (place.value > end) return torn("goes beyond the headers");
      size = number_at(bytes, place.behind_type, kLength);
    } else if (const auto of_type = size_of_type(header.type)) {
      size = *of_type;
    } else {
      return torn("has the type " + std::to_string(header.type) + ", which there is not");
    }
    place.end = place.value + size;
    if (place.end > end) return torn("goes beyond the headers");
    header.value = bytes.substr(place.value, size);
    at = place.end;
    frame.headers.push_back(std::move(header));
    frame.places.push_back(place);
  }
  return {};
}

}  // namespace

AwsPrelude read_aws_prelude(std::string_view bytes) {
  AwsPrelude prelude;
  if (bytes.size() < kAwsPrelude) return prelude;
  if (crc_of(bytes.substr(0, kAwsPreludeCrc)) != number_at(bytes, kAwsPreludeCrc, kAwsCrc)) {
    prelude.fault = "the CRC of the frame's prelude is wrong";
    return prelude;
  }
  const std::size_t size = number_at(bytes, 0, 4);
  prelude.headers = number_at(bytes, 4, 4);
  if (size < kAwsPrelude + kAwsCrc || size > kMaxAwsFrame) {
    prelude.fault = "a frame of " + std::to_string(size) + " bytes cannot be";
  } else if (prelude.headers > kMaxAwsHeaders || prelude.headers > size - kAwsPrelude - kAwsCrc) {
    prelude.fault = std::to_string(prelude.headers) + " bytes of headers in a frame of " +
                    std::to_string(size) + " cannot be";
  } else {
    prelude.size = size;
  }
  return prelude;
}

ReadAwsFrame read_aws_frame(std::string_view bytes) {
  ReadAwsFrame read;
  const AwsPrelude prelude = read_aws_prelude(bytes);
  if (!prelude.fault.empty()) {
    read.fault = prelude.fault;
  } else if (prelude.size == 0 || prelude.size != bytes.size()) {
    read.fault = "the frame is not whole";
  } else if (const std::size_t crc = bytes.size() - kAwsCrc;
             crc_of(bytes.substr(0, crc)) != number_at(bytes, crc, kAwsCrc)) {
    read.fault = "the frame's CRC is wrong";
  } else {
    read.frame.size = bytes.size();
    read.frame.payload_begin = kAwsPrelude + prelude.headers;
    read.fault = read_headers(bytes, read.frame.payload_begin, read.frame);
  }
  return read;
}

std::string write_aws_frame(const std::vector<AwsHeader>& headers, std::string_view payload) {
  std::string written;
  for (const AwsHeader& header : headers) {
    append_number(written, header.name.size(), 1);
    written += header.name;
    append_number(written, header.type, 1);
    if (says_its_size(header.type)) append_number(written, header.value.size(), kLength);
    written += header.value;
  }
  std::string frame;
  append_number(frame, kAwsPrelude + written.size() + payload.size() + kAwsCrc, 4);
  append_number(frame, written.size(), 4);
  append_number(frame, crc_of(frame), kAwsCrc);
  frame += written;
  frame += payload;
  append_number(frame, crc_of(frame), kAwsCrc);
  return frame;
}

}  // namespace splitproof
