#include "scenario/read_headroom.hpp"

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace soya::reading {

namespace {

std::string text(HeadroomKeys::Mode mode) {
  constexpr auto names = std::to_array<std::string_view>({"per-queue", "shared-pool", "port-shared", "dsh", "none"});
  static_assert(names.size() == std::variant_size_v<HeadroomMode>, "a mode without its name");
  return std::string{names[static_cast<std::size_t>(mode)]};
}

}  // namespace

HeadroomMode HeadroomKeys::made() const {
  switch (mode_) {
    case Mode::per_queue:
      return PerQueueHeadroom{};
    case Mode::shared_pool:
      return pool_;
    case Mode::port_shared:
      return PortSharedHeadroom{};
    case Mode::dsh:
      return DynamicSharedHeadroom{};
    case Mode::none:
      return NoHeadroom{};
  }
  return {};
}

/// What keeps `key` from having an effect; "" where it has one.
std::string HeadroomKeys::idle(std::string_view key) const {
  const bool of_pool = key == "pool" || key == "oversubscribe" || key == "cap";
  const bool pool_in_bytes = mode_ == Mode::shared_pool && pool_.pool;
  const auto of_others = [&](std::string_view whose) {
    return "mode is " + text(mode_) + ", and this is a key of " + std::string{whose};
  };
  if (of_pool && mode_ != Mode::shared_pool) return of_others("shared-pool");
  if (key == "oversubscribe" && pool_in_bytes) return "pool is given in bytes, and bytes win over the ratio";
  if (key == "loss_allowed" && loss_allowed_ && mode_ != Mode::none) return of_others("none");
  if (key != "size" && key != "formula") return "";
  if (mode_ == Mode::none) return of_others("the other modes");
  if (pool_in_bytes) return "pool is given in bytes, and size counts for the ratio only";
  if (key == "formula" && size_) return "size is given, and the formula is that of size: auto";
  return "";
}

void HeadroomKeys::read(Section& parent, HeadroomGiven& given) {
  Section section{parent.reading(), parent.given("headroom"), parent.at("headroom"), SectionId::headroom,
                  parent.absent()};
  const auto read = [&](std::string_view key, auto& value, bool has_effect) {
    if (!section.given(key) && !has_effect) return;  // no default is noted that says nothing
    section.read(key, value);
    if (section.given(key)) givers_[key] = given.add(section.place(key), section.at(key).text());
  };
  section.read("mode", mode_);
  read("size", size_, mode_ != Mode::none);
  read("formula", formula_, mode_ != Mode::none && !size_);
  read("pool", pool_.pool, mode_ == Mode::shared_pool);
  read("oversubscribe", pool_.oversubscribe, mode_ == Mode::shared_pool && !pool_.pool);
  read("cap", pool_.cap, mode_ == Mode::shared_pool);
  read("loss_allowed", loss_allowed_, mode_ == Mode::none);
  const Ratio ratio = pool_.oversubscribe;
  if (section.given("oversubscribe") && ratio.numerator < ratio.denominator) {
    section.error("oversubscribe", "expected a ratio of at least 1, such as 4, got \"" +
                                       std::to_string(ratio.numerator) + "/" + std::to_string(ratio.denominator) + '"');
  }
  if (mode_ == Mode::none && !loss_allowed_) {
    section.error("mode",
                  "none loses the frames that shared memory does not take; write loss_allowed: true beside it "
                  "if that is meant");
  }
}

void HeadroomKeys::finish(HeadroomConfig& config, HeadroomGiven& given) const {
  config.mode = made();
  config.size = size_;
  config.formula = formula_;
  config.loss_allowed = loss_allowed_;
  for (const auto& [key, giver] : givers_) given.heard(giver, idle(key));
}

std::size_t HeadroomGiven::add(const Place& place, std::string path) {
  values_.push_back({place, std::move(path), false, {}});
  return values_.size() - 1;
}

void HeadroomGiven::heard(std::size_t value, std::string idle) {
  Value& heard = values_[value];
  heard.has_effect = heard.has_effect || idle.empty();
  if (heard.idle.empty()) heard.idle = std::move(idle);
}

void HeadroomGiven::warn(Reading& reading) const {
  for (const Value& value : values_) {
    if (!value.has_effect && !value.idle.empty())
      reading.warnings.add(value.place, value.path, "has no effect: " + value.idle);
  }
}

}  // namespace soya::reading
