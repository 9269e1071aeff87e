#include "harness/record/recorder.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "harness/dialect/registry.hpp"
#include "harness/record/provider_socket.hpp"
#include "harness/record/socket_relay.hpp"
#include "harness/testee/websocket_handshake.hpp"

namespace splitproof::record {
namespace {

// Fields for one connection, and fields that libcurl writes.
constexpr std::array<std::string_view, 11> kOwnFields = {
    "connection", "keep-alive",     "proxy-connection", "te",     "trailer", "transfer-encoding",
    "upgrade",    "content-length", "accept-encoding",  "expect", "host"};

// Secrets in a compressed response cannot be masked, so the request asks for an uncompressed one.
testee::Headers headers_for_provider(const testee::Headers& client) {
  testee::Headers headers;
  for (const testee::Header& header : client) {
    const bool is_own = std::any_of(kOwnFields.begin(), kOwnFields.end(), [&](std::string_view name) {
      return testee::same_name(name, header.name);
    });
    if (!is_own && !testee::has_token(client, "connection", header.name)) headers.push_back(header);
  }
  headers.push_back({"accept-encoding", "identity"});
  return headers;
}

}  // namespace

Recorder::Recorder(RecorderSettings settings, const CurlLibrary& curl, Secrets& secrets, const Gate& gate,
                   std::function<void(const CallReport&)> on_report)
    : settings_(std::move(settings)),
      curl_(curl),
      names_{settings_.folder, settings_.name, 0},
      plan_{settings_.protocol, settings_.provider.host, dialect::format_of(settings_.protocol).framing,
            names_, settings_.anonymise},
      secrets_(secrets),
      gate_(gate),
      on_report_(std::move(on_report)),
      judging_([this] { judge_all(); }) {}

Recorder::~Recorder() { finish(); }

void Recorder::finish() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  if (judging_.joinable()) judging_.join();
}

RequestHandler Recorder::make_handler() {
  return [this, connections = std::make_shared<ProviderConnections>(curl_)](
             LocalConnection& client, const testee::UpstreamRequest& request) {
    return relay(client, request, *connections);
  };
}

// Counts the socket as a call in progress, so that a stop waits for it.
bool Recorder::relay_socket(LocalConnection& client, const testee::UpstreamRequest& request) {
  ++in_progress_;
  const std::string url = url_for(settings_.provider, request.target);
  SocketRelay relay(client, request, plan_, secrets_, [this](const CallReport& report, const auto& path) {
    ++in_progress_;
    add_ended(report, path);
  });
  const auto provider =
      ProviderSocket::connect(curl_, url, settings_.provider.is_local, settings_.ca_file, client.stop);
  if (provider) {
    const std::string target = url.substr(settings_.provider.origin.size());
    if ((*provider)->send(handshake_for_provider(request, settings_.provider.host, target), client.stop))
      relay.run(**provider, client.unread);
  } else {
    client.send(unreachable_text(describe(provider.error())));
  }
  client.socket.close();
  --in_progress_;
  return false;
}

bool Recorder::relay(LocalConnection& client, const testee::UpstreamRequest& request,
                     ProviderConnections& connections) {
  if (testee::asks_for_websocket(request)) return relay_socket(client, request);
  ++in_progress_;
  RelayedCall call(client, request, plan_, secrets_);
  const ProviderRequest asked{request.method,
                              url_for(settings_.provider, request.target),
                              headers_for_provider(request.headers),
                              request.body,
                              settings_.provider.is_local,
                              settings_.ca_file};
  const ResponseTaker taker{[&](const ProviderHead& head) { return call.take_head(head); },
                            [&](std::string_view bytes) { return call.take_bytes(bytes); }};
  std::string detail;
  const CallEnd end = connections.call(asked, taker, client.socket.get(), client.stop, detail);
  const bool keeps = call.end(end, detail);
  if (!keeps) client.socket.close();
  add_ended(call.report(), call.path());
  return keeps;
}

void Recorder::add_ended(CallReport report, std::optional<std::string> path) {
  {
    const std::lock_guard lock(mutex_);
    ended_.push_back({std::move(report), std::move(path)});
  }
  changed_.notify_all();
}

void Recorder::judge_all() {
  while (true) {
    EndedCall call;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return is_over_ || !ended_.empty(); });
      if (ended_.empty()) return;
      call = std::move(ended_.front());
      ended_.pop_front();
    }
    if (call.path) judge(call.report, *call.path);
    on_report_(call.report);
    const std::lock_guard lock(mutex_);
    reports_.push_back(std::move(call.report));
    --in_progress_;
  }
}

void Recorder::judge(CallReport& report, const std::string& path) const {
  const GateVerdict verdict = gate_.judge(path, secrets_.known());
  report.sound = verdict.sound;
  report.why = verdict.why;
  if (verdict.may_stay && (report.sound || settings_.keep_all)) return;
  std::error_code failed;
  report.removed = std::filesystem::remove(path, failed);
}

std::vector<CallReport> Recorder::reports() const {
  const std::lock_guard lock(mutex_);
  return reports_;
}

}  // namespace splitproof::record
