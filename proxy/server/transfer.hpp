#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace splitproof::server {

/// How long the upstream may take.
struct Patience {
  std::chrono::milliseconds connect{10'000};
  std::chrono::milliseconds idle{300'000};  ///< without a byte, in either direction

  bool operator==(const Patience&) const = default;
};

/// What is sent to the upstream: a POST of JSON.
struct UpstreamCall {
  std::string url;
  std::string key;  ///< sent as `Authorization: Bearer`; empty: no such header
  std::string body;
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

/// One request to the upstream, driven by the thread that waits for it. Redirects are not followed, and nothing is
/// asked to be compressed. This file's source alone knows the HTTP client library.
class Transfer {
 public:
  /// Begins; nothing is sent before the first `wait`.
  Transfer(const UpstreamCall& call, const Patience& patience);

  /// Gives up what is still under way: the connection is closed at once.
  ~Transfer();
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  /// Waits until something happens to the transfer or one of `watched` can be read, but no longer than `at_most`; it may
  /// return early. Reads no more than a bounded amount.
  void wait(const std::vector<int>& watched, std::chrono::milliseconds at_most);

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
