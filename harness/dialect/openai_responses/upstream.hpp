#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/openai_responses/rechunker.hpp"
#include "harness/dialect/upstream.hpp"

namespace splitproof::dialect {

/// Responses as providers speak it.
class ResponsesUpstream final : public UpstreamDialect {
 public:
  BodyFormat format() const override { return {Framing::sse, {}}; }
  std::unique_ptr<AnswerReader> reader(const observe::Choices& choices) const override;
  std::vector<std::string_view> shapes() const override;
  std::vector<std::string> tiny_answer() const override;
  std::string stream_of_many(Many what, std::size_t count, std::size_t first) const override;
  std::string whole_answer(const observe::Answer& answer) const override;
  const split::Rechunker* dealer() const override { return &responses_dealer(); }
  std::optional<CanaryStream> canary(std::string_view body, std::size_t number) const override {
    return responses_canary(body, number);
  }
};

}  // namespace splitproof::dialect
