#include "harness/observe/misreading.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "harness/line_end.hpp"
#include "harness/utf8.hpp"

namespace splitproof::observe {
namespace {

using EventList = std::vector<DemandedEvent>;

// Stands for a byte that the error keeps as text and that the reader of this harness would interpret.
constexpr char kKept = '\x01';

// The report of a reader with the error. Each `kept` byte of its report is a kKept.
struct PossibleReport {
  EventList events;
  char kept = kKept;
};

struct Given {
  const ReadBody& stream;
  const EventList& demanded;
};

using PossibleReports = std::vector<PossibleReport>;

bool is_line_end(char byte) { return byte == '\n' || byte == '\r'; }

bool are_equal(const std::vector<ReadEvent>& read, const EventList& events, char kept = kKept) {
  const auto in_form = [kept](std::string text) {
    std::replace(text.begin(), text.end(), kept, kKept);
    return text;
  };
  return std::equal(read.begin(), read.end(), events.begin(), events.end(),
                    [&](ReadEvent one, const DemandedEvent& demanded) {
                      one.type = in_form(std::move(one.type));
                      one.data = in_form(std::move(one.data));
                      one.id = in_form(std::move(one.id));
                      return reports(one, demanded);
                    });
}

bool are_same(const EventList& a, const EventList& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const DemandedEvent& x, const DemandedEvent& y) {
                      return x.type == y.type && x.data == y.data && x.id == y.id;
                    });
}

std::string with_insertions(const ReadBody& stream, std::string_view text,
                            const std::function<bool(std::size_t cut)>& at) {
  std::string changed;
  std::size_t begin = 0;
  for (const std::size_t cut : stream.cuts) {
    if (!at(cut)) continue;
    changed.append(stream.body.substr(begin, cut - begin)).append(text);
    begin = cut;
  }
  return changed.append(stream.body.substr(begin));
}

std::string with_replaced(std::string_view text, std::string_view what, std::string_view by) {
  std::string changed;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t found = std::min(text.find(what, at), text.size());
    changed.append(text.substr(at, found - at));
    if (found < text.size()) changed.append(by);
    at = found + what.size();
  }
  return changed;
}

// Returns the body with each line changed. `change` gets a line without its end.
std::string with_lines(std::string_view body,
                       const std::function<std::string(std::string_view line)>& change) {
  std::string changed;
  for (std::size_t at = 0; at < body.size();) {
    const std::size_t end = find_line_end(body, at);
    const std::string_view line = body.substr(at, end - at);
    const bool has_mark = at == 0 && line.starts_with(kByteOrderMark);
    if (has_mark) changed.append(kByteOrderMark);
    changed.append(change(has_mark ? line.substr(kByteOrderMark.size()) : line));
    if (end < body.size()) changed += body[end];
    at = end + 1;
  }
  return changed;
}

// The number of the read that has the byte before offset `end`.
std::size_t read_of(const ReadBody& stream, std::size_t end) {
  return static_cast<std::size_t>(std::lower_bound(stream.cuts.begin(), stream.cuts.end(), end) -
                                  stream.cuts.begin());
}

// Each read is decoded for itself, so a character in two reads is broken. Some decoders remove a byte order mark.
PossibleReports decoded_by_read(const Given& given) {
  std::string kept;
  std::string removed;
  std::size_t begin = 0;
  for (std::size_t read = 0; read <= given.stream.cuts.size(); ++read) {
    const std::size_t end =
        read < given.stream.cuts.size() ? given.stream.cuts[read] : given.stream.body.size();
    const std::string text = decode_utf8(given.stream.body.substr(begin, end - begin));
    kept += text;
    removed += text.starts_with(kByteOrderMark) ? text.substr(kByteOrderMark.size()) : text;
    begin = end;
  }
  return {{demanded_events(kept)}, {demanded_events(removed)}};
}

// A CR ends a line, and so does the LF at the beginning of the next read.
PossibleReports crlf_by_read(const Given& given) {
  const std::string_view body = given.stream.body;
  return {{demanded_events(with_insertions(
      given.stream, "\r", [body](std::size_t cut) { return body[cut - 1] == '\r' && body[cut] == '\n'; }))}};
}

// The type is forgotten if the event's blank line comes in another read.
PossibleReports type_by_read(const Given& given) {
  EventList events = given.demanded;
  for (DemandedEvent& event : events) {
    const auto& cuts = given.stream.cuts;
    const auto cut = std::lower_bound(cuts.begin(), cuts.end(), event.type_at);
    if (event.type_at > 0 && cut != cuts.end() && *cut < event.end) event.type = "message";
  }
  return {{std::move(events)}};
}

// A line ends with its read.
PossibleReports lines_by_read(const Given& given) {
  const std::string_view body = given.stream.body;
  const auto in_line = [body](std::size_t cut) { return !is_line_end(body[cut - 1]); };
  return {{demanded_events(with_insertions(given.stream, "\n", in_line))}};
}

// An event ends with its read.
PossibleReports events_by_read(const Given& given) {
  const auto in_event = [&given](std::size_t cut) {
    return std::any_of(given.demanded.begin(), given.demanded.end(),
                       [cut](const DemandedEvent& event) { return event.begin < cut && cut < event.end; });
  };
  return {{demanded_events(with_insertions(given.stream, "\n\n", in_event))}};
}

// Only one event of each read is reported: its first or its last.
PossibleReports one_by_read(const Given& given) {
  EventList first;
  EventList last;
  for (const DemandedEvent& event : given.demanded) {
    const std::size_t read = read_of(given.stream, event.end);
    if (first.empty() || read_of(given.stream, first.back().end) != read) first.push_back(event);
    if (!last.empty() && read_of(given.stream, last.back().end) == read) last.pop_back();
    last.push_back(event);
  }
  return {{std::move(first)}, {std::move(last)}};
}

// Characters that other standards count as line ends.
PossibleReports line_separators(const Given& given) {
  constexpr std::array<std::string_view, 8> kSeparators = {"\u2028", "\u2029", "\u0085", "\x0B",
                                                           "\x0C",   "\x1C",   "\x1D",   "\x1E"};
  constexpr std::array<std::size_t, 3> kSets = {2, 3, 8};  // JavaScript, Unicode, str.splitlines of Python
  PossibleReports reports;
  for (const std::size_t count : kSets) {
    std::string changed(given.stream.body);
    for (std::size_t i = 0; i < count; ++i) changed = with_replaced(changed, kSeparators[i], "\n");
    reports.push_back({demanded_events(changed)});
  }
  return reports;
}

// Only LF ends a line. A CR before it is text, or is removed with it.
PossibleReports carriage_returns(const Given& given) {
  std::string all(given.stream.body);
  std::string lone = all;
  for (std::size_t at = 0; at < all.size(); ++at) {
    if (all[at] != '\r') continue;
    all[at] = kKept;
    if (at + 1 == lone.size() || lone[at + 1] != '\n') lone[at] = kKept;
  }
  return {{demanded_events(all), '\r'}, {demanded_events(lone), '\r'}};
}

// The mark is the beginning of the first field's name.
PossibleReports byte_order_mark(const Given& given) {
  if (!given.stream.body.starts_with(kByteOrderMark)) return {};
  return {{demanded_events(std::string(kByteOrderMark) + std::string(given.stream.body))}};
}

// A comment is data: with or without its colon and the space after it.
PossibleReports comments(const Given& given) {
  const auto as_data = [&given](std::string_view before, std::size_t skipped) {
    return PossibleReport{demanded_events(with_lines(given.stream.body, [=](std::string_view line) {
      return line.starts_with(':') ? std::string(before).append(line.substr(skipped)) : std::string(line);
    }))};
  };
  return {as_data("data", 0), as_data("data: ", 1), as_data("data: ", 0)};
}

// Exactly one space after the colon does not belong to the value.
PossibleReports spaces(const Given& given) {
  const auto with_values = [&given](const std::function<std::string(std::string_view)>& change,
                                    std::string_view after_bare_name = "") {
    return PossibleReport{demanded_events(with_lines(given.stream.body, [&](std::string_view line) {
      const std::size_t colon = line.find(':');
      if (line.empty() || colon == 0) return std::string(line);
      if (colon == line.npos) return std::string(line).append(after_bare_name);
      return std::string(line.substr(0, colon)) + change(line.substr(colon + 1));
    }))};
  };
  const auto demands = [](std::string_view value) {
    return (value.starts_with(' ') ? ":" : "-:") + std::string(value);  // an unknown field
  };
  const auto skips = [](std::string_view value) {
    return ": " + std::string(value.substr(value.empty() ? 0 : 1));
  };
  const auto keeps = [](std::string_view value) { return ": " + std::string(value); };
  const auto trims = [](std::string_view value) {
    const std::size_t begin = std::min(value.find_first_not_of(" \t"), value.size());
    const std::size_t end = value.find_last_not_of(" \t") + 1;
    return ": " + std::string(value.substr(begin, end > begin ? end - begin : 0));
  };
  return {with_values(demands), with_values(demands, "-"), with_values(skips), with_values(keeps),
          with_values(trims)};
}

// Only one `data` line of an event counts, or their LF is lost.
PossibleReports data_lines(const Given& given) {
  PossibleReports reports(3, PossibleReport{given.demanded});
  for (std::size_t i = 0; i < given.demanded.size(); ++i) {
    const std::string& data = given.demanded[i].data;
    reports[0].events[i].data = data.substr(data.rfind('\n') + 1);
    reports[1].events[i].data = data.substr(0, data.find('\n'));
    reports[2].events[i].data = with_replaced(data, "\n", "");
  }
  return reports;
}

// An id with NUL counts.
PossibleReports nul_in_id(const Given& given) {
  std::string changed = with_lines(given.stream.body, [](std::string_view line) {
    std::string kept(line);
    if (line.starts_with("id:")) std::replace(kept.begin(), kept.end(), '\0', kKept);
    return kept;
  });
  return {{demanded_events(changed), '\0'}};
}

PossibleReports last_event(const Given& given) {
  EventList events = given.demanded;
  if (!events.empty()) events.pop_back();
  return {{std::move(events)}};
}

// The end of the stream counts as a blank line.
PossibleReports unfinished_event(const Given& given) {
  return {{demanded_events(std::string(given.stream.body) + "\n\n")}};
}

enum class Needs : std::uint8_t { any_split, cut };

struct KnownError {
  std::string_view name;
  PossibleReports (*reports_of)(const Given& given);
  Needs needs = Needs::any_split;
};

constexpr std::string_view kLastEvent = "last-event";

// The first that explains a report counts. So errors that need a special stream or a special cut come first.
constexpr std::array kErrors{
    KnownError{"byte-order-mark", byte_order_mark},
    KnownError{"line-separators", line_separators},
    KnownError{"nul-in-id", nul_in_id},
    KnownError{"unfinished-event", unfinished_event},
    KnownError{"decoded-by-read", decoded_by_read, Needs::cut},
    KnownError{"crlf-by-read", crlf_by_read, Needs::cut},
    KnownError{"ended-by-read", lines_by_read, Needs::cut},
    KnownError{"type-by-read", type_by_read, Needs::cut},
    KnownError{"ended-by-read", events_by_read, Needs::cut},
    KnownError{"one-by-read", one_by_read, Needs::cut},
    KnownError{"carriage-returns", carriage_returns},
    KnownError{"comments", comments},
    KnownError{"data-lines", data_lines},
    KnownError{"spaces", spaces},
    KnownError{kLastEvent, last_event},
};

}  // namespace

std::vector<Misreading> misreadings(const ReadBody& stream, const EventList& demanded,
                                    const std::vector<ReadEvent>& read,
                                    const std::vector<ReadEvent>* original) {
  const Given given{stream, demanded};
  bool open = !are_equal(read, demanded);  // no error explains the report yet
  // A reader that loses the last event in the original chunks too does not lose it because of a cut.
  const bool loses_last =
      original != nullptr && demanded.size() > 1 && are_equal(*original, last_event(given).front().events);
  std::vector<Misreading> found;
  for (const KnownError& error : kErrors) {
    Misreading misreading{error.name, false, error.name == kLastEvent};
    const bool may_explain = open && !(loses_last && error.needs == Needs::cut);
    bool applies = false;
    for (const PossibleReport& one : error.reports_of(given)) {
      if (are_same(one.events, demanded)) continue;
      applies = true;
      misreading.made |= may_explain && are_equal(read, one.events, one.kept);
    }
    open &= !misreading.made;
    if (applies) found.push_back(misreading);
  }
  return found;
}

}  // namespace splitproof::observe
