#include "harness/coverage/covered_testee.hpp"

namespace splitproof::coverage {

Result<void> CoveredTestee::start() {
  Result<void> started = testee_->start();
  traits_ = testee_->traits();
  // After the first case, the same Error says what is missing.
  if (started) static_cast<void>(coverage_->take());
  return started;
}

}  // namespace splitproof::coverage
