#include "harness/contract/reading.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace splitproof::contract {
namespace {

std::string_view ended_name(Ended ended) {
  return ended == Ended::complete ? "complete" : ended == Ended::cut ? "cut" : "error";
}

/// Adds the subjects that `legs[leg..]` reach from `from`: one for each element of the last leg.
void collect(const std::vector<Pointer>& legs, std::size_t leg, const RuleSubject& from,
             std::vector<RuleSubject>& found) {
  const Json* array = from.root == nullptr ? nullptr : legs[leg].resolve(from.root);
  if (array == nullptr) return;
  for (const Json* element : elements(*array)) {
    RuleSubject subject;
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

/// Returns the odd line for a pseudo-field, or null.
FieldValue odd_value(const observe::Event& event, Pseudo pseudo, bool number) {
  const observe::OddLine* odd = odd_line(event, pseudo);
  if (odd == nullptr) return FieldValue(json_null());
  return number ? FieldValue(json_number(odd->line)) : FieldValue(std::string_view(odd->text));
}

FieldValue value_of(const RuleSubject& from, const observe::Event& event, Ended ended, const Field& field) {
  if (!field.pseudo) {
    if (field.climb > from.enclosing.size()) return FieldValue(nullptr);
    return FieldValue(field.pointer.resolve(field.climb == 0 ? from.root : from.enclosing[field.climb - 1]));
  }
  switch (*field.pseudo) {
    case Pseudo::event:
      return event.event ? FieldValue(std::string_view(*event.event)) : FieldValue(json_null());
    case Pseudo::data:
      return FieldValue(std::string_view(event.data));
    case Pseudo::id:
      return FieldValue(std::string_view(event.id));
    case Pseudo::ended:
      return FieldValue(ended_name(ended));
    case Pseudo::fault:
      return event.fault == observe::StreamFault::none ? FieldValue(json_null())
                                                       : FieldValue(observe::name(event.fault));
    case Pseudo::fault_reason:
      return event.fault == observe::StreamFault::none ? FieldValue(json_null())
                                                       : FieldValue(std::string_view(event.fault_reason));
    case Pseudo::lone_surrogate:
      return event.lone_surrogate.empty() ? FieldValue(json_null())
                                          : FieldValue(std::string_view(event.lone_surrogate));
    case Pseudo::line_ends:
      return event.lone_cr ? FieldValue(std::string_view("cr")) : FieldValue(json_null());
    case Pseudo::lost:
    case Pseudo::stray:
    case Pseudo::dataless:
      return odd_value(event, *field.pseudo, false);
    case Pseudo::lost_line:
    case Pseudo::stray_line:
    case Pseudo::dataless_line:
      return odd_value(event, *field.pseudo, true);
  }
  return FieldValue(nullptr);
}

/// The fields that classes read, of one subject at a time. Each is looked up on first use.
class FieldValues {
 public:
  explicit FieldValues(const Alphabet& alphabet)
      : fields_(alphabet.fields()),
        values_(fields_.size(), FieldValue(nullptr)),
        known_of_(fields_.size(), 0) {}

  void begin(const RuleSubject& subject, const observe::Event& event, Ended ended) {
    subject_ = &subject;
    event_ = &event;
    ended_ = ended;
    ++count_;
  }

  const FieldValue& of(std::size_t id) {
    if (std::exchange(known_of_[id], count_) == count_) return values_[id];
    const ClassField& asked = fields_[id];
    if (asked.prefix) {
      const Json* from = of(*asked.prefix).get();
      const Pointer::Step& step = asked.field.pointer.steps().back();
      return values_[id] = FieldValue(from == nullptr ? nullptr : member(*from, step.name, step.index));
    }
    return values_[id] = value_of(*subject_, *event_, ended_, asked.field);
  }

 private:
  const std::vector<ClassField>& fields_;
  std::vector<FieldValue> values_;
  std::vector<std::size_t> known_of_;  ///< by field: number of the subject with this value
  std::size_t count_ = 0;              ///< subjects so far
  const RuleSubject* subject_ = nullptr;
  const observe::Event* event_ = nullptr;
  Ended ended_{};
};

}  // namespace

Reading::Reading(const Alphabet& alphabet, observe::EventStream& stream, Ended ended)
    : alphabet_(alphabet),
      stream_(stream),
      ended_(ended),
      stride_((alphabet.size() + 63) / 64),
      here_(stride_, 0),
      occurring_(stride_, 0) {}

void Reading::read(const observe::Window& window) {
  const std::size_t first = numbers_.empty() ? 0 : end();
  numbers_.push_back(first);
  look_at(window, first);
  classify();
}

void Reading::look_at(const observe::Window& window, std::size_t first) const {
  seen_.window = window;
  seen_.first = first;
  seen_.subjects.clear();
  origin_.clear();
  for (std::size_t i = 0; i < window.events.size(); ++i) {
    const RuleSubject event{window.first + i, window.events[i].json.get(), {}};
    seen_.subjects.push_back(event);
    origin_.push_back(0);
    for (std::size_t k = 0; k < alphabet_.explosions().size(); ++k) {
      if (!alphabet_.explosions()[k].outer) add_elements(k, 0, event);
    }
  }
}

void Reading::look_back(std::size_t i) const {
  const auto behind = std::upper_bound(numbers_.begin(), numbers_.end(), i);
  const auto number = static_cast<std::size_t>(behind - numbers_.begin()) - 1;
  look_at(*stream_.window(number), numbers_[number]);
}

void Reading::add_elements(std::size_t explosion, std::size_t first_leg, const RuleSubject& from) const {
  const Explosion& made_by = alphabet_.explosions()[explosion];
  std::vector<RuleSubject> found;
  collect(made_by.legs, first_leg, from, found);
  for (RuleSubject& subject : found) {
    origin_.push_back(explosion + 1);
    if (made_by.inner.empty()) {
      seen_.subjects.push_back(std::move(subject));
      continue;
    }
    seen_.subjects.push_back(subject);
    for (const std::size_t inner : made_by.inner) add_elements(inner, made_by.legs.size(), subject);
  }
}

void Reading::classify() {
  bits_.assign(seen_.subjects.size() * stride_, 0);
  here_.assign(stride_, 0);
  FieldValues values(alphabet_);
  for (std::size_t i = 0; i < seen_.subjects.size(); ++i) {
    values.begin(seen_.subjects[i], event(seen_.subjects[i]), ended_);
    const auto holds = [&values](const std::pair<std::size_t, ValueTest>& test) {
      return test.second.holds(values.of(test.first));
    };
    std::uint64_t* const bits = &bits_[i * stride_];
    const auto has = [bits](std::size_t id) { return (bits[id / 64] >> (id % 64) & 1) != 0; };
    for (std::size_t id = 0; id < alphabet_.size(); ++id) {
      const EventClass& candidate = alphabet_.at(id);
      const std::size_t origin = candidate.explosion ? *candidate.explosion + 1 : 0;
      if (origin != origin_[i] || (candidate.base && !has(*candidate.base))) continue;
      asked_for_end_ = asked_for_end_ || candidate.uses_ended;
      if (std::all_of(candidate.tests.begin(), candidate.tests.end(), holds)) {
        bits[id / 64] |= std::uint64_t{1} << (id % 64);
      }
    }
    for (std::size_t word = 0; word < stride_; ++word) here_[word] |= bits[word];
  }
  for (std::size_t word = 0; word < stride_; ++word) occurring_[word] |= here_[word];
}

const RuleSubject& Reading::subject(std::size_t i) const {
  if (i < seen_.first || i - seen_.first >= seen_.subjects.size()) look_back(i);
  return seen_.subjects[i - seen_.first];
}

const observe::Event& Reading::event_of(std::size_t i) const { return event(subject(i)); }

FieldValue Reading::value(std::size_t i, const Field& field) const {
  asked_for_end_ = asked_for_end_ || field.pseudo == Pseudo::ended;
  const RuleSubject& of = subject(i);
  return value_of(of, event(of), ended_, field);
}

const observe::OddLine* odd_line(const observe::Event& event, Pseudo pseudo) {
  using Kind = observe::OddLine::Kind;
  const auto kind = [pseudo]() -> std::optional<Kind> {
    switch (pseudo) {
      case Pseudo::lost:
      case Pseudo::lost_line:
        return Kind::lost;
      case Pseudo::stray:
      case Pseudo::stray_line:
        return Kind::stray;
      case Pseudo::dataless:
      case Pseudo::dataless_line:
        return Kind::dataless;
      default:
        return std::nullopt;
    }
  }();
  const auto found = std::find_if(event.odd.begin(), event.odd.end(),
                                  [&](const observe::OddLine& odd) { return odd.kind == kind; });
  return found == event.odd.end() ? nullptr : &*found;
}

bool belongs(const observe::Event& event, const Alphabet& alphabet, std::size_t class_id) {
  const RuleSubject subject{0, event.json.get(), {}};
  const EventClass& candidate = alphabet.at(class_id);
  return !candidate.explosion && (!candidate.base || belongs(event, alphabet, *candidate.base)) &&
         std::all_of(candidate.tests.begin(), candidate.tests.end(), [&](const auto& test) {
           const Field& field = alphabet.fields()[test.first].field;
           return test.second.holds(value_of(subject, event, Ended::complete, field));
         });
}

}  // namespace splitproof::contract
