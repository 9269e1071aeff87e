#include "harness/testee/target_setup.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <string>

#include "harness/testee/http_client.hpp"
#include "harness/testee/installation.hpp"

namespace splitproof::testee {
namespace {

constexpr std::size_t kMostOfSetupAnswer = 200;  // bytes that an error shows
constexpr int kFirstSuccess = 200;
constexpr int kLastSuccess = 299;

}  // namespace

Result<void> set_up(const TargetFile& target, const Places& places, const HttpAddress& address,
                    Supervisor& supervisor, const StopToken& stop) {
  for (std::size_t i = 0; i < target.setup.size(); ++i) {
    const SetupStep& step = target.setup[i];
    std::string failed;
    if (!step.run.empty()) {
      const Result<std::string> ran = run_setup(target, step.run, places, supervisor, stop);
      if (!ran) return tl::unexpected(ran.error());
      failed = *ran;
    } else {
      Post request{step.path, {}, filled(step.body, places), step.method};
      if (find_header(step.headers, "content-type") == nullptr)
        request.headers.push_back({"content-type", "application/json"});
      for (const Header& header : step.headers)
        request.headers.push_back({header.name, filled(header.value, places)});
      const Reply reply = post(address, request, {target.ready_within, target.ready_within}, {}, stop);
      if (!reply.http || reply.ending != Ending::complete) {
        failed = reply.detail.empty() ? "no answer" : reply.detail;
      } else if (reply.http->status < kFirstSuccess || reply.http->status > kLastSuccess) {
        failed = "status " + std::to_string(reply.http->status) + " and " +
                 reply.body.substr(0, kMostOfSetupAnswer);
      }
    }
    if (failed.empty()) continue;
    const std::string what = step.run.empty() ? step.method + " " + step.path : step.run;
    return tl::unexpected(Error{fmt::format("step {} of setup, '{}', failed with {}", i + 1, what, failed),
                                target.path, 0, "correct the step, or the target"});
  }
  return {};
}

}  // namespace splitproof::testee
