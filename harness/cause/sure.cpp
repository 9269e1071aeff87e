#include "harness/cause/sure.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

#include "harness/cause/behaviour_sample.hpp"

namespace splitproof::cause {
namespace {

using results::RecordingResult;
using results::Row;

using RowSet = std::set<const Row*>;
using Recordings = std::set<const RecordingResult*>;

class Unsure {
 public:
  Unsure(const std::vector<Cause>& causes, const FindingRows& findings)
      : causes_(causes), findings_(findings) {}

  RowSet rows() {
    for (const Cause& cause : causes_) {
      for (const Cause& other : causes_)
        if (&other != &cause) add_told_elsewhere(cause, other);
      add_documents(cause);
    }
    return std::move(unsure_);
  }

 private:
  RowSet rows_of(const Cause& cause, const std::string& rule) const {
    RowSet found;
    for (const Row* row : cause.own)
      if (row->rule == rule) found.insert(row);
    return found;
  }

  Recordings recordings_of(const Cause& cause, const std::string& rule) const {
    Recordings found;
    for (const Row* row : rows_of(cause, rule)) found.insert(findings_.at(row));
    return found;
  }

  bool usually_shows(const Cause& cause, const std::string& rule) const {
    return recordings_of(cause, rule).size() * 2 > recordings_of(cause, cause.rule->id).size();
  }

  void add_told_elsewhere(const Cause& cause, const Cause& other) {
    const RowSet told = rows_of(cause, other.rule->id);
    if (told.size() > kMinSupport || follows(*other.rule, *cause.rule)) return;
    for (const Row* one : told) {
      unsure_.insert(one);
      for (const Row* row : cause.own)
        if (findings_.at(row) == findings_.at(one) && row->rule != cause.rule->id &&
            usually_shows(other, row->rule) && rows_of(cause, row->rule).size() <= kMinSupport)
          unsure_.insert(row);
    }
  }

  void add_documents(const Cause& cause) {
    const Recordings in = recordings_of(cause, cause.rule->id);
    const bool only_documents = std::all_of(
        in.begin(), in.end(), [](const RecordingResult* one) { return one->recording.is_document; });
    if (only_documents || cause.rule->of_requests) return;
    for (const Row* row : cause.own)
      if (findings_.at(row)->recording.is_document) unsure_.insert(row);
  }

  const std::vector<Cause>& causes_;
  const FindingRows& findings_;
  RowSet unsure_;
};

}  // namespace

std::set<const results::Row*> unsure_of(const std::vector<Cause>& causes, const FindingRows& findings) {
  return Unsure(causes, findings).rows();
}

}  // namespace splitproof::cause
