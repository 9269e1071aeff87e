#include "harness/shrink/fewer_events.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "harness/observe/wire_json.hpp"
#include "harness/shrink/pieces.hpp"
#include "harness/split/recut.hpp"

namespace splitproof::shrink {
namespace {

using observe::WireJson;
using Kind = WireJson::Kind;

// Adds a shorter body, cut at the draft's distances from the end, and from the beginning if that differs.
void add_cut_from_either_end(std::vector<Candidate>& all, std::string body, const Candidate& draft) {
  Candidate from_begin{body, {}}, from_end{std::move(body), {}};
  const std::size_t size = from_begin.body.size();
  for (const std::size_t cut : draft.cuts) {
    if (cut < size) from_begin.cuts.push_back(cut);
    const std::size_t left = draft.body.size() - cut;
    if (left < size) from_end.cuts.push_back(size - left);
  }
  const bool differ = from_begin != from_end;
  all.push_back(std::move(from_end));
  if (differ) all.push_back(std::move(from_begin));
}

std::optional<std::string> joined(const WireJson& a, const WireJson& b);

std::optional<std::string> joined_members(const WireJson& a, const WireJson& b) {
  std::string members;
  const auto add = [&members](const std::string& key, const std::string& value) {
    members += (members.empty() ? "" : ",") + observe::json_string(key) + ":" + value;
  };
  for (const WireJson& member : a.children) {
    const WireJson& other = b.at(member.key);
    const auto both = other.absent() ? std::string(member.raw) : joined(member, other);
    if (!both) return std::nullopt;
    add(member.key, *both);
  }
  for (const WireJson& member : b.children)
    if (a.at(member.key).absent()) add(member.key, std::string(member.raw));
  return "{" + members + "}";
}

// Returns a value with the content of both, or nullopt if they conflict. Null has no content.
std::optional<std::string> joined(const WireJson& a, const WireJson& b) {
  if (a.is(Kind::null) || observe::compact(a) == observe::compact(b)) return std::string(b.raw);
  if (b.is(Kind::null)) return std::string(a.raw);
  if (a.is(Kind::object) && b.is(Kind::object)) return joined_members(a, b);
  const bool one_each =
      a.is(Kind::array) && b.is(Kind::array) && a.children.size() == 1 && b.children.size() == 1;
  if (!one_each) return std::nullopt;
  const auto both = joined(a.children.front(), b.children.front());
  if (!both) return std::nullopt;
  return "[" + *both + "]";
}

}  // namespace

std::vector<Candidate> in_fewer_events(const split::Rechunker& dealer, const Candidate& draft,
                                       Framing framing) {
  std::vector<Candidate> all;
  const split::Recuts recuts(dealer, draft.body);
  std::vector<std::string> labels = dealer.labels();
  labels.insert(labels.begin(), "whole");
  const std::size_t events = count_events(draft.body, framing);
  for (const std::string& label : labels) {
    const auto recut = recuts.make(label);
    if (!recut || count_events(recut->body, framing) >= events) continue;
    add_cut_from_either_end(all, recut->body, draft);
  }
  return all;
}

std::vector<Candidate> with_events_joined(const Candidate& draft, Framing framing) {
  std::vector<Candidate> all;
  const std::string_view body = draft.body;
  const std::vector<Document> documents = documents_of(body, framing);
  for (std::size_t i = documents.size(); i-- > 1;) {
    const auto both = joined(documents[i - 1].json, documents[i].json);
    if (!both) continue;
    const auto begin = static_cast<std::size_t>(documents[i - 1].text.data() - body.data());
    const auto end =
        static_cast<std::size_t>(documents[i].text.data() - body.data()) + documents[i].text.size();
    std::string shorter(body.substr(0, begin));
    shorter.append(*both).append(body.substr(end));
    add_cut_from_either_end(all, std::move(shorter), draft);
  }
  return all;
}

}  // namespace splitproof::shrink
