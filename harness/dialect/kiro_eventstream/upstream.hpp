#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/kiro_eventstream/rechunker.hpp"
#include "harness/dialect/upstream.hpp"

namespace splitproof::dialect {

/// Kiro's `generateAssistantResponse`: an AWS event stream that a `metadataEvent` with a `stopReason` ends.
class KiroUpstream final : public UpstreamDialect {
 public:
  BodyFormat format() const override { return {Framing::aws_frames, {}}; }
  std::unique_ptr<AnswerReader> reader(const observe::Choices& choices) const override;
  std::vector<std::string_view> shapes() const override;
  std::string_view content_type() const override { return "application/vnd.amazon.eventstream"; }
  std::vector<std::string> tiny_answer() const override;
  const split::Rechunker* dealer() const override { return &kiro_dealer(); }
  std::optional<CanaryStream> canary(std::string_view body, std::size_t number) const override {
    return kiro_canary(body, number);
  }
};

/// Returns the body with which its servers answer an error status.
std::string refusal_of_kiro(int status);

}  // namespace splitproof::dialect
