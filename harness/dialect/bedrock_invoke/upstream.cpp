#include "harness/dialect/bedrock_invoke/upstream.hpp"

#include <utility>

#include "harness/dialect/aws_events.hpp"
#include "harness/dialect/json_events.hpp"
#include "harness/recording/base64.hpp"
#include "harness/utf8.hpp"

namespace splitproof::dialect {
namespace {

constexpr std::size_t kMaxChunk = std::size_t{16} << 20;

class BedrockInvokeReading final : public AnswerReader {
 public:
  explicit BedrockInvokeReading(std::unique_ptr<AnswerReader> inner) : inner_(std::move(inner)) {}

  void take(const observe::SseEvent& frame) override {
    if (failed_) return;
    if (!frame.terminated) {
      torn_ = true;
      return;
    }
    observe::Answer failure;
    if (take_failure(frame, failure)) return fail(std::move(failure));
    ++sound_;
    if (frame.event != "chunk") return;
    const ReadJson payload = read_json(frame, kMaxChunk);
    const auto bytes = payload ? recording::from_base64(payload->at("bytes").string()) : std::nullopt;
    if (!bytes || bytes->empty()) {
      failure.error = "the chunk at byte " + std::to_string(frame.begin) + " holds no bytes that can be read";
      return fail(std::move(failure));
    }
    observe::SseEvent event;
    event.data = decode_utf8(*bytes);
    event.begin = frame.begin;
    event.end = frame.end;
    if (const std::size_t ill = find_ill_formed_utf8(*bytes); ill != std::string_view::npos) {
      event.ill_formed_data = true;
      event.ill_formed_at = frame.begin;
    }
    inner_->take(event);
  }

  void take_plain_body(std::string_view body) override {
    if (sound_ > 0) return;
    observe::Answer failure;
    take_document(body, failure);
    if (failure.error) fail(std::move(failure));
  }

  const observe::Answer& so_far() const override { return failed_ ? said_ : inner_->so_far(); }

  observe::Answer finished() const override {
    observe::Answer answer = inner_->finished();
    if (torn_ || failed_) {
      answer.finish.reset();
      answer.done = false;
    }
    if (failed_) {
      answer.error = said_.error;
      answer.shapes.insert(said_.shapes.begin(), said_.shapes.end());
      answer.shapes.emplace(kFailedAnswer);
      answer.error_classes = said_.error_classes;
    }
    return answer;
  }

 private:
  void fail(observe::Answer failure) {
    failed_ = true;
    said_ = inner_->so_far();
    said_.error = std::move(failure.error);
    said_.shapes.merge(failure.shapes);
    said_.error_classes = failure.error_classes;
  }

  std::unique_ptr<AnswerReader> inner_;
  observe::Answer said_;  ///< The answer so far, once it has failed.
  bool failed_ = false;
  bool torn_ = false;      ///< The body ends inside a frame.
  std::size_t sound_ = 0;  ///< Number of valid frames.
};

}  // namespace

std::unique_ptr<AnswerReader> BedrockInvokeUpstream::reader(const observe::Choices& choices) const {
  return std::make_unique<BedrockInvokeReading>(inner_.reader(choices));
}

}  // namespace splitproof::dialect
