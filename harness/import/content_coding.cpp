#include "harness/import/content_coding.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>

#include "harness/lower_case.hpp"
#include "harness/read_file.hpp"

namespace splitproof::imports {
namespace {

bool is_packed(std::string_view body) {
  if (body.starts_with("\x1f\x8b")) return true;
  // The head of zlib. A text that begins so, such as "x^", has control characters nowhere near.
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(body[at]); };
  return body.size() > 2 && body[0] == 'x' && (byte(0) << 8 | byte(1)) % 31 == 0 &&
         std::any_of(body.begin(), body.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

}  // namespace

std::optional<std::string> decoded_content(std::string_view body) {
  if (!is_packed(body)) return std::string(body);
  constexpr int kGzipOrZlib = 15 + 32;
  z_stream stream{};
  if (inflateInit2(&stream, kGzipOrZlib) != Z_OK) return std::nullopt;
  std::string packed(body);  // zlib takes a pointer to data that may change
  stream.next_in = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string made;
  std::array<char, 1 << 14> piece{};
  int result = Z_OK;
  while (result == Z_OK && made.size() <= kLargestInput) {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = piece.size();
    result = inflate(&stream, Z_NO_FLUSH);
    made.append(piece.data(), piece.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  if (result != Z_STREAM_END) return std::nullopt;
  return made;
}

std::string unknown_coding(std::string_view coding) {
  const std::string name = lower_case(std::string(coding));
  constexpr std::array<std::string_view, 5> kKnown = {"", "identity", "gzip", "x-gzip", "deflate"};
  return std::find(kKnown.begin(), kKnown.end(), name) == kKnown.end() ? name : std::string();
}

}  // namespace splitproof::imports
