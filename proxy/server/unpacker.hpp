#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

struct z_stream_s;

namespace splitproof::server {

/// Unpacks a body that the upstream compressed with gzip or zlib without a request for it.
class Unpacker {
 public:
  /// Throws std::bad_alloc.
  Unpacker();

  /// Appends the unpacked `bytes`. Returns false if they are not in this format, or if they unpack to far more than
  /// their size (a bomb).
  bool take(std::string_view bytes, std::string& body);

  /// True for a bomb.
  bool swollen() const { return swollen_; }

 private:
  struct End {
    void operator()(z_stream_s* stream) const;
  };

  std::unique_ptr<z_stream_s, End> stream_;
  std::size_t packed_ = 0;    // received bytes
  std::size_t unpacked_ = 0;  // unpacked bytes
  bool swollen_ = false;
};

/// True if an Unpacker reads this `content-encoding`, in lower case.
bool can_unpack(std::string_view coding);

}  // namespace splitproof::server
