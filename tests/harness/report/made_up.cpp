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

Constructed every_kind() {
  Constructed all;
  all.heading.profile = "default";
  all.heading.corpora = {"the project's corpus"};
  all.heading.targets = {"broken-proxy", "good-proxy", "late-proxy"};
  all.heading.untested["late-proxy"] = "it ended while it started";
  all.heading.details.commands = {
      "splitproof run --target broken-proxy --target good-proxy --target late-proxy"};
  const std::string body = "event: delta\ndata: {\"text\":\"t\xEF\xBF\xBD de\"}\n\nevent: end\ndata: {}\n\n";
  const auto bug = [&](const std::string& rule, const std::string& contract, const std::string& message) {
    all.recording("chat/" + rule, "broken-proxy")
        .row(rule, contract::Verdict::violated, contract::Level::must, message);
    all.behaves("chat/" + rule + "?client=anthropic.messages&cuts=17", body);
    all.heading.rules[rule].contract = contract;
    all.heading.rules[rule].title = "Bug of " + rule;
    all.heading.rules[rule].seen = {"owner/proxy#12"};
    return &all.results.back().behaviours.back();
  };
  bug("RUN-01", "run", "it ended with exit code 1");
  results::Behaviour* text = bug("ANT-20", "anthropic.messages.meaning", "the text is not the upstream's");
  text->symptoms.front().violation = {0, "", "/text", "\"the tide\"", "\"the moon\"", ""};
  bug("ANT-08", "anthropic.messages.downstream", "a block starts while another is open");
  bug("ANT-09", "anthropic.messages.downstream", "a block never stops");
  bug("META-03", "meta", "the bytes depend on the cuts");
  results::Behaviour* request = bug("REQ-04", "asked", "the temperature that was sent is 1, expected: 0.5");
  request->symptoms.front().of_request = true;
  request->symptoms.front().violation = {0, "", "/temperature", "1", "0.5", ""};
  request->client_request = R"({"model":"m","temperature":0.5,"messages":[{"role":"user","content":"Hi"}]})";
  request->upstream_request = R"({"model":"m","temperature":1,"messages":[{"role":"user","content":"Hi"}]})";
  all.recording("chat/sound", "good-proxy")
      .row("ANT-08", contract::Verdict::met)
      .row("ANT-20", contract::Verdict::met);
  all.results.back().behaviours.emplace_back().case_id = "chat/sound?client=anthropic.messages&gen=whole";
  all.recording("chat/late", "late-proxy").row("ANT-08", contract::Verdict::met);
  all.results.back().behaviours.emplace_back().case_id = "chat/late?client=anthropic.messages&gen=whole";
  for (const char* rule : {"RUN-01", "ANT-20", "ANT-08", "ANT-09", "META-03", "REQ-04"})
    all.client("careful", rule, contract::Reaction::accepts);
  all.client("careless", "ANT-20", contract::Reaction::wrong)
      .client("strict", "ANT-08", contract::Reaction::throws);
  return all;
}

}  // namespace splitproof::report
