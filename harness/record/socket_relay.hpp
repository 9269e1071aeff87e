#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "harness/dialect/socket_form.hpp"
#include "harness/observe/websocket_frames.hpp"
#include "harness/record/call_report.hpp"
#include "harness/record/local_server.hpp"
#include "harness/record/provider_socket.hpp"
#include "harness/record/relayed_call.hpp"
#include "harness/record/secrets.hpp"
#include "harness/testee/http_request.hpp"

namespace splitproof::record {

/// Passes a WebSocket of a client on to the provider, byte by byte as it came, and records each response in it. It offers
/// the provider no compression, because secrets in a compressed response cannot be masked.
///
/// A request of the client begins a recording, and a final event of the provider ends it. A chunk of the recording is one
/// message, written as a server-sent event. Control frames are passed on and not recorded. If the provider refuses the
/// handshake, its answer is passed on as it is.
class SocketRelay {
 public:
  /// Receives each recorded call when it has ended, with the path of its file.
  using OnEnd = std::function<void(const CallReport&, const std::optional<std::string>& path)>;

  /// The references must outlive it. `handshake` is the client's request.
  SocketRelay(LocalConnection& client, const testee::UpstreamRequest& handshake, const RecordingPlan& plan,
              Secrets& secrets, OnEnd on_end);

  /// Relays until one side ends. `unread` are bytes of the client after the handshake.
  void run(ProviderSocket& provider, std::string_view unread);

 private:
  /// A response that is being recorded.
  struct OpenCall {
    RecordingFile file;
    CallReport report;
    testee::Deadline began;
  };

  /// Why the relay ends.
  enum class Over : std::uint8_t { provider_end, provider_reset, client_left, stopped };

  Over relay(ProviderSocket& provider);
  std::optional<Over> take_provider(ProviderSocket& provider);
  std::optional<Over> take_client(ProviderSocket& provider);
  void read_provider(std::string_view bytes);
  void read_client(std::string_view bytes);
  std::string_view take_head(std::string_view bytes);
  void begin_call(std::string request);
  void end_call(recording::End end, EndedBy by);
  double elapsed() const;  // of the call
  void report_refusal(const std::string& why);

  LocalConnection& client_;
  const testee::UpstreamRequest& handshake_;
  const RecordingPlan& plan_;
  Secrets& secrets_;
  const dialect::SocketForm* const form_;  // null: nothing is recorded
  const OnEnd on_end_;
  std::string head_;  // of the provider's answer to the handshake
  int status_ = 0;    // 0: the head is not complete
  observe::WebSocketReader from_client_;
  observe::WebSocketReader from_provider_;
  std::optional<OpenCall> call_;
};

/// Returns the client's handshake as the provider gets it: with the provider's host, without extensions.
std::string handshake_for_provider(const testee::UpstreamRequest& handshake, const std::string& host,
                                   const std::string& target);

}  // namespace splitproof::record
