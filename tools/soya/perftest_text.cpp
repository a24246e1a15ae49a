#include "perftest_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>

#include "display_width.hpp"
#include "text_table.hpp"

namespace soya::cli {

namespace {

constexpr std::string_view dashes =
    "---------------------------------------------------------------------------------------\n";

bool is_latency(const PerftestRow& row) {
  return row.t_typical_us.has_value();
}

std::string_view verb(const PerftestRow& row) {
  if (row.test == "send_bw") return "Send";
  return row.test == "read_bw" ? "RDMA_Read" : "RDMA_Write";
}

/// What perftest prints before it starts.
std::string header(const PerftestRow& row) {
  std::string text{dashes};
  text += fmt::format("                    {} {} Test\n", verb(row), is_latency(row) ? "Latency" : "BW");
  text += fmt::format(" Number of qps   : {:<12} Transport type : IB\n", row.qps);
  text += " Connection type : RC           Using SRQ      : OFF\n";
  text += fmt::format(" TX depth        : {}\n", row.tx_depth);
  if (!is_latency(row)) text += fmt::format(" CQ Moderation   : {}\n", row.cq_mod);
  text += fmt::format(" Mtu             : {}[B]\n", row.mtu_bytes);
  text += " Link type       : Ethernet\n";
  if (row.outstanding_reads) text += fmt::format(" Outstand reads  : {}\n", *row.outstanding_reads);
  return text + std::string{dashes};
}

std::string bandwidth_line(const PerftestRow& row) {
  // perftest prints 0.00 where it has not looked for a peak, and more digits of what is below 0.1 Gbps.
  const double peak = row.bw_peak_gbps.value_or(0);
  const double average = row.bw_average_gbps.value_or(0);
  const double rate = row.message_rate_mpps.value_or(0);
  if (average < 0.1) {
    return fmt::format(" {:<7}    {}           {:<7.6f}            {:<7.6f}            {:<7.6f}", row.bytes,
                       row.iterations, peak, average, rate);
  }
  return fmt::format(" {:<7}    {:<10}       {:<7.2f}            {:<7.2f}              {:<7.6f}", row.bytes,
                     row.iterations, peak, average, rate);
}

std::string latency_line(const PerftestRow& row) {
  const auto time = [](const std::optional<double>& us) { return fmt::format("{:<7.2f}", us.value_or(0)); };
  return fmt::format(" {:<7} {}          {}        {}      {}            {}        {}         {}               {}",
                     row.bytes, row.iterations, time(row.t_min_us), time(row.t_max_us), time(row.t_typical_us),
                     time(row.t_avg_us), time(row.t_stdev_us), time(row.p99_us), time(row.p99_9_us));
}

std::string without_end_blanks(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string table(std::span<const PerftestRow> rows) {
  std::string text =
      is_latency(rows.front())
          ? " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]   99% "
            "percentile[usec]   99.9% percentile[usec]\n"
          : " #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]\n";
  for (const PerftestRow& row : rows) {
    text += without_end_blanks(is_latency(row) ? latency_line(row) : bandwidth_line(row));
  }
  return text + std::string{dashes};
}

std::string with_digits(const std::optional<double>& value) {
  if (!value) return "-";
  return *value < 0.1 ? fmt::format("{:.6f}", *value) : fmt::format("{:.2f}", *value);
}

/// What the numbers of a job ought to be, and why.
std::string closed_form(std::span<const PerftestRow> rows) {
  if (is_latency(rows.front())) {
    TextTable table{{{"message"}, {"t_typical us"}, {"closed form us"}}};
    for (const PerftestRow& row : rows) {
      table.add({exact_size_text(row.bytes), fmt::format("{:.3f}", row.t_typical_us.value_or(0)),
                 row.bound_us ? fmt::format("{:.3f}", *row.bound_us) : "-"});
    }
    return "Half a round trip beside its closed form (- where there is none)\n" + table.text();
  }
  TextTable table{{{"message"}, {"steady Gbps"}, {"closed form"}, {"limited by", Align::left, 30}}};
  for (const PerftestRow& row : rows) {
    table.add({exact_size_text(row.bytes), with_digits(row.steady_gbps), with_digits(row.bound_gbps),
               row.bound_by.empty() ? "-" : row.bound_by});
  }
  return "Steady goodput beside its closed form (whole windows after the first; - where there is none)\n" +
         table.text();
}

/// The rows of one job whose header is the same: perftest prints one for each run, and one for all of -a.
std::span<const PerftestRow> alike(std::span<const PerftestRow> rows) {
  std::size_t count = 1;
  while (count < rows.size() && rows[count].job == rows[0].job && rows[count].cq_mod == rows[0].cq_mod) ++count;
  return rows.first(count);
}

}  // namespace

std::vector<std::string> perftest_sections(const RunResults& run) {
  std::vector<std::string> sections;
  for (std::span<const PerftestRow> rest{run.perftest}; !rest.empty();) {
    const PerftestRow& first = rest.front();
    std::string text = fmt::format("{}: {} from {} to {}\n", printable(first.job), first.test, printable(first.client),
                                   printable(first.server));
    const auto end = std::ranges::find_if(rest, [&](const PerftestRow& row) { return row.job != first.job; });
    const std::span<const PerftestRow> job = rest.first(static_cast<std::size_t>(end - rest.begin()));
    for (std::span<const PerftestRow> of_job = job; !of_job.empty();) {
      const std::span<const PerftestRow> block = alike(of_job);
      text += header(block.front()) + table(block);
      of_job = of_job.subspan(block.size());
    }
    sections.push_back(std::move(text));
    sections.push_back(closed_form(job));
    rest = rest.subspan(job.size());
  }
  return sections;
}

bool only_perftest(const RunResults& run) {
  if (run.perftest.empty()) return false;
  std::int64_t messages = 0;
  for (const PerftestRow& row : run.perftest) messages += is_latency(row) ? 2 * row.iterations : row.iterations;
  return messages == run.transfers.count;
}

}  // namespace soya::cli
