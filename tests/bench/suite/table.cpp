#include "suite/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "core/quantity_text.hpp"

namespace soya::bench {

namespace {

constexpr std::array headings{
    "case",       "hosts",   "size",      "packet-hops",      "ns/hop",         "median", "events/hop",
    "instr./hop", "pending", "memory MB", "simulated end us", "closed form us", "off by", "sound"};
constexpr std::size_t columns = headings.size();
using Line = std::array<std::string, columns>;

Form form_of(const Measurement& m) {
  const Case* one = find_case(m.name);
  return one == nullptr ? Form::none : one->form;
}

std::string expected_text(const Measurement& m) {
  if (!m.expected_us) return "-";
  return fmt::format("{}{:.3f}", form_of(m) == Form::bound ? ">= " : "", *m.expected_us);
}

/// "yes"; a slice that stopped when it was told to is neither; else why not.
std::string sound_text(const Measurement& m) {
  if (m.sound) return "yes";
  return form_of(m) == Form::none && m.packet_hops > 0 ? "a slice" : "no: " + m.why_not;
}

Line line_of(const Measurement& m) {
  const auto difference = m.difference_percent();
  return {m.name,
          std::to_string(m.hosts),
          grouped(m.size),
          grouped(m.packet_hops),
          fmt::format("{:.1f}", m.per_hop(m.least_seconds * 1e9)),
          fmt::format("{:.1f}", m.per_hop(m.median_seconds * 1e9)),
          fmt::format("{:.3f}", m.per_hop(static_cast<double>(m.events))),
          m.instructions_per_hop ? fmt::format("{:.0f}", *m.instructions_per_hop) : "-",
          grouped(m.peak_pending),
          fmt::format("{:.1f}", m.peak_memory_mb),
          fmt::format("{:.3f}", m.end_us),
          expected_text(m),
          difference ? fmt::format("{:+.3f} %", *difference) : "-",
          sound_text(m)};
}

/// The first column and the last are text.
bool is_left(std::size_t column) {
  return column == 0 || column + 1 == columns;
}

std::string joined(const Line& line, const std::array<std::size_t, columns>& widths, TableStyle style) {
  std::string text = style == TableStyle::markdown ? "| " : "";
  for (std::size_t c = 0; c < columns; ++c) {
    if (c > 0) text += style == TableStyle::markdown ? " | " : "  ";
    text += is_left(c) ? fmt::format("{:<{}}", line[c], widths[c]) : fmt::format("{:>{}}", line[c], widths[c]);
  }
  if (style == TableStyle::markdown) return text + " |\n";
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

std::string rule() {
  std::string text = "|";
  for (std::size_t c = 0; c < columns; ++c) text += is_left(c) ? "---|" : "---:|";
  return text + "\n";
}

}  // namespace

std::string table_of(std::span<const Measurement> measurements, TableStyle style) {
  std::vector<Line> lines(1);
  std::ranges::copy(headings, lines[0].begin());
  for (const Measurement& m : measurements) lines.push_back(line_of(m));
  std::array<std::size_t, columns> widths{};
  if (style == TableStyle::plain) {
    for (const Line& line : lines) {
      for (std::size_t c = 0; c < columns; ++c) widths[c] = std::max(widths[c], line[c].size());
    }
  }
  std::string text = joined(lines[0], widths, style);
  if (style == TableStyle::markdown) text += rule();
  for (std::size_t i = 1; i < lines.size(); ++i) text += joined(lines[i], widths, style);
  return text;
}

}  // namespace soya::bench
