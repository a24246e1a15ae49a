#include "scenario/condition.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <iterator>
#include <map>
#include <string>

using namespace soya;

namespace {

const std::map<std::string, NamedValue, std::less<>>& values() {
  static const std::map<std::string, NamedValue, std::less<>> all{
      {"topology.link_types.haul.length", {100'000.0, "m"}},
      {"topology.link_types.haul.rate", {100.0, "gbps"}},
      {"topology.link_types.core.rate", {400.0, "gbps"}},
      {"fabric.headroom.mode", {"dsh", ""}},
      {"fabric.headroom.size", {"auto", "bytes"}},
      {"fabric.buffer.alpha", {0.125, ""}},
      {"nic.queue_depth", {128.0, ""}},
      {"switches.\"leaf.1\".latency", {0.3, "us"}},
      {"drops.lossless", {0.0, ""}},
      {"sound", {1.0, ""}},
      {"seed", {3.0, ""}},
      {"outcome", {"sound", ""}},
      {"oversubscription", {"4:1", ""}},
      {"steps.step_ms.max", {1.5, "ms"}},
      {"steps[0].step_ms", {0.25, "ms"}},
      {"collectives[\"ring/0 == x\"].time_us", {250.0, "us"}},
      {"transfers.goodput_gbps_max", {96.0, "gbps"}},
      {"collectives[-1].busbw_GBps", {12.0, "GBps"}},
      {"札幌", {"稚内", ""}},
  };
  return all;
}

std::optional<NamedValue> lookup(std::string_view name) {
  const auto found = values().find(name);
  return found == values().end() ? std::nullopt : std::optional{found->second};
}

/// "true", "false" or "open".
std::string holds(std::string_view text) {
  const auto answer = Condition::parse(text).holds(lookup);
  return !answer ? "open" : *answer ? "true" : "false";
}

/// Message and position of what keeps `text` from being a condition.
std::string refused(std::string_view text) {
  try {
    (void)Condition::parse(text);
  } catch (const ConditionFault& fault) {
    return std::to_string(fault.position()) + ": " + fault.what();
  }
  return "";
}

std::optional<NameKind> known(std::string_view name) {
  if (name == "length") return NameKind{"m"};
  if (name == "size") return NameKind{.unit = "bytes", .may_be_word = true};
  if (name == "mode") return NameKind{"text"};
  if (name == "plane") return NameKind{"text"};
  if (name == "depth") return NameKind{""};
  if (name == "sound") return NameKind{""};
  if (name == "peak_bytes") return NameKind{.unit = "bytes", .bare_allowed = true};
  if (name == "steps.step_ms.max") return NameKind{.unit = "ms", .bare_allowed = true};
  if (name == "time_us") return NameKind{.unit = "us", .bare_allowed = true};
  return std::nullopt;
}

std::string fault(std::string_view text) {
  const auto found = Condition::parse(text).check(known);
  return found ? std::to_string(found->position()) + ": " + found->what() : "";
}

}  // namespace

TEST_CASE("a comparison knows six signs, and units") {
  CHECK(holds("topology.link_types.haul.length == 100km") == "true");
  CHECK(holds("topology.link_types.haul.length == 100000m") == "true");
  CHECK(holds("topology.link_types.haul.length != 100km") == "false");
  CHECK(holds("topology.link_types.haul.length<100km") == "false");
  CHECK(holds("topology.link_types.haul.length <= 100km") == "true");
  CHECK(holds("topology.link_types.haul.length > 99.999km") == "true");
  CHECK(holds("topology.link_types.haul.length>=100.001km") == "false");
  CHECK(holds("fabric.buffer.alpha == 1/8") == "true");
  CHECK(holds("fabric.buffer.alpha == 0.125") == "true");
  CHECK(holds("nic.queue_depth > -1") == "true");
  CHECK(holds("nic.queue_depth <= 1.28e+2") == "true");
  CHECK(holds("drops.lossless == 0") == "true");
  CHECK(holds("steps.step_ms.max < 1500us") == "false");
  CHECK(holds("steps.step_ms.max <= 1500us") == "true");
  CHECK(holds("steps.step_ms.max < 1.6") == "true");
  CHECK(holds("switches.\"leaf.1\".latency == 300ns") == "true");
  CHECK(holds("switches.\"leaf.1\".latency == 0.3\u00B5s") == "true");
  CHECK(holds("transfers.goodput_gbps_max == 12GB/s") == "true");
  CHECK(holds("collectives[-1].busbw_GBps >= 96Gbps") == "true");
  CHECK(holds("collectives[\"ring/0 == x\"].time_us == 250us") == "true");
}

TEST_CASE("words are compared as they stand, with or without quotes") {
  CHECK(holds("fabric.headroom.mode == dsh") == "true");
  CHECK(holds("fabric.headroom.mode == \"dsh\"") == "true");
  CHECK(holds("fabric.headroom.mode != shared-pool") == "true");
  CHECK(holds("札幌 == 稚内") == "true");
  CHECK(holds("fabric.headroom.size == auto") == "true");
  CHECK(holds("fabric.headroom.size == 1MB") == "false");
  CHECK(holds("outcome == sound") == "true");  // the word, though a number is called so, too
  CHECK(holds("oversubscription == 4:1") == "true");
  CHECK(holds("sound == true") == "true");
  CHECK(holds("sound == false") == "false");
  CHECK(holds("nic.queue_depth == deep") == "false");
  CHECK(holds("nic.queue_depth != \"128\"") == "true");
}

TEST_CASE("two names are compared by their values, in one unit") {
  CHECK(holds("topology.link_types.haul.rate < topology.link_types.core.rate") == "true");
  CHECK(holds("steps[0].step_ms == collectives[\"ring/0 == x\"].time_us") == "true");
  CHECK(holds("transfers.goodput_gbps_max == collectives[-1].busbw_GBps") == "true");
  CHECK(holds("nic.queue_depth > seed") == "true");
  CHECK(holds("fabric.headroom.mode == fabric.headroom.size") == "false");
  CHECK(holds("fabric.headroom.mode == nic.queue_depth") == "false");
  CHECK(holds("nic.queue_depth == topology.link_types.haul.length") == "open");
}

TEST_CASE("not binds more than and, and more than or") {
  const std::string yes = "seed == 3";
  const std::string no = "seed == 4";
  CHECK(holds(yes + " or " + no + " and " + no) == "true");
  CHECK(holds("(" + yes + " or " + no + ") and " + no) == "false");
  CHECK(holds("not " + no + " or " + yes) == "true");
  CHECK(holds("not (" + no + " or " + yes + ")") == "false");
  CHECK(holds("not " + yes + " and " + no) == "false");
  CHECK(holds("!(" + no + ")&&" + yes) == "true");
  CHECK(holds(no + "||" + no + "||" + yes) == "true");
  CHECK(holds("not not " + yes) == "true");
  CHECK(holds("((" + yes + "))") == "true");
}

TEST_CASE("what is not known leaves open only what depends on it") {
  CHECK(holds("weather == fair") == "open");
  CHECK(holds("not weather == fair") == "open");
  CHECK(holds("weather == fair or seed == 3") == "true");
  CHECK(holds("weather == fair or seed == 4") == "open");
  CHECK(holds("weather == fair and seed == 4") == "false");
  CHECK(holds("weather == fair and seed == 3") == "open");
  CHECK(holds("seed == weather.now") == "open");
  CHECK(holds("fabric.headroom.size <= 1MB") == "open");  // auto is neither more nor less
  CHECK(holds("fabric.headroom.size == auto or fabric.headroom.size <= 1MB") == "true");
}

TEST_CASE("names stand in their order with their places") {
  const auto names = Condition::parse("a == b.c and not (d-e < 5 or a == f)").names();
  REQUIRE(names.size() == 4);
  CHECK(names[0].text == "a");
  CHECK(names[0].position == 0);
  CHECK(names[1].text == "b.c");
  CHECK(names[1].position == 5);
  CHECK(names[2].text == "d-e");
  CHECK(names[2].position == 18);
  CHECK(names[3].text == "a");
}

TEST_CASE("what is no condition is told with its place") {
  CHECK(refused("") == "0: expected a condition such as drops.lossless == 0, got the end");
  CHECK(refused("sound") == "5: expected == != < <= > or >= behind \"sound\", got the end");
  CHECK(refused("sound = 1") == "6: \"=\" compares nothing; write ==");
  CHECK(refused("sound ==") == "8: expected a value behind ==, got the end");
  CHECK(refused("sound == and") == "9: expected a value behind ==, got \"and\"");
  CHECK(refused("1 == sound") == "0: expected a name on the left of a comparison, got \"1\"");
  CHECK(refused("\"a\" == a") == "0: expected a name on the left of a comparison, got \"a\"");
  CHECK(refused("a < 1 < b") == "6: expected and, or, or the end, got \"<\"");
  CHECK(refused("a < 1 b < 2") == "6: expected and, or, or the end, got \"b\"");
  CHECK(refused("(a < 1") == "0: \"(\" does not close");
  CHECK(refused("a < 1)") == "5: \")\" closes nothing");
  CHECK(refused("(a < 1 b)") == "7: expected and, or, or \")\", got \"b\"");
  CHECK(refused("a == \"dsh") == "5: the quotes that open here do not close");
  CHECK(refused("a == x[\"dsh") == "7: the quotes that open here do not close");
  CHECK(refused("a < 1 and") == "9: expected a condition such as drops.lossless == 0, got the end");
  CHECK(refused("a < 1 & b < 2") == "6: expected a name, a comparison or a value, got \"&\"");
  CHECK(refused("a + b < 2") == "2: expected a name, a comparison or a value, got \"+\"");
  CHECK(refused(std::string(10'000, '(')) == "101: too many parentheses and nots within each other");
  CHECK(refused(std::string(10'000, '!')) == "101: too many parentheses and nots within each other");
}

TEST_CASE("names and dimensions are checked before there are values") {
  CHECK(fault("length <= 100km and mode == dsh and size == auto and depth > 64 and sound == true") == "");
  CHECK(fault("peak_bytes < 1000 or peak_bytes < 64KiB") == "");
  CHECK(fault("steps.step_ms.max < time_us") == "");
  CHECK(fault("mode == plane") == "");
  CHECK(fault("mode == sound") == "");
  CHECK(fault("depth == 1/8") == "");
  CHECK(fault("depth == 5 or lenght <= 100km") == "14: unknown name \"lenght\"");
  CHECK(fault("length < weather.now") == "9: unknown name \"weather.now\"");
  CHECK(fault("length <= 10") == "10: expected a length such as 3m or 300km, got \"10\"");
  CHECK(fault("length <= 10ms") == "10: expected a length such as 3m or 300km, got \"10ms\"");
  CHECK(fault("length <= far") == "10: expected a length such as 3m or 300km, got \"far\"");
  CHECK(fault("size <= 0.5B") == "8: 0.5B is not a whole number of bytes");
  CHECK(fault("length <= 010m") == "10: \"010m\" has a leading zero");
  CHECK(fault("length <= 1e99km") == "10: 1e99km is out of range");
  CHECK(fault("depth > 64km") == "8: expected a number, got \"64km\"");
  CHECK(fault("depth > deep") == "8: expected a number, got \"deep\"");
  CHECK(fault("mode < dsh") == "0: \"mode\" is a word, and words have no order: compare by == or !=");
  CHECK(fault("size < auto") == "0: \"auto\" is a word, and words have no order: compare by == or !=");
  CHECK(fault("length < size") == "9: \"size\" (bytes) is not to be compared with \"length\" (m)");
  CHECK(fault("length == mode") == "10: \"mode\" (text) is not to be compared with \"length\" (m)");
  CHECK(fault("length == depth") == "10: \"depth\" (plain number) is not to be compared with \"length\" (m)");
}

TEST_CASE("not, and, or obey De Morgan over true, false and not known") {
  const std::string values[]{"seed == 3", "seed == 4", "weather == fair"};
  for (const std::string& a : values) {
    for (const std::string& b : values) {
      CAPTURE(a);
      CAPTURE(b);
      CHECK(holds("not (" + a + " and " + b + ")") == holds("not " + a + " or not " + b));
      CHECK(holds("not (" + a + " or " + b + ")") == holds("not " + a + " and not " + b));
      CHECK(holds(a + " and " + b) == holds(b + " and " + a));
    }
  }
}

TEST_CASE("any text is a condition or a fault inside of it") {
  const std::string_view pieces[]{"a",  "b.c", "x[\"y\"]", "\"",   "(",  ")", "not", "and",   "or",
                                  "&&", "||",  "!",        "==",   "<=", "=", "1/8", "64KiB", "-1",
                                  "1e", "e",   " ",        "\xe6", "[",  "&", ""};
  std::uint64_t state = 1;
  int accepted = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (int i = 0; i < 8; ++i) {
      state = state * 6'364'136'223'846'793'005ULL + 1'442'695'040'888'963'407ULL;
      text += pieces[(state >> 33U) % std::size(pieces)];
      text += (state >> 20U) % 2 == 0 ? " " : "";
    }
    try {
      const Condition condition = Condition::parse(text);
      ++accepted;
      for (const Condition::Name& name : condition.names()) {
        CHECK(text.compare(name.position, name.text.size(), name.text) == 0);
      }
      (void)condition.check(known);
      (void)condition.holds(lookup);
    } catch (const ConditionFault& fault) {
      if (fault.position() > text.size()) FAIL_CHECK(text);
    }
  }
  CHECK(accepted > 0);
}
