// `headroom` of a switch: what the fabric says, then the topology, then the scenario, each over the one before. A key
// that no switch listens to is legal, since a variant or a switch may change the mode alone, but never without a word.
// Simplifies: nothing. Source: docs/scenario.md. Validated by tests/errors/scenario_warnings_test.cpp.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scenario/decode.hpp"

namespace soya::reading {

/// The values of headroom keys that a scenario gives, and whether a switch listens to them.
class HeadroomGiven {
 public:
  [[nodiscard]] std::size_t add(const Place& place, std::string path);
  /// A switch has `value`; `idle` says why it has no effect there, or nothing.
  void heard(std::size_t value, std::string idle);
  void warn(Reading& reading) const;

 private:
  struct Value {
    Place place;
    std::string path;
    bool has_effect;
    std::string idle;
  };
  std::vector<Value> values_;
};

/// The keys of one switch, those of other modes as well.
class HeadroomKeys {
 public:
  void read(Section& parent, HeadroomGiven& given);
  void finish(HeadroomConfig& config, HeadroomGiven& given) const;

 private:
  [[nodiscard]] HeadroomMode made() const;
  [[nodiscard]] std::string idle(std::string_view key) const;

  template <class Mode>
  [[nodiscard]] bool is() const {
    return std::holds_alternative<Mode>(mode_);
  }

  HeadroomMode mode_;
  std::optional<Bytes> size_;
  HeadroomFormula formula_{HeadroomFormula::soya};
  SharedPoolHeadroom pool_;  ///< kept whatever the mode: a switch that changes the mode alone inherits it
  bool loss_allowed_{false};
  std::map<std::string_view, std::size_t> givers_;  ///< by key, the value in `HeadroomGiven` that this switch has
};

}  // namespace soya::reading
