#include "proxy/text/parameter_run.hpp"

#include <algorithm>
#include <array>

namespace splitproof::text {

void ParameterRun::take(char c) {
  using Is = TagMatch::Is;
  const Grammar& row = grammar(id_);
  ++at_;
  switch (stage_) {
    case Stage::between:
      if (is_blank(c)) return;
      stage_ = Stage::tag;
      [[fallthrough]];
    case Stage::tag: {
      const std::array<std::string_view, 4> tags = {row.key_open[0], row.key_open[1], row.close[0],
                                                    row.close[1]};
      const Is is = tag_.take(tags, c);
      if (is == Is::none) stage_ = Stage::dead;
      if (is == Is::whole) stage_ = tag_.found() < 2 ? Stage::key : Stage::whole;
      key_.clear();
      return;
    }
    case Stage::key:
      return take_key(c);
    case Stage::key_end: {
      const Is is = tag_.take(std::array{row.key_end}, c);
      if (is == Is::none) stage_ = Stage::dead;
      if (is == Is::whole) begin_value();
      return;
    }
    case Stage::gap:
      if (is_blank(c)) return;
      stage_ = Stage::value_open;
      [[fallthrough]];
    case Stage::value_open: {
      const Is is = tag_.take(std::array{row.value_open}, c);
      if (is == Is::none) stage_ = Stage::dead;
      if (is != Is::whole) return;
      stage_ = Stage::value;
      value_begin_ = at_;
      return;
    }
    case Stage::value:
      if (tag_.seek(row.value_close, c) == Is::whole) end_value(row.value_close[tag_.found()].size());
      return;
    case Stage::dead:
    case Stage::whole:
      return;
  }
}

void ParameterRun::take_key(char c) {
  const std::string_view end = grammar(id_).key_end;
  if (c == end.front() && !key_.empty()) {
    stage_ = Stage::key_end;
    if (tag_.take(std::array{end}, c) == TagMatch::Is::whole) begin_value();
  } else if (c == '<' || c == '>' || c == '"' || static_cast<unsigned char>(c) < 0x20) {
    stage_ = Stage::dead;
  } else {
    key_ += c;
  }
}

void ParameterRun::begin_value() {
  stage_ = grammar(id_).value_open.empty() ? Stage::value : Stage::gap;
  value_begin_ = at_;
}

void ParameterRun::end_value(std::size_t tag_size) {
  const std::size_t number = pairs();
  const auto [known, is_new] = last_.try_emplace(key_, number);
  if (!is_new) {
    distinct_from_ = std::max(distinct_from_, known->second + 1);
    known->second = number;
  }
  pairs_.push_back({key_, value_begin_, at_ - tag_size, at_});
  last_end_ = at_;
  stage_ = Stage::between;
}

bool ParameterRun::covers(std::size_t call) const {
  return call >= begin_ && call < (in_value() ? at_ : last_end_);
}

std::size_t ParameterRun::meets(std::size_t value_begin) const {
  const auto pair = std::lower_bound(pairs_.begin(), pairs_.end(), value_begin,
                                     [](const Pair& a, std::size_t begin) { return a.value_end < begin; });
  return forgotten_ + static_cast<std::size_t>(pair - pairs_.begin());
}

bool ParameterRun::distinct(std::size_t from, std::string_view own) const {
  if (distinct_from_ > from) return false;
  const auto stands_behind = [&](std::string_view key) {
    const auto known = last_.find(key);
    return known != last_.end() && known->second >= from;
  };
  if (!own.empty() && stands_behind(own)) return false;
  const bool open = stage_ == Stage::gap || stage_ == Stage::value_open || stage_ == Stage::value;
  return !open || pairs() < from || (key_ != own && !stands_behind(key_));
}

void ParameterRun::forget(std::size_t before) {
  while (!pairs_.empty() && pairs_.front().behind <= before) {
    const auto known = last_.find(pairs_.front().key);
    if (known->second == forgotten_) last_.erase(known);
    pairs_.pop_front();
    ++forgotten_;
  }
  distinct_from_ = std::max(distinct_from_, forgotten_);
}

}  // namespace splitproof::text
