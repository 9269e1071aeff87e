#include <array>

#include "harness/aws_frame.hpp"
#include "harness/recording/base64.hpp"
#include "harness/recording/stream_lines.hpp"
#include "harness/recording/wrappers.hpp"
#include "harness/utf8.hpp"

namespace splitproof::recording {
namespace {

struct Compression {
  std::string_view magic;
  std::string_view name;
  std::string_view program;  // the command without the file name; writes standard output
};

constexpr std::string_view kZlib =
    "python3 -c 'import sys, zlib; sys.stdout.buffer.write(zlib.decompress(open(sys.argv[1], \"rb\").read()))'";
constexpr std::string_view kDeflate =
    "python3 -c 'import sys, zlib; sys.stdout.buffer.write(zlib.decompress(open(sys.argv[1], \"rb\").read(), -15))'";

constexpr std::array<Compression, 6> kCompressions = {{{"\x1f\x8b", "gzip", "gzip -dc"},
                                                       {"\xfd\x37zXZ", "xz", "xz -dc"},
                                                       {"\x28\xb5\x2f\xfd", "zstd", "zstd -dc"},
                                                       {"BZh", "bzip2", "bzip2 -dc"},
                                                       {"PK\x03\x04", "zip", "unzip -p"},
                                                       {"\x04\x22\x4d\x18", "lz4", "lz4 -dc"}}};

// zlib's head has two bytes, and text may begin with them.
bool is_zlib(std::string_view bytes) {
  if (bytes.size() < 2 || bytes[0] != 'x') return false;
  const unsigned head = 'x' << 8 | static_cast<unsigned char>(bytes[1]);
  return head % 31 == 0 && find_ill_formed_utf8(bytes) != std::string_view::npos;
}

// Returns nullptr if the first bytes are not those of a compressed file.
const Compression* compression_of(std::string_view bytes) {
  static constexpr Compression kZlibFormat = {"", "zlib (deflate)", kZlib};
  for (const Compression& one : kCompressions)
    if (bytes.starts_with(one.magic)) return &one;
  return is_zlib(bytes) ? &kZlibFormat : nullptr;
}

// Returns the command that unpacks a file and writes the stream to another file.
std::string unpack(std::string_view program, const std::string& file) {
  return "unpack it: " + std::string(program) + " " + file + " > stream.sse";
}

// Returns "LE" or "BE" if every other one of the first bytes is zero.
std::string_view utf16_order(std::string_view bytes) {
  if (bytes.starts_with("\xFF\xFE")) return "LE";
  if (bytes.starts_with("\xFE\xFF")) return "BE";
  constexpr std::size_t kLooked = 8;
  if (bytes.size() < kLooked) return {};
  std::array<bool, 2> zero = {true, true};
  std::array<bool, 2> text = {true, true};
  for (std::size_t i = 0; i < kLooked; ++i) (bytes[i] == '\0' ? text : zero)[i % 2] = false;
  return zero[1] && text[0] ? "LE" : zero[0] && text[1] ? "BE" : std::string_view();
}

// Reads base64 whose padding may be missing. `is_whole`: no sign of truncation.
struct Unpacked {
  std::string bytes;
  bool is_whole = false;
};
std::optional<Unpacked> unpack_base64(std::string packed) {
  const bool padded = packed.ends_with('=');
  if (const auto bytes = from_base64(packed + std::string((4 - packed.size() % 4) % 4, '=')))
    return Unpacked{*bytes, padded || bytes->ends_with('\n')};
  // Truncation loses at most the last bytes here.
  if (auto bytes = from_base64(packed.substr(0, packed.size() / 4 * 4)))
    return Unpacked{*std::move(bytes), false};
  return std::nullopt;
}

}  // namespace

std::optional<Error> refuse_packed(const std::string& file, std::string_view bytes) {
  if (const Compression* found = compression_of(bytes))
    return Error{"is compressed with " + std::string(found->name), file, 0, unpack(found->program, file)};
  if (bytes.starts_with("\x89PNG"))
    return Error{"is a picture", file, 0, "pass the stream that a server sent"};
  constexpr std::size_t kTarMagic = 257;
  if (bytes.size() > kTarMagic && bytes.substr(kTarMagic).starts_with("ustar"))
    return Error{"is a tar archive", file, 0, unpack("tar -xOf", file)};
  if (const std::string_view order = utf16_order(bytes); !order.empty()) {
    return Error{
        "is UTF-16", file, 0,
        "an event stream is UTF-8: iconv -f UTF-16" +
            (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF") ? "" : std::string(order)) +
            " -t UTF-8 " + file + " > stream.sse"};
  }
  return std::nullopt;
}

Found base64_text(const CapturedFile& file) {
  std::string packed;
  for (const std::string_view line : file.lines) packed += line;
  constexpr std::size_t kLeast = 16;
  if (packed.size() < kLeast) return std::nullopt;
  const auto found = unpack_base64(std::move(packed));
  if (!found) return std::nullopt;
  const std::string decode = "base64 -d " + file.name + " > stream.sse";
  if (!begins_stream(found->bytes)) {
    const Compression* compression = compression_of(found->bytes);
    if (compression == nullptr) return file.refuse("is base64 of data that is not an event stream", decode);
    return file.refuse("is base64 of data compressed with " + std::string(compression->name),
                       "base64 -d " + file.name + " > packed && " + std::string(compression->program) +
                           " packed > stream.sse");
  }
  if (!found->is_whole)
    return file.refuse("is base64 that breaks off inside a line of its stream: the capture may be cut",
                       "if it is whole: " + decode);
  return file.take_bytes(found->bytes, "base64");
}

Found binary(const CapturedFile& file) {
  // A frame begins with its size, whose first byte is zero.
  if (file.bytes.starts_with('\0')) {
    const bool is_frame = file.bytes.size() >= kAwsPrelude && read_aws_prelude(file.bytes).fault.empty();
    return file.refuse(is_frame ? "is an AWS event stream"
                                : "is not text, and does not begin with a whole frame of an AWS event stream",
                       "to see its frames: splitproof decode " + file.name + " --as PROTOCOL");
  }
  const bool any_data = std::any_of(file.lines.begin(), file.lines.end(), has_data);
  const bool is_text = file.bytes.find('\0') == std::string_view::npos &&
                       find_ill_formed_utf8(file.bytes) == std::string_view::npos;
  if (any_data || is_text) return std::nullopt;
  return file.refuse("is binary data, not an event stream",
                     "if it is compressed with deflate: " + std::string(kDeflate) + " " + file.name +
                         " > stream.sse; or capture it with curl --compressed -sN URL > FILE");
}

}  // namespace splitproof::recording
