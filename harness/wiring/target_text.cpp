#include "harness/wiring/target_text.hpp"

#include <fmt/format.h>

#include <chrono>
#include <string_view>

namespace splitproof::wiring {
namespace {

// A scalar in double quotes, unless it reads as itself without them.
std::string scalar(std::string_view text) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/-";
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ/";
  const bool plain = !text.empty() && text.find_first_not_of(kPlain) == text.npos &&
                     kLetters.find(text.front()) != kLetters.npos;
  if (plain) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (static_cast<unsigned char>(c) < ' ') {
      quoted += fmt::format("\\x{:02x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

std::string duration(std::chrono::milliseconds time) {
  return time.count() % 1000 == 0 ? fmt::format("{}s", time.count() / 1000)
                                  : fmt::format("{}ms", time.count());
}

}  // namespace

std::string target_text(const testee::TargetFile& target) {
  const testee::TargetFile usual;
  std::string text = "target: " + scalar(target.name) + "\nkind: http\nclient: " + scalar(target.client) +
                     "\nupstream: " + scalar(target.upstream) + "\n";
  if (!target.command.empty()) {
    std::string words;
    for (const std::string& word : target.command) words += (words.empty() ? "" : ", ") + scalar(word);
    text += "command: [" + words + "]\n";
  }
  if (!target.env.empty()) text += "env:\n";
  for (const auto& [name, value] : target.env) text += "  " + scalar(name) + ": " + scalar(value) + "\n";
  if (!target.listen.empty()) text += "listen: " + scalar(target.listen) + "\n";
  if (!target.upstream_listen.empty()) text += "upstream_listen: " + scalar(target.upstream_listen) + "\n";
  text += "request:\n  path: " + scalar(target.request_path) + "\n  model: " + scalar(target.model) + "\n";
  if (!target.headers.empty()) text += "  headers:\n";
  for (const testee::Header& header : target.headers)
    text += "    " + scalar(header.name) + ": " + scalar(header.value) + "\n";
  if (target.ready_within != usual.ready_within)
    text += "ready: {within: " + duration(target.ready_within) + "}\n";
  if (target.timeout != usual.timeout) text += "timeout: " + duration(target.timeout) + "\n";
  if (target.max_concurrency != usual.max_concurrency)
    text += fmt::format("max_concurrency: {}\n", target.max_concurrency);
  if (target.instances != usual.instances) text += fmt::format("instances: {}\n", target.instances);
  return text;
}

}  // namespace splitproof::wiring
