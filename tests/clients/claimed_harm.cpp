// Prints the claims of the contracts in a folder about client reactions to their streams. Each entry of `harm:` with a
// client and a stream is one line of JSON: {"rule", "protocol", "client", "stream", "control", "does"}. Returns 1 if
// the contracts cannot be read.
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "harness/contract/contract_file.hpp"
#include "harness/contract/contracts.hpp"
#include "harness/observe/trace.hpp"
#include "harness/read_file.hpp"

namespace {

using namespace splitproof;

// Returns the protocol of a rule's control, for rules that apply to every protocol.
std::string protocol_of(const contract::Contracts& contracts, const contract::Obligation& obligation,
                        const std::string& control) {
  const std::string_view protocol = contract::downstream_protocol(obligation.contract);
  if (!protocol.empty()) return std::string(protocol);
  const std::string body = read_file(control).value_or("");
  return contracts.recognise(observe::read_trace(body, observe::DataKind::json)).value_or("");
}

}  // namespace

int main(int count, char** arguments) {
  const std::string folder = count > 1 ? arguments[1] : "contracts";
  const auto contracts = contract::Contracts::load({folder});
  if (!contracts) {
    std::fprintf(stderr, "%s\n", describe(contracts.error()).c_str());
    return 1;
  }
  for (const contract::Obligation* obligation : contracts->obligations()) {
    for (const contract::Harm& harm : obligation->harm) {
      if (harm.stream.empty()) continue;
      const auto falsifier = std::find_if(obligation->falsifiers.begin(), obligation->falsifiers.end(),
                                          [&](const auto& one) { return one.file == harm.stream; });
      const bool known = falsifier != obligation->falsifiers.end();
      const std::string control = known ? falsifier->control : "";
      const nlohmann::json line = {{"rule", obligation->id},
                                   {"protocol", protocol_of(*contracts, *obligation, folder + "/" + control)},
                                   {"client", harm.client},
                                   {"stream", harm.stream},
                                   {"control", control},
                                   {"does", harm.says}};
      std::printf("%s\n", line.dump().c_str());
    }
  }
}
