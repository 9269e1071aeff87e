#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "harness/record/call_report.hpp"
#include "harness/record/curl_library.hpp"
#include "harness/record/gate.hpp"
#include "harness/record/local_server.hpp"
#include "harness/record/provider_address.hpp"
#include "harness/record/provider_call.hpp"
#include "harness/record/recording_file.hpp"
#include "harness/record/relayed_call.hpp"
#include "harness/record/secrets.hpp"

namespace splitproof::record {

struct RecorderSettings {
  ProviderAddress provider;
  std::string protocol;
  std::string folder;         ///< For recordings.
  std::string name = "call";  ///< First part of their names.
  bool keep_all = true;       ///< False: recordings that are not sound are removed.
  bool anonymise = false;     ///< Words of users and of the model are replaced.
  std::string ca_file;        ///< Empty: the system's certificates.
};

/// Passes requests on to the provider, and records its responses. A thread of its own judges the recordings, so no client
/// waits for that. All functions are thread-safe.
class Recorder {
 public:
  /// The references must outlive it. `on_report` is called when a call has ended, one call at a time.
  Recorder(RecorderSettings settings, const CurlLibrary& curl, Secrets& secrets, const Gate& gate,
           std::function<void(const CallReport&)> on_report);

  /// Calls finish().
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// Returns a handler for one client's connection.
  RequestHandler make_handler();

  /// Judges all calls that have ended. No call may be in progress.
  void finish();

  /// Returns the number of calls that are in progress or not judged yet.
  std::size_t calls_in_progress() const { return in_progress_; }

  /// Returns the judged calls, in the order of their ends.
  std::vector<CallReport> reports() const;

 private:
  bool relay(LocalConnection& client, const testee::UpstreamRequest& request,
             ProviderConnections& connections);
  bool relay_socket(LocalConnection& client, const testee::UpstreamRequest& request);
  void add_ended(CallReport report, std::optional<std::string> path);
  void judge_all();
  void judge(CallReport& report, const std::string& path) const;

  /// A call that has ended.
  struct EndedCall {
    CallReport report;
    std::optional<std::string> path;  ///< Of its recording.
  };

  const RecorderSettings settings_;
  const CurlLibrary& curl_;
  FileNames names_;
  const RecordingPlan plan_;
  Secrets& secrets_;
  const Gate& gate_;
  const std::function<void(const CallReport&)> on_report_;
  std::atomic<std::size_t> in_progress_ = 0;
  mutable std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  std::deque<EndedCall> ended_;  // not judged yet
  bool is_over_ = false;
  std::vector<CallReport> reports_;
  std::thread judging_;
};

}  // namespace splitproof::record
