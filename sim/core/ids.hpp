// Typed indices. An id is the index of its object in the vector that owns it, and nothing else.
// Simplifies: nothing. Two ids of different kinds do not compare or convert.
// Validated by the compiler; tests/unit/core/units_test.cpp states what must not convert.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace soya {

/// Index of a `Tag` object. `none()` marks the end of an intrusive list inside a component, never a config value.
template <class Tag>
class Id {
 public:
  constexpr Id() = default;
  constexpr explicit Id(std::uint32_t value) : value_{value} {}
  constexpr explicit Id(std::size_t value) : value_{static_cast<std::uint32_t>(value)} {}
  [[nodiscard]] static constexpr Id none() { return Id{UINT32_MAX}; }
  [[nodiscard]] constexpr std::uint32_t value() const { return value_; }
  [[nodiscard]] constexpr std::size_t index() const { return value_; }
  [[nodiscard]] constexpr bool is_none() const { return value_ == UINT32_MAX; }
  constexpr auto operator<=>(const Id&) const = default;

 private:
  std::uint32_t value_{UINT32_MAX};
};

using NodeId = Id<struct NodeTag>;            ///< a node of the topology graph
using HostId = Id<struct HostTag>;            ///< a host, in the order of the topology's hosts; also its NIC
using SwitchId = Id<struct SwitchTag>;        ///< a switch, in the order of the topology's switches
using AcceleratorId = Id<struct AcceleratorTag>;  ///< a WAN accelerator, in the order of the topology's accelerators
using LinkId = Id<struct LinkTag>;            ///< an undirected link of the topology; it has two directions
using PortId = Id<struct PortTag>;            ///< a port within its node
using QueuePairId = Id<struct QueuePairTag>;  ///< a queue pair within its NIC
using SourceId = Id<struct SourceTag>;        ///< an event source: one slot of the event queue
using JobId = Id<struct JobTag>;              ///< a workload item of the scenario

/// An 802.1p priority, 0 to 7.
class Priority {
 public:
  static constexpr int count = 8;
  constexpr Priority() = default;
  constexpr explicit Priority(std::uint8_t value) : value_{value} {}
  [[nodiscard]] constexpr std::uint8_t value() const { return value_; }
  [[nodiscard]] constexpr std::size_t index() const { return value_; }
  [[nodiscard]] constexpr std::uint8_t bit() const { return static_cast<std::uint8_t>(1U << value_); }
  constexpr auto operator<=>(const Priority&) const = default;

 private:
  std::uint8_t value_{0};
};

/// A set of priorities as the bits of a class-enable vector.
class PrioritySet {
 public:
  constexpr PrioritySet() = default;
  constexpr explicit PrioritySet(std::uint8_t bits) : bits_{bits} {}
  [[nodiscard]] constexpr std::uint8_t bits() const { return bits_; }
  [[nodiscard]] constexpr bool contains(Priority p) const { return (bits_ & p.bit()) != 0; }
  [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }
  constexpr void insert(Priority p) { bits_ = static_cast<std::uint8_t>(bits_ | p.bit()); }
  constexpr void erase(Priority p) { bits_ = static_cast<std::uint8_t>(bits_ & ~p.bit()); }
  constexpr bool operator==(const PrioritySet&) const = default;

 private:
  std::uint8_t bits_{0};
};

}  // namespace soya
