#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/contract/profile.hpp"
#include "harness/result.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::testee {

/// What a translator asks of its upstream for a client's request: the call, or the body of its refusal; neither where it
/// does not say.
struct Asking {
  std::optional<UpstreamCall> call = {};
  std::string refusal = {};
};

/// A translator of one stream that runs in this process.
class TranslatorStream {
 public:
  virtual ~TranslatorStream() = default;

  /// Wants the client's request also where the recording has none of its own.
  virtual bool reads_request() const { return false; }

  /// The client's request, where the recording has one or it is wanted; comes before the stream.
  virtual void asked(const std::string&) {}

  /// What it asks of its upstream for a client's request.
  virtual Asking asks(const std::string& /*request*/) const { return {}; }

  /// Takes one upstream chunk and appends what goes downstream.
  virtual void feed(std::string_view chunk, std::string& out) = 0;

  /// The upstream body has ended.
  virtual void finish(recording::End end, std::string& out) = 0;
};

/// Makes a fresh stream for every exchange.
using StreamFactory = std::function<std::unique_ptr<TranslatorStream>()>;

/// The protocols between which the reference translates, from each of the one to each of the other. The first are the
/// defaults.
std::vector<std::string> reference_upstreams();
std::vector<std::string> reference_clients();

/// Those for which it translates this upstream, or passes it on.
std::vector<std::string> reference_clients(std::string_view upstream);

/// A testee in this process. Each chunk is handed over in an allocation of its own size, so that a sanitizer
/// sees a read beyond it.
class InProcess final : public Testee {
 public:
  InProcess(std::string name, StreamFactory open, std::string upstream = reference_upstreams().front(),
            std::string client = reference_clients().front())
      : Testee({std::move(name), std::move(client), std::move(upstream)}), open_(std::move(open)) {}

  bool refuses(const recording::Recording& recording) const override;
  Observation asks(const recording::Recording& recording) const override;
  Observation observe(const Exchange& exchange) const override;

 private:
  StreamFactory open_;
};

/// Streams of the reference translator, set up as a profile says. An Error names a protocol, or a knob whose value the
/// reference does not know.
Result<StreamFactory> reference_streams(const contract::Profile& profile,
                                        std::string_view upstream = reference_upstreams().front(),
                                        std::string_view client = reference_clients().front());

}  // namespace splitproof::testee
