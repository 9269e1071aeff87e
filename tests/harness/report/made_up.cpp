#include "made_up.hpp"

#include <fmt/format.h>

namespace splitproof::report {

const std::string kHostile =
    "</script><script>window.owned = 1</script></style></title><img src=x onerror=\"window.owned = 1\">"
    "\"'><b onmouseover='window.owned = 1'>&lt;![CDATA[]]>--> | `*_[a](javascript:alert(1)) <!-- "
    "\n::error::owned\r\n%0A \xE2\x80\xAE\xE2\x81\xA6 \x1B[31m \xFF\xC2";

Constructed made_up(std::size_t targets, std::size_t rules) {
  Constructed all;
  all.heading.profile = "default";
  all.heading.corpora = {kHostile};
  for (std::size_t t = 0; t < targets; ++t) {
    const std::string target = fmt::format("target-{:03}{}", t, kHostile);
    all.heading.targets.push_back(target);
    all.heading.files[target] = fmt::format("../targets/{},:%{}.yaml", t, kHostile);
    all.heading.places[target] = fmt::format("targets/{},:%{}.yaml", t, kHostile);
    all.heading.notes[target] = kHostile;
    all.recording("chat/one" + kHostile, target);
    std::string body;
    for (int i = 0; i < 20; ++i)
      body += fmt::format("event: delta\ndata: {{\"number\": {}, \"text\": \"a \xE2\x9C\x93 <b>{}\"}}\n\n", i,
                          i % 3 == 0 ? "</pre>" : "");
    for (std::size_t r = 0; r < rules; ++r) {
      all.row(fmt::format("RULE-{:03}", r), contract::Verdict::violated, contract::Level::must,
              fmt::format("event {} is wrong {}", r % 20, kHostile));
      all.last().first->place.event = r % 20;
      all.last().first->upstream.body = body + "data: " + kHostile + "\n\n";
      all.last().first->upstream.cuts = {50, 51, body.size()};
      all.behaves(
          fmt::format("chat/one{}?client=anthropic.messages&cuts=50,51,{}", kHostile, body.size() + r), body);
    }
  }
  all.client("careful", "RULE-000", contract::Reaction::throws)
      .client("careless", "RULE-001", contract::Reaction::wrong);
  for (contract::ClientStream& stream : all.heading.clients.streams) stream.does.front().says = kHostile;
  return all;
}

}  // namespace splitproof::report
