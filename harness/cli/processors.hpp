#pragma once

namespace splitproof::cli {

/// Measures how much of this machine's processors nobody uses, from its beginning on.
class IdleProcessors {
 public:
  IdleProcessors() : begin_(now()) {}

  /// 0 .. 1; 0 where the system does not say.
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
