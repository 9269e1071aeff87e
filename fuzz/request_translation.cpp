// Translates any request body from each client's protocol into each upstream's. The result is a refusal with a
// sentence, or a JSON request.
//
// Byte 0 chooses the protocols and other changes of the request; the rest is the body.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "fuzz/input.hpp"
#include "proxy/server/upstream_call.hpp"
#include "proxy/wire/json.hpp"

using namespace splitproof;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const auto clients = proxy::dialect::clients();
  const auto upstreams = proxy::dialect::upstreams();
  server::ServerSettings settings;
  settings.upstream = "http://127.0.0.1:9/v1";
  settings.translator.upstream = &upstreams[data[0] / clients.size() % upstreams.size()];
  settings.translator.rules.limits.json_depth = 24;
  const unsigned knobs = data[0] / static_cast<unsigned>(clients.size() * upstreams.size());
  if ((knobs & 1U) != 0) settings.translator.names = names::Names::opencode;
  if ((knobs & 2U) != 0) settings.translator.request.tool_choice = request::ToolChoice::emulate;
  if ((knobs & 4U) != 0) settings.translator.request.preamble = request::Preamble::pr54;
  if ((knobs & 8U) != 0) {
    settings.translator.request.environment = request::EnvironmentRule::lift;
    settings.translator.request.retention = request::Retention::structured;
  }
  server::RequestHead head;
  head.method = "POST";
  head.path = clients[data[0] % clients.size()].path;
  head.fields = {{"authorization", "Bearer k"}};
  fuzz::with_exact_copy({reinterpret_cast<const char*>(data) + 1, size - 1}, [&](std::string_view body) {
    const auto call = server::upstream_call(head, std::string(body), 1, settings);
    const std::string& said = call ? call->post.body : call.error().body;
    if (wire::check_json(said, 1000) == wire::JsonFault::none && (call || call.error().status >= 400)) return;
    std::fprintf(stderr, "%s\n", said.c_str());
    std::abort();
  });
  return 0;
}
