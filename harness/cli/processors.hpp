#pragma once

namespace splitproof::cli {

/// Measures the unused share of the processors since its construction.
class IdleProcessors {
 public:
  IdleProcessors() : begin_(now()) {}

  /// 0 .. 1; 0 if unknown.
  double share() const;

 private:
  struct Times {
    double idle = 0;
    double all = 0;
  };
  static Times now();

  const Times begin_;
};

}  // namespace splitproof::cli
