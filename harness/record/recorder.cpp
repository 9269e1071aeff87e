#include "harness/record/recorder.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "harness/dialect/registry.hpp"
#include "harness/record/relayed_call.hpp"

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
      framing_(dialect::format_of(settings_.protocol).framing),
      curl_(curl),
      names_{settings_.folder, settings_.name, 0},
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

bool Recorder::relay(LocalConnection& client, const testee::UpstreamRequest& request,
                     ProviderConnections& connections) {
  ++in_progress_;
  const RecordingPlan plan{settings_.protocol, settings_.provider.host, framing_, names_,
                           settings_.anonymise};
  RelayedCall call(client, request, plan, secrets_);
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
  {
    const std::lock_guard lock(mutex_);
    ended_.push_back({call.report(), call.path()});
  }
  changed_.notify_all();
  return keeps;
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
  if (!report.why.empty()) return;  // it could not be written
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
