#include "harness/evidence/evidence_name.hpp"

#include <algorithm>

#include "harness/evidence/evidence_file.hpp"

namespace splitproof::evidence {
namespace {

std::string in_hex(char c) {
  constexpr char kDigits[] = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  return {'%', kDigits[byte >> 4U], kDigits[byte & 0xfU]};
}

// Avoids hidden names, `.` and `..`.
std::string file_name(std::string_view name) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyz0123456789-_.";
  std::string text;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z') {
      text += {'+', static_cast<char>(c - 'A' + 'a')};
    } else if (kPlain.find(c) != kPlain.npos && !(text.empty() && c == '.')) {
      text += c;
    } else {
      text += in_hex(c);
    }
  }
  return text.empty() ? "%" : text;
}

// Avoids the suffixes of evidence files and manifests.
std::string folder_name(std::string_view name) {
  std::string text = file_name(name);
  for (const std::string_view end : {".json", ".jsonl"})
    if (text.ends_with(end)) text.replace(text.size() - end.size(), 1, in_hex('.'));
  return text;
}

}  // namespace

std::string evidence_name(std::string_view target, std::string_view recording, bool statuses) {
  std::string path = folder_name(target) + "/";
  for (std::size_t slash = recording.find('/'); slash != recording.npos; slash = recording.find('/')) {
    path += folder_name(recording.substr(0, slash)) + "/";
    recording.remove_prefix(slash + 1);
  }
  return path + file_name(recording) + (statuses ? "@statuses" : "") + std::string(kSuffix);
}

}  // namespace splitproof::evidence
