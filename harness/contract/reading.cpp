#include "harness/contract/reading.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

namespace splitproof::contract {
namespace {

std::string_view ended_name(Ended ended) {
  return ended == Ended::complete ? "complete" : ended == Ended::cut ? "cut" : "error";
}

/// Adds to `found` what `legs[leg..]` reach from `from`: one subject for each element of the last leg.
void collect(const std::vector<Pointer>& legs, std::size_t leg, const Subject& from,
             std::vector<Subject>& found) {
  const Json* array = from.root == nullptr ? nullptr : legs[leg].resolve(from.root);
  if (array == nullptr) return;
  for (const Json* element : elements(*array)) {
    Subject subject;
    subject.event = from.event;
    subject.root = element;
    subject.enclosing.push_back(from.root);
    subject.enclosing.insert(subject.enclosing.end(), from.enclosing.begin(), from.enclosing.end());
    if (leg + 1 == legs.size()) {
      found.push_back(std::move(subject));
    } else {
      collect(legs, leg + 1, subject, found);
    }
  }
}

}  // namespace

Reading::Reading(const Alphabet& alphabet, const observe::Trace& trace)
    : alphabet_(alphabet), trace_(trace), stride_((alphabet.size() + 63) / 64) {
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    Subject event;
    event.event = i;
    event.root = trace.events[i].json.get();
    subjects_.push_back(event);
    origin_.push_back(0);
    for (std::size_t k = 0; k < alphabet.explosions().size(); ++k) {
      if (!alphabet.explosions()[k].outer) add_elements(k, 0, event);
    }
  }
  bits_.assign(subjects_.size() * stride_, 0);
  for (std::size_t i = 0; i < subjects_.size(); ++i) classify(i);
}

void Reading::set_ended(Ended ended) {
  if (ended == ended_) return;
  ended_ = ended;
  bool asked = false;
  for (std::size_t id = 0; id < alphabet_.size(); ++id) asked = asked || alphabet_.at(id).uses_ended;
  if (!asked) return;
  bits_.assign(bits_.size(), 0);
  for (std::size_t i = 0; i < subjects_.size(); ++i) classify(i);
}

void Reading::add_elements(std::size_t explosion, std::size_t first_leg, const Subject& from) {
  const Explosion& made_by = alphabet_.explosions()[explosion];
  std::vector<Subject> found;
  collect(made_by.legs, first_leg, from, found);
  for (Subject& subject : found) {
    subjects_.push_back(subject);
    origin_.push_back(explosion + 1);
    for (const std::size_t inner : made_by.inner) add_elements(inner, made_by.legs.size(), subject);
  }
}

void Reading::classify(std::size_t i) {
  std::vector<std::optional<FieldValue>> values(alphabet_.fields().size());
  const auto holds = [&](const std::pair<std::size_t, ValueTest>& test) {
    auto& known = values[test.first];
    if (!known) known = value(i, alphabet_.fields()[test.first]);
    return test.second.holds(known->get());
  };
  for (std::size_t id = 0; id < alphabet_.size(); ++id) {
    const EventClass& candidate = alphabet_.at(id);
    const std::size_t origin = candidate.explosion ? *candidate.explosion + 1 : 0;
    const bool member = origin == origin_[i] && (!candidate.base || is(i, *candidate.base)) &&
                        std::all_of(candidate.tests.begin(), candidate.tests.end(), holds);
    if (member) bits_[i * stride_ + id / 64] |= std::uint64_t{1} << (id % 64);
  }
}

bool Reading::occurs(std::size_t class_id) const {
  for (std::size_t i = 0; i < size(); ++i) {
    if (is(i, class_id)) return true;
  }
  return false;
}

FieldValue Reading::value(std::size_t i, const Field& field) const {
  const Subject& from = subjects_[i];
  if (!field.pseudo) {
    if (field.climb > from.enclosing.size()) return FieldValue(nullptr);
    return FieldValue(field.pointer.resolve(field.climb == 0 ? from.root : from.enclosing[field.climb - 1]));
  }
  const observe::Event& event = event_of(i);
  switch (*field.pseudo) {
    case Pseudo::event:
      return FieldValue(event.event ? json_string(*event.event) : json_null());
    case Pseudo::data:
      return FieldValue(json_string(event.data));
    case Pseudo::id:
      return FieldValue(json_string(event.id));
    case Pseudo::ended:
      return FieldValue(json_string(ended_name(ended_)));
    case Pseudo::fault:
      return FieldValue(event.fault == observe::Fault::none ? json_null()
                                                            : json_string(observe::name(event.fault)));
  }
  return FieldValue(nullptr);
}

}  // namespace splitproof::contract
