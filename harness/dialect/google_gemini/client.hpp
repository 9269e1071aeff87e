#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "harness/dialect/client.hpp"
#include "harness/dialect/registry.hpp"

namespace splitproof::dialect {

/// A client of Gemini's generateContent. Its requests have the model and the choice of a stream in the path.
class GeminiClient final : public Client {
 public:
  using Client::assemble;
  using Client::side;
  observe::Answer assemble(observe::EventStream& stream) const override;
  observe::NormalisedAnswer side(observe::EventStream& stream) const override;
  std::map<std::string, std::string> notes(observe::EventStream& stream) const override;
  observe::ClientCapabilities carries(const nlohmann::json* request) const override;
  std::unique_ptr<ProgressMeter> meter(const observe::Choices& choices) const override;
  std::string added_text(const nlohmann::json& event) const override;
  const ChosenFields& chosen() const override { return chosen_; }
  std::string lone_error(int status) const override;
  nlohmann::json request(const Wants& wants) const override;
  std::string as_stream(const nlohmann::json& whole) const override;
  nlohmann::json next_request(const nlohmann::json& request, observe::EventStream& answer,
                              bool reversed) const override;
  std::string_view stop_member() const override { return "generationConfig.stopSequences"; }
  MessageForm message_form() const override { return {"contents", "parts", "", "model"}; }

  /// `path` is the path of the models, such as `/v1beta/models`.
  ClientCall call(const std::string& path, const nlohmann::json& request) const override;

 private:
  ChosenFields chosen_{{"/responseId", "/createTime", "/candidates/*/content/parts/*/functionCall/id"}, {}};
};

EventMarks marks_of_gemini(const observe::Event& event);

}  // namespace splitproof::dialect
