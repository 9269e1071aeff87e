#include "harness/observe/request_tolerances.hpp"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "harness/lower_case.hpp"

namespace splitproof::observe {

using nlohmann::json;

bool is_label(const std::string& words, bool failed) {
  constexpr std::size_t kLongestLabel = 64;
  if (words.size() > kLongestLabel) return false;
  const std::string lower = lower_case(words);
  const auto says = [&lower](const char* word) { return lower.find(word) != lower.npos; };
  return failed || !(says("error") || says("fail") || says("denied") || says("exception"));
}

TextPieces without_billing(const TextPieces& system) {
  TextPieces rest;
  for (const std::string& piece : system) {
    const std::size_t begin = std::min(piece.find_first_not_of(" \t\r\n"), piece.size());
    const std::size_t end = std::min(piece.find('\n', begin), piece.size());
    const std::string line = piece.substr(begin, end - begin);
    const bool bills = line.starts_with("x-") && line.find("-billing-header:") != line.npos;
    if (!bills) rest.push_back(piece);
    if (bills && end < piece.size()) rest.push_back(piece.substr(end));
  }
  return rest;
}

std::set<std::size_t> forgotten(const Said& said, const Said& got) {
  std::set<std::size_t> messages;
  for (const SaidThought& thought : said.thoughts)
    if (thought.message < said.question) messages.insert(thought.message);
  for (const SaidThought& thought : said.thoughts) {
    const bool is_there = std::any_of(got.thoughts.begin(), got.thoughts.end(),
                                      [&](const SaidThought& one) { return one.seal == thought.seal; });
    if (is_there) messages.erase(thought.message);
  }
  return messages;
}

bool say_documents(AskedRequest& asked, const AskedRequest& got) {
  const auto each = [](auto& request, const auto& take) {
    for (auto& turn : request.turns) {
      if (turn.role == "assistant") continue;
      for (auto& block : turn.blocks)
        if (block.kind == AskedKind::other) take(block);
    }
  };
  std::size_t others = 0;
  std::size_t sent = 0;
  std::size_t documents = 0;
  each(asked, [&](const AskedBlock& block) {
    ++others;
    documents += block.document ? 1 : 0;
  });
  each(got, [&](const AskedBlock&) { ++sent; });
  if (documents == 0 || others - documents != sent) return false;
  each(asked, [](AskedBlock& block) {
    if (!block.document) return;
    block.kind = AskedKind::text;
    block.text = block.document;
  });
  return true;
}

bool is_a_maximum(const json& limit, const json& sent) {
  constexpr std::uint64_t kLeastMaximum = 4096;
  return limit.is_number_unsigned() && sent.is_number_unsigned() && sent < limit && sent >= kLeastMaximum;
}

}  // namespace splitproof::observe
