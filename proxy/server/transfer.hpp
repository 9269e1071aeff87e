#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace splitproof::server {

/// How long the upstream may take.
struct UpstreamTimeouts {
  std::chrono::milliseconds connect{10'000};
  std::chrono::milliseconds idle{300'000};  ///< without a byte, in either direction

  bool operator==(const UpstreamTimeouts&) const = default;
};

/// What is sent to the upstream: a POST of JSON.
struct UpstreamPost {
  std::string url;
  std::string key;                   ///< empty: there is none
  std::vector<std::string> headers;  ///< each as a line
  std::string body;
  bool streamed = true;  ///< what is asked for is a stream
};

/// How a transfer ended. `closed`: before the body was whole. `silent`: nothing came for too long. The last two: no
/// connection came about, at all or in time.
enum class TransferEnd : std::uint8_t { complete, closed, reset, silent, unreachable, unconnected };

/// Must live in `main` while there are transfers, and before there are threads.
class TransferLibrary {
 public:
  TransferLibrary();
  ~TransferLibrary();
  TransferLibrary(const TransferLibrary&) = delete;
  TransferLibrary& operator=(const TransferLibrary&) = delete;
};

/// Connections to the upstream that are open and idle, for the next request to take. Threads may share it. It outlives its
/// transfers.
class TransferPool {
 public:
  TransferPool();
  ~TransferPool();
  TransferPool(const TransferPool&) = delete;
  TransferPool& operator=(const TransferPool&) = delete;

 private:
  friend class Transfer;
  struct Line;
  std::unique_ptr<Line> take();
  void give_back(std::unique_ptr<Line> line);

  std::mutex mutex_;
  std::vector<std::unique_ptr<Line>> idle_;  // the last one used at the end
};

/// One request to the upstream, driven by the thread that waits for it. Redirects are not followed, and nothing is
/// asked to be compressed. This file's source alone knows the HTTP client library.
///
/// A request that goes out on an idle connection which the upstream closes meanwhile is sent once more, on a new
/// connection, unless a line of an answer has come. On a new connection nothing is sent twice.
class Transfer {
 public:
  /// Begins; nothing is sent before the first `wait`.
  Transfer(const UpstreamPost& call, const UpstreamTimeouts& timeouts, TransferPool& pool);

  /// Gives up what is still under way: the connection is closed at once. That of a response that came to its proper end
  /// goes back to the pool.
  ~Transfer();
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  /// Waits until something happens to the transfer or one of `watched` can be read, but no longer than `at_most`; it may
  /// return early. Reads no more than a bounded amount.
  void wait(const std::vector<int>& watched, std::chrono::milliseconds at_most);

  /// Waits a moment for the end of a response of which nothing more is wanted, so that its connection can be used again.
  void settle();

  /// Of the response; 0 until its head has come.
  int status() const;

  /// A header of the response; empty without it.
  std::string header(const std::string& name) const;

  /// What came of the body since it was last asked for.
  std::string take_body();

  /// None while it is under way. Comes no earlier than the last bytes of the body.
  std::optional<TransferEnd> end() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace splitproof::server
