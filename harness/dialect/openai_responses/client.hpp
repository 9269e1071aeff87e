#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/dialect/client.hpp"

namespace splitproof::dialect {

/// A client of Responses that takes items when they are done. For an item that never is, it uses the deltas.
/// It runs a call when its item is done.
class ResponsesClient final : public Client {
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
  MessageForm message_form() const override { return {.list = "input", .text_type = "input_text"}; }
  std::vector<std::pair<std::string, std::string>> upgrade_headers() const override {
    return {{"openai-beta",
             "responses_websockets=2026-02-06"}};  // from Codex, to the provider that it knows as OpenAI
  }

 private:
  ChosenFields chosen_{{"/response/id", "/item/id", "/item_id", "/item/call_id", "/item/encrypted_content",
                        "/response/output/*/id", "/response/output/*/call_id",
                        "/response/output/*/encrypted_content", "/obfuscation"},
                       {"/response/created_at", "/response/completed_at"}};
};

}  // namespace splitproof::dialect
