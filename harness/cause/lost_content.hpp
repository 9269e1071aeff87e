#pragma once

#include <cstddef>
#include <optional>

#include "harness/cause/cause_index.hpp"

namespace splitproof::cause {

/// Explains findings by content that the same answer lacks. Each member explains in one way; fold.hpp lists them.
class LostContent {
 public:
  /// `index` must outlive this object.
  explicit LostContent(const CauseIndex& index) : index_(index) {}

  /// Returns the cause of the missing content that brings about a finding of the cause `from`.
  std::optional<std::size_t> cause_of(const BehaviourSample& sample, const results::Symptom& symptom,
                                      std::size_t from) const;

 private:
  std::optional<std::size_t> by_lost_content(const BehaviourSample& sample, const results::Symptom& symptom,
                                             std::size_t from) const;
  std::optional<std::size_t> by_moved_content(const BehaviourSample& sample, const results::Symptom& symptom,
                                              std::size_t from) const;
  std::optional<std::size_t> by_early_end(const BehaviourSample& sample, const results::Symptom& symptom,
                                          std::size_t from) const;
  std::optional<std::size_t> by_part(const BehaviourSample& sample, const results::Symptom& symptom,
                                     std::size_t from) const;
  std::optional<std::size_t> by_absent_member(const BehaviourSample& sample, const results::Symptom& symptom,
                                              std::size_t from) const;
  std::optional<std::size_t> by_unmodified(const BehaviourSample& sample, const results::Symptom& symptom,
                                           std::size_t from) const;
  bool is_never_sent(const results::Symptom& symptom) const;
  bool is_cut_off(const results::Symptom& symptom) const;
  bool is_unexpected_error(const results::Symptom& symptom) const;
  bool is_content_lost(const results::Symptom& symptom) const;

  const CauseIndex& index_;
};

}  // namespace splitproof::cause
