// How doctest prints our quantities when an assertion fails.
#pragma once

#include <ostream>
#include <string>

#include <doctest/doctest.h>

#include "core/units.hpp"

namespace doctest {

template <>
struct StringMaker<soya::Duration> {
  static String convert(soya::Duration d) { return (std::to_string(d.picoseconds()) + " ps").c_str(); }
};
template <>
struct StringMaker<soya::Time> {
  static String convert(soya::Time t) { return ("t = " + std::to_string(t.picoseconds()) + " ps").c_str(); }
};
template <>
struct StringMaker<soya::Bytes> {
  static String convert(soya::Bytes b) { return (std::to_string(b.count()) + " B").c_str(); }
};
template <>
struct StringMaker<soya::Rate> {
  static String convert(soya::Rate r) { return (std::to_string(r.bits_per_second()) + " bit/s").c_str(); }
};

}  // namespace doctest
