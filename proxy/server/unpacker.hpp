#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

struct z_stream_s;

namespace splitproof::server {

/// Unpacks a body that came compressed with gzip or zlib though nobody asked for that.
class Unpacker {
 public:
  /// Throws std::bad_alloc.
  Unpacker();

  /// Appends what `bytes` unpack to. False: they are not packed so, or unpack to far more than they came as: a bomb.
  bool take(std::string_view bytes, std::string& body);

  /// It was a bomb.
  bool swollen() const { return swollen_; }

 private:
  struct End {
    void operator()(z_stream_s* stream) const;
  };

  std::unique_ptr<z_stream_s, End> stream_;
  std::size_t packed_ = 0;    // bytes that came
  std::size_t unpacked_ = 0;  // bytes that they made
  bool swollen_ = false;
};

/// Whether a `content-encoding`, in lower case, is one that an Unpacker reads.
bool can_unpack(std::string_view coding);

}  // namespace splitproof::server
