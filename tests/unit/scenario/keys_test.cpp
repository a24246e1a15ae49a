#include "scenario/keys.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

using namespace soya;
using namespace soya::reading;

namespace {

bool is_number(Kind kind) {
  return dimension_of(kind) != Dimension::none || kind == Kind::integer || kind == Kind::priority;
}

void check_number(const Key& key) {
  CHECK(key.least <= key.most);
  CHECK(key.most > 0);
  if (key.standard.empty() || key.standard == key.word) return;
  ParsedNumber number = parse_number(key.standard, dimension_of(key.kind));
  if (key.bare) number = parse_number(key.standard, Dimension::none);
  CHECK(number.fault == NumberFault::none);
  CHECK(number.value >= key.least);
  CHECK(number.value <= key.most);
}

}  // namespace

TEST_CASE("sections are found by their id") {
  for (std::size_t i = 0; i < all_sections().size(); ++i) {
    CHECK(static_cast<std::size_t>(all_sections()[i].id) == i);
    CHECK(&keys_of(all_sections()[i].id) == &all_sections()[i]);
  }
  CHECK(all_sections().back().id == SectionId::measure);
}

TEST_CASE("every key is declared once, with a meaning, and its default within its range") {
  for (const SectionKeys& section : all_sections()) {
    std::set<std::string_view> names;
    for (const auto keys : {section.own, section.shared}) {
      for (const Key& key : keys) {
        CAPTURE(std::string{section.place});
        CAPTURE(std::string{key.name});
        CHECK(names.insert(key.name).second);
        CHECK_FALSE(key.meaning.empty());
        CHECK(key.standard.empty() == key.source.empty());
        CHECK_FALSE((key.required && !key.standard.empty()));
        if (is_number(key.kind)) check_number(key);
        if (key.kind == Kind::choice) CHECK_FALSE(key.choices.empty());
      }
    }
  }
}
