#include "harness/testee/exchange_script.hpp"

#include <string>

#include "harness/testee/hold_watch.hpp"

namespace splitproof::testee {

ResponseScript script_of(const Exchange& exchange, std::string_view content_type) {
  ResponseScript script;
  if (exchange.recording != nullptr) {
    script = response_of(*exchange.recording, exchange);
  } else {
    script.headers = {{"content-type", std::string(content_type)}};
    script.pieces.assign(exchange.chunks.begin(), exchange.chunks.end());
    script.end = exchange.end;
    script.frames = exchange.frames;
  }
  if (exchange.status) {
    script.status = *exchange.status;
    script.headers = {{"content-type", "application/json"}};
    script.framing = BodyFraming::content_length;
  }
  script.holds = hold_offsets(exchange);
  return script;
}

}  // namespace splitproof::testee
