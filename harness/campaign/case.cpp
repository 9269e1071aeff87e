#include "harness/campaign/case.hpp"

#include <set>
#include <utility>

#include "harness/campaign/connection_acts.hpp"
#include "harness/glob.hpp"

namespace splitproof::campaign {
namespace {

constexpr std::size_t kCutsInLabel = 8;

std::string_view label(Turn turn) {
  switch (turn) {
    case Turn::first:
      return "1";
    case Turn::second:
      return "2";
    case Turn::reversed:
      return "2:reversed";
    case Turn::third:
      return "3";
    case Turn::whole:
      return "whole";
  }
  return {};
}

std::optional<Turn> parse_turn(std::string_view text) {
  for (const Turn turn : {Turn::second, Turn::reversed, Turn::third, Turn::whole})
    if (text == label(turn)) return turn;
  return std::nullopt;
}

}  // namespace

std::string to_string(const Case& one) {
  std::string text = one.recording + "?client=" + one.client;
  if (!one.act.empty()) return text + "&act=" + one.act;
  if (one.turn != Turn::first) text += "&turn=" + std::string(label(one.turn));
  if (!one.edit.empty()) text += "&edit=" + one.edit;
  if (!one.recut.empty()) text += "&recut=" + one.recut;
  if (one.frames != observe::FrameStyle()) text += "&frames=" + observe::label(one.frames);
  if (one.is_recorded() || one.split != Case().split) text += "&" + split::label(one.split);
  if (one.fault) text += "&fault=" + label(*one.fault);
  return text;
}

Result<Case> parse_case(std::string_view id) {
  Case one;
  const std::size_t query = id.find('?');
  one.recording = id.substr(0, query);
  const auto broken = [&](const std::string& what) {
    return tl::unexpected(Error{
        "case id '" + std::string(id) + "' " + what,
        {},
        0,
        "write RECORDING?client=PROTOCOL&cuts=12,340, ..&gen=seam:17, ..&recut=char, ..&edit=drop:3, ..&frames=halves, "
        "..&fault=reset@118, ..&turn=2, ..&turn=2:reversed, ..&turn=3, ..&turn=whole or "
        "..&act=idle-close"});
  };
  if (one.recording.empty()) return broken("names no recording");
  std::set<std::string_view> seen;
  for (std::size_t at = query; at != std::string_view::npos;) {
    const std::size_t next = id.find('&', at + 1);
    const std::string_view part = id.substr(at + 1, next == std::string_view::npos ? next : next - at - 1);
    at = next;
    const std::string_view key = part.substr(0, part.find('='));
    const bool is_split = key == "gen" || key == "cuts";
    if (!is_split && key != "client" && key != "edit" && key != "recut" && key != "fault" && key != "turn" &&
        key != "act" && key != "frames")
      return broken("has the unknown part '" + std::string(part) + "'");
    if (!seen.insert(is_split ? "gen" : key).second)
      return broken("has '" + std::string(key) + "' more than once, or both gen and cuts");
    if (part.size() <= key.size() + 1) return broken("has no value for '" + std::string(key) + "'");
    const std::string_view value = part.substr(key.size() + 1);
    if (key == "client") one.client = value;
    if (key == "edit") one.edit = value;
    if (key == "recut") one.recut = value;
    if (key == "frames") {
      const auto frames = observe::frame_style_of(value);
      if (!frames || *frames == observe::FrameStyle())
        return broken("has the unknown part '" + std::string(part) + "'");
      one.frames = *frames;
    }
    if (key == "act") {
      if (connection_act(value) == nullptr) return broken("has the unknown part '" + std::string(part) + "'");
      one.act = value;
    }
    if (key == "turn") {
      const std::optional<Turn> turn = parse_turn(value);
      if (!turn) return broken("has the unknown part '" + std::string(part) + "'");
      one.turn = *turn;
    }
    if (key == "fault") {
      const Result<Fault> fault = parse_fault(value);
      if (!fault) return tl::unexpected(fault.error());
      one.fault = *fault;
    }
    if (is_split) {
      Result<split::Generator> generator = split::parse_generator(part);
      if (!generator) return tl::unexpected(generator.error());
      one.split = *std::move(generator);
    }
  }
  if (!one.act.empty() && seen.size() > seen.count("client") + 1)
    return broken("has other parts next to the act; an act always uses the whole recording");
  return one;
}

Case lasting(Case one, const split::Cuts& cuts) {
  const bool few = !cuts.empty() && cuts.size() <= kCutsInLabel;
  if (few && one.is_recorded() && !one.withheld() && !one.timed()) one.split = split::AtCuts{cuts};
  return one;
}

bool selects(const std::string& glob, const Case& one) {
  return glob.empty() || matches(glob, one.recording) || matches(glob, to_string(one));
}

bool selects(const std::string& glob, const Case& one, const split::Cuts& cuts) {
  return selects(glob, one) || selects(glob, lasting(one, cuts));
}

bool may_select(const std::string& glob, const std::string& recording, const std::string& beginning) {
  if (glob.empty() || matches(glob, recording)) return true;
  // If the glob matches an id, a prefix of the glob matches the id's beginning.
  for (std::size_t size = 0; size <= glob.size(); ++size)
    if (matches(glob.substr(0, size), beginning)) return true;
  return false;
}

}  // namespace splitproof::campaign
