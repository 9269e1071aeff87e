#include "harness/split/generator.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>
#include <optional>

#include "harness/line_end.hpp"
#include "harness/split/random_cuts.hpp"
#include "harness/split/take.hpp"

namespace splitproof::split {
namespace {

tl::unexpected<Error> error(std::string what, std::string hint) {
  return tl::unexpected(Error{std::move(what), {}, 0, std::move(hint)});
}

/// Removes a decimal number from the front of `text`.
template <class Number>
std::optional<Number> take_number(std::string_view& text) {
  Number number{};
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

// Not a number is no speed either.
bool is_speed(double number) { return number >= Timed::kSlowest && number <= Timed::kFastest; }

std::optional<Generator> read_cuts(std::string_view text) {
  Cuts cuts;
  do {
    const auto cut = take_number<std::size_t>(text);
    if (!cut) return std::nullopt;
    cuts.push_back(*cut);
  } while (take(text, ","));
  return AtCuts{std::move(cuts)};
}

/// Parses a label without its `gen=`. Ignores text after a number; the caller's comparison refuses it.
std::optional<Generator> read_gen(std::string_view text) {
  if (text == "recorded") return AsRecorded{};
  if (text == "timed") return Timed{};
  if (take(text, "timed:")) {
    const auto speed = take_number<double>(text);
    if (speed && is_speed(*speed)) return Timed{*speed};
    return std::nullopt;
  }
  if (text == "whole") return Whole{};
  if (text == "bytes") return ByteByByte{};
  if (text == "events") return AtEvents{};
  if (text == "withheld") return Withheld{};
  if (take(text, "tail:")) {
    const auto ends = take_number<std::size_t>(text);
    if (ends && *ends < (std::size_t{1} << kTailEnds)) return AtTail{*ends};
  } else if (take(text, "seam:")) {
    const auto index = take_number<std::size_t>(text);
    if (index) return AtSeam{*index};
  } else if (take(text, "seams:")) {
    const auto kind = seam_kind(text);
    if (kind) return AtSeamsOf{*kind};
  } else if (take(text, "random:")) {
    const auto index = take_number<std::size_t>(text);
    if (!index || !take(text, ":seed")) return std::nullopt;
    const auto seed = take_number<std::uint64_t>(text);
    if (seed) return AtRandom{*index, *seed};
  }
  return std::nullopt;
}

// Returns the shortest decimal number that reads back as this one.
std::string shortest(double number) {
  std::array<char, 32> digits{};
  const auto [end, failure] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  return {digits.data(), end};
}

struct LabelOf {
  std::string operator()(const AsRecorded&) const { return "gen=recorded"; }
  std::string operator()(const Timed& at) const {
    return at.speed == 1 ? "gen=timed" : "gen=timed:" + shortest(at.speed);
  }
  std::string operator()(const Whole&) const { return "gen=whole"; }
  std::string operator()(const ByteByByte&) const { return "gen=bytes"; }
  std::string operator()(const AtEvents&) const { return "gen=events"; }
  std::string operator()(const Withheld&) const { return "gen=withheld"; }
  std::string operator()(const AtTail& at) const { return "gen=tail:" + std::to_string(at.ends); }
  std::string operator()(const AtSeam& at) const { return "gen=seam:" + std::to_string(at.index); }
  std::string operator()(const AtSeamsOf& at) const { return "gen=seams:" + std::string(name(at.kind)); }
  std::string operator()(const AtRandom& at) const {
    return "gen=random:" + std::to_string(at.index) + ":seed" + std::to_string(at.seed);
  }
  std::string operator()(const AtCuts& at) const {
    std::string text = "cuts=";
    for (const std::size_t cut : at.cuts) text += std::to_string(cut) + ",";
    text.pop_back();
    return text;
  }
};

struct CutsOf {
  const Subject& subject;

  Result<Cuts> operator()(const AsRecorded&) const { return subject.arrivals; }
  Result<Cuts> operator()(const Timed&) const { return subject.arrivals; }
  Result<Cuts> operator()(const Whole&) const { return Cuts{}; }
  Result<Cuts> operator()(const ByteByByte&) const {
    Cuts cuts(std::max<std::size_t>(subject.size, 1) - 1);
    std::iota(cuts.begin(), cuts.end(), std::size_t{1});
    return cuts;
  }
  Result<Cuts> operator()(const AtEvents&) const { return subject.event_ends; }
  Result<Cuts> operator()(const Withheld&) const { return subject.event_ends; }
  Result<Cuts> operator()(const AtTail& at) const {
    const Cuts& ends = subject.event_ends;
    Cuts cuts;
    for (std::size_t bit = kTailEnds; bit-- > 0;) {
      if ((at.ends >> bit & 1U) == 0) continue;
      if (bit >= ends.size()) {
        return error("this body has only " + std::to_string(ends.size()) + " events that another follows",
                     "gen=tail:" + std::to_string(at.ends) + " is about more");
      }
      cuts.push_back(ends[ends.size() - 1 - bit]);
    }
    return cuts;
  }
  Result<Cuts> operator()(const AtSeam& at) const {
    if (at.index < subject.seams.size()) return Cuts{subject.seams[at.index].offset};
    return error("there is no seam " + std::to_string(at.index),
                 "this body has " + std::to_string(subject.seams.size()) + " seams, counted from 0");
  }
  Result<Cuts> operator()(const AtSeamsOf& at) const {
    Cuts cuts;
    for (const Seam& seam : subject.seams) {
      if (seam.kind == at.kind) cuts.push_back(seam.offset);
    }
    if (!cuts.empty()) return cuts;
    return error("this body has no seam of kind " + std::string(name(at.kind)), {});
  }
  Result<Cuts> operator()(const AtRandom& at) const { return random_cuts(subject.size, at.index, at.seed); }
  Result<Cuts> operator()(const AtCuts& at) const {
    return check_cuts(at.cuts, subject.size).map([&] { return at.cuts; });
  }
};

/// True if a block of SSE lines, up to a blank one, is an event.
bool is_event(std::string_view block) {
  while (!block.empty()) {
    const std::size_t length = find_line_end(block);
    if (length > 0 && block.front() != ':') return true;
    block.remove_prefix(std::min(length + 1, block.size()));
  }
  return false;
}

Cuts event_ends(std::string_view body, const std::vector<Seam>& seams, Framing framing) {
  Cuts ends;
  std::size_t begin = 0;
  for (const Seam& seam : seams) {
    if (seam.kind != SeamKind::event_boundary) continue;
    const std::string_view block = body.substr(begin, seam.offset - begin);
    if (framing != Framing::sse || is_event(block)) ends.push_back(seam.offset);
    begin = seam.offset;
  }
  return ends;
}

Cuts cuts_at(const std::vector<std::size_t>& arrivals, std::size_t size) {
  Cuts cuts = arrivals;
  std::erase_if(cuts, [&](std::size_t offset) { return offset == 0 || offset >= size; });
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  return cuts;
}

/// True if the generator needs the body's content, not only its size and arrivals.
bool reads_body(const Generator& generator) {
  return std::holds_alternative<AtEvents>(generator) || std::holds_alternative<Withheld>(generator) ||
         std::holds_alternative<AtTail>(generator) || std::holds_alternative<AtSeam>(generator) ||
         std::holds_alternative<AtSeamsOf>(generator);
}

}  // namespace

Subject survey(std::string_view body, const std::vector<std::size_t>& arrivals, const BodyFormat& format) {
  std::vector<Seam> seams = find_seams(body, format);
  Cuts ends = event_ends(body, seams, framing_of(format.framing, body));
  return {body.size(), std::move(seams), cuts_at(arrivals, body.size()), std::move(ends)};
}

Cuts event_ends_of(std::string_view body, const BodyFormat& format) {
  return event_ends(body, find_event_boundaries(body, format), framing_of(format.framing, body));
}

std::string label(const Generator& generator) { return std::visit(LabelOf{}, generator); }

Result<Generator> parse_generator(std::string_view text) {
  std::string_view rest = text;
  std::optional<Generator> generator;
  if (take(rest, "gen=")) {
    generator = read_gen(rest);
  } else if (take(rest, "cuts=")) {
    generator = read_cuts(rest);
  }
  if (!generator) {
    return error(
        "'" + std::string(text) + "' names no split",
        "write gen=recorded, gen=timed, gen=timed:SPEED, gen=whole, gen=bytes, gen=events, gen=withheld, "
        "gen=tail:NUMBER, gen=seam:NUMBER, gen=seams:KIND, gen=random:NUMBER:seedSEED "
        "or cuts=OFFSET,OFFSET,...");
  }
  std::string canonical = label(*generator);
  if (canonical != text)
    return error("'" + std::string(text) + "' names no split", "did you mean " + canonical + "?");
  return *std::move(generator);
}

Result<double> parse_speed(std::string_view text) {
  std::string_view rest = text;
  const auto speed = take_number<double>(rest);
  if (speed && rest.empty() && is_speed(*speed)) return *speed;
  return error("'" + std::string(text) + "' is no speed", "use a number from " + shortest(Timed::kSlowest) +
                                                              " to " + shortest(Timed::kFastest) +
                                                              ", such as 4 for four times as fast");
}

Result<Cuts> generate(const Generator& generator, const Subject& subject) {
  return std::visit(CutsOf{subject}, generator);
}

Result<Cuts> cuts_of(const Generator& generator, std::string_view body,
                     const std::vector<std::size_t>& arrivals, const BodyFormat& format) {
  if (reads_body(generator)) return generate(generator, survey(body, arrivals, format));
  return generate(generator, {body.size(), {}, cuts_at(arrivals, body.size()), {}});
}

}  // namespace splitproof::split
