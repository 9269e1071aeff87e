#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/framing.hpp"
#include "harness/record/call_report.hpp"
#include "harness/record/local_server.hpp"
#include "harness/record/provider_call.hpp"
#include "harness/record/recording_file.hpp"
#include "harness/record/secrets.hpp"
#include "harness/testee/chunked_body.hpp"
#include "harness/testee/http_request.hpp"

namespace splitproof::record {

/// Properties of recordings that are the same for all calls of a session.
struct RecordingPlan {
  std::string protocol;
  std::string provider;  ///< Host.
  Framing framing = Framing::sse;
  FileNames& names;
  bool anonymise = false;
};

/// Returns the model that a request's JSON names, or "".
std::string model_in(const std::string& body);

/// One response on its way from the provider to a client. Each read is first passed on, then recorded.
class RelayedCall {
 public:
  /// The call begins now. The references must outlive it.
  RelayedCall(LocalConnection& client, const testee::UpstreamRequest& request, const RecordingPlan& plan,
              Secrets& secrets);

  /// Take the provider's response. Return false if the client has left.
  bool take_head(const ProviderHead& head);
  bool take_bytes(std::string_view bytes);

  /// Ends the client's side as the provider ended its own. Returns true if the client's connection may carry another
  /// request. `detail` describes a failure.
  bool end(CallEnd end, const std::string& detail);

  const CallReport& report() const { return report_; }

  /// Returns the path of the recording, or nullopt.
  std::optional<std::string> path() const;

 private:
  /// Framing of the body on the client's side.
  enum class ClientFraming : std::uint8_t {
    unchanged,  ///< The provider's bytes, with its chunks if it sent chunks.
    chunks,     ///< Each piece becomes a chunk.
    to_the_end  ///< The end of the connection ends the body.
  };

  std::string client_head(const ProviderHead& head);
  void open_file(const ProviderHead& head);
  std::string reason_not_to_record(const ProviderHead& head) const;
  bool take_piece(double at, std::string_view piece);
  void refuse(const std::string& detail);
  double elapsed() const;

  LocalConnection& client_;
  const testee::UpstreamRequest& request_;
  const RecordingPlan& plan_;
  Secrets& secrets_;
  const testee::Deadline began_;
  bool has_head_ = false;
  bool keeps_alive_ = true;
  bool no_body_ = false;
  ClientFraming framing_ = ClientFraming::unchanged;
  std::optional<testee::ChunkedBody> chunks_;  // if the provider sends chunks
  std::size_t chunk_ = 0;                      // number of the next chunk
  std::size_t body_ = 0;                       // bytes of the body so far
  std::optional<RecordingFile> file_;
  CallReport report_;
};

}  // namespace splitproof::record
