#include "harness/observe/json_progress.hpp"

#include <algorithm>

namespace splitproof::observe {
namespace {

constexpr std::string_view kSpace = " \t\n\r";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

}  // namespace

std::string_view trim_json(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
  return text.substr(0, text.find_last_not_of(kSpace) + 1);
}

bool is_one_json_value(std::string_view text) {
  JsonProgress progress;
  progress.take(text);
  progress.take(" ");  // nothing more comes, so a number has ended
  return progress.complete();
}

void JsonProgress::take(std::string_view piece) {
  for (const char c : piece) state_ = next(c);
}

bool JsonProgress::complete() const { return open_.empty() && state_ == State::comma_or_end; }

bool JsonProgress::number_can_end() const {
  return state_ == State::zero || state_ == State::digits || state_ == State::fraction ||
         state_ == State::power;
}

/// Returns the state after `c` as part of a number, or broken if `c` is not part of one.
JsonProgress::State JsonProgress::in_number(State state, char c) {
  switch (state) {
    case State::minus:
      return c == '0' ? State::zero : is_digit(c) ? State::digits : State::broken;
    case State::zero:
    case State::digits:
      if (c == '.') return State::point;
      if (c == 'e' || c == 'E') return State::e;
      return state == State::digits && is_digit(c) ? State::digits : State::broken;
    case State::point:
      return is_digit(c) ? State::fraction : State::broken;
    case State::fraction:
      if (c == 'e' || c == 'E') return State::e;
      return is_digit(c) ? State::fraction : State::broken;
    case State::e:
      if (c == '+' || c == '-') return State::e_sign;
      return is_digit(c) ? State::power : State::broken;
    case State::e_sign:
    case State::power:
      return is_digit(c) ? State::power : State::broken;
    default:
      return State::broken;
  }
}

JsonProgress::State JsonProgress::next(char c) {
  switch (state_) {
    case State::string:
      if (c == '"') return in_key_ ? State::colon : State::comma_or_end;
      if (c == '\\') return State::escape;
      return static_cast<unsigned char>(c) < 0x20 ? State::broken : State::string;
    case State::escape:
      missing_ = 4;
      if (c == 'u') return State::hex;
      return std::string_view("\"\\/bfnrt").find(c) == std::string_view::npos ? State::broken : State::string;
    case State::hex:
      if (!is_hex(c)) return State::broken;
      return --missing_ == 0 ? State::string : State::hex;
    case State::word:
      if (c != rest_.front()) return State::broken;
      rest_.remove_prefix(1);
      return rest_.empty() ? State::comma_or_end : State::word;
    case State::minus:
    case State::zero:
    case State::digits:
    case State::point:
    case State::fraction:
    case State::e:
    case State::e_sign:
    case State::power: {
      const State further = in_number(state_, c);
      if (further != State::broken || !number_can_end()) return further;
      state_ = State::comma_or_end;
      return next(c);
    }
    default:
      break;
  }
  if (c == ' ' || c == '\t' || c == '\n' || c == '\r') return state_;
  switch (state_) {
    case State::value_or_end:
      if (c == ']') return close(false);
      return begin_value(c);
    case State::value:
      return begin_value(c);
    case State::key_or_end:
    case State::key:
      if (state_ == State::key_or_end && c == '}') return close(true);
      in_key_ = true;
      return c == '"' ? State::string : State::broken;
    case State::colon:
      return c == ':' ? State::value : State::broken;
    case State::comma_or_end:
      if (open_.empty()) return State::broken;
      if (c == ',') return open_.back() ? State::key : State::value;
      return c == ']' ? close(false) : c == '}' ? close(true) : State::broken;
    default:
      return State::broken;
  }
}

JsonProgress::State JsonProgress::begin_value(char c) {
  in_key_ = false;
  if (c == '{' || c == '[') return open(c == '{');
  if (c == '"') return State::string;
  if (c == '-') return State::minus;
  if (is_digit(c)) return in_number(State::minus, c);
  if (c != 'n' && c != 't' && c != 'f') return State::broken;
  rest_ = c == 'n' ? "ull" : c == 't' ? "rue" : "alse";
  return State::word;
}

JsonProgress::State JsonProgress::open(bool object) {
  open_.push_back(object);
  return object ? State::key_or_end : State::value_or_end;
}

JsonProgress::State JsonProgress::close(bool object) {
  if (open_.back() != object) return State::broken;
  open_.pop_back();
  return State::comma_or_end;
}

}  // namespace splitproof::observe
