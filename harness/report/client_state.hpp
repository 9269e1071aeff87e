#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/report/summary.hpp"

namespace splitproof::report {

/// The result of a run for one client program. `not_tested` is never good news: a cause, or the target, was not
/// tried with the client.
enum class ClientState : std::uint8_t { works, breaks, not_tested };

/// The state of one client with one target.
struct ClientResult {
  std::string target;
  const contract::ClientProgram* client = nullptr;
  ClientState state = ClientState::not_tested;
  std::vector<std::size_t> breaks_on;  ///< Numbers of the causes that break it, counted from 1.
  std::string says;                    ///< "breaks on 3 of 31 bugs", "2 of 31 bugs were not tried with it"
};

/// True if a cause is known to break a client. A crash breaks every client.
bool breaks(const cause::Cause& cause, const std::string& client);

/// Returns one entry for each target and each client of its protocol, in the order of the heading.
std::vector<ClientResult> client_results(const std::vector<results::RecordingResult>& results,
                                         const Heading& heading, const Summary& summary);

}  // namespace splitproof::report
