#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "harness/testee/in_process.hpp"

namespace splitproof::testee {

/// Holds everything back from a doubtful byte until the answer's finish, like a filter that waits for that.
class HoldsFrom final : public TranslatorStream {
 public:
  using Doubt = std::function<bool(const std::string& came)>;

  HoldsFrom(std::unique_ptr<TranslatorStream> inner, Doubt in_doubt)
      : inner_(std::move(inner)), in_doubt_(std::move(in_doubt)) {}

  bool reads_request() const override { return inner_->reads_request(); }
  void asked(const std::string& request) override { inner_->asked(request); }
  void feed(std::string_view chunk, std::string& out) override {
    came_ += chunk;
    holds_ = holds_ || in_doubt_(came_);
    inner_->feed(chunk, holds_ ? held_ : out);
    if (came_.find("\"finish_reason\":\"") != came_.npos) out += std::exchange(held_, {});
  }
  void finish(recording::End end, std::string& out) override {
    inner_->finish(end, held_);
    out += held_;
  }

 private:
  std::unique_ptr<TranslatorStream> inner_;
  Doubt in_doubt_;
  std::string came_;
  bool holds_ = false;
  std::string held_;
};

}  // namespace splitproof::testee
