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

/// How long holds wait for what.
struct HoldTimeouts {
  std::chrono::milliseconds unmet{1000};  ///< from when a hold is reached to its release without being met
  std::chrono::milliseconds again{50};    ///< the same for those behind a hold that was not met
  std::chrono::milliseconds quiet{
      20};  ///< silence after which the client has what the testee will tell it, and leaves
};

/// Where the upstream's script must hold for an exchange: its holds, and where the client leaves. Increasing.
std::vector<std::size_t> hold_offsets(const Exchange& exchange);

/// Watches over the holds of one exchange: each is released once the client was told enough, or at its timeout, and
/// at the place where the client is to leave it is told to stop. A hold that is met before it is reached is released there
/// and then. An exchange without holds costs nothing.
class HoldWatch {
 public:
  /// All three must outlive it. The answer's script holds at hold_offsets(exchange).
  HoldWatch(const Exchange& exchange, PreparedAnswer& answer, StopToken& leave, const HoldTimeouts& timeouts);

  /// Gives the answer up where the exchange has holds, and waits for its thread.
  ~HoldWatch();
  HoldWatch(const HoldWatch&) = delete;
  HoldWatch& operator=(const HoldWatch&) = delete;

  /// The client's body has grown to this. To be called from one thread.
  void read(std::string_view body);

  /// The client reads no more: nothing is met from now on, and everything is released at once.
  void client_ended();

  /// When the upstream was last let go on; the epoch where it never was.
  Deadline last_release() const;

  /// What became of the holds that were reached.
  std::vector<Release> releases() const;

  /// When the client was told to leave.
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
  const std::size_t count_;             // of all the script's holds
  std::optional<std::size_t> leaving_;  // which of these is where the client leaves
  mutable std::mutex mutex_;            // guards what follows
  std::condition_variable changed_;
  std::size_t next_ = 0;  // the hold that is to be released next
  std::size_t downstream_ = 0;
  bool ended_ = false;
  bool unmet_ = false;
  Deadline last_release_;
  std::vector<Release> releases_;
  std::optional<Deadline> left_;
  std::thread watching_;
};

}  // namespace splitproof::testee
