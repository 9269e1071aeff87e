#include "harness/testee/websocket_handshake.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

#include "harness/lower_case.hpp"
#include "harness/recording/base64.hpp"

namespace splitproof::testee {
namespace {

constexpr std::string_view kFixedText = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
constexpr std::size_t kKeySize = 16;
constexpr std::size_t kBlock = 64;  // bytes of a block of SHA-1

using Digest160 = std::array<std::uint32_t, 5>;

std::uint32_t rotated(std::uint32_t value, int bits) { return value << bits | value >> (32 - bits); }

// One block of SHA-1 (FIPS 180-4, 6.1.2).
void add_block(Digest160& digest, std::string_view block) {
  std::array<std::uint32_t, 80> words{};
  for (std::size_t i = 0; i < kBlock; ++i)
    words[i / 4] = words[i / 4] << 8 | static_cast<std::uint8_t>(block[i]);
  for (std::size_t i = 16; i < words.size(); ++i)
    words[i] = rotated(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
  auto [a, b, c, d, e] = digest;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::uint32_t f = b ^ c ^ d;
    std::uint32_t k = i < 40 ? 0x6ED9EBA1 : 0xCA62C1D6;
    if (i < 20) {
      f = (b & c) | (~b & d);
      k = 0x5A827999;
    } else if (i >= 40 && i < 60) {
      f = (b & c) | (b & d) | (c & d);
      k = 0x8F1BBCDC;
    }
    const std::uint32_t next = rotated(a, 5) + f + e + k + words[i];
    e = d;
    d = c;
    c = rotated(b, 30);
    b = a;
    a = next;
  }
  digest = {digest[0] + a, digest[1] + b, digest[2] + c, digest[3] + d, digest[4] + e};
}

std::string sha1(std::string text) {
  const std::uint64_t bits = std::uint64_t{text.size()} * 8;
  text += static_cast<char>(0x80);
  while (text.size() % kBlock != kBlock - 8) text += '\0';
  for (int shift = 56; shift >= 0; shift -= 8) text += static_cast<char>(bits >> shift & 0xFF);
  Digest160 digest{0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
  for (std::size_t at = 0; at < text.size(); at += kBlock)
    add_block(digest, std::string_view(text).substr(at, kBlock));
  std::string bytes;
  for (const std::uint32_t word : digest)
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(word >> shift & 0xFF);
  return bytes;
}

std::string right_or_wrong(bool right) { return right ? "right" : "wrong"; }

}  // namespace

std::string accept_key(std::string_view key) {
  return recording::to_base64(sha1(std::string(key).append(kFixedText)));
}

bool asks_for_websocket(const UpstreamRequest& request) {
  return request.broken.empty() && request.method == "GET" &&
         has_token(request.headers, "upgrade", "websocket");
}

std::string accepting_head(const UpstreamRequest& request) {
  const std::string* key = find_header(request.headers, "sec-websocket-key");
  return "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: " +
         accept_key(key != nullptr ? *key : "") + "\r\n\r\n";
}

SocketEvent handshake_of_request(const UpstreamRequest& request) {
  SocketEvent event{"handshake", {{"side", "upstream"}, {"method", request.method}}};
  const std::string* key = find_header(request.headers, "sec-websocket-key");
  const auto bytes = key != nullptr ? recording::from_base64(*key) : std::nullopt;
  event.members["key"] = key == nullptr ? "absent" : right_or_wrong(bytes && bytes->size() == kKeySize);
  const std::string* version = find_header(request.headers, "sec-websocket-version");
  event.members["version"] = version != nullptr ? *version : "absent";
  event.members["connection"] = right_or_wrong(has_token(request.headers, "connection", "upgrade"));
  return event;
}

SocketEvent handshake_of_response(int status, const Headers& headers, std::string_view key) {
  SocketEvent event{"handshake", {{"side", "client"}, {"status", std::to_string(status)}}};
  const std::string* accept = find_header(headers, "sec-websocket-accept");
  event.members["accept"] = accept == nullptr ? "absent" : right_or_wrong(*accept == accept_key(key));
  const std::string* upgrade = find_header(headers, "upgrade");
  event.members["upgrade"] = right_or_wrong(upgrade != nullptr && lower_case(*upgrade) == "websocket");
  event.members["connection"] = right_or_wrong(has_token(headers, "connection", "upgrade"));
  if (const std::string* extensions = find_header(headers, "sec-websocket-extensions"))
    event.members["extensions"] = *extensions;
  if (const std::string* subprotocol = find_header(headers, "sec-websocket-protocol"))
    event.members["subprotocol"] = *subprotocol;
  return event;
}

}  // namespace splitproof::testee
