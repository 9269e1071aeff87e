#include "harness/record/features.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "harness/contract/judge.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/observe/event_json.hpp"
#include "harness/observe/event_stream.hpp"
#include "harness/observe/framing.hpp"
#include "harness/split/seam.hpp"

namespace splitproof::record {
namespace {

using nlohmann::json;

constexpr int kDepth = 5;  // deeper members are content of the user
constexpr std::size_t kLongestName = 40;

// Content of the user has names of its own. They are no feature of the stream.
bool is_free_form(std::string_view name) {
  for (const std::string_view free :
       {"input", "arguments", "args", "parameters", "metadata", "properties", "schema"})
    if (name == free) return true;
  return false;
}

void add_fields(const json& value, const std::string& path, int depth, Features& features) {
  if (value.is_object() && depth > 0) {
    for (const auto& member : value.items()) {
      if (member.key().size() > kLongestName) continue;
      const bool is_free = is_free_form(member.key());
      add_fields(member.value(), path + "/" + member.key(), is_free ? 0 : depth - 1, features);
    }
  } else if (value.is_array() && depth > 0) {
    for (const json& element : value) add_fields(element, path + "/*", depth, features);
    if (value.empty()) features.insert("field " + path + " empty");
  } else {
    const bool is_empty = value.is_string() && value.get_ref<const std::string&>().empty();
    features.insert("field " + path + " " +
                    (is_empty            ? "empty"
                     : value.is_number() ? "number"
                                         : value.type_name()));
  }
}

void add_events(const recording::Recording& recording, Features& features) {
  observe::for_each_frame(
      recording.body, dialect::format_of(recording.protocol).framing, [&](const observe::SseEvent& frame) {
        if (frame.event) features.insert("event " + *frame.event);
        if (!frame.terminated) features.insert("event without its end");
        const auto read = observe::parse_event_json(frame.data);
        if (!read) {
          features.insert(frame.data.size() <= kLongestName ? "data " + frame.data
                                                            : std::string("data that is no JSON"));
          return true;
        }
        const json& data = *read->json;
        if (data.is_object()) {
          if (const auto type = data.find("type"); type != data.end() && type->is_string())
            features.insert("event " + type->get<std::string>());
        }
        add_fields(data, "", kDepth, features);
        return true;
      });
}

void add_answer(const recording::Recording& recording, Features& features) {
  const dialect::UpstreamDialect* upstream = dialect::upstream_of(recording.protocol);
  if (upstream == nullptr) return;
  const observe::Answer answer = dialect::read(*upstream, recording.body);
  for (const std::string& shape : answer.shapes) features.insert("shape " + shape);
  const auto kinds = observe::kinds_of(answer);
  for (const std::string& kind : kinds) features.insert("part " + kind);
  // Rules about empty answers judge only these.
  if (kinds.empty() && answer.finish && !answer.error) features.insert("part none");
  for (const std::string& note : observe::notes_of(answer)) features.insert("note " + note);
  features.insert("finish " + (answer.finish ? answer.finish->word : std::string("never")));
  if (answer.error) features.insert("error in the stream");
}

void add_rules(const recording::Recording& recording, const contract::Contracts& contracts,
               const contract::Profile& profile, Features& features) {
  using contract::Verdict;
  observe::BodyStream stream(recording.body, contracts.data_kind(recording.protocol));
  for (const contract::Judged& judged : contract::judge(contracts, recording.protocol, profile, stream, {})) {
    const bool violated = judged.verdict == Verdict::violated;
    if (violated || judged.verdict == Verdict::met) features.insert("rule " + judged.obligation->id);
    if (violated) features.insert("violates " + judged.obligation->id);
  }
}

}  // namespace

Features features_of(const recording::Recording& recording, const contract::Contracts& contracts,
                     const contract::Profile& profile) {
  Features features;
  features.insert("protocol " + recording.protocol);
  features.insert("end " + std::string(recording::name(recording.end)));
  features.insert("status " + std::to_string(recording.status));
  for (const split::Seam& seam : split::find_seams(recording.body, dialect::format_of(recording.protocol)))
    features.insert("seam " + std::string(split::name(seam.kind)));
  add_events(recording, features);
  add_answer(recording, features);
  add_rules(recording, contracts, profile, features);
  return features;
}

std::string summary_of(const Features& features) {
  std::map<std::string, std::vector<std::string>> by_kind;
  for (const std::string& feature : features) {
    const std::size_t blank = feature.find(' ');
    by_kind[feature.substr(0, blank)].push_back(feature.substr(blank + 1));
  }
  std::string text;
  for (const char* kind : {"rule", "seam", "field"}) {
    const std::size_t count = by_kind[kind].size();
    text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", count, kind, count == 1 ? "" : "s");
  }
  for (const char* kind : {"part", "finish", "shape", "note", "violates"})
    if (!by_kind[kind].empty()) text += fmt::format("; {} {}", kind, fmt::join(by_kind[kind], ", "));
  return text;
}

}  // namespace splitproof::record
