#include "harness/dialect/capabilities_of_client.hpp"

#include "harness/dialect/asked_trace.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/observe/asked_rules.hpp"

namespace splitproof::dialect {

observe::ClientCapabilities capabilities_of_client(const std::string& protocol, const nlohmann::json* request,
                                                   const observe::NameMap* names) {
  const Client* client = client_of(protocol);
  observe::ClientCapabilities carries =
      client != nullptr ? client->carries(request) : observe::ClientCapabilities();
  const RequestDialect* reader = request_reader_of(protocol + std::string(kUpstreamSide));
  const observe::AskedRequest asked =
      reader != nullptr && request != nullptr ? reader->asked(*request) : observe::AskedRequest();
  carries.renaming = observe::renaming_for(asked, names);
  carries.functions = observe::functions_of(asked, carries.renaming);
  carries.stops = asked.stop;
  return carries;
}

}  // namespace splitproof::dialect
