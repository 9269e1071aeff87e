#include "harness/results/join.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
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

// The decisive verdict brings its level, its reason and its case.
Row joined(Row row, Row later) {
  const std::size_t cases = row.cases + later.cases;
  const std::size_t violating = row.violating + later.violating;
  const bool breaks_client = row.breaks_client || later.breaks_client;
  if (strength(later.verdict) < strength(row.verdict)) {
    row = std::move(later);
  } else if (later.verdict == row.verdict && later.first &&
             (!row.first || effort(*later.first) < effort(*row.first))) {
    row.first = std::move(later.first);
  }
  row.cases = cases;
  row.violating = violating;
  row.breaks_client = breaks_client;
  return row;
}

std::vector<std::string> ids_of(const std::vector<Row>& rows) {
  std::vector<std::string> ids;
  ids.reserve(rows.size());
  for (const Row& row : rows) ids.push_back(row.rule);
  return ids;
}

// Keeps the order of the longer list.
std::vector<Row> joined(std::vector<Row> rows, std::vector<Row> later) {
  const auto place_of = [](std::vector<Row>& all, const std::string& rule) {
    return std::find_if(all.begin(), all.end(), [&](const Row& row) { return row.rule == rule; });
  };
  if (rows.empty() || later.empty()) return rows.empty() ? later : rows;
  if (std::pair(later.size(), ids_of(later)) > std::pair(rows.size(), ids_of(rows))) {
    for (Row& row : rows) {
      const auto same = place_of(later, row.rule);
      if (same == later.end()) {
        later.push_back(std::move(row));
      } else {
        *same = joined(std::move(row), std::move(*same));
      }
    }
    return later;
  }
  for (Row& row : later) {
    const auto same = place_of(rows, row.rule);
    if (same == rows.end()) {
      rows.push_back(std::move(row));
    } else {
      *same = joined(std::move(*same), std::move(row));
    }
  }
  return rows;
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

void join(RecordingResult& result, std::optional<RecordingPart> later, std::size_t outputs) {
  if (!result.part || !later) {
    result.outputs += outputs;
    return;
  }
  result.part->end = later->end;
  result.part->outputs.merge(later->outputs);
  result.outputs = result.part->outputs.size();
}

}  // namespace

Verdict stronger(Verdict a, Verdict b) { return strength(a) < strength(b) ? a : b; }

void join(RecordingResult& result, RecordingResult later) {
  result.cases += later.cases;
  result.recuts += later.recuts;
  result.faults += later.faults;
  result.turns += later.turns;
  result.called += later.called;
  result.broken += later.broken;
  result.unrun += later.unrun;
  result.passes_no_stream = result.passes_no_stream && later.passes_no_stream;
  result.coverage.add_splits(later.coverage);
  std::move(later.changed_recuts.begin(), later.changed_recuts.end(),
            std::back_inserter(result.changed_recuts));
  if (result.recording.body.empty()) result.recording.body = std::move(later.recording.body);
  join(result, std::move(later.part), later.outputs);
  add(result, std::move(later.rows), std::move(later.behaviours));
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
