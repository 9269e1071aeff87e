#include "harness/testee/masking_testee.hpp"

#include "harness/testee/connection_trial.hpp"
#include "harness/testee/credentials.hpp"

namespace splitproof::testee {

Result<void> MaskingTestee::start() {
  const Result<void> started = testee_->start().map_error([&](Error error) {
    error.what = without_secrets(std::move(error.what), secrets_);
    error.hint = without_secrets(std::move(error.hint), secrets_);
    return error;
  });
  traits_ = testee_->traits();
  return started;
}

std::string MaskingTestee::version() const { return without_secrets(testee_->version(), secrets_); }

std::string MaskingTestee::remark() const { return without_secrets(testee_->remark(), secrets_); }

std::vector<UnattributedFailure> MaskingTestee::mishaps() const {
  std::vector<UnattributedFailure> all = testee_->mishaps();
  for (UnattributedFailure& mishap : all) {
    mishap.how = without_secrets(std::move(mishap.how), secrets_);
    mishap.said = without_secrets(std::move(mishap.said), secrets_);
  }
  return all;
}

std::shared_ptr<const TrialEvidence> MaskingTestee::try_connections(const ConnectionTrial& trial) const {
  const auto seen = testee_->try_connections(trial);
  if (seen == nullptr) return nullptr;
  auto masked = std::make_shared<TrialEvidence>(*seen);
  masked->lost = without_secrets(std::move(masked->lost), secrets_);
  for (auto& round : masked->rounds) {
    for (TrialReply& reply : round) {
      reply.detail = without_secrets(std::move(reply.detail), secrets_);
      reply.body = without_secrets(std::move(reply.body), secrets_);
    }
  }
  return masked;
}

Observation MaskingTestee::asks(const recording::Recording& recording) const {
  return without_secrets(testee_->asks(recording), secrets_);
}

Observation MaskingTestee::observe(const Exchange& exchange) const {
  return without_secrets(testee_->observe(exchange), secrets_);
}

}  // namespace splitproof::testee
