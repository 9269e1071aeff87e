#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "harness/record/recorder.hpp"
#include "harness/recording/recording.hpp"

namespace splitproof::record {

/// A recorder in this process, in front of a provider. Its recordings are in a temporary folder.
class Session {
 public:
  /// Aborts if it cannot start. `ca_file` has the certificates to trust.
  explicit Session(const std::string& provider_url, const std::string& protocol, bool keep_all = true,
                   const std::string& ca_file = "");
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const std::string& url() const { return server_->base_url(); }

  /// Waits until this many calls have ended and are judged, and returns them in the order of their ends. Returns fewer
  /// after a timeout.
  std::vector<CallReport> reports(std::size_t count) const;

  /// Loads the recording of a call.
  Result<recording::Recording> recording_of(const CallReport& report) const;

  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
  Secrets secrets_;
  std::unique_ptr<Recorder> recorder_;
  std::unique_ptr<LocalServer> server_;
};

}  // namespace splitproof::record
