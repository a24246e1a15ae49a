#include <array>
#include <string>
#include <string_view>
#include <variant>

#include "scenario/decode.hpp"

namespace soya::reading {

namespace {

/// In the order of the choices of `mode`, which is that of `HeadroomMode`.
enum class Mode { per_queue, shared_pool, port_shared, dsh, none };

HeadroomMode with_defaults(Mode mode) {
  switch (mode) {
    case Mode::per_queue:
      return PerQueueHeadroom{};
    case Mode::shared_pool:
      return SharedPoolHeadroom{};
    case Mode::port_shared:
      return PortSharedHeadroom{};
    case Mode::dsh:
      return DynamicSharedHeadroom{};
    case Mode::none:
      return NoHeadroom{};
  }
  return {};
}

std::string text(Mode mode) {
  constexpr std::array<std::string_view, 5> names{"per-queue", "shared-pool", "port-shared", "dsh", "none"};
  return std::string{names[static_cast<std::size_t>(mode)]};
}

/// Keys that another mode reads: legal, since a variant may change the mode alone, but never without a word.
void warn_of_unused(Section& section, Mode mode) {
  const auto unused = [&](std::string_view key, std::string_view of) {
    if (!section.given(key)) return;
    section.reading().warnings.add(
        section.place(key), section.at(key).text(),
        "has no effect: mode is " + text(mode) + ", and this is a key of " + std::string{of});
  };
  if (mode != Mode::shared_pool) {
    for (const std::string_view key : {"pool", "oversubscribe", "cap"}) unused(key, "shared-pool");
  }
  if (mode == Mode::none) {
    for (const std::string_view key : {"size", "formula"}) unused(key, "the other modes");
  }
}

/// A formula is legal beside a size, since a variant may change the size alone, but never without a word.
void read_formula(Section& section, Mode mode, HeadroomConfig& headroom) {
  if (!section.given("formula") && (mode == Mode::none || headroom.size)) return;
  section.read("formula", headroom.formula);
  if (!section.given("formula") || mode == Mode::none || !headroom.size) return;
  section.reading().warnings.add(section.place("formula"), section.at("formula").text(),
                                 "has no effect: size is given, and the formula is that of size: auto");
}

void read_pool(Section& section, SharedPoolHeadroom& pool) {
  section.read("pool", pool.pool);
  const bool bytes_win = pool.pool.has_value();
  // Beside bytes the ratio says nothing, so it is noted only where it was given.
  if (!bytes_win || section.given("oversubscribe")) section.read("oversubscribe", pool.oversubscribe);
  if (pool.oversubscribe.numerator < pool.oversubscribe.denominator) {
    section.error("oversubscribe", "expected a ratio of at least 1, such as 4, got \"" +
                                       std::to_string(pool.oversubscribe.numerator) + "/" +
                                       std::to_string(pool.oversubscribe.denominator) + '"');
  }
  if (bytes_win && section.given("oversubscribe")) {
    section.reading().warnings.add(section.place("oversubscribe"), section.at("oversubscribe").text(),
                                   "has no effect: pool is given in bytes, and bytes win over the ratio");
  }
  section.read("cap", pool.cap);
}

}  // namespace

void read_headroom(Section& parent, HeadroomConfig& headroom) {
  Section section{parent.reading(), parent.given("headroom"), parent.at("headroom"), SectionId::headroom,
                  parent.absent()};
  auto mode = static_cast<Mode>(headroom.mode.index());
  section.read("mode", mode);
  if (mode != static_cast<Mode>(headroom.mode.index())) headroom.mode = with_defaults(mode);
  if (mode != Mode::none || section.given("size")) section.read("size", headroom.size);
  read_formula(section, mode, headroom);
  if (auto* pool = std::get_if<SharedPoolHeadroom>(&headroom.mode)) read_pool(section, *pool);
  warn_of_unused(section, mode);
  if (mode == Mode::none || section.given("loss_allowed")) section.read("loss_allowed", headroom.loss_allowed);
  if (mode == Mode::none && !headroom.loss_allowed) {
    section.error("mode",
                  "none loses the frames that shared memory does not take; write loss_allowed: true beside it "
                  "if that is meant");
  }
}

}  // namespace soya::reading
