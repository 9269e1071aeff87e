#include "harness/split/event_edit.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "harness/split/crossed_event.hpp"
#include "harness/split/event_values.hpp"
#include "harness/split/generator.hpp"

namespace splitproof::split {
namespace {

// An edit, taken apart.
struct EditWords {
  std::string_view name;
  std::vector<std::string_view> parts;
};

std::vector<std::string_view> divided(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == text.npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// Parses a decimal number without leading zeros.
std::optional<std::size_t> number_in(std::string_view text) {
  std::size_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = failure == std::errc() && end == text.data() + text.size();
  if (!whole || (text.size() > 1 && text.front() == '0')) return std::nullopt;
  return number;
}

// The forms of edits: the name, and a letter for each part. n: a number; o: a word of kOddValues; f: one of kForms; x: two
// hexadecimal digits; w: any word.
struct EditForm {
  std::string_view name;
  std::string_view parts;
};
constexpr std::array<EditForm, 12> kEditForms = {{{"drop", "n"},
                                                  {"copy", "nn"},
                                                  {"swap", "nn"},
                                                  {"join", "n"},
                                                  {"split", "nn"},
                                                  {"set", "nno"},
                                                  {"take", "nnnn"},
                                                  {"erase", "nn"},
                                                  {"double", "nn"},
                                                  {"form", "nnf"},
                                                  {"flip", "nx"},
                                                  {"cross", "nw"}}};

template <class Words>
bool is_one_of(std::string_view text, const Words& words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

bool fits(std::string_view part, char kind) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  switch (kind) {
    case 'n':
      return number_in(part).has_value();
    case 'o':
      return is_one_of(part, kOddValues);
    case 'f':
      return is_one_of(part, kForms);
    case 'x':
      return part.size() == 2 && part != "00" && part.find_first_not_of(kHex) == part.npos;
    default:
      return !part.empty();
  }
}

std::optional<EditWords> parse_edit(std::string_view text) {
  EditWords words;
  words.parts = divided(text, ':');
  words.name = words.parts.front();
  words.parts.erase(words.parts.begin());
  for (const EditForm& form : kEditForms) {
    if (form.name != words.name || form.parts.size() != words.parts.size()) continue;
    for (std::size_t i = 0; i < words.parts.size(); ++i)
      if (!fits(words.parts[i], form.parts[i])) return std::nullopt;
    return words;
  }
  return std::nullopt;
}

// Returns the event without the bytes that end it.
std::string without_end(const std::string& event, Framing framing) {
  std::size_t size = event.size();
  if (framing == Framing::aws_frames) return event.substr(0, size - std::min<std::size_t>(size, 1));
  while (size > 0 && (event[size - 1] == '\n' || event[size - 1] == '\r')) --size;
  // A line of a server-sent event still ends.
  return event.substr(0, size) + (framing == Framing::sse && size < event.size() ? "\n" : "");
}

class EventEditor {
 public:
  EventEditor(std::string_view body, const BodyFormat& format)
      : body_(body), framing_(framing_of(format.framing, body)), events_(events_of(body, format)) {}

  // Returns false if the edit does not apply or changes nothing.
  bool apply(const EditWords& edit) {
    const auto number = [&](std::size_t i) { return number_in(edit.parts[i]).value_or(0); };
    const std::size_t one = number(0);
    if (edit.name == "flip") return flip(one, edit.parts[1]);
    if (edit.name == "cross") return cross(one, edit.parts[1]);
    if (one >= events_.size()) return false;
    std::string& event = events_[one];
    const auto at = events_.begin() + static_cast<std::ptrdiff_t>(one);
    if (edit.name == "drop") {
      events_.erase(at);
      return true;
    }
    if (edit.name == "copy") {
      if (number(1) > events_.size()) return false;
      std::string copy = event;
      events_.insert(events_.begin() + static_cast<std::ptrdiff_t>(number(1)), std::move(copy));
      return true;
    }
    if (edit.name == "swap") {
      if (number(1) >= events_.size() || event == events_[number(1)]) return false;
      std::swap(event, events_[number(1)]);
      return true;
    }
    if (edit.name == "join") {
      const std::string open = without_end(event, framing_);
      return std::exchange(event, open) != open;
    }
    return apply_to_value(edit, event);
  }

  std::string body() const {
    std::string joined;
    for (const std::string& event : events_) joined += event;
    return joined;
  }

 private:
  bool apply_to_value(const EditWords& edit, std::string& event) {
    const auto number = [&](std::size_t i) { return number_in(edit.parts[i]).value_or(0); };
    const std::size_t value = number(1);
    std::optional<std::string> changed;
    if (edit.name == "split") changed = with_line_end_after(event, framing_, value);
    if (edit.name == "set") changed = with_odd_value(event, framing_, value, edit.parts[2]);
    if (edit.name == "erase") changed = without_value(event, framing_, value);
    if (edit.name == "double") changed = with_doubled_value(event, framing_, value);
    if (edit.name == "form") changed = with_form(event, framing_, value, edit.parts[2]);
    if (edit.name == "take" && number(2) < events_.size())
      changed = with_value_of(event, framing_, value, events_[number(2)], number(3));
    if (changed) event = *std::move(changed);
    return changed.has_value();
  }

  bool flip(std::size_t at, std::string_view hex) {
    unsigned bits = 0;
    std::from_chars(hex.data(), hex.data() + hex.size(), bits, 16);
    for (std::string& event : events_) {
      if (at < event.size()) {
        event[at] = static_cast<char>(static_cast<unsigned char>(event[at]) ^ bits);
        return true;
      }
      at -= event.size();
    }
    return false;
  }

  bool cross(std::size_t before, std::string_view word) {
    if (before > events_.size()) return false;
    auto event = crossed_event(word, body_);
    if (!event || event->empty()) return false;
    events_.insert(events_.begin() + static_cast<std::ptrdiff_t>(before), *std::move(event));
    return true;
  }

  const std::string body_;
  const Framing framing_;
  std::vector<std::string> events_;
};

std::string forms_of_edits() {
  return "write drop:E, copy:E:F, swap:E:F, join:E, split:E:C, set:E:V:WORD, take:E:V:F:W, erase:E:V, double:E:V, "
         "form:E:V:WORD, flip:N:XX or cross:E:DATA, joined by +, with numbers from 0";
}

}  // namespace

std::vector<std::string> events_of(std::string_view body, const BodyFormat& format) {
  std::vector<std::string> events;
  std::size_t begin = 0;
  for (const std::size_t end : event_ends_of(body, format)) {
    events.emplace_back(body.substr(begin, end - begin));
    begin = end;
  }
  if (begin < body.size()) events.emplace_back(body.substr(begin));
  return events;
}

Result<Recut> edit_events(std::string_view body, std::string_view label, const BodyFormat& format) {
  const std::vector<std::string_view> edits = divided(label, '+');
  const auto wrong = [](std::string what, std::string hint) {
    return tl::unexpected(Error{std::move(what), {}, 0, std::move(hint)});
  };
  if (edits.size() > kMostEdits)
    return wrong("a case has at most " + std::to_string(kMostEdits) + " edits", "remove some");
  std::string edited(body);
  for (const std::string_view text : edits) {
    const auto edit = parse_edit(text);
    if (!edit) return wrong("'" + std::string(text) + "' names no edit of events", forms_of_edits());
    EventEditor editor(edited, format);
    if (!editor.apply(*edit))
      return wrong("this body has no edit " + std::string(text),
                   "its events and values are counted from 0, and the edit must change it");
    edited = editor.body();
    if (edited.size() > kMostEditedBytes)
      return wrong("the edits make a body of more than " + std::to_string(kMostEditedBytes) + " bytes", {});
  }
  Recut made;
  for (const std::string& event : events_of(edited, format)) made.append(event);
  return made;
}

std::string draw_edit(std::string_view body, const BodyFormat& format, std::span<const std::string> others,
                      SplitMix64& random) {
  const std::vector<std::string> events = events_of(body, format);
  const Framing framing = framing_of(format.framing, body);
  if (events.empty()) return {};
  constexpr int kDraws = 20;
  const auto text = [](std::uint64_t number) { return std::to_string(number); };
  for (int draw = 0; draw < kDraws; ++draw) {
    const std::size_t one = random.below(events.size());
    const auto some_value = [&](std::size_t event) {
      return text(random.below(std::max<std::size_t>(count_values(events[event], framing), 1)));
    };
    const EditForm& form = kEditForms[random.below(kEditForms.size())];
    std::string label(form.name);
    if (form.name == "cross") {
      if (others.empty()) continue;
      const std::string word = crossed_word(others[random.below(others.size())], body);
      label += ":" + text(random.below(events.size() + 1)) + ":" + word;
    } else if (form.name == "flip") {
      constexpr std::string_view kHex = "0123456789ABCDEF";
      const std::uint64_t bits = std::uint64_t{1} << random.below(8);
      label += ":" + text(random.below(body.size())) + ":";
      (label += kHex[bits >> 4U]) += kHex[bits & 15U];
    } else {
      label += ":" + text(one);
      if (form.name == "copy") label += ":" + text(random.below(events.size() + 1));
      if (form.name == "swap") label += ":" + text(random.below(events.size()));
      if (form.name == "split") label += ":" + text(random.below(8));
      if (form.name == "set")
        label += ":" + some_value(one) + ":" + std::string(kOddValues[random.below(kOddValues.size())]);
      if (form.name == "form")
        label += ":" + some_value(one) + ":" + std::string(kForms[random.below(kForms.size())]);
      if (form.name == "erase" || form.name == "double") label += ":" + some_value(one);
      if (form.name == "take") {
        const std::size_t other = random.below(events.size());
        label += ":" + some_value(one);
        label += ":" + text(other) + ":" + some_value(other);
      }
    }
    if (EventEditor editor(body, format); editor.apply(*parse_edit(label)) && editor.body() != body)
      return label;
  }
  return {};
}

}  // namespace splitproof::split
