// Time, size, rate and length as types, so that no signature takes a bare number for a quantity.
// Time is signed 64-bit picoseconds: exact per byte from 25G to 1.6T, with 106 days of range.
// Simplifies: nothing; a rate that does not divide 8e12 keeps its remainder in a `WireClock`.
// Validated by tests/unit/core/units_test.cpp.
#pragma once

#include <compare>
#include <cstdint>

namespace soya {

/// Products of two 64-bit quantities; a compiler extension, so named once here.
__extension__ using Int128 = __int128;

/// A span of time in picoseconds.
class Duration {
 public:
  constexpr Duration() = default;
  constexpr explicit Duration(std::int64_t picoseconds) : ps_{picoseconds} {}
  [[nodiscard]] constexpr std::int64_t picoseconds() const { return ps_; }
  [[nodiscard]] constexpr double seconds() const { return static_cast<double>(ps_) * 1e-12; }
  constexpr auto operator<=>(const Duration&) const = default;
  constexpr Duration& operator+=(Duration other) { ps_ += other.ps_; return *this; }
  constexpr Duration& operator-=(Duration other) { ps_ -= other.ps_; return *this; }
  friend constexpr Duration operator+(Duration a, Duration b) { return Duration{a.ps_ + b.ps_}; }
  friend constexpr Duration operator-(Duration a, Duration b) { return Duration{a.ps_ - b.ps_}; }
  friend constexpr Duration operator*(Duration a, std::int64_t n) { return Duration{a.ps_ * n}; }
  friend constexpr Duration operator*(std::int64_t n, Duration a) { return Duration{a.ps_ * n}; }
  friend constexpr Duration operator/(Duration a, std::int64_t n) { return Duration{a.ps_ / n}; }

 private:
  std::int64_t ps_{0};
};

/// An instant: picoseconds since the start of the simulation.
class Time {
 public:
  constexpr Time() = default;
  constexpr explicit Time(std::int64_t picoseconds) : ps_{picoseconds} {}
  /// Later than every instant a run can reach; a deadline that is not set.
  [[nodiscard]] static constexpr Time never() { return Time{INT64_MAX}; }
  [[nodiscard]] constexpr std::int64_t picoseconds() const { return ps_; }
  [[nodiscard]] constexpr double seconds() const { return static_cast<double>(ps_) * 1e-12; }
  constexpr auto operator<=>(const Time&) const = default;
  constexpr Time& operator+=(Duration d) { ps_ += d.picoseconds(); return *this; }
  friend constexpr Time operator+(Time t, Duration d) { return Time{t.ps_ + d.picoseconds()}; }
  friend constexpr Time operator-(Time t, Duration d) { return Time{t.ps_ - d.picoseconds()}; }
  friend constexpr Duration operator-(Time a, Time b) { return Duration{a.ps_ - b.ps_}; }

 private:
  std::int64_t ps_{0};
};

/// A size in bytes. Signed, so that a difference that goes below zero is seen and not wrapped.
class Bytes {
 public:
  constexpr Bytes() = default;
  constexpr explicit Bytes(std::int64_t count) : count_{count} {}
  [[nodiscard]] constexpr std::int64_t count() const { return count_; }
  constexpr auto operator<=>(const Bytes&) const = default;
  constexpr Bytes& operator+=(Bytes other) { count_ += other.count_; return *this; }
  constexpr Bytes& operator-=(Bytes other) { count_ -= other.count_; return *this; }
  friend constexpr Bytes operator+(Bytes a, Bytes b) { return Bytes{a.count_ + b.count_}; }
  friend constexpr Bytes operator-(Bytes a, Bytes b) { return Bytes{a.count_ - b.count_}; }
  friend constexpr Bytes operator*(Bytes a, std::int64_t n) { return Bytes{a.count_ * n}; }
  friend constexpr Bytes operator*(std::int64_t n, Bytes a) { return Bytes{a.count_ * n}; }
  friend constexpr Bytes operator/(Bytes a, std::int64_t n) { return Bytes{a.count_ / n}; }

 private:
  std::int64_t count_{0};
};

/// A rate in bits per second, decimal: 100 Gbps is 1e11.
class Rate {
 public:
  constexpr Rate() = default;
  constexpr explicit Rate(std::int64_t bits_per_second) : bps_{bits_per_second} {}
  [[nodiscard]] constexpr std::int64_t bits_per_second() const { return bps_; }
  [[nodiscard]] constexpr double gbps() const { return static_cast<double>(bps_) * 1e-9; }
  constexpr auto operator<=>(const Rate&) const = default;

 private:
  std::int64_t bps_{0};
};

/// A length of cable in millimetres.
class Length {
 public:
  constexpr Length() = default;
  constexpr explicit Length(std::int64_t millimetres) : mm_{millimetres} {}
  [[nodiscard]] constexpr std::int64_t millimetres() const { return mm_; }
  constexpr auto operator<=>(const Length&) const = default;

 private:
  std::int64_t mm_{0};
};

/// An exact fraction such as alpha = 1/8. The denominator is positive.
struct Ratio {
  std::int64_t numerator{1};
  std::int64_t denominator{1};
  constexpr bool operator==(const Ratio&) const = default;
};

/// Floor of `value` × `ratio`, through 128 bits so that no product wraps.
[[nodiscard]] constexpr std::int64_t scaled(std::int64_t value, Ratio ratio) {
  return static_cast<std::int64_t>(static_cast<Int128>(value) * ratio.numerator / ratio.denominator);
}

/// Time to serialise `size` at `rate`, rounded to the nearest picosecond. Bits × 1e12 pass through 128 bits.
[[nodiscard]] constexpr Duration serialisation(Bytes size, Rate rate) {
  const Int128 bit_picoseconds = static_cast<Int128>(size.count()) * 8 * 1'000'000'000'000;
  const Int128 rate_128 = rate.bits_per_second();
  return Duration{static_cast<std::int64_t>((bit_picoseconds + rate_128 / 2) / rate_128)};
}

/// Bytes that `rate` carries in `span`, rounded down.
[[nodiscard]] constexpr Bytes bytes_in(Duration span, Rate rate) {
  const Int128 bit_picoseconds = static_cast<Int128>(span.picoseconds()) * rate.bits_per_second();
  return Bytes{static_cast<std::int64_t>(bit_picoseconds / 8 / 1'000'000'000'000)};
}

/// Propagation along `length` of cable at `per_kilometre`, rounded to the nearest picosecond.
[[nodiscard]] constexpr Duration propagation(Length length, Duration per_kilometre) {
  const Int128 product = static_cast<Int128>(length.millimetres()) * per_kilometre.picoseconds();
  return Duration{static_cast<std::int64_t>((product + 500'000) / 1'000'000)};
}

inline namespace literals {
constexpr Duration operator""_ps(unsigned long long n) { return Duration{static_cast<std::int64_t>(n)}; }
constexpr Duration operator""_ns(unsigned long long n) { return Duration{static_cast<std::int64_t>(n) * 1'000}; }
constexpr Duration operator""_us(unsigned long long n) { return Duration{static_cast<std::int64_t>(n) * 1'000'000}; }
constexpr Duration operator""_ms(unsigned long long n) { return Duration{static_cast<std::int64_t>(n) * 1'000'000'000}; }
constexpr Duration operator""_s(unsigned long long n) { return Duration{static_cast<std::int64_t>(n) * 1'000'000'000'000}; }
constexpr Bytes operator""_B(unsigned long long n) { return Bytes{static_cast<std::int64_t>(n)}; }
constexpr Bytes operator""_KiB(unsigned long long n) { return Bytes{static_cast<std::int64_t>(n) * 1024}; }
constexpr Bytes operator""_MiB(unsigned long long n) { return Bytes{static_cast<std::int64_t>(n) * 1024 * 1024}; }
constexpr Bytes operator""_KB(unsigned long long n) { return Bytes{static_cast<std::int64_t>(n) * 1000}; }
constexpr Bytes operator""_MB(unsigned long long n) { return Bytes{static_cast<std::int64_t>(n) * 1'000'000}; }
constexpr Rate operator""_Gbps(unsigned long long n) { return Rate{static_cast<std::int64_t>(n) * 1'000'000'000}; }
constexpr Length operator""_m(unsigned long long n) { return Length{static_cast<std::int64_t>(n) * 1'000}; }
constexpr Length operator""_km(unsigned long long n) { return Length{static_cast<std::int64_t>(n) * 1'000'000}; }
// 2.5_ns in a test: rounded to the nearest picosecond at compile time, never used by a model.
consteval Duration operator""_ns(long double n) { return Duration{static_cast<std::int64_t>(n * 1e3L + 0.5L)}; }
consteval Duration operator""_us(long double n) { return Duration{static_cast<std::int64_t>(n * 1e6L + 0.5L)}; }
}  // namespace literals

}  // namespace soya
