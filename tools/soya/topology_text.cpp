#include "topology_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/quantity_text.hpp"
#include "core/utf8.hpp"
#include "display_width.hpp"
#include "scenario/quantity.hpp"
#include "text_table.hpp"

namespace soya::cli {

namespace {

constexpr std::size_t label_width = 18;
constexpr std::size_t screen_width = 100;
constexpr std::size_t rows_shown = 8;

std::string rate_text(Rate rate) {
  return reading::format_number(rate.bits_per_second(), reading::Dimension::rate);
}

std::string length_text(Length length) {
  return reading::format_number(length.millimetres(), reading::Dimension::length);
}

std::string counted(std::size_t count, const char* singular) {
  return grouped(static_cast<std::int64_t>(count)) + ' ' + singular + (count == 1 ? "" : "s");
}

/// "3m", or "3m to 10km".
std::string span(const std::string& least, const std::string& most) {
  return least == most ? least : least + " to " + most;
}

/// "3 : 1", "2.67 : 1", "1 : 2".
std::string ratio_text(Rate down, Rate up) {
  if (up == Rate{0}) return "no way up";
  const auto number = [](double value) {
    const double whole = std::round(value);
    return std::abs(value - whole) < 0.005 ? fmt::format("{:.0f}", whole) : fmt::format("{:.2f}", value);
  };
  const double ratio = down.gbps() / up.gbps();
  return ratio >= 1 || ratio == 0 ? number(ratio) + " : 1" : "1 : " + number(1 / ratio);
}

class Writer {
 public:
  explicit Writer(const DescribedTopology& described)
      : topology_{described.topology}, figures_{described.figures}, cycles_{described.cycles} {}

  std::string write() {
    head();
    tiers();
    links();
    line("bisection", bisection());
    line("diameter", diameter());
    line("longest way", farthest());
    line("equal-cost paths", paths());
    oversubscription();
    line("without a twin", bridges());
    deadlock();
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::string name(NodeId node) const { return visible(topology_.nodes[node.index()].name); }
  [[nodiscard]] std::string pair(const NodePair& ends) const { return name(ends.from) + " -> " + name(ends.to); }

  void line(const std::string& label, const std::string& text) {
    out_ += wrapped(text, screen_width, pad_right(label, label_width), std::string(label_width, ' '));
  }

  void head() {
    std::string text = counted(figures_.hosts, "host") + ", " + counted(figures_.switches, "switche");
    if (figures_.switches == 1) text = counted(figures_.hosts, "host") + ", 1 switch";
    if (figures_.accelerators > 0) text += ", " + counted(figures_.accelerators, "wan_accelerator");
    text += ", " + counted(figures_.links, "link");
    if (!topology_.servers.empty()) text += ", " + counted(topology_.servers.size(), "server") + local_links();
    if (figures_.components > 1)
      text += ", in " + counted(figures_.components, "part") + " without a link between them";
    out_ += visible(topology_.name) + ": " + text + '\n';
  }

  /// What the figures leave out: " with 32 local links of 3.6Tbps".
  [[nodiscard]] std::string local_links() const {
    std::size_t count = 0;
    Rate least{INT64_MAX};
    Rate most{0};
    for (const ServerConfig& server : topology_.servers) {
      if (!server.local) continue;
      count += server.local_ports.size();
      least = std::min(least, server.local->rate);
      most = std::max(most, server.local->rate);
    }
    return count == 0 ? "" : " with " + counted(count, "local link") + " of " + span(rate_text(least), rate_text(most));
  }

  void tiers() {
    std::string text;
    for (const TierCount& tier : figures_.tiers) {
      text += (text.empty() ? "" : ", ") + (tier.tier == 0 ? counted(tier.nodes, "host")
                                                           : grouped(static_cast<std::int64_t>(tier.nodes)) +
                                                                 " in tier " + std::to_string(tier.tier));
    }
    line("tiers", text);
  }

  void links() {
    if (figures_.groups.empty()) return;
    out_ += '\n';
    TextTable table{{{"links", Align::right},
                     {"tiers", Align::left},
                     {"rate up", Align::right},
                     {"rate down", Align::right},
                     {"length", Align::left, 30},
                     {"one way", Align::left, 30}}};
    std::size_t more = 0;
    for (const LinkGroup& group : figures_.groups) {
      if (&group - figures_.groups.data() >= static_cast<std::ptrdiff_t>(rows_shown)) {
        more += group.count;
        continue;
      }
      table.add({grouped(static_cast<std::int64_t>(group.count)), fmt::format("{} - {}", group.lower, group.upper),
                 rate_text(group.up), rate_text(group.down),
                 span(length_text(group.shortest), length_text(group.longest)),
                 span(rounded_time_text(group.nearest), rounded_time_text(group.farthest))});
    }
    out_ += table.text();
    if (more > 0) out_ += "  and " + counted(more, "link") + " of other rates: --json lists all\n";
    out_ += '\n';
  }

  [[nodiscard]] std::string bisection() const {
    if (!figures_.bisection) return "none: fewer than two hosts";
    const Bisection& cut = *figures_.bisection;
    std::string text = rate_text(cut.there);
    text += cut.there == cut.back ? " each way" : " there, " + rate_text(cut.back) + " back";
    return text + fmt::format(": maximum flow between the first {} and the last {} hosts",
                              grouped(static_cast<std::int64_t>(cut.hosts)),
                              grouped(static_cast<std::int64_t>(cut.hosts)));
  }

  [[nodiscard]] std::string diameter() const {
    if (!figures_.diameter) return "none: no two hosts with a path";
    return counted(figures_.diameter->links, "link") + ": " + pair(figures_.diameter->ends);
  }

  [[nodiscard]] std::string farthest() const {
    if (!figures_.farthest) return "none: no two hosts with a path";
    return rounded_time_text(figures_.farthest->one_way) +
           " one way, propagation and delay: " + pair(figures_.farthest->ends);
  }

  [[nodiscard]] std::string paths() const {
    if (!figures_.paths) return "none: no two switches with hosts have a path";
    const PathCounts& paths = *figures_.paths;
    const auto number = [](std::uint64_t value) { return grouped(static_cast<std::int64_t>(value)); };
    return fmt::format("at least {}, median {}, at most {} shortest paths between switches with hosts",
                       number(paths.least), number(paths.median), number(paths.most));
  }

  void oversubscription() {
    if (figures_.oversubscription.empty())
      return line("oversubscription", "none: no tier has hosts below and links up");
    std::string label = "oversubscription";
    for (const Oversubscription& of : figures_.oversubscription) {
      std::string text = fmt::format("tier {}  {}: {} from below, {} upwards", of.tier, ratio_text(of.down, of.up),
                                     rate_text(of.down), rate_text(of.up));
      const std::string worst = ratio_text(of.worst_down, of.worst_up);
      if (worst != ratio_text(of.down, of.up)) text += "; worst " + name(of.worst) + ", " + worst;
      line(label, text);
      label.clear();
    }
  }

  [[nodiscard]] std::string bridges() const {
    if (figures_.bridges.empty()) return "none: no link between switches is the only way between two parts";
    std::string text = counted(figures_.bridges.size(), "link") + " between switches, each the only way: ";
    for (std::size_t i = 0; i < std::min(figures_.bridges.size(), rows_shown); ++i) {
      const LinkConfig& link = topology_.links[figures_.bridges[i].index()];
      text += (i == 0 ? "" : ", ") + name(link.a) + " -- " + name(link.b);
    }
    if (figures_.bridges.size() > rows_shown) text += fmt::format(" and {} more", figures_.bridges.size() - rows_shown);
    return text;
  }

  void deadlock() {
    if (cycles_.empty()) return line("deadlock", "cannot be: no links wait for each other in a circle on these routes");
    std::string label = "deadlock";
    for (std::size_t i = 0; i < std::min(cycles_.size(), rows_shown / 2); ++i) {
      line(label,
           "can be where this is lossless: " + visible(cycle_text(topology_, cycles_[i])) +
               (cycles_[i].links > cycles_[i].ports.size()
                    ? fmt::format(", one circle of {} link directions that wait for each other", cycles_[i].links)
                    : ""));
      label.clear();
    }
    if (cycles_.size() > rows_shown / 2) line("", fmt::format("and {} more", cycles_.size() - rows_shown / 2));
  }

  const TopologyConfig& topology_;
  const TopologyDescription& figures_;
  const std::vector<BufferCycle>& cycles_;
  std::string out_;
};

}  // namespace

std::string topology_text(const DescribedTopology& described) {
  return Writer{described}.write();
}

}  // namespace soya::cli
