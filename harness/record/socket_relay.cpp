#include "harness/record/socket_relay.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <charconv>
#include <utility>

#include "harness/dialect/registry.hpp"
#include "harness/testee/socket.hpp"

namespace splitproof::record {
namespace {

constexpr std::size_t kMostOfMessage = std::size_t{64} << 20U;
constexpr std::size_t kMostOfHead = std::size_t{256} << 10U;
constexpr int kSwitched = 101;
constexpr std::chrono::seconds kReadTime{1};  // poll(2) has announced the bytes

}  // namespace

std::string handshake_for_provider(const testee::UpstreamRequest& handshake, const std::string& host,
                                   const std::string& target) {
  std::string text = handshake.method + " " + target + " HTTP/1.1\r\nhost: " + host + "\r\n";
  for (const testee::Header& header : handshake.headers) {
    const bool is_own = testee::same_name(header.name, "host") ||
                        testee::same_name(header.name, "sec-websocket-extensions") ||
                        testee::same_name(header.name, "proxy-connection");
    if (!is_own) text += header.name + ": " + header.value + "\r\n";
  }
  return text + "\r\n";
}

SocketRelay::SocketRelay(LocalConnection& client, const testee::UpstreamRequest& handshake,
                         const RecordingPlan& plan, Secrets& secrets, OnEnd on_end)
    : client_(client),
      handshake_(handshake),
      plan_(plan),
      secrets_(secrets),
      form_(dialect::socket_form_of(plan.protocol)),
      on_end_(std::move(on_end)),
      from_client_(observe::FrameSender::client, kMostOfMessage),
      from_provider_(observe::FrameSender::server, kMostOfMessage) {
  secrets_.learn(handshake.target, handshake.headers);
}

void SocketRelay::run(ProviderSocket& provider, std::string_view unread) {
  if (!unread.empty()) {
    read_client(unread);
    if (!provider.send(unread, client_.stop)) return;
  }
  switch (relay(provider)) {
    case Over::provider_end:
      end_call(recording::End::closed, EndedBy::provider);
      break;
    case Over::provider_reset:
      end_call(recording::End::reset, EndedBy::provider);
      client_.reset();
      break;
    case Over::client_left:
      end_call(recording::End::reset, EndedBy::client);
      break;
    case Over::stopped:
      end_call(recording::End::reset, EndedBy::recorder);
      client_.reset();
      break;
  }
  if (status_ != kSwitched)
    report_refusal(status_ == 0 ? "the provider ended the connection before the response"
                                : "the provider refused the WebSocket");
}

SocketRelay::Over SocketRelay::relay(ProviderSocket& provider) {
  while (true) {
    if (const auto over = take_provider(provider)) return *over;
    std::array<pollfd, 3> watched{{{client_.stop.descriptor(), POLLIN, 0},
                                   {provider.descriptor(), POLLIN, 0},
                                   {client_.socket.get(), POLLIN, 0}}};
    if (poll(watched.data(), watched.size(), -1) < 0) continue;
    if (watched[0].revents != 0) return Over::stopped;
    if (watched[2].revents == 0) continue;
    if (const auto over = take_client(provider)) return *over;
  }
}

// Passes on everything that the provider has sent.
std::optional<SocketRelay::Over> SocketRelay::take_provider(ProviderSocket& provider) {
  while (true) {
    std::string bytes;
    switch (provider.receive(bytes)) {
      case ProviderSocket::Got::later:
        return std::nullopt;
      case ProviderSocket::Got::end:
        return Over::provider_end;
      case ProviderSocket::Got::reset:
        return Over::provider_reset;
      case ProviderSocket::Got::bytes:
        break;
    }
    const bool sent = client_.send(bytes);
    read_provider(bytes);
    if (!sent) return Over::client_left;
  }
}

std::optional<SocketRelay::Over> SocketRelay::take_client(ProviderSocket& provider) {
  std::string bytes;
  const testee::Io io = testee::receive(client_.socket.get(), bytes, client_.stop, testee::within(kReadTime));
  if (io == testee::Io::late) return std::nullopt;
  if (io == testee::Io::stopped) return Over::stopped;
  if (io == testee::Io::gone) return Over::client_left;
  read_client(bytes);
  return provider.send(bytes, client_.stop) ? std::nullopt : std::optional(Over::provider_reset);
}

// Takes the head of the provider's answer. Returns the bytes after it.
std::string_view SocketRelay::take_head(std::string_view bytes) {
  const std::size_t before = head_.size();
  head_ += bytes.substr(0, kMostOfHead);
  const std::size_t end = head_.find("\r\n\r\n");
  if (end == head_.npos) return {};
  if (const std::size_t blank = head_.find(' '); blank < end)
    std::from_chars(head_.data() + blank + 1, head_.data() + end, status_);
  return bytes.substr(end + 4 - before);
}

void SocketRelay::read_provider(std::string_view bytes) {
  if (status_ == 0) bytes = take_head(bytes);
  if (status_ != kSwitched) return;
  from_provider_.feed(bytes);
  for (const observe::WebSocketMessage& message : from_provider_.take()) {
    if (!call_ || message.opcode != observe::Opcode::text) continue;
    const std::string event = form_->event_of(message.payload);
    ++call_->report.reads;
    call_->report.bytes += event.size();
    call_->file.add(elapsed(), event);
    if (form_->ends_answer(message.payload)) end_call(recording::End::complete, EndedBy::provider);
  }
}

void SocketRelay::read_client(std::string_view bytes) {
  from_client_.feed(bytes);
  for (const observe::WebSocketMessage& message : from_client_.take()) {
    if (form_ == nullptr || message.opcode != observe::Opcode::text) continue;
    if (auto request = form_->asked(message.payload)) begin_call(*std::move(request));
  }
}

double SocketRelay::elapsed() const {
  return testee::seconds(call_->began, std::chrono::steady_clock::now());
}

void SocketRelay::begin_call(std::string request) {
  // One response at a time: another request ends an answer that the provider has not finished.
  end_call(recording::End::closed, EndedBy::client);
  CallReport report;
  report.method = handshake_.method;
  report.target = handshake_.target;
  report.status = kSwitched;
  report.model = model_in(request);
  CallHead head{plan_.protocol,
                plan_.provider,
                handshake_.method,
                handshake_.target,
                handshake_.headers,
                std::move(request),
                200,
                {{"content-type", "text/event-stream"}},
                Fidelity::frames,
                plan_.anonymise};
  auto file = RecordingFile::create(plan_.names, std::move(head), plan_.framing, secrets_);
  secrets_.mask_target(report.target);
  secrets_.mask_text(report.model);
  if (!file) {
    report.why = describe(file.error());
    report.unwritten = true;
    return on_end_(report, std::nullopt);
  }
  report.file = file->name();
  call_.emplace(OpenCall{*std::move(file), std::move(report), std::chrono::steady_clock::now()});
}

void SocketRelay::end_call(recording::End end, EndedBy by) {
  if (!call_) return;
  call_->report.seconds = elapsed();
  call_->report.end = end;
  call_->report.by = by;
  call_->file.end(call_->report.seconds, end, by);
  if (call_->file.failure()) {
    call_->report.why = describe(*call_->file.failure());
    call_->report.unwritten = true;
    call_->report.file.clear();
    on_end_(call_->report, std::nullopt);
  } else {
    on_end_(call_->report, call_->file.path());
  }
  call_.reset();
}

void SocketRelay::report_refusal(const std::string& why) {
  CallReport report;
  report.method = handshake_.method;
  report.target = handshake_.target;
  report.status = status_;
  report.why = why;
  secrets_.mask_target(report.target);
  on_end_(report, std::nullopt);
}

}  // namespace splitproof::record
