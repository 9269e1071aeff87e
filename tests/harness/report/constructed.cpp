#include "constructed.hpp"

namespace splitproof::report {

Constructed& Constructed::recording(const std::string& id, const std::string& target) {
  results::RecordingResult& result = results.emplace_back();
  result.target = target;
  result.recording.id = id;
  result.recording.body = "data: {\"text\":\"\xE2\x9C\x93\"}\n\n";
  result.cases = 10;
  result.outputs = 2;
  return *this;
}

Constructed& Constructed::row(const std::string& id, contract::Verdict verdict, contract::Level level,
                              const std::string& message) {
  results::Rule& rule = heading.rules[id];
  rule.id = id;
  rule.level = level;
  rule.says = "A rule.";
  rule.contract = id.starts_with("META")  ? "meta"
                  : id.starts_with("REQ") ? "upstream"
                                          : "anthropic.messages.downstream";
  rule.of_requests = id.starts_with("REQ");
  rule.speaks = id.starts_with("META")  ? results::Speaks::never
                : id.starts_with("REQ") ? results::Speaks::if_violated
                                        : results::Speaks::always;
  results::Row& row = results.back().rows.emplace_back();
  row.rule = id;
  row.level = level;
  row.verdict = verdict;
  row.cases = 10;
  if (verdict != contract::Verdict::violated) {
    if (verdict != contract::Verdict::met) row.reason = "a reason";
    return *this;
  }
  row.violating = 4;
  row.first.emplace();
  row.first->case_id = results.back().recording.id + "?client=anthropic.messages&cuts=17";
  row.first->upstream.body = results.back().recording.body;
  row.first->upstream.cuts = {17};
  row.first->place = {6, 912, 1044};
  row.first->downstream = "data: x\n";
  row.first->message = message;
  return *this;
}

Constructed& Constructed::behaves(const std::string& case_id, const std::string& body) {
  results::Row& row = last();
  row.first->case_id = case_id;
  const results::Reproducer& first = *row.first;
  results::Behaviour& behaviour = results.back().behaviours.emplace_back();
  behaviour.case_id = case_id;
  behaviour.upstream = first.upstream;
  behaviour.cases = row.violating;
  behaviour.symptoms.push_back({row.rule, row.level, {}, first.place, first.downstream, first.message});
  behaviour.body = body;
  return *this;
}

Constructed& Constructed::client(const std::string& name, const std::string& obligation,
                                 contract::Reaction reaction) {
  contract::Clients& clients = heading.clients;
  if (clients.find(name) == nullptr)
    clients.programs.push_back({name, "the " + name, "1.0", "as it comes", {}});
  clients.streams.push_back({"anthropic.messages",
                             "stream-" + std::to_string(clients.streams.size()),
                             "A stream.",
                             {{obligation}},
                             {{name, reaction, "It does."}}});
  return *this;
}

}  // namespace splitproof::report
