#include "constructed.hpp"

#include <algorithm>

namespace splitproof::report {

Constructed& Constructed::recording(const std::string& id, const std::string& target) {
  recording::Recording& recording = recordings_.emplace_back();
  recording.id = id;
  recording.body = "data: {\"text\":\"\xE2\x9C\x93\"}\n\n";
  campaign::RecordingResult& result = results.emplace_back();
  result.target = target;
  result.recording = &recording;
  result.cases = 10;
  result.outputs = 2;
  return *this;
}

Constructed& Constructed::row(const std::string& obligation, contract::Verdict verdict, contract::Level level,
                              const std::string& message) {
  const auto known = std::find_if(
      obligations_.begin(), obligations_.end(),
      [&](const contract::Obligation& one) { return one.id == obligation && one.level == level; });
  contract::Obligation& rule = known == obligations_.end() ? obligations_.emplace_back() : *known;
  rule.id = obligation;
  rule.level = level;
  rule.says = "A rule.";
  rule.contract = obligation.rfind("META", 0) == 0  ? "meta"
                  : obligation.rfind("REQ", 0) == 0 ? "upstream"
                                                    : "anthropic.messages.downstream";
  campaign::Row& row = results.back().rows.emplace_back();
  row.obligation = &rule;
  row.level = level;
  row.verdict = verdict;
  row.cases = 10;
  if (verdict != contract::Verdict::violated) {
    if (verdict != contract::Verdict::met) row.reason = "a reason";
    return *this;
  }
  row.violating = 4;
  row.first.emplace();
  row.first->case_id = results.back().recording->id + "?client=anthropic.messages&cuts=17";
  row.first->upstream.body = results.back().recording->body;
  row.first->upstream.cuts = {17};
  row.first->event = 6;
  row.first->begin = 912;
  row.first->end = 1044;
  row.first->downstream = "data: x\n";
  row.first->message = message;
  return *this;
}

Constructed& Constructed::behaves(const std::string& case_id, const std::string& body) {
  campaign::Row& row = last();
  row.first->case_id = case_id;
  const campaign::Reproducer& first = *row.first;
  campaign::Behaviour& behaviour = results.back().behaviours.emplace_back();
  behaviour.case_id = case_id;
  behaviour.upstream = first.upstream;
  behaviour.cases = row.violating;
  behaviour.symptoms.push_back(
      {row.obligation, row.level, {}, first.event, first.begin, first.end, first.downstream, first.message});
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
