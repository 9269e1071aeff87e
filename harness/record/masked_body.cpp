#include "harness/record/masked_body.hpp"

#include <string_view>
#include <utility>
#include <vector>

#include "harness/aws_frame.hpp"
#include "harness/recording/base64.hpp"

namespace splitproof::record {
namespace {

// No stream has a longer line. Its bytes are returned up to a character that ends a secret.
constexpr std::size_t kLongestLine = std::size_t{8} << 20;
constexpr std::size_t kLongestKey = std::size_t{64} << 10;

// Returns the place of a private key that begins in whole lines and does not end there, or npos.
std::size_t open_private_key(std::string_view lines) {
  const std::size_t begin = lines.rfind("-----BEGIN ");
  if (begin == lines.npos || lines.size() - begin > kLongestKey) return lines.npos;
  const std::string_view key = lines.substr(begin);
  const std::size_t title_end = key.find("PRIVATE KEY");
  if (title_end == key.npos || title_end > key.find('\n')) return lines.npos;
  // A key in a JSON string is on one line.
  const std::size_t line_end = key.find('\n');
  const bool ends = key.find("-----END ") != key.npos || key.substr(0, line_end).find("\\n") != key.npos;
  return ends ? lines.npos : begin;
}

}  // namespace

std::size_t MaskedBody::complete_lines(std::size_t before) const {
  const std::size_t end = held_.find_last_of("\r\n");
  if (end == held_.npos || end < before) {
    if (held_.size() <= kLongestLine) return 0;
    const std::size_t blank = held_.find_last_of(" \",");
    return blank == held_.npos ? held_.size() : blank + 1;
  }
  const std::size_t key = open_private_key(std::string_view(held_).substr(0, end + 1));
  return key == std::string::npos ? end + 1 : key;
}

void MaskedBody::mask_lines(std::string& lines) {
  secrets_.mask_text(lines);
  if (anonymiser_) anonymiser_->take_lines(lines);
}

// Some payloads have their JSON in base64.
void MaskedBody::mask_payload(std::string& payload) {
  constexpr std::string_view kPacked = R"({"bytes":")";
  secrets_.mask_text(payload);
  if (!anonymiser_) return;
  const std::vector<Base64Run> runs =
      payload.starts_with(kPacked) ? base64_runs(payload) : std::vector<Base64Run>();
  if (runs.empty()) return anonymiser_->take_document(payload);
  std::string document = runs.front().decoded;
  anonymiser_->take_document(document);
  const std::string packed = recording::to_base64(document);
  payload.replace(kPacked.size(), packed.size(), packed);
}

// Masks the payload of each complete frame, and corrects its CRC.
std::string MaskedBody::take_frames() {
  std::string masked;
  while (true) {
    const AwsPrelude prelude = read_aws_prelude(held_);
    // take_frames() holds other bytes than frames to the end.
    if (!prelude.fault.empty() || prelude.size == 0 || held_.size() < prelude.size) return masked;
    std::string raw = held_.substr(0, prelude.size);
    held_.erase(0, prelude.size);
    const ReadAwsFrame read = read_aws_frame(raw);
    if (!read.fault.empty()) {
      secrets_.mask_text(raw);
      masked += raw;
      continue;
    }
    const std::size_t begin = read.frame.payload_begin;
    const std::string before = raw.substr(begin, raw.size() - kAwsCrc - begin);
    std::string payload = before;
    mask_payload(payload);
    masked += payload == before ? raw : write_aws_frame(read.frame.headers, payload);
  }
}

std::string MaskedBody::take(std::string_view bytes) {
  const std::size_t before = held_.size();
  held_ += bytes;
  if (framing_ == Framing::aws_frames) return take_frames();
  if (bytes.find_first_of("\r\n") == bytes.npos && held_.size() <= kLongestLine) return {};
  const std::size_t size = complete_lines(before);
  std::string lines = held_.substr(0, size);
  held_.erase(0, size);
  mask_lines(lines);
  return lines;
}

std::string MaskedBody::finish() {
  std::string rest = std::exchange(held_, {});
  mask_lines(rest);
  return rest;
}

}  // namespace splitproof::record
