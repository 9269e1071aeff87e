#include "harness/report/evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "harness/report/cause_text.hpp"
#include "harness/report/picture.hpp"
#include "harness/report/request_diff.hpp"
#include "harness/report/text_layout.hpp"
#include "harness/strict_json.hpp"
#include "harness/utf8.hpp"
#include "harness/visible.hpp"

namespace splitproof::report {
namespace {

using results::Behaviour;
using results::RecordingResult;
using results::Symptom;

constexpr std::size_t kCutsInPicture = 3;  // if there are more, only their number is printed
constexpr std::size_t kAroundMark = 60;    // bytes before and after a mark
constexpr std::size_t kMostOfMark = 40;    // bytes; a longer mark is a whole event
constexpr std::size_t kMostOfEvent = 160;  // bytes that are shown of it
constexpr std::size_t kMostDiffLines = 12;
constexpr std::size_t kMostOfDiffLine = 120;  // bytes

// Returns the text of a JSON string without its quotes, or the value itself. A shortened string ends with dots.
std::string_view unquoted_value(std::string_view value) {
  if (!value.starts_with('"')) return value;
  value.remove_prefix(1);
  if (value.ends_with('"'))
    value.remove_suffix(1);
  else if (value.ends_with("..."))
    value.remove_suffix(3);
  return value;
}

// Returns the offset of the first byte in which the values differ, at the beginning of a character.
std::size_t first_difference(std::string_view found, std::string_view wanted) {
  const auto differ = std::mismatch(found.begin(), found.end(), wanted.begin(), wanted.end());
  auto at = static_cast<std::size_t>(differ.first - found.begin());
  while (at > 0 && at < found.size() && continues_character(found[at])) --at;
  return at;
}

/// A range of bytes.
struct ByteRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// Returns the value of the member that a pointer such as "/a/b" names, in the JSON of an event.
std::optional<ByteRange> value_of_field(std::string_view event, std::string_view pointer) {
  const std::string key = "\"" + std::string(pointer.substr(pointer.rfind('/') + 1)) + "\":";
  const std::size_t at = event.find(key);
  if (pointer.empty() || at == event.npos) return std::nullopt;
  const std::size_t begin = event.find_first_not_of(' ', at + key.size());
  if (begin == event.npos) return std::nullopt;
  const bool is_string = event[begin] == '"';
  std::size_t end = begin + 1;
  while (end < event.size() &&
         (is_string ? event[end] != '"' : std::string_view(",}]\n").find(event[end]) == event.npos))
    end += event[end] == '\\' ? 2 : 1;
  end = std::min(end + (is_string ? 1 : 0), event.size());
  return ByteRange{begin, end};
}

// Returns the string values of the JSON in a stream, without their quotes.
std::vector<ByteRange> strings_of(std::string_view body) {
  std::vector<ByteRange> all;
  for (std::size_t at = body.find('"'); at != body.npos; at = body.find('"', at + 1)) {
    const std::size_t begin = at + 1;
    for (++at; at < body.size() && body[at] != '"'; ++at) at += body[at] == '\\' ? 1 : 0;
    if (at >= body.size()) break;
    const std::size_t before = body.find_last_not_of(' ', begin - 2);
    if (begin > 1 && before != body.npos && body[before] == ':') all.push_back({begin, at});
  }
  return all;
}

// Returns the place in a stream at which its joined text begins to differ from the wanted text, or nullopt. The text
// that was found is the stream's string values one after the other. An empty range: text is missing there.
std::optional<ByteRange> difference_of_texts(std::string_view body, std::string_view found,
                                             std::string_view wanted) {
  const std::size_t differs = first_difference(found, wanted);
  const std::string_view wrong = found.substr(differs);
  const bool is_missing = wrong.empty() || wanted.find(wrong, differs) != wanted.npos;
  std::size_t done = 0;
  std::size_t end = 0;  // of the last piece
  for (const ByteRange& piece : strings_of(body)) {
    const std::string_view text = body.substr(piece.begin, piece.end - piece.begin);
    if (text.empty() || !found.substr(done).starts_with(text.substr(0, found.size() - done))) continue;
    if (done + text.size() > differs && !(is_missing && done == differs))
      return is_missing ? ByteRange{piece.begin + differs - done, piece.begin + differs - done}
                        : ByteRange{piece.begin + differs - done, piece.end};
    if (done >= differs) break;
    done += text.size();
    end = piece.end;
  }
  return end > 0 && done == differs ? std::optional(ByteRange{end, end}) : std::nullopt;
}

// Returns the place of the first element of a list that differs, or nullopt if the list has no such element.
std::optional<ByteRange> difference_of_lists(std::string_view body, const nlohmann::json& found,
                                             const nlohmann::json& wanted) {
  std::size_t i = 0;
  while (i < found.size() && i < wanted.size() && found[i] == wanted[i]) ++i;
  if (i == found.size()) return std::nullopt;
  const std::string element = found[i].dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::size_t at = body.find(element);
  for (std::size_t before = 0; before < i && at != body.npos; ++before)
    if (found[before] == found[i]) at = body.find(element, at + 1);
  return at == body.npos ? std::nullopt : std::optional(ByteRange{at, at + element.size()});
}

// Returns the first wrong bytes of a stream whose joined content differs from the wanted content, or nullopt.
std::optional<ByteRange> difference_in(std::string_view body, const contract::Violation& violation) {
  if (violation.found.empty() || violation.wanted.empty()) return std::nullopt;
  if (violation.found.starts_with('"') && violation.wanted.starts_with('"'))
    return difference_of_texts(body, unquoted_value(violation.found), unquoted_value(violation.wanted));
  const auto found = parse_strict_json(violation.found);
  const auto wanted = parse_strict_json(violation.wanted);
  if (!found || !wanted || !(*found)->is_array() || !(*wanted)->is_array()) return std::nullopt;
  return difference_of_lists(body, **found, **wanted);
}

const Symptom* symptom_in(const Behaviour& behaviour, const std::string& rule) {
  const auto found = std::find_if(behaviour.symptoms.begin(), behaviour.symptoms.end(),
                                  [&](const Symptom& symptom) { return symptom.rule == rule; });
  return found == behaviour.symptoms.end() ? nullptr : &*found;
}

const Behaviour* behaviour_of(const RecordingResult& in, const std::string& case_id) {
  const auto found = std::find_if(in.behaviours.begin(), in.behaviours.end(),
                                  [&](const Behaviour& behaviour) { return behaviour.case_id == case_id; });
  return found == in.behaviours.end() ? nullptr : &*found;
}

// True for a value, false for a description such as "absent". A shortened value begins with dots.
bool is_json_text(std::string_view value) {
  return !value.empty() && std::string_view("\"{[.0123456789-").find(value.front()) != std::string_view::npos;
}

std::string bytes_text(std::size_t begin, std::size_t end) {
  return begin == end ? fmt::format("after byte {} of the answer", end)
                      : fmt::format("bytes {}-{} of the answer", begin, end);
}

// The expected and the actual value, with a mark below their first difference. Booleans say nothing that the message
// does not say in words.
std::string values_text(const std::string& wanted, const std::string& found) {
  if (found.empty() || wanted.empty() || are_booleans(wanted, found)) return {};
  const std::string expected = visible(wanted);
  const std::string actual = visible(found);
  std::vector<std::string> second{actual};
  const std::size_t at = first_difference(actual, expected);
  if (is_json_text(actual) && is_json_text(expected) && at > 1 && at < actual.size())
    second.push_back(std::string(columns_of(actual.substr(0, at)), ' ') + "^ differs from here");
  return card_lines("expected", {expected}) + card_lines("actual", second);
}

std::string cuts_text(const results::Upstream& upstream) {
  if (upstream.cuts.empty()) return {};
  if (upstream.cuts.size() > kCutsInPicture)
    return card_item("split", fmt::format("the upstream's answer arrives in {} pieces, cut at bytes {}, ...",
                                          upstream.cuts.size() + 1,
                                          fmt::join(upstream.cuts.begin(), upstream.cuts.begin() + 3, ", ")));
  std::vector<std::string> lines;
  for (const std::size_t cut : upstream.cuts)
    for (std::string& line : lines_in(cut_picture(upstream.body, cut))) lines.push_back(std::move(line));
  return card_lines("split", lines);
}

// The lines of the two requests whose values only one of them has.
std::vector<std::string> request_lines_that_differ(const Behaviour& behaviour) {
  std::vector<std::string> lines{"- only in the client's request, + only in the request to the upstream"};
  std::size_t more = 0;
  for (const DiffLine& line : request_diff(behaviour.client_request, behaviour.upstream_request)) {
    if (line.side == DiffSide::both || line.moved) continue;
    if (lines.size() > kMostDiffLines)
      ++more;
    else
      lines.push_back((line.side == DiffSide::client ? "- " : "+ ") +
                      clipped(visible(line.text), kMostOfDiffLine));
  }
  if (lines.size() == 1) return {"both requests have the same values"};
  if (more > 0)
    lines.push_back(fmt::format("and {} more; splitproof replay shows them", counted(more, "line")));
  return lines;
}

std::string place_name(const WrongPlace& place) {
  const std::string bytes = bytes_text(place.begin, place.end);
  return place.event ? fmt::format("event {}, {}", *place.event, bytes) : bytes;
}

std::string wrong_text(std::string_view body, const WrongPlace& place) {
  std::vector<std::string> lines{place_name(place)};
  for (std::string& line : lines_in(marked_picture(body, place))) lines.push_back(std::move(line));
  return card_lines("wrong", lines);
}

// True if the answer violates only rules that compare it with another answer, and meets rules about its content.
bool is_the_right_answer(const Behaviour& behaviour, const results::Rules& rules) {
  const auto compares = [&](const Symptom& symptom) {
    const auto rule = rules.find(symptom.rule);
    return rule != rules.end() && rule->second.speaks == results::Speaks::never;
  };
  const auto has_content = [&](const std::string& id) {
    const auto rule = rules.find(id);
    return rule != rules.end() && rule->second.speaks == results::Speaks::always;
  };
  return std::all_of(behaviour.symptoms.begin(), behaviour.symptoms.end(), compares) &&
         std::any_of(behaviour.meets.begin(), behaviour.meets.end(), has_content);
}

// The evidence if the answer of the shown case is right: the answer in the original chunks is wrong.
std::string other_answer_text(const cause::Cause& cause, const Symptom& symptom) {
  return card_item("found", fmt::format("{}: {}", cause.in->recording.id, visible(symptom.message))) +
         card_item(
             "",
             "The answer of this case meets the other rules, so the answer in the original chunks is wrong.") +
         values_text(symptom.violation.found, symptom.violation.wanted);
}

// The message without the two values, which the card shows by themselves.
std::string without_values(const std::string& message, const contract::Violation& violation) {
  const std::size_t at = message.find(" sent: " + violation.found + ", expected: " + violation.wanted + ",");
  return violation.found.empty() || at == message.npos ? message : message.substr(0, at) + ": wrong";
}

std::string evidence_text(const results::Reproducer& first, const RecordingResult& in, const Symptom* symptom,
                          const Behaviour* behaviour, const results::Upstream& drawn) {
  const contract::Violation none;
  const contract::Violation& violation = symptom == nullptr ? none : symptom->violation;
  std::string out = card_item(
      "found", fmt::format("{}: {}", in.recording.id, visible(without_values(first.message, violation))));
  out += values_text(violation.wanted, violation.found);
  if (first.of_request) {
    if (behaviour != nullptr && !behaviour->client_request.empty())
      out += card_lines("requests", request_lines_that_differ(*behaviour));
    else if (!first.downstream.empty())
      out += card_lines("upstream", {visible(first.downstream)});
    return out;
  }
  const std::string& body = first.body;
  // Values that are in no single place of the stream differ as shown above.
  const bool has_values = !violation.found.empty() && !violation.wanted.empty();
  if (!body.empty() && body.size() < results::kKeptBody) {
    const WrongPlace place = wrong_place(body, first.place, violation);
    if (place.begin < body.size() || !has_values) out += wrong_text(body, place);
  } else if (!first.downstream.empty())
    out += card_lines("wrong", {bytes_text(first.place.begin, first.place.end), visible(first.downstream)});
  return out + cuts_text(drawn);
}

}  // namespace

bool are_booleans(const std::string& wanted, const std::string& found) {
  const auto is_boolean = [](const std::string& json) { return json == "true" || json == "false"; };
  return is_boolean(wanted) && is_boolean(found);
}

WrongPlace wrong_place(std::string_view body, const results::Place& place,
                       const contract::Violation& violation) {
  WrongPlace wrong{place.event, std::min(place.begin, body.size()), std::min(place.end, body.size()), 0, 0};
  wrong.mark = wrong.begin;
  wrong.mark_end = wrong.end;
  if (place.event && wrong.end > wrong.begin) {
    const std::string_view event = body.substr(wrong.begin, wrong.end - wrong.begin);
    if (const auto value = value_of_field(event, violation.field)) {
      wrong.mark = wrong.begin + value->begin;
      wrong.mark_end = wrong.begin + value->end;
    }
    return wrong;
  }
  if (const auto differs = difference_in(body, violation)) {
    wrong.mark = wrong.begin = differs->begin;
    wrong.mark_end = wrong.end = differs->end;
  }
  return wrong;
}

std::string marked_picture(std::string_view body, const WrongPlace& place) {
  const bool missing = place.mark == place.mark_end;
  // A whole event is shown from its beginning.
  const bool is_event = place.mark_end - place.mark > kMostOfMark;
  std::size_t mark_end = std::min(place.mark_end, place.mark + kMostOfEvent);
  while (mark_end > place.mark + 1 && mark_end < body.size() && continues_character(body[mark_end]))
    --mark_end;
  const std::size_t around = is_event ? 0 : kAroundMark;
  std::size_t begin = place.mark > around ? place.mark - around : 0;
  while (begin < place.mark && continues_character(body[begin])) ++begin;
  std::size_t end = std::min(body.size(), mark_end + around);
  while (end > mark_end && end < body.size() && continues_character(body[end])) --end;
  const std::string before = (begin > 0 ? "..." : "") + visible(body.substr(begin, place.mark - begin));
  const std::string marked = visible(body.substr(place.mark, mark_end - place.mark));
  const std::string after = visible(body.substr(mark_end, end - mark_end));
  std::string out = before + marked + after + (end < body.size() ? "..." : "") + "\n";
  out += std::string(columns_of(before), ' ');
  if (missing) return out + (place.mark == body.size() ? "^ the answer ends here\n" : "^ missing here\n");
  if (is_event) return out + "^ this event\n";
  return out + std::string(std::max<std::size_t>(1, columns_of(marked)), '^') + "\n";
}

std::string evidence_lines(const cause::Cause& cause, const results::Rules& rules) {
  const Behaviour* behaviour = behaviour_of(*cause.in, cause.shown.case_id);
  const Symptom* symptom = behaviour == nullptr ? nullptr : symptom_in(*behaviour, cause.rule->id);
  if (behaviour != nullptr && symptom != nullptr && is_the_right_answer(*behaviour, rules))
    return other_answer_text(cause, *symptom);
  const bool few_cuts = cause.smallest && !cause.smallest->upstream.cuts.empty() &&
                        cause.shown.upstream.cuts.size() > kCutsInPicture;
  return evidence_text(cause.shown, *cause.in, symptom, behaviour,
                       few_cuts ? cause.smallest->upstream : cause.shown.upstream);
}

std::string evidence_lines(const results::Reproducer& first, const RecordingResult& in) {
  const Behaviour* behaviour = behaviour_of(in, first.case_id);
  return evidence_text(first, in, nullptr, behaviour, first.upstream);
}

}  // namespace splitproof::report
