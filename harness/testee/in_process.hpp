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
#include "harness/testee/copyable.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::testee {

/// A translator's upstream call for a client's request, or the body of its refusal. Neither if it reports
/// none.
struct Asking {
  std::optional<UpstreamCall> call = {};
  std::string refusal = {};
};

/// A translator of one stream that runs in this process.
class TranslatorStream {
 public:
  virtual ~TranslatorStream() = default;

  /// True if it needs a client's request even if the recording has none.
  virtual bool reads_request() const { return false; }

  /// Takes the client's request before the stream, if the recording has one or reads_request().
  virtual void asked(const std::string&) {}

  /// Returns its upstream request for a client's request.
  virtual Asking asks(const std::string& /*request*/) const { return {}; }

  /// Takes one upstream chunk and appends downstream bytes.
  virtual void feed(std::string_view chunk, std::string& out) = 0;

  /// Ends the upstream body.
  virtual void finish(recording::End end, std::string& out) = 0;
};

/// Creates a new stream for every exchange.
using StreamFactory = std::function<std::unique_ptr<TranslatorStream>()>;

/// Return the protocols between which the reference translates, in any combination. The first ones are the
/// defaults.
std::vector<std::string> reference_upstreams();
std::vector<std::string> reference_clients();

/// Returns the client protocols into which it translates this upstream, or passes it on.
std::vector<std::string> reference_clients(std::string_view upstream);

/// A testee in this process. Each chunk is in an allocation of its own size, so that a sanitizer detects a
/// read beyond it.
class InProcess final : public Testee, public Copyable {
 public:
  InProcess(std::string name, StreamFactory open, std::string upstream = reference_upstreams().front(),
            std::string client = reference_clients().front())
      : Testee({std::move(name), std::move(client), std::move(upstream)}), open_(std::move(open)) {}

  bool refuses(const recording::Recording& recording) const override;
  Observation asks(const recording::Recording& recording) const override;
  Observation observe(const Exchange& exchange) const override;

  const Copyable* copyable() const override { return this; }

  /// True if its streams are CopyableStreams too.
  bool copies() const override;
  bool compares() const override { return copies(); }
  Result<std::unique_ptr<CopyableStream>> open(const recording::Recording& recording) const override;

 private:
  std::unique_ptr<TranslatorStream> opened(const recording::Recording* recording) const;

  StreamFactory open_;
};

/// Returns streams of the reference translator, configured by a profile. An Error names an unknown protocol,
/// or a knob with a value that the reference does not know.
Result<StreamFactory> reference_streams(const contract::Profile& profile,
                                        std::string_view upstream = reference_upstreams().front(),
                                        std::string_view client = reference_clients().front());

}  // namespace splitproof::testee
