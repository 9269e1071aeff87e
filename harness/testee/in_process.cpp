#include "harness/testee/in_process.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/testee/client_request.hpp"
#include "harness/testee/reference_options.hpp"
#include "harness/testee/reference_stream.hpp"
#include "proxy/translator.hpp"

namespace splitproof::testee {
namespace {

constexpr int kBadRequest = 400;

}  // namespace

bool InProcess::refuses(const recording::Recording& recording) const {
  const bool asks_itself = recording.requests != nullptr && recording.requests->contains(client());
  return asks_itself && asks(recording).http.has_value();
}

Observation InProcess::asks(const recording::Recording& recording) const {
  Observation seen;
  const Result<std::string> request = client_request(client(), &recording, "", "");
  if (!request) return seen;
  Asking asking = open_()->asks(*request);
  if (!asking.refusal.empty()) {
    seen.body = std::move(asking.refusal);
    seen.http.emplace().status = kBadRequest;
  } else if (asking.call) {
    seen.calls.push_back(*std::move(asking.call));
  } else {
    return seen;
  }
  seen.request = *request;
  return seen;
}

std::unique_ptr<TranslatorStream> InProcess::opened(const recording::Recording* recording) const {
  std::unique_ptr<TranslatorStream> stream = open_();
  if (stream->reads_request()) {
    if (const auto request = client_request(client(), recording, "", "")) stream->asked(*request);
  } else if (recording != nullptr && recording->requests != nullptr) {
    const auto request = recording->requests->find(client());
    if (request != recording->requests->end()) stream->asked(request->dump());
  }
  return stream;
}

bool InProcess::copies() const {
  const std::unique_ptr<TranslatorStream> stream = open_();
  return dynamic_cast<const CopyableStream*>(stream.get()) != nullptr;
}

Result<std::unique_ptr<CopyableStream>> InProcess::open(const recording::Recording& recording) const {
  if (refuses(recording)) return tl::unexpected(Error{"it refuses the client's request", {}, 0, {}});
  std::unique_ptr<TranslatorStream> stream = opened(&recording);
  auto* copyable = dynamic_cast<CopyableStream*>(stream.get());
  if (copyable == nullptr) return tl::unexpected(Error{"its state cannot be copied", {}, 0, {}});
  static_cast<void>(stream.release());
  return std::unique_ptr<CopyableStream>(copyable);
}

Observation InProcess::observe(const Exchange& exchange) const {
  Observation seen;
  const std::unique_ptr<TranslatorStream> stream = opened(exchange.recording);
  for (const std::string_view chunk : exchange.chunks) {
    const auto exact = std::make_unique<char[]>(chunk.size());
    std::copy(chunk.begin(), chunk.end(), exact.get());
    stream->feed(std::string_view(exact.get(), chunk.size()), seen.body);
    seen.after_chunk.push_back(seen.body.size());
  }
  stream->finish(exchange.end, seen.body);
  return seen;
}

std::vector<std::string> reference_upstreams() {
  std::vector<std::string> names;
  for (const proxy::dialect::UpstreamRow& upstream : proxy::dialect::upstreams())
    names.emplace_back(upstream.protocol);
  return names;
}

std::vector<std::string> reference_clients() {
  std::vector<std::string> names;
  for (const proxy::dialect::ClientRow& client : proxy::dialect::clients())
    names.emplace_back(client.protocol);
  return names;
}

std::vector<std::string> reference_clients(std::string_view upstream) {
  const proxy::dialect::UpstreamRow* own = proxy::dialect::find_upstream(upstream);
  std::vector<std::string> names = reference_clients();
  if (own == nullptr || own->order == nullptr) std::erase(names, upstream);
  return names;
}

Result<StreamFactory> reference_streams(const contract::Profile& profile, std::string_view upstream,
                                        std::string_view client) {
  Result<TranslatorOptions> options = reference_options(profile.knobs);
  if (!options) {
    options.error().what += " of profile " + profile.name;
    return tl::unexpected(options.error());
  }
  if (const auto set = set_protocols(*options, upstream, client); !set) return tl::unexpected(set.error());
  return StreamFactory([options = *options] { return reference_stream(options); });
}

}  // namespace splitproof::testee
