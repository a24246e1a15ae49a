#include "core/quantity_text.hpp"

#include <array>
#include <string_view>

namespace soya {

namespace {

struct TimeUnit {
  std::string_view name;
  std::int64_t picoseconds;
};
constexpr std::array<TimeUnit, 5> time_units{
    {{"s", 1'000'000'000'000}, {"ms", 1'000'000'000}, {"us", 1'000'000}, {"ns", 1'000}, {"ps", 1}}};

/// Index of the largest unit that `picoseconds` ≥ 0 holds at least once.
std::size_t unit_of(std::int64_t picoseconds) {
  std::size_t unit = 0;
  while (unit + 1 < time_units.size() && picoseconds < time_units[unit].picoseconds) ++unit;
  return unit;
}

/// `whole` and behind the point `rest`, which counts `places` digits.
std::string decimal(std::int64_t whole, std::int64_t rest, std::size_t places) {
  const std::string digits = std::to_string(rest);
  return grouped(whole) + '.' + std::string(places - digits.size(), '0') + digits;
}

std::size_t digits_below(std::int64_t power_of_ten) {
  return std::to_string(power_of_ten).size() - 1;
}

}  // namespace

std::string grouped(std::int64_t number) {
  std::string text = std::to_string(number);
  const std::size_t first_digit = number < 0 ? 1 : 0;
  for (std::size_t at = text.size(); at > first_digit + 3;) {
    at -= 3;
    text.insert(at, " ");
  }
  return text;
}

std::string bytes_text(Bytes size) {
  return grouped(size.count()) + " B";
}

std::string time_text(Duration time) {
  const std::int64_t ps = time.picoseconds();
  if (ps < 0) return '-' + time_text(Duration{-ps});
  const TimeUnit& unit = time_units[unit_of(ps)];
  const std::int64_t rest = ps % unit.picoseconds;
  std::string text = grouped(ps / unit.picoseconds);
  if (rest != 0) {
    text = decimal(ps / unit.picoseconds, rest, digits_below(unit.picoseconds));
    text.resize(text.find_last_not_of('0') + 1);
  }
  return text + ' ' + std::string{unit.name};
}

std::string time_text(Time time) {
  return time_text(time - Time{0});
}

std::string rounded_time_text(Duration time) {
  const std::int64_t ps = time.picoseconds();
  if (ps < 0) return '-' + rounded_time_text(Duration{-ps});
  std::size_t unit = unit_of(ps);
  if (time_units[unit].picoseconds == 1) return time_text(time);
  const auto thousandths = [&] {
    const std::int64_t step = time_units[unit].picoseconds / 1000;
    return ps / step + (ps % step >= (step + 1) / 2 ? 1 : 0);
  };
  // 999.9996 us would print as 1000.000: that is one of the next unit.
  if (unit > 0 && thousandths() >= 1'000'000) --unit;
  return decimal(thousandths() / 1000, thousandths() % 1000, 3) + ' ' + std::string{time_units[unit].name};
}

}  // namespace soya
