#include "harness/split/recut.hpp"

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <utility>

#include "harness/split/plan.hpp"
#include "harness/split/recutter.hpp"
#include "harness/split/take.hpp"
#include "harness/split/text_seams.hpp"

namespace splitproof::split {
namespace {

/// Removes a decimal number without leading zeros from the front of `text`.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  std::uint64_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto length = static_cast<std::size_t>(end - text.data());
  if (failure != std::errc{} || (length > 1 && text.front() == '0')) return std::nullopt;
  text.remove_prefix(length);
  return number;
}

/// Returns the forms of labels: "cut:NUMBER, ..., call:FORM or finish:FORM".
std::string forms(const std::vector<std::string>& own_labels) {
  std::vector<std::string> forms = {
      "whole", "char", "cut:NUMBER", "seam:KIND", "seam:KIND:NUMBER", "random:NUMBER:seedSEED"};
  for (const std::string& label : own_labels) {
    std::string form = label.substr(0, label.find(':')) + ":FORM";
    if (form != forms.back()) forms.push_back(std::move(form));
  }
  std::string text = forms.front();
  for (std::size_t i = 1; i < forms.size(); ++i) text += (i + 1 == forms.size() ? " or " : ", ") + forms[i];
  return text;
}

tl::unexpected<Error> unknown(const Recutter& recutter, std::string_view label) {
  return tl::unexpected(
      Error{"'" + std::string(label) + "' names no recut", {}, 0, "write " + forms(recutter.labels())});
}

}  // namespace

Result<RecutName> parse_recut_name(const Recutter& recutter, std::string_view label) {
  std::string_view rest = label;
  if (label == "whole") return WholeRecut{};
  if (label == "char") return CharacterRecut{};
  if (take(rest, "cut:")) {
    const auto character = take_number(rest);
    if (character && rest.empty()) return CutRecut{*character};
  } else if (take(rest, "seam:")) {
    const std::string_view kind_name = rest.substr(0, rest.find(':'));
    rest.remove_prefix(kind_name.size());
    const auto kind = text_seam(kind_name);
    if (kind && rest.empty()) return SeamsRecut{*kind};
    if (kind && take(rest, ":")) {
      const auto index = take_number(rest);
      if (index && rest.empty()) return SeamRecut{*kind, *index};
    }
  } else if (take(rest, "random:")) {
    const auto index = take_number(rest);
    if (!index || !take(rest, ":seed")) return unknown(recutter, label);
    const auto seed = take_number(rest);
    if (seed && rest.empty()) return RandomRecut{*index, *seed};
  }
  const std::vector<std::string>& own = recutter.labels();
  const auto found = std::find(own.begin(), own.end(), label);
  if (found != own.end()) return OwnRecut{static_cast<std::size_t>(found - own.begin())};
  return unknown(recutter, label);
}

std::string label_of(const Recutter& recutter, const RecutName& recut) {
  struct LabelOf {
    const Recutter& of;
    std::string operator()(const WholeRecut&) const { return "whole"; }
    std::string operator()(const CharacterRecut&) const { return "char"; }
    std::string operator()(const SeamsRecut& seams) const { return "seam:" + std::string(name(seams.kind)); }
    std::string operator()(const SeamRecut& seam) const {
      return "seam:" + std::string(name(seam.kind)) + ":" + std::to_string(seam.index);
    }
    std::string operator()(const CutRecut& cut) const { return "cut:" + std::to_string(cut.character); }
    std::string operator()(const RandomRecut& random) const {
      return "random:" + std::to_string(random.index) + ":seed" + std::to_string(random.seed);
    }
    std::string operator()(const OwnRecut& own) const { return of.labels()[own.index]; }
  };
  return std::visit(LabelOf{recutter}, recut);
}

Result<Recut> recut(const Rechunker& dealer, std::string_view body, std::string_view label) {
  const Recutter recutter(dealer, body);
  const auto named = parse_recut_name(recutter, label);
  if (!named) return tl::unexpected(named.error());
  std::optional<Recut> made = recutter.make(*named);
  if (made) return *std::move(made);
  return tl::unexpected(
      Error{"this body has no recut " + std::string(label), {}, 0, "it would be the body as it is"});
}

void for_each_planned(const Recutter& recutter, const PlanSettings& settings,
                      const std::function<void(const RecutName&)>& take) {
  take(WholeRecut{});
  take(CharacterRecut{});
  SplitMix64 picks(settings.seed);
  for (std::size_t i = 0; i < kTextSeams; ++i) {
    const auto kind = static_cast<TextSeam>(i);
    const std::size_t count = recutter.seams(kind).size();
    if (count == 0) continue;
    take(SeamsRecut{kind});
    for (const std::size_t pick : lone_picks(count, picks)) take(SeamRecut{kind, pick});
  }
  for (std::size_t i = 0; i < recutter.labels().size(); ++i) take(OwnRecut{i});
  for (std::size_t i = 0; i < settings.random; ++i) take(RandomRecut{i, settings.seed});
  const std::size_t swept = settings.sweep ? recutter.characters().size() : 0;
  for (std::size_t i = 0; i < swept; ++i) take(CutRecut{i});
}

Recuts::Recuts(const Rechunker& dealer, std::string_view body)
    : recutter_(std::make_unique<Recutter>(dealer, body)) {}

Recuts::~Recuts() = default;

std::vector<std::string> Recuts::plan(std::size_t random, bool sweep, std::uint64_t seed) const {
  std::vector<std::string> labels;
  for_each_planned(*recutter_, {random, sweep, seed},
                   [&](const RecutName& recut) { labels.push_back(label_of(*recutter_, recut)); });
  return labels;
}

std::optional<Recut> Recuts::make(std::string_view label) const {
  return recutter_->make(parse_recut_name(*recutter_, label).value());
}

}  // namespace splitproof::split
