#include "harness/cause/sure.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

#include "harness/campaign/asked_judge.hpp"
#include "harness/campaign/standing.hpp"
#include "harness/cause/item.hpp"
#include "harness/recording/recording.hpp"

namespace splitproof::cause {
namespace {

using campaign::RecordingResult;
using campaign::Row;
using contract::Obligation;

using Rows = std::set<const Row*>;
using Recordings = std::set<const RecordingResult*>;

// Whether an upstream answers with a document, whatever its protocol is: a stream has a type of its own.
bool is_of_a_document(const RecordingResult& result) {
  const auto& headers = result.recording->headers;
  const auto type = headers.find("content-type");
  return type != headers.end() && campaign::is_json_type(type->second);
}

class Unsure {
 public:
  Unsure(const std::vector<Cause>& causes, const Findings& findings) : causes_(causes), findings_(findings) {}

  Rows rows() {
    for (const Cause& cause : causes_) {
      for (const Cause& other : causes_)
        if (&other != &cause) add_told_elsewhere(cause, other);
      add_documents(cause);
    }
    return std::move(unsure_);
  }

 private:
  Rows rows_of(const Cause& cause, const Obligation* rule) const {
    Rows found;
    for (const Row* row : cause.own)
      if (row->obligation == rule) found.insert(row);
    return found;
  }

  Recordings recordings_of(const Cause& cause, const Obligation* rule) const {
    Recordings found;
    for (const Row* row : rows_of(cause, rule)) found.insert(findings_.at(row));
    return found;
  }

  bool usually_shows(const Cause& cause, const Obligation* rule) const {
    return recordings_of(cause, rule).size() * 2 > recordings_of(cause, cause.rule).size();
  }

  void add_told_elsewhere(const Cause& cause, const Cause& other) {
    const Rows told = rows_of(cause, other.rule);
    if (told.size() > kFew || follows(*other.rule, *cause.rule)) return;
    for (const Row* one : told) {
      unsure_.insert(one);
      for (const Row* row : cause.own)
        if (findings_.at(row) == findings_.at(one) && row->obligation != cause.rule &&
            usually_shows(other, row->obligation) && rows_of(cause, row->obligation).size() <= kFew)
          unsure_.insert(row);
    }
  }

  void add_documents(const Cause& cause) {
    const Recordings in = recordings_of(cause, cause.rule);
    const bool only_documents =
        std::all_of(in.begin(), in.end(), [](const RecordingResult* one) { return is_of_a_document(*one); });
    if (only_documents || campaign::is_of_requests(*cause.rule)) return;
    for (const Row* row : cause.own)
      if (is_of_a_document(*findings_.at(row))) unsure_.insert(row);
  }

  const std::vector<Cause>& causes_;
  const Findings& findings_;
  Rows unsure_;
};

}  // namespace

std::set<const campaign::Row*> unsure_of(const std::vector<Cause>& causes, const Findings& findings) {
  return Unsure(causes, findings).rows();
}

}  // namespace splitproof::cause
