#include "harness/campaign/case_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "harness/campaign/fault.hpp"
#include "harness/campaign/upstream.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/fnv1a.hpp"
#include "harness/observe/read_answer.hpp"

namespace splitproof::campaign {
namespace {

std::string_view without_blanks(std::string_view line) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t begin = line.find_first_not_of(kBlanks);
  if (begin == line.npos) return {};
  return line.substr(begin, line.find_last_not_of(kBlanks) - begin + 1);
}

// Returns what makes the body of a case.
auto body_key(const Case& one) {
  return std::tuple(one.turn, one.edit, one.recut, one.fault ? label(*one.fault) : std::string());
}

}  // namespace

Result<CaseList> CaseList::parse(std::string_view text, const std::string& file) {
  CaseList list;
  list.file_ = file;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = without_blanks(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (line.empty() || line.front() == '#') continue;
    auto one = parse_case(line);
    const auto wrong = [&](Error error) {
      error.file = file;
      error.line = number;
      return tl::unexpected(std::move(error));
    };
    if (!one) return wrong(one.error());
    if (!one->act.empty())
      return wrong({"a list cannot have a case with an act", {}, 0, "run it with --only 'CASE'"});
    const bool is_known =
        one->client.empty() || one->client == observe::kAnswerReader || dialect::find(one->client) != nullptr;
    if (!is_known)
      return wrong({"'" + one->client + "' is no protocol", {}, 0, "use " + dialect::client_names()});
    list.add(*std::move(one), number);
  }
  if (list.entries_.empty())
    return tl::unexpected(Error{"has no case", file, 0, "write a case id on each line"});
  return list;
}

CaseList CaseList::of(const std::vector<Case>& cases, const std::string& file) {
  CaseList list;
  list.file_ = file;
  for (const Case& one : cases) list.add(one, list.entries_.size() + 1);
  return list;
}

void CaseList::add(Case one, std::size_t line) {
  by_recording_[one.recording].push_back(entries_.size());
  entries_.push_back({std::move(one), line});
}

Result<void> CaseList::check(const std::vector<recording::Recording>& recordings) const {
  std::map<std::string_view, const recording::Recording*> known;
  for (const recording::Recording& recording : recordings) known.emplace(recording.id, &recording);
  for (const Entry& entry : entries_) {
    const auto wrong = [&](Error error) {
      error.file = file_;
      error.line = entry.line;
      return tl::unexpected(std::move(error));
    };
    const auto recording = known.find(entry.one.recording);
    if (recording == known.end())
      return wrong({"there is no recording '" + entry.one.recording + "'",
                    {},
                    0,
                    "run splitproof list recordings, or name its folder with --corpus"});
    if (const auto upstream = upstream_of(entry.one, *recording->second); !upstream)
      return wrong(upstream.error());
  }
  return {};
}

std::vector<Case> CaseList::cases_of(const std::string& recording, const std::string& client) const {
  const auto listed = by_recording_.find(recording);
  if (listed == by_recording_.end()) return {};
  std::vector<Case> cases;
  std::map<decltype(body_key(Case())), std::size_t> bodies;  // in the order of their first cases
  std::vector<std::size_t> body_of;
  for (const std::size_t index : listed->second) {
    Case one = entries_[index].one;
    if (!one.client.empty() && one.client != client) continue;
    one.client = client;
    body_of.push_back(bodies.try_emplace(body_key(one), bodies.size()).first->second);
    cases.push_back(std::move(one));
  }
  std::vector<std::size_t> order(cases.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return body_of[a] < body_of[b]; });
  std::vector<Case> sorted;
  for (const std::size_t index : order) sorted.push_back(std::move(cases[index]));
  return sorted;
}

std::string digest_of_list(const CaseList& list) {
  std::string all;
  for (const CaseList::Entry& entry : list.entries()) all += to_string(entry.one) + "\n";
  return fmt::format("{} cases {:016x}", list.entries().size(), fnv1a(all));
}

}  // namespace splitproof::campaign
