#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <vector>

#include "harness/testee/answer.hpp"
#include "harness/testee/socket.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::testee {

/// Timeouts of holds.
struct HoldTimeouts {
  std::chrono::milliseconds unmet{1000};  ///< From reaching a hold to its release if it is not met.
  std::chrono::milliseconds again{50};    ///< The same for holds after an unmet hold.
  std::chrono::milliseconds quiet{
      20};  ///< Silence after which the client has everything that the testee will send, and leaves.
};

/// Returns the places at which the upstream's script must hold for an exchange: its holds, and the place
/// where the client leaves. Increasing.
std::vector<std::size_t> hold_offsets(const Exchange& exchange);

/// Watches the holds of one exchange. Releases each when the client got enough, or at its timeout. At the
/// place where the client leaves, it stops the client. A hold that is met before it is reached is
/// released when it is reached. An exchange without holds costs nothing.
class HoldWatch {
 public:
  /// All three must outlive it. The answer's script must hold at hold_offsets(exchange).
  HoldWatch(const Exchange& exchange, PreparedAnswer& answer, StopToken& leave, const HoldTimeouts& timeouts);

  /// Gives up the answer if the exchange has holds, and waits for its thread.
  ~HoldWatch();
  HoldWatch(const HoldWatch&) = delete;
  HoldWatch& operator=(const HoldWatch&) = delete;

  /// Reports the client's body so far. Call it from one thread.
  void read(std::string_view body);

  /// Reports that the client reads no more. Releases all holds at once, and meets none any more.
  void client_ended();

  /// Returns the time of the last release, or the epoch without one.
  Deadline last_release() const;

  /// Returns the results of the holds that were reached.
  std::vector<Release> releases() const;

  /// Returns the time at which the client had to leave.
  std::optional<Deadline> left() const;

 private:
  void watch();
  void meet(std::string_view body);
  void release(bool met);
  bool is_leaving(std::size_t n) const { return leaving_ == n; }

  const Exchange& exchange_;
  PreparedAnswer& answer_;
  StopToken& leave_;
  const HoldTimeouts timeouts_;
  const std::size_t count_;             // number of all holds of the script
  std::optional<std::size_t> leaving_;  // index of the hold at which the client leaves
  mutable std::mutex mutex_;            // guards the members below
  std::condition_variable changed_;
  std::size_t next_ = 0;  // the next hold to release
  std::size_t downstream_ = 0;
  bool ended_ = false;
  bool unmet_ = false;
  Deadline last_release_;
  std::vector<Release> releases_;
  std::optional<Deadline> left_;
  std::thread watching_;
};

}  // namespace splitproof::testee
