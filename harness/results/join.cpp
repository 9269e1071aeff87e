#include "harness/results/join.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace splitproof::results {
namespace {

using contract::Verdict;

// The strongest first.
constexpr Verdict kStrength[] = {Verdict::violated, Verdict::passed_on, Verdict::met, Verdict::not_judged,
                                 Verdict::not_exercised};

auto strength(Verdict verdict) {
  return std::find(std::begin(kStrength), std::end(kStrength), verdict) - std::begin(kStrength);
}

// Compares by effort; the text breaks ties.
bool shows_better(const Reproducer& a, const Reproducer& b) {
  const auto rank = [](const Reproducer& shown) {
    return std::tuple(effort(shown), shown.case_id, shown.place.begin, shown.place.end, shown.message);
  };
  return rank(a) < rank(b);
}

bool shows_better(const std::optional<Reproducer>& a, const std::optional<Reproducer>& b) {
  return a && (!b || shows_better(*a, *b));
}

// True if the joined row keeps verdict, level, reason and case of `a`.
bool leads(const Row& a, const Row& b) {
  const auto rank = [](const Row& row) { return std::tie(row.level, row.reason); };
  if (a.verdict != b.verdict) return strength(a.verdict) < strength(b.verdict);
  if (rank(a) != rank(b)) return rank(a) < rank(b);
  return shows_better(a.first, b.first);
}

Row joined(const Row& a, const Row& b) {
  Row row = leads(a, b) ? a : b;
  row.cases = a.cases + b.cases;
  row.violating = a.violating + b.violating;
  return row;
}

std::vector<std::string> ids_of(const std::vector<Row>& rows) {
  std::vector<std::string> ids;
  ids.reserve(rows.size());
  for (const Row& row : rows) ids.push_back(row.rule);
  return ids;
}

// Keeps the order of the longer list.
std::vector<Row> joined(std::vector<Row> rows, std::vector<Row> others) {
  if (std::pair(others.size(), ids_of(others)) > std::pair(rows.size(), ids_of(rows)))
    std::swap(rows, others);
  for (Row& other : others) {
    const auto same =
        std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.rule == other.rule; });
    if (same == rows.end()) {
      rows.push_back(std::move(other));
    } else {
      *same = joined(*same, other);
    }
  }
  return rows;
}

// A round without recuts skipped none.
std::vector<std::string> joined(std::vector<std::string> labels, const std::vector<std::string>& others) {
  if (labels.empty() || others.empty()) return labels.empty() ? others : labels;
  labels.insert(labels.end(), others.begin(), others.end());
  std::sort(labels.begin(), labels.end());
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  return labels;
}

// True if both violate and meet the same rules, each by the same clause at the same field.
bool is_alike(const Behaviour& a, const Behaviour& b) {
  return a.meets == b.meets && std::equal(a.symptoms.begin(), a.symptoms.end(), b.symptoms.begin(),
                                          b.symptoms.end(), [](const Symptom& one, const Symptom& other) {
                                            return one.rule == other.rule &&
                                                   one.violation.clause == other.violation.clause &&
                                                   one.violation.field == other.violation.field;
                                          });
}

auto effort(const Behaviour& one) { return effort(true, one.fault, one.only_cut, one.upstream); }

}  // namespace

Verdict stronger(Verdict a, Verdict b) { return strength(a) < strength(b) ? a : b; }

void join(RecordingResult& result, RecordingResult other) {
  result.cases += other.cases;
  result.recuts += other.recuts;
  result.faults += other.faults;
  result.turns += other.turns;
  result.called += other.called;
  result.broken += other.broken;
  result.outputs += other.outputs;
  result.unrun += other.unrun;
  result.passes_no_stream = result.passes_no_stream && other.passes_no_stream;
  result.coverage += other.coverage;
  result.changed_recuts = joined(std::move(result.changed_recuts), other.changed_recuts);
  result.rows = joined(std::move(result.rows), std::move(other.rows));
  std::move(other.behaviours.begin(), other.behaviours.end(), std::back_inserter(result.behaviours));
}

void add(RecordingResult& result, std::vector<Row> rows, std::vector<Behaviour> behaviours) {
  result.rows = joined(std::move(result.rows), std::move(rows));
  const std::size_t known = result.behaviours.size();
  for (Behaviour& behaviour : behaviours) {
    const auto end = result.behaviours.begin() + static_cast<std::ptrdiff_t>(known);
    const auto same = std::find_if(result.behaviours.begin(), end,
                                   [&](const Behaviour& one) { return is_alike(one, behaviour); });
    if (same == end) {
      result.behaviours.push_back(std::move(behaviour));
      continue;
    }
    behaviour.cases += same->cases;
    if (effort(behaviour) < effort(*same)) {
      *same = std::move(behaviour);
    } else {
      same->cases = behaviour.cases;
    }
  }
}

}  // namespace splitproof::results
