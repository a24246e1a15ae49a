#include "scenario/read_headroom.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace soya::reading {

namespace {

/// A choice of the key `mode`, by its number.
enum class Choice : std::size_t {};

template <std::size_t... indices>
HeadroomMode mode_at(Choice choice, std::index_sequence<indices...>) {
  HeadroomMode mode;
  ((Choice{indices} == choice ? static_cast<void>(mode.emplace<indices>()) : static_cast<void>(0)), ...);
  return mode;
}

}  // namespace

HeadroomMode HeadroomKeys::made() const {
  return is<SharedPoolHeadroom>() ? HeadroomMode{pool_} : mode_;
}

/// What keeps `key` from having an effect; "" where it has one.
std::string HeadroomKeys::idle(std::string_view key) const {
  const bool of_pool = key == "pool" || key == "oversubscribe" || key == "cap";
  const bool pool_in_bytes = is<SharedPoolHeadroom>() && pool_.pool;
  const auto of_others = [&](std::string_view whose) {
    return "mode is " + std::string{name_of(mode_)} + ", and this is a key of " + std::string{whose};
  };
  if (of_pool && !is<SharedPoolHeadroom>()) return of_others("shared-pool");
  if (key == "oversubscribe" && pool_in_bytes) return "pool is given in bytes, and bytes win over the ratio";
  if (key == "loss_allowed" && loss_allowed_ && !is<NoHeadroom>()) return of_others("none");
  if (key != "size" && key != "formula") return "";
  if (is<NoHeadroom>()) return of_others("the other modes");
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
  Choice choice{mode_.index()};
  section.read("mode", choice);
  mode_ = mode_at(choice, std::make_index_sequence<std::variant_size_v<HeadroomMode>>{});
  read("size", size_, !is<NoHeadroom>());
  read("formula", formula_, !is<NoHeadroom>() && !size_);
  read("pool", pool_.pool, is<SharedPoolHeadroom>());
  read("oversubscribe", pool_.oversubscribe, is<SharedPoolHeadroom>() && !pool_.pool);
  read("cap", pool_.cap, is<SharedPoolHeadroom>());
  read("loss_allowed", loss_allowed_, is<NoHeadroom>());
  const Ratio ratio = pool_.oversubscribe;
  if (section.given("oversubscribe") && ratio.numerator < ratio.denominator) {
    section.error("oversubscribe", "expected a ratio of at least 1, such as 4, got \"" +
                                       std::to_string(ratio.numerator) + "/" + std::to_string(ratio.denominator) + '"');
  }
  if (is<NoHeadroom>() && !loss_allowed_) {
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
