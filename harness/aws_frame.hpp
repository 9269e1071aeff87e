#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof {

/// One header of a frame. Of its ten types, texts (7) and bytes (6) have their own length. The others have a fixed size:
///
///     true, false: 0   byte: 1   short: 2   int: 4   long, timestamp: 8   uuid: 16
struct AwsHeader {
  std::string name;
  std::uint8_t type = 0;
  std::string value;  ///< Raw bytes.

  bool operator==(const AwsHeader&) const = default;
};

inline constexpr std::uint8_t kAwsTrue = 0;
inline constexpr std::uint8_t kAwsFalse = 1;
inline constexpr std::uint8_t kAwsBytes = 6;
inline constexpr std::uint8_t kAwsText = 7;

/// Place of a header, as offsets from the frame's first byte.
///
///     |name length|name ...|type|value length, of types 6 and 7|value ...|
///     ^begin                    ^behind_type                   ^value    ^end
struct AwsHeaderPlace {
  std::size_t begin = 0;
  std::size_t behind_type = 0;
  std::size_t value = 0;
  std::size_t end = 0;

  bool operator==(const AwsHeaderPlace&) const = default;
};

/// A frame of application/vnd.amazon.eventstream. All numbers are big-endian.
///
///     0         4          8      12           payload_begin  size - 4      size
///     |size     |headers   |CRC of|headers ... |payload ...   |CRC of all   |
///     |of all   |size      |0 to 8|            |              |before it    |
struct AwsFrame {
  std::size_t size = 0;
  std::size_t payload_begin = 0;
  std::vector<AwsHeader> headers;
  std::vector<AwsHeaderPlace> places;  ///< Places of the headers.

  bool operator==(const AwsFrame&) const = default;
};

inline constexpr std::size_t kAwsPrelude = 12;
inline constexpr std::size_t kAwsPreludeCrc = 8;  ///< Start of the prelude's CRC.
inline constexpr std::size_t kAwsCrc = 4;
inline constexpr std::size_t kMaxAwsFrame = std::size_t{24} << 20;     ///< Bytes; AWS's own limit.
inline constexpr std::size_t kMaxAwsHeaders = std::size_t{128} << 10;  ///< Bytes; AWS's own limit.

/// Sizes in the first bytes of a frame.
struct AwsPrelude {
  std::size_t size = 0;     ///< Size of the frame; 0 if `bytes` has no whole prelude, or if there is a fault.
  std::size_t headers = 0;  ///< Size of its headers.
  std::string fault;        ///< Why no frame begins with these bytes; empty: one does, or may.
};
AwsPrelude read_aws_prelude(std::string_view bytes);

/// The frame that fills `bytes` exactly, or the reason why it is invalid.
struct ReadAwsFrame {
  AwsFrame frame;
  std::string fault;  ///< Empty: the frame is valid.
};
ReadAwsFrame read_aws_frame(std::string_view bytes);

/// Returns a frame with correct CRCs. Names of headers must have 1 to 255 bytes, and values must fit their
/// types.
std::string write_aws_frame(const std::vector<AwsHeader>& headers, std::string_view payload);

}  // namespace splitproof
