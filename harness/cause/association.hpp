#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace splitproof::cause {

/// How violations of rules go together over the cases of a campaign. Rules and cases are numbered from 0.
class Association {
 public:
  Association(std::size_t rules, std::size_t cases);

  void set_violated(std::size_t rule, std::size_t one_case);
  void set_met(std::size_t rule, std::size_t one_case);

  /// Whether a violation of `b` comes with one of `a`, and hardly without: it is violated in four of five cases that
  /// violate `a` and exercise `b`, of which there are at least `enough`, and in the others that exercise it at most 0.6
  /// times as often. Where fewer than three others exercise it there is nothing to compare with.
  bool comes_with(std::size_t b, std::size_t a, std::size_t enough) const;

  std::size_t violations(std::size_t rule) const;

 private:
  using Bits = std::vector<std::uint64_t>;
  struct Rule {
    Bits violated;
    Bits exercised;
  };
  static void set(Bits& bits, std::size_t i);
  std::vector<Rule> rules_;
};

}  // namespace splitproof::cause
