#include "harness/import/capture_time.hpp"

#include <charconv>
#include <chrono>
#include <cmath>
#include <cstddef>

namespace splitproof::imports {
namespace {

/// Takes a number of exactly `digits` digits from the front of `text`.
std::optional<int> take_number(std::string_view& text, std::size_t digits) {
  int value = 0;
  const std::string_view number = text.substr(0, digits);
  const auto [end, failed] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (failed != std::errc() || end != number.data() + digits || value < 0) return std::nullopt;
  text.remove_prefix(digits);
  return value;
}

bool take(std::string_view& text, std::string_view any_of) {
  if (text.empty() || any_of.find(text.front()) == any_of.npos) return false;
  text.remove_prefix(1);
  return true;
}

/// Takes "10:00:00.123" from the front of `text`.
std::optional<double> take_clock(std::string_view& text) {
  const auto hours = take_number(text, 2);
  if (!hours || !take(text, ":")) return std::nullopt;
  const auto minutes = take_number(text, 2);
  if (!minutes || !take(text, ":")) return std::nullopt;
  const auto seconds = take_number(text, 2);
  if (!seconds || *hours > 24 || *minutes > 59 || *seconds > 60) return std::nullopt;
  double fraction = 0;
  if (take(text, ".,"))
    for (double unit = 0.1; !text.empty() && text.front() >= '0' && text.front() <= '9'; unit /= 10) {
      fraction += unit * (text.front() - '0');
      text.remove_prefix(1);
    }
  return *hours * 3600.0 + *minutes * 60.0 + *seconds + std::round(fraction * 1e9) / 1e9;
}

/// Takes "Z", "+02:00", "+0200" or nothing; returns seconds.
std::optional<double> take_offset(std::string_view& text) {
  if (text.empty() || take(text, "Zz")) return 0.0;
  const double sign = text.front() == '-' ? -1 : 1;
  if (!take(text, "+-")) return std::nullopt;
  const auto hours = take_number(text, 2);
  take(text, ":");
  const auto minutes = take_number(text, 2);
  if (!hours || !minutes) return std::nullopt;
  return sign * (*hours * 3600.0 + *minutes * 60.0);
}

}  // namespace

std::optional<double> seconds_of_clock(std::string_view text) {
  const auto clock = take_clock(text);
  return text.empty() ? clock : std::nullopt;
}

std::optional<double> seconds_of_date(std::string_view text) {
  using namespace std::chrono;
  const auto years = take_number(text, 4);
  if (!years || !take(text, "-")) return std::nullopt;
  const auto months = take_number(text, 2);
  if (!months || !take(text, "-")) return std::nullopt;
  const auto days = take_number(text, 2);
  if (!days || !take(text, "Tt ")) return std::nullopt;
  const year_month_day date{year(*years), month(static_cast<unsigned>(*months)),
                            day(static_cast<unsigned>(*days))};
  const auto clock = take_clock(text);
  if (!clock || !date.ok()) return std::nullopt;
  const auto offset = take_offset(text);
  if (!offset || !text.empty()) return std::nullopt;
  const double midnight = static_cast<double>(sys_days(date).time_since_epoch().count()) * 86400.0;
  return midnight + *clock - *offset;
}

}  // namespace splitproof::imports
