#include "tests/record/session.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <thread>

#include "harness/contract/contracts.hpp"
#include "harness/contract/profile.hpp"
#include "tests/harness/testee/reading_client.hpp"

namespace splitproof::record {
namespace {

// Aborts without a value.
template <class T>
T value_of(Result<T> result) {
  if (!result) {
    std::cerr << describe(result.error()) << "\n";
    std::abort();
  }
  return *std::move(result);
}

std::filesystem::path contract_folder() {
  const char* root = std::getenv("SPLITPROOF_SOURCE_ROOT");
  return std::filesystem::path(root == nullptr ? "." : root) / "contracts";
}

const Gate& gate() {
  static const contract::Contracts contracts = value_of(contract::Contracts::load({contract_folder()}));
  static const contract::Profile profile = value_of(contract::load_profile("default", {contract_folder()}));
  static const Gate one(contracts, profile, SecretShapes());
  return one;
}

std::filesystem::path new_folder() {
  std::string name = (std::filesystem::temp_directory_path() / "splitproof-record-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) std::abort();
  return name;
}

}  // namespace

Session::Session(const std::string& provider_url, const std::string& protocol, bool keep_all,
                 const std::string& ca_file)
    : folder_(new_folder()), secrets_(SecretShapes()) {
  RecorderSettings settings;
  settings.provider = value_of(provider_address(provider_url));
  settings.protocol = protocol;
  settings.folder = folder_.string();
  settings.keep_all = keep_all;
  settings.ca_file = ca_file;
  recorder_ = std::make_unique<Recorder>(settings, *value_of(curl_library()), secrets_, gate(),
                                         [](const CallReport&) {});
  server_ = value_of(LocalServer::start("127.0.0.1", 0, [this] { return recorder_->make_handler(); }));
}

Session::~Session() {
  server_.reset();
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::vector<CallReport> Session::reports(std::size_t count) const {
  const auto deadline = std::chrono::steady_clock::now() + testee::kTimeout;
  std::vector<CallReport> reports = recorder_->reports();
  while (reports.size() < count && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    reports = recorder_->reports();
  }
  return reports;
}

Result<recording::Recording> Session::recording_of(const CallReport& report) const {
  return recording::load((folder_ / (report.file + std::string(recording::kSuffix))).string());
}

}  // namespace splitproof::record
