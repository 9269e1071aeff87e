#pragma once

#include <memory>

#include "harness/campaign/upstream.hpp"
#include "harness/recording/recording.hpp"
#include "harness/split/generator.hpp"

namespace splitproof::campaign {

/// A recording with a lazy survey of its body. For a long body the survey costs more than most cases.
class Surveyed {
 public:
  /// The recording must outlive it.
  Surveyed(const recording::Recording& recording) : recording_(recording) {}

  const recording::Recording& recording() const { return recording_; }

  const std::shared_ptr<const split::Subject>& subject() const {
    if (subject_ == nullptr) subject_ = std::make_shared<split::Subject>(subject_of(recording_));
    return subject_;
  }

 private:
  const recording::Recording& recording_;
  mutable std::shared_ptr<const split::Subject> subject_;
};

}  // namespace splitproof::campaign
