// Which buffers cannot be built, and why: the checks of `SharedBuffer` before there is one.
#include <algorithm>
#include <bit>
#include <numeric>
#include <variant>

#include "core/quantity_text.hpp"
#include "fabric/shared_buffer.hpp"

namespace soya {

namespace {

// Products of a size and a term of alpha stay within 64 bits: (2 × 2^40 + 1) × 10^6 < 2^63.
constexpr std::int64_t largest_size = SharedBuffer::largest.count();
constexpr std::int64_t largest_term = 1'000'000;

Ratio reduced(Ratio ratio) {
  const std::int64_t divisor = std::gcd(ratio.numerator, ratio.denominator);
  return {ratio.numerator / divisor, ratio.denominator / divisor};
}

std::string fraction(Ratio ratio) {
  return std::to_string(ratio.numerator) + "/" + std::to_string(ratio.denominator);
}

std::int64_t rounded_up(std::int64_t bytes, std::int64_t cell) {
  return (bytes + cell - 1) / cell * cell;
}

std::int64_t cell_of(const BufferConfig& buffer) {
  return buffer.cell ? buffer.cell->count() : 1;
}

std::int64_t lossless_count(PrioritySet lossless) {
  return std::popcount(lossless.bits());
}

std::string counted(std::int64_t count, const char* one, const char* several) {
  return std::to_string(count) + ' ' + (count == 1 ? one : several);
}

/// What a frame of `frame` bytes finds when the whole of `shared` is free.
struct EmptyBuffer {
  std::string kind;  ///< "threshold" or "lossy threshold"
  std::int64_t shared;
  std::int64_t frame;
  std::int64_t margin{0};  ///< a group goes off this far below the threshold
};

/// A high threshold lets in no frame that the memory below it does not hold.
std::vector<std::string> room_problems(const EmptyBuffer& empty) {
  if (empty.shared >= empty.frame) return {};
  return {empty.kind + ": shared " + grouped(empty.shared) + " < one frame of " + grouped(empty.frame) + " (bytes)"};
}

std::vector<std::string> threshold_problems(const DynamicThreshold& dynamic, const EmptyBuffer& empty) {
  const Ratio alpha = dynamic.alpha;
  if (alpha.numerator < 1 || alpha.denominator < 1)
    return {empty.kind + ": alpha " + fraction(alpha) + " is not above 0"};
  const Ratio exact = reduced(alpha);
  if (exact.numerator > largest_term || exact.denominator > largest_term) {
    return {empty.kind + ": alpha " + fraction(alpha) + " has a term above " + grouped(largest_term)};
  }
  const std::int64_t most = scaled(empty.shared, exact);
  if (most >= empty.frame + empty.margin) return room_problems(empty);
  if (most >= empty.frame) {
    return {empty.kind + ": alpha " + fraction(alpha) + " x shared " + grouped(empty.shared) + " = " + grouped(most) +
            " < headroom " + grouped(empty.margin) + " of dsh + one frame of " + grouped(empty.frame) + " (bytes)"};
  }
  return {empty.kind + ": alpha " + fraction(alpha) + " x shared " + grouped(empty.shared) + " = " + grouped(most) +
          " < one frame of " + grouped(empty.frame) + " (bytes)"};
}

std::vector<std::string> threshold_problems(const StaticThreshold& constant, const EmptyBuffer& empty) {
  if (constant.size < Bytes{1}) return {empty.kind + ": 0 bytes admit no frame to shared"};
  if (constant.size.count() > largest_size) return {empty.kind + ": above " + grouped(largest_size) + " bytes"};
  if (empty.margin > 0 && constant.size.count() < empty.frame + empty.margin) {
    return {empty.kind + ": " + grouped(constant.size.count()) + " < headroom " + grouped(empty.margin) +
            " of dsh + one frame of " + grouped(empty.frame) + " (bytes)"};
  }
  return room_problems(empty);
}

std::vector<std::string> size_problems(const BufferConfig& buffer) {
  std::vector<std::string> found;
  const auto in_range = [&found](const char* name, Bytes value, std::int64_t least) {
    if (value.count() >= least && value.count() <= largest_size) return;
    found.push_back(std::string(name) + " " + grouped(value.count()) + " is not between " + grouped(least) + " and " +
                    grouped(largest_size) + " (bytes)");
  };
  in_range("buffer", buffer.size, 1);
  in_range("reserved", buffer.reserved, 0);
  in_range("xon_offset", buffer.xon_offset, 0);
  if (buffer.cell) in_range("cell", *buffer.cell, 1);
  return found;
}

std::string out_of_range(const std::string& what) {
  return what + " is not between 1 and " + grouped(largest_size) + " (bytes)";
}

bool in_range(Bytes headroom) {
  return headroom > Bytes{0} && headroom.count() <= largest_size;
}

std::vector<std::string> headroom_problems(const SharedBufferSetup& setup) {
  if (setup.lossless.empty() || std::holds_alternative<NoHeadroom>(setup.headroom)) return {};
  if (const auto* pool = std::get_if<SharedPoolHeadroom>(&setup.headroom); pool != nullptr && pool->pool) {
    if (in_range(*pool->pool)) return {};
    return {out_of_range("headroom pool " + grouped(pool->pool->count()))};
  }
  const bool of_port = std::holds_alternative<PortSharedHeadroom>(setup.headroom) ||
                       std::holds_alternative<DynamicSharedHeadroom>(setup.headroom);
  const std::string owner = of_port ? " of port " : " of each lossless priority of port ";
  for (std::size_t port = 0; port < setup.group_headroom.size(); ++port) {
    const Bytes headroom = setup.group_headroom[port];
    if (!in_range(headroom))
      return {out_of_range("headroom " + grouped(headroom.count()) + owner + std::to_string(port))};
  }
  return {};
}

/// How the buffer is divided at build. `shared` is what remains, and negative when nothing does.
struct Division {
  std::int64_t headroom;
  std::int64_t reserved;
  std::int64_t shared;
};

Division divide(const SharedBufferSetup& setup) {
  const Bytes carved = make_headroom_policy(setup.headroom, setup.layout())->carved();
  const auto ports = static_cast<std::int64_t>(setup.group_headroom.size());
  const std::int64_t reserved = setup.buffer.reserved.count() * ports * lossless_count(setup.lossless);
  return {carved.count(), reserved, setup.buffer.memory().count() - carved.count() - reserved};
}

/// How far below its threshold the group goes off that goes off first.
std::int64_t largest_margin(const SharedBufferSetup& setup) {
  const PauseRule rule = make_headroom_policy(setup.headroom, setup.layout())->pause_rule();
  const auto most = std::max_element(rule.margin.begin(), rule.margin.end());
  return most == rule.margin.end() ? 0 : most->count();
}

void append(std::vector<std::string>& to, const std::vector<std::string>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

std::vector<std::string> SharedBuffer::problems(const SharedBufferSetup& setup, Bytes largest_frame) {
  std::vector<std::string> found = size_problems(setup.buffer);
  append(found, headroom_problems(setup));
  if (!found.empty()) return found;
  if (setup.deep) append(found, on_chip_problems(setup, largest_frame));

  const Division division = divide(setup);
  if (division.shared < 0) {
    found.push_back("headroom " + grouped(division.headroom) + " + reserved " + grouped(division.reserved) +
                    (setup.deep ? " > off-chip memory " : " > buffer ") + grouped(setup.buffer.memory().count()) +
                    " (bytes; " + counted(std::ssize(setup.group_headroom), "port", "ports") + " x " +
                    counted(lossless_count(setup.lossless), "lossless priority", "lossless priorities") + ')');
    return found;
  }
  const std::int64_t frame = rounded_up(largest_frame.count(), cell_of(setup.buffer));
  const auto check = [&](const char* kind, const Threshold& threshold, std::int64_t margin) {
    const EmptyBuffer empty{kind, division.shared, frame, margin};
    append(found, std::visit([&](const auto& line) { return threshold_problems(line, empty); }, threshold));
  };
  if (!setup.lossless.empty()) check("threshold", setup.buffer.threshold, largest_margin(setup));
  if (lossless_count(setup.lossless) < Priority::count) check("lossy threshold", setup.buffer.lossy_threshold, 0);
  return found;
}

std::optional<Bytes> SharedBuffer::smallest_size(SharedBufferSetup setup, Bytes largest_frame) {
  setup.buffer.deep.reset();  // its on-chip memory is not asked about here
  setup.deep.reset();
  setup.buffer.size = Bytes{largest_size};
  if (!problems(setup, largest_frame).empty()) return std::nullopt;
  const std::int64_t frame = rounded_up(largest_frame.count(), cell_of(setup.buffer));
  std::int64_t shared = frame;
  const auto consider = [&](const Threshold& threshold, std::int64_t least) {
    const auto* dynamic = std::get_if<DynamicThreshold>(&threshold);
    if (dynamic == nullptr) return;
    const Ratio alpha = reduced(dynamic->alpha);
    shared = std::max(shared, (least * alpha.denominator + alpha.numerator - 1) / alpha.numerator);
  };
  if (!setup.lossless.empty()) consider(setup.buffer.threshold, frame + largest_margin(setup));
  if (lossless_count(setup.lossless) < Priority::count) consider(setup.buffer.lossy_threshold, frame);
  const Division division = divide(setup);
  return Bytes{division.headroom + division.reserved + shared};
}

Bytes SharedBuffer::smallest_on_chip(const SharedBufferSetup& setup, Bytes largest_frame) {
  const auto queues = std::ssize(setup.group_headroom) * Priority::count;
  const Bytes frame{rounded_up(largest_frame.count(), cell_of(setup.buffer))};
  return setup.deep->prefetch * queues + setup.deep->landing + frame + setup.buffer.xon_offset;
}

std::vector<std::string> SharedBuffer::on_chip_problems(const SharedBufferSetup& setup, Bytes largest_frame) {
  const Bytes on_chip = setup.buffer.size;
  const auto ports = std::ssize(setup.group_headroom);
  std::vector<std::string> found;
  const Bytes prefetch = setup.deep->prefetch * (ports * Priority::count);
  if (smallest_on_chip(setup, largest_frame) > on_chip) {
    const std::int64_t frame = rounded_up(largest_frame.count(), cell_of(setup.buffer));
    found.push_back("on chip: prefetch " + grouped(prefetch.count()) + " + landing " +
                    grouped(setup.deep->landing.count()) + " + one frame of " + grouped(frame) + " + xon_offset " +
                    grouped(setup.buffer.xon_offset.count()) + " > buffer " + grouped(on_chip.count()) + " (bytes; " +
                    counted(ports, "port", "ports") + ')');
  }
  if (setup.deep->config.threshold > on_chip) {
    found.push_back("on chip: deep threshold " + grouped(setup.deep->config.threshold.count()) + " > buffer " +
                    grouped(on_chip.count()) + " (bytes)");
  }
  return found;
}

}  // namespace soya
