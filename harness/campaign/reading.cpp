#include "harness/campaign/reading.hpp"

#include <cstdint>
#include <utility>

#include "harness/aws_document.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/observe/flush_requirement.hpp"
#include "harness/observe/framing.hpp"

namespace splitproof::campaign {
namespace {

// Returns all of a reading that a verdict depends on, except times, as one string.
std::string fingerprint(const UpstreamReading& reading, recording::End end) {
  std::string text;
  const auto add = [&](std::string_view field) {
    text.append(std::to_string(field.size())).append(":").append(field);
  };
  const auto add_count = [&](const std::optional<std::uint64_t>& count) {
    add(count ? std::to_string(*count) : "-");
  };
  const observe::Answer& said = reading.meaning;
  add(recording::name(end));
  add(said.model);
  add(said.begins_with_text ? "text first" : "");
  for (const observe::Part& part : said.parts) {
    for (const std::string& field :
         {part.text, part.signature, part.id, part.name, part.arguments, part.type})
      add(field);
    add(std::to_string(static_cast<int>(part.kind)) + " " + std::to_string(part.rank));
  }
  for (const std::size_t number : said.begun) add(std::to_string(number));
  add(said.finish ? said.finish->word : "-");
  add(said.done ? "done" : "");
  add(said.error ? "error" : "");  // its wording may differ
  const observe::Tokens& usage = said.usage;
  for (const auto& count : {usage.prompt, usage.cached, usage.completion, usage.reasoning, usage.total,
                            usage.written, usage.unclear})
    add_count(count);
  for (const auto& [what, value] : said.extra) {
    add(what);
    add(value);
  }
  for (const std::string& shape : said.shapes) add(shape);
  if (reading.edited) add("edited");
  if (!reading.unread.empty()) add(reading.unread);
  return text;
}

bool begins_as_document(std::string_view body) {
  const std::size_t first = body.find_first_not_of(" \t\r\n");
  return first != body.npos && body[first] == '{';
}

}  // namespace

std::optional<Upstream> completed(const Upstream& upstream, const observe::DataKind& kind) {
  if (begins_with_aws_frame(upstream.body)) return std::nullopt;  // a frame has all or nothing
  std::optional<std::size_t> last;
  observe::for_each_frame(upstream.body, Framing::sse, [&](const observe::SseEvent& event) {
    if (!event.terminated) last = event.begin;
    return true;
  });
  if (!last) return std::nullopt;
  Upstream whole = upstream;
  whole.body += "\n\n";
  const observe::Trace rest = observe::read_trace(std::string_view(whole.body).substr(*last), kind);
  const bool torn = rest.events.empty() || rest.events.back().fault != observe::StreamFault::none;
  return torn ? std::nullopt : std::optional(std::move(whole));
}

UpstreamReading read_upstream(const Upstream& upstream, std::string_view protocol,
                              const observe::Choices& choices, const observe::ClientCapabilities& carries,
                              std::vector<Milestone>* milestones) {
  UpstreamReading reading;
  const dialect::UpstreamDialect* spoken = dialect::upstream_of(protocol);
  if (spoken == nullptr) {
    reading.unread = "splitproof cannot read an upstream of " + std::string(protocol);
    return reading;
  }
  const auto answer = spoken->reader(choices);
  observe::FlushRequirement due(choices, carries);
  observe::for_each_frame(upstream.body, spoken->format().framing, [&](const observe::SseEvent& frame) {
    answer->take(frame);
    const observe::Answer& said = answer->so_far();
    if (said.done && !reading.size) reading.size = frame.end;
    // An invalid AWS frame may be a document instead of the stream, which is known only at the body's end.
    if (!frame.broken.empty() && begins_as_document(upstream.body)) return true;
    // A testee may stop at an ambiguity, so nothing after it is due.
    if (milestones == nullptr || !frame.terminated || said.shapes.contains("ambiguous")) return true;
    milestones->push_back({frame.end, due.after(said), said.done || said.error});
    return true;
  });
  answer->take_plain_body(upstream.body);
  reading.meaning = answer->finished();
  reading.expected = observe::expected_of(reading.meaning, upstream.end, choices, carries);
  return reading;
}

Digest digest_of(const UpstreamReading& reading, recording::End end) {
  return digest_of(fingerprint(reading, end));
}

}  // namespace splitproof::campaign
