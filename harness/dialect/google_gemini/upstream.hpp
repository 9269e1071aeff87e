#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/google_gemini/rechunker.hpp"
#include "harness/dialect/upstream.hpp"

namespace splitproof::dialect {

/// The answers of Gemini's generateContent: server-sent events, or one JSON array that arrives element by element.
class GeminiUpstream final : public UpstreamDialect {
 public:
  BodyFormat format() const override { return {Framing::sse_or_array, {}}; }
  std::unique_ptr<AnswerReader> reader(const observe::Choices& choices) const override;
  std::vector<std::string_view> shapes() const override;
  std::vector<std::string> tiny_answer() const override;
  std::string whole_answer(const observe::Answer& answer) const override;
  std::string other_form(std::string_view target, std::string_view body) const override;
  std::string stream_of_many(Many what, std::size_t count, std::size_t first) const override;
  const split::Rechunker* dealer() const override { return &gemini_dealer(); }
  std::optional<CanaryStream> canary(std::string_view body, std::size_t number) const override {
    return gemini_canary(body, number);
  }
};

/// Returns the body with which its servers answer an error status.
std::string refusal_of_gemini(int status);

}  // namespace splitproof::dialect
