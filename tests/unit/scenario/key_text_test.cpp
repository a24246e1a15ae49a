#include "scenario/key_text.hpp"

#include <doctest/doctest.h>

#include "scenario/key_places.hpp"

using namespace soya;
using namespace soya::reading;

namespace {

const Key& key(std::string_view path) {
  return *find_keys(path).front().place.key;
}

}  // namespace

TEST_CASE("what a key takes, in words") {
  CHECK(value_text(key("fabric.headroom.size")) == "size, 1B to 1TiB, or auto");
  CHECK(value_text(key("fabric.mtu")) == "size or bytes, 1 to 1000000");
  CHECK(value_text(key("fabric.vlan")) == "true or false");
  CHECK(value_text(key("fabric.ip")) == "ipv4, ipv6");
  CHECK(value_text(key("buffer.alpha")) == "ratio, above 0 to 1024");
  CHECK(value_text(key("nic")) == "keys");
  CHECK(value_text(key("topology")) == "keys of topology, or path of a file");
  CHECK(value_text(key("topology.links")) == "list of topology.links[]");
  CHECK(value_text(key("topology.nodes")) == "names, each with host, switch, wan_accelerator, server or keys of topology.nodes.*");
  CHECK(value_text(key("switches")) == "names, each with keys of switches.*");
  CHECK(value_text(key("links.between")) == "list of 2 names");
  CHECK(value_text(key("weights")) == "list of 8 whole numbers, 1 to 10000");
  CHECK(value_text(key("ddp.hosts")) == "whole number, 1 to 1000000, or list of names, or all");
  CHECK(value_text(key("ddp.hosts"), [](std::string_view word) { return "<" + std::string{word} + ">"; }) ==
        "whole number, 1 to 1000000, or list of names, or <all>");
}

TEST_CASE("every value of more than one form declares its forms, and every kind of number its spellings") {
  for (const KeyPlace& place : key_places()) {
    CAPTURE(place.path);
    const Kind kind = place.key->kind;
    CHECK((place.key->forms.size > 0) == (kind == Kind::section || kind == Kind::structured));
    if (dimension_of(kind) != Dimension::none) CHECK_FALSE(spelling_of(kind).empty());
  }
  CHECK(spelling_of(Kind::length) == "3m, 50cm, 300km");
  CHECK(spelling_of(Kind::text).empty());
}

TEST_CASE("the example of a number is in its range") {
  for (const KeyPlace& place : key_places()) {
    const Key& declared = *place.key;
    const Dimension dimension = declared.bare ? Dimension::none : dimension_of(declared.kind);
    if (dimension == Dimension::none && declared.kind != Kind::integer && !declared.bare) continue;
    CAPTURE(place.path);
    CAPTURE(example_value(declared));
    const ParsedNumber number = parse_number(example_value(declared), dimension);
    CHECK(number.fault == NumberFault::none);
    CHECK(number.value >= declared.least);
    CHECK(number.value <= declared.most);
  }
}
