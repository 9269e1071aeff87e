#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/ollama_chat/rechunker.hpp"
#include "harness/dialect/upstream.hpp"

namespace splitproof::dialect {

/// Ollama's chat stream: lines of JSON, the last of which has `"done":true`.
class OllamaUpstream final : public UpstreamDialect {
 public:
  BodyFormat format() const override { return {Framing::json_lines, {}}; }
  std::unique_ptr<AnswerReader> reader(const observe::Choices& choices) const override;
  std::vector<std::string_view> shapes() const override;
  std::string_view content_type() const override { return "application/x-ndjson"; }
  std::vector<std::string> tiny_answer() const override;
  const split::Rechunker* dealer() const override { return &ollama_dealer(); }
  std::optional<CanaryStream> canary(std::string_view body, std::size_t number) const override {
    return ollama_canary(body, number);
  }
};

/// Returns the body with which its servers answer an error status.
std::string refusal_of_ollama(int status);

}  // namespace splitproof::dialect
