#include "proxy/server/unpacker.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>

namespace splitproof::server {
namespace {

constexpr int kGzipOrZlib = 15 + 32;             // zlib detects the format from the head
constexpr std::size_t kUnpackedPiece = 16384;    // bytes for each step
constexpr std::size_t kMayUnpack = 1024 * 1024;  // always allowed, for any packed size
constexpr std::size_t kMostUnpacking = 128;      // largest ratio; real streams stay far below
constexpr std::size_t kFewest = 4096;            // smallest packed size for the ratio

}  // namespace

void Unpacker::End::operator()(z_stream_s* stream) const {
  inflateEnd(stream);
  delete stream;
}

Unpacker::Unpacker() : stream_(new z_stream_s{}) {
  if (inflateInit2(stream_.get(), kGzipOrZlib) != Z_OK) throw std::bad_alloc();
}

bool Unpacker::take(std::string_view bytes, std::string& body) {
  z_stream& stream = *stream_;
  packed_ += bytes.size();
  // zlib does not write through this pointer despite its type.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::array<char, kUnpackedPiece> piece;
  do {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    const int result = inflate(&stream, Z_SYNC_FLUSH);
    const std::size_t made = piece.size() - stream.avail_out;
    body.append(piece.data(), made);
    unpacked_ += made;
    swollen_ = unpacked_ > kMayUnpack && unpacked_ / kMostUnpacking > std::max(packed_, kFewest);
    if (swollen_) return false;
    // RFC 1952, 2.2: another member may follow.
    if (result == Z_STREAM_END && stream.avail_in > 0 && inflateReset(&stream) == Z_OK) continue;
    if (result != Z_OK && result != Z_BUF_ERROR && result != Z_STREAM_END) return false;
  } while (stream.avail_in > 0 || stream.avail_out == 0);
  return true;
}

bool can_unpack(std::string_view coding) {
  return coding == "gzip" || coding == "x-gzip" || coding == "deflate";
}

}  // namespace splitproof::server
