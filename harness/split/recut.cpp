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

std::optional<RecutForm> single_cut(const std::vector<CutPoint>& places, std::size_t index) {
  if (index >= places.size() || places[index].at == 0) return std::nullopt;
  return run_cuts_at({&places[index], 1});
}

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

Result<std::optional<RecutForm>> recut_form(const Recutter& recutter, std::string_view label) {
  std::string_view rest = label;
  if (label == "whole") return recutter.whole();
  if (label == "char") return run_cuts_at(recutter.characters());
  if (take(rest, "cut:")) {
    const auto character = take_number(rest);
    if (character && rest.empty()) return single_cut(recutter.characters(), *character);
  } else if (take(rest, "seam:")) {
    const std::string_view kind_name = rest.substr(0, rest.find(':'));
    rest.remove_prefix(kind_name.size());
    const auto kind = text_seam(kind_name);
    if (kind && rest.empty()) return run_cuts_at(recutter.seams(*kind));
    if (kind && take(rest, ":")) {
      const auto index = take_number(rest);
      if (index && rest.empty()) return single_cut(recutter.seams(*kind), *index);
    }
  } else if (take(rest, "random:")) {
    const auto index = take_number(rest);
    if (!index || !take(rest, ":seed")) return unknown(recutter, label);
    const auto seed = take_number(rest);
    if (seed && rest.empty()) return RandomRecut{*index, *seed};
  } else if (const auto& own = recutter.labels(); std::find(own.begin(), own.end(), label) != own.end()) {
    return OwnRecut{label};
  }
  return unknown(recutter, label);
}

Result<Recut> recut(const Rechunker& dealer, std::string_view body, std::string_view label) {
  const Recutter recutter(dealer, body);
  const auto form = recut_form(recutter, label);
  if (!form) return tl::unexpected(form.error());
  std::optional<Recut> made = *form ? recutter.of(**form) : std::nullopt;
  if (made) return *std::move(made);
  return tl::unexpected(
      Error{"this body has no recut " + std::string(label), {}, 0, "it would be the body as it is"});
}

struct Recuts::Body {
  Recutter recutter;
};

Recuts::Recuts(const Rechunker& dealer, std::string_view body)
    : body_(std::make_unique<Body>(Body{Recutter(dealer, body)})) {}

Recuts::~Recuts() = default;

std::vector<std::string> Recuts::plan(std::size_t random, bool sweep, std::uint64_t seed) const {
  std::vector<std::string> planned = {"whole", "char"};
  SplitMix64 picks(seed);
  for (std::size_t i = 0; i < kTextSeams; ++i) {
    const auto kind = static_cast<TextSeam>(i);
    const std::string label = "seam:" + std::string(name(kind));
    const std::size_t count = body_->recutter.seams(kind).size();
    if (count == 0) continue;
    planned.push_back(label);
    for (const std::size_t pick : lone_picks(count, picks))
      planned.push_back(label + ":" + std::to_string(pick));
  }
  const std::vector<std::string>& own = body_->recutter.labels();
  planned.insert(planned.end(), own.begin(), own.end());
  for (std::size_t i = 0; i < random; ++i)
    planned.push_back("random:" + std::to_string(i) + ":seed" + std::to_string(seed));
  if (sweep) {
    const std::size_t characters = body_->recutter.characters().size();
    for (std::size_t i = 0; i < characters; ++i) planned.push_back("cut:" + std::to_string(i));
  }
  return planned;
}

std::optional<Recut> Recuts::make(std::string_view label) const {
  const std::optional<RecutForm> form = *recut_form(body_->recutter, label);
  return form ? body_->recutter.of(*form) : std::nullopt;
}

}  // namespace splitproof::split
