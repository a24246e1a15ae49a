#include "results/tables.hpp"

#include <fmt/format.h>

#include <cstddef>

#include "results/columns_of_work.hpp"
#include "results/table_fields.hpp"

namespace soya {

namespace {

using namespace fields;

template <std::size_t Index>
Field<LinkRow> pause_frames() {
  const std::string meaning =
      fmt::format("PAUSE frames that from_node received for priority {}, refreshes included", Index);
  return {{fmt::format("pause_frames_p{}", Index), ColumnType::integer, false, meaning},
          [](const LinkRow& row) { return value_of(row.pause_frames[Index]); },
          [](LinkRow& row, const Value& value) { return assign(row.pause_frames[Index], value); }};
}

const std::vector<Field<RunResults>>& run_fields() {
  using R = RunResults;
  static const std::vector<Field<R>> fields{
      field<&R::name>("name", "name of the scenario"),
      field<&R::seed>("seed", "seed of the run, as decimal text: it may exceed 2^63"),
      field<&R::version>("version", "version of Soya"),
      field<&R::complete>("complete", "1; 0 when the run was interrupted or is under way"),
      field<&R::sound>("sound", "1 when the result can be trusted, else 0 and why_not says why"),
      field<&R::why_not>("why_not", "reasons, one per line, most important first"),
      field<&R::warnings>("warnings", "odd but legal points of the scenario, one per line"),
      field<&R::simulated_ps>("simulated_ps", "simulated time"),
      field<&R::events>("events", "events processed"),
      field<&R::packets>("packets", "packets sent by NICs, acknowledges included"),
      field<&R::packet_hops>("packet_hops", "packets times links crossed"),
      field<&R::fingerprint>("fingerprint", "16 hex digits over all events and their places in the order"),
      field<&R::drops, &DropTotals::lossless>("drops_lossless_frames",
                                              "frames of lossless priorities that a buffer refused"),
      field<&R::drops, &DropTotals::lossy>("drops_lossy_frames", "frames of lossy priorities that a buffer refused"),
      field<&R::drops, &DropTotals::link>("drops_link_frames",
                                          "frames lost on links: at random, to faults, while down"),
      field<&R::pfc, &PfcTotals::pause_frames>("pfc_pause_frames",
                                               "PFC frames that pause a priority, refreshes included"),
      field<&R::pfc, &PfcTotals::resume_frames>("pfc_resume_frames", "PFC frames that only resume"),
      field<&R::pfc, &PfcTotals::paused_share_max>("pfc_paused_share_max",
                                                   "share of simulated time of the most paused (port, priority)"),
      field<&R::pfc, &PfcTotals::paused_ps_total>("pfc_paused_ps_total", "paused time, summed over (port, priority)"),
      field<&R::pfc, &PfcTotals::refreshes>("pfc_refreshes", "pauses repeated, each priority of a frame counted"),
      field<&R::pfc, &PfcTotals::in_flight_max>("pfc_in_flight_max",
                                                "most PAUSE frames on one way of a link at one time"),
      field<&R::pfc, &PfcTotals::expired>(
          "pfc_expired", "pauses that ran out at the neighbour while they were still meant; 0 where none is lost"),
      field<&R::pfc, &PfcTotals::dry_ps_total>("pfc_dry_ps_total", "time of groups without a frame after XON: pause"),
      field<&R::buffers, &BufferTotals::shared_peak_bytes>("shared_peak_bytes",
                                                           "highest shared use of one priority group"),
      field<&R::buffers, &BufferTotals::headroom_peak_bytes>("headroom_peak_bytes",
                                                             "highest headroom use of one priority group"),
      field<&R::buffers, &BufferTotals::headroom_margin_bytes>("headroom_margin_bytes",
                                                               "smallest headroom left over lossless groups"),
      field<&R::buffers, &BufferTotals::headroom_switch_peak_bytes>(
          "headroom_switch_peak_bytes",
          "most headroom that all groups of one switch held at one time: of a pool, its peak"),
      field<&R::buffers, &BufferTotals::off_chip_peak_bytes>("off_chip_peak_bytes", "most off chip at one switch"),
      field<&R::buffers, &BufferTotals::time_in_headroom_ps_max>("time_in_headroom_ps_max",
                                                                 "longest time that one priority group held headroom"),
      field<&R::buffers, &BufferTotals::groups_in_headroom_max>(
          "groups_in_headroom_max", "most lossless groups of one switch that held headroom at one time"),
      field<&R::buffers, &BufferTotals::groups_in_headroom_share_max>(
          "groups_in_headroom_share_max", "the same as a share of the switch's lossless groups"),
      field<&R::buffers, &BufferTotals::headroom_unused_share_p50>(
          "headroom_unused_share_p50",
          "share of a switch's headroom that was unused for half of the time or longer, where it is least"),
      field<&R::buffers, &BufferTotals::headroom_unused_share_p90>("headroom_unused_share_p90",
                                                                   "… for 90 % of the time or longer"),
      field<&R::buffers, &BufferTotals::headroom_unused_share_p99>("headroom_unused_share_p99",
                                                                   "… for 99 % of the time or longer"),
      field<&R::transfers, &TransferTotals::count>("transfers", "RDMA messages posted"),
      field<&R::transfers, &TransferTotals::finished>("transfers_finished", "RDMA messages acknowledged to the end"),
      field<&R::transfers, &TransferTotals::payload_bytes>("payload_bytes",
                                                           "payload of finished transfers, duplicates not counted"),
      field<&R::transfers, &TransferTotals::retransmitted_packets>("retransmitted_packets", "packets sent again"),
      field<&R::transfers, &TransferTotals::goodput_gbps_max>("goodput_gbps_max", "payload rate of the fastest flow"),
      field<&R::transfers, &TransferTotals::slowdown_p50>("slowdown_p50",
                                                          "median of (finish - start) / ideal, nearest rank"),
      field<&R::transfers, &TransferTotals::slowdown_p99>("slowdown_p99",
                                                          "99th percentile of (finish - start) / ideal, nearest rank"),
      field<&R::effective_scenario>("effective_scenario", "YAML with every key, its value and its origin")};
  return fields;
}

const std::vector<Field<LinkRow>>& link_fields() {
  using R = LinkRow;
  static const std::vector<Field<R>> fields{
      field<&R::from>("from_node", "sender of this direction"),
      field<&R::to>("to_node", "receiver of this direction"),
      field<&R::ordinal>("ordinal", "number among parallel links, from 0"),
      field<&R::rate_gbps>("rate_gbps", "line rate, decimal"),
      field<&R::wire_bytes>("wire_bytes", "bytes sent with preamble and gap, PFC included"),
      field<&R::frames>("frames", "frames sent"),
      field<&R::utilisation>("utilisation_share", "busy time / simulated time"),
      field<&R::paused_ps>("paused_ps", "time from_node was paused: union over lossless priorities"),
      pause_frames<0>(),
      pause_frames<1>(),
      pause_frames<2>(),
      pause_frames<3>(),
      pause_frames<4>(),
      pause_frames<5>(),
      pause_frames<6>(),
      pause_frames<7>(),
      field<&R::lost_frames>("lost_frames", "frames lost at random, to faults or while down"),
      field<&R::pfc_bytes>("pfc_bytes", "of wire_bytes those of PFC frames, which no plan counts"),
      field<&R::plan_bytes>("plan_bytes", "planned data, acknowledges and control messages on the wire")};
  return fields;
}

const std::vector<Field<QueueRow>>& queue_fields() {
  using R = QueueRow;
  static const std::vector<Field<R>> fields{
      field<&R::node>("switch", "name of the switch"),
      field<&R::port>("port", "neighbour at this port, with #k among parallel links"),
      field<&R::priority>("priority", "802.1p priority"),
      field<&R::lossless>("lossless", "1 when PFC protects it"),
      field<&R::shared_peak_bytes>("shared_peak_bytes", "highest shared use of the ingress priority group"),
      field<&R::headroom_peak_bytes>("headroom_peak_bytes", "highest headroom use of the ingress priority group"),
      field<&R::headroom_configured_bytes>("headroom_configured_bytes", "headroom the group has"),
      field<&R::headroom_auto_bytes>("headroom_auto_bytes", "headroom that size: auto gives this port"),
      field<&R::egress_peak_bytes>("egress_peak_bytes", "longest egress queue of the same port and priority"),
      field<&R::dropped_frames>("dropped_frames", "frames the buffer refused"),
      field<&R::headroom_needed_bytes>(
          "headroom_needed_bytes",
          "headroom peak and what was dropped for want of it; a lower bound where frames were dropped"),
      field<&R::headroom_margin_bytes>(
          "headroom_margin_bytes",
          "left over of the tightest bytes the group draws on: its own, its port's, the pool's; below 0: missing"),
      field<&R::time_in_headroom_ps>("time_in_headroom_ps", "time the group held headroom"),
      field<&R::off_chip_peak_bytes>("off_chip_peak_bytes", "most of the egress queue that was off chip")};
  return fields;
}

const std::vector<Field<PauseRow>>& pause_fields() {
  using R = PauseRow;
  static const std::vector<Field<R>> fields{
      field<&R::node>("switch", "name of the switch"),
      field<&R::port>("port", "neighbour that is paused, with #k among parallel links"),
      field<&R::priority>("priority", "802.1p priority"),
      field<&R::cycles>("cycles", "XOFF decisions"),
      field<&R::longest_ps>("longest_ps", "longest time from an XOFF decision to its XON"),
      field<&R::round_trip_ps>("round_trip_ps", "of the link, without frames"),
      field<&R::refreshes>("refreshes", "times that the pause was repeated"),
      field<&R::in_flight_max>("in_flight_max",
                               "most PAUSE frames of the port on the link at one time, repeats included"),
      field<&R::expired>("expired", "pauses that ran out at the neighbour while they were still meant"),
      field<&R::xon_bytes_min>("xon_bytes_min", "least that the group stored when XON was due; NULL: no XON"),
      field<&R::xon_bytes_mean>("xon_bytes_mean", "the same on average"),
      field<&R::full_rate_bytes>("full_rate_bytes",
                                 "what must be stored then so that the link's own rate goes on without a break"),
      field<&R::restarts>("restarts", "cycles after whose XON the neighbour had a frame ready"),
      field<&R::dry_ps>("dry_ps",
                        "time of these in which the group was empty until the neighbour's first frame was in"),
      field<&R::dry_ps_mean>("dry_ps_mean", "dry_ps / restarts; NULL: no restart"),
      field<&R::plan_dry_ps>("plan_dry_ps", "the same by the closed form, from what was stored and its drain rate"),
      field<&R::drain_gbps>("drain_gbps", "rate at which the stored bytes left after XON, frame bytes")};
  return fields;
}

const std::vector<Field<SwitchRow>>& switch_fields() {
  using R = SwitchRow;
  static const std::vector<Field<R>> fields{
      field<&R::node>("switch", "name of the switch"),
      field<&R::buffer_peak_bytes>("buffer_peak_bytes", "most that all ports together stored at one time"),
      field<&R::buffer_size_bytes>("buffer_size_bytes", "size of the buffer: of off-chip memory where there is some"),
      field<&R::lossless_groups>("lossless_groups", "priority groups that PFC protects"),
      field<&R::headroom_bytes>("headroom_bytes", "headroom set aside for all of them"),
      field<&R::headroom_peak_bytes>("headroom_peak_bytes", "most that all groups together held of it at one time"),
      field<&R::headroom_needed_bytes>("headroom_needed_bytes",
                                       "the same with what was dropped for want of headroom; a lower bound then"),
      field<&R::groups_in_headroom_max>("groups_in_headroom_max", "most groups that held headroom at one time"),
      field<&R::headroom_unused_share_p50>("headroom_unused_share_p50",
                                           "share of the headroom that was unused for half of the time or longer"),
      field<&R::headroom_unused_share_p90>("headroom_unused_share_p90", "… for 90 % of the time or longer"),
      field<&R::headroom_unused_share_p99>("headroom_unused_share_p99", "… for 99 % of the time or longer"),
      field<&R::on_chip_size_bytes>("on_chip_size_bytes",
                                    "memory in front of off-chip memory; this and all below else empty"),
      field<&R::on_chip_peak_bytes>("on_chip_peak_bytes", "most that it held at one time"),
      field<&R::off_chip_peak_bytes>("off_chip_peak_bytes", "most that off-chip memory held at one time"),
      field<&R::off_chip_written_bytes>("off_chip_written_bytes", "written to it, in whole cells"),
      field<&R::off_chip_read_bytes>("off_chip_read_bytes", "read back from it"),
      field<&R::off_chip_bandwidth_gbps>("off_chip_bandwidth_gbps", "of reads and writes together"),
      field<&R::off_chip_busy_share>("off_chip_busy_share", "share of simulated time in which it read or wrote"),
      field<&R::on_chip_full_ps>("on_chip_full_ps", "time that senders were paused because writes were behind"),
      field<&R::no_path_frames>("no_path_frames", "frames lost because no way led to their destination any more"),
      field<&R::failure_frames>("failure_frames", "frames lost because they waited in the switch when it went down")};
  return fields;
}

const std::vector<Field<HeadroomUseRow>>& headroom_use_fields() {
  using R = HeadroomUseRow;
  static const std::vector<Field<R>> fields{
      field<&R::node>("switch", "name of the switch"),
      field<&R::used_percent>("used_percent",
                              "share of the switch's headroom in use, rounded up: 0 is nothing, 1 up to one percent"),
      field<&R::time_ps>("time_ps", "how long; the rows of a switch add up to the run")};
  return fields;
}

const std::vector<Field<ReconvergenceRow>>& reconvergence_fields() {
  using R = ReconvergenceRow;
  static const std::vector<Field<R>> fields{
      field<&R::time_ps>("time_ps", "instant from which all switches route so"),
      field<&R::what>("what", "links and switches that routes avoid from now on, or use again"),
      field<&R::cut_off_hosts>("cut_off_hosts", "hosts without a way to the largest part of the fabric"),
      field<&R::cut_off>("cut_off", "their names"),
      field<&R::lost_frames>("lost_frames", "frames lost on links and in switches since the row before")};
  return fields;
}

const std::vector<Field<SampleRow>>& sample_fields() {
  using R = SampleRow;
  static const std::vector<Field<R>> fields{
      field<&R::time_ps>("time_ps", "simulated time of the change"),
      field<&R::series>("series", "what is sampled; its last word carries the unit"),
      field<&R::value>("value", "new value, kept until the next row of the series")};
  return fields;
}

const std::vector<Field<AcceleratorRow>>& accelerator_fields() {
  using R = AcceleratorRow;
  static const std::vector<Field<R>> fields{
      field<&R::name>("accelerator", "name of the wan_accelerator"),
      field<&R::partner>("partner", "the one at the far end of the long link"),
      field<&R::buffer_bytes>("buffer_bytes", "what it may hold of each direction"),
      field<&R::outbound_peak_bytes>("outbound_peak_bytes", "most frame bytes held for the far site"),
      field<&R::outbound_mean_bytes>("outbound_mean_bytes", "the same on average over the run"),
      field<&R::inbound_peak_bytes>("inbound_peak_bytes", "most frame bytes held for its own site"),
      field<&R::inbound_mean_bytes>("inbound_mean_bytes", "the same on average over the run"),
      field<&R::retransmitted_packets>("retransmitted_packets", "packets it sent again over the long link"),
      field<&R::duplicate_packets>("duplicate_packets", "packets that came over the long link a second time"),
      field<&R::dropped_frames>("dropped_frames", "frames from its site that found no room"),
      field<&R::pausing_ps>("pausing_ps", "time that it asked its site to pause"),
      field<&R::haul_payload_bytes>("haul_payload_bytes",
                                    "payload received over the long link, duplicates not counted"),
      field<&R::haul_goodput_gbps>("haul_goodput_gbps", "the same over the time from the first packet to the last")};
  return fields;
}

const std::vector<Field<AcceleratorFlowRow>>& accelerator_flow_fields() {
  using R = AcceleratorFlowRow;
  static const std::vector<Field<R>> fields{
      field<&R::accelerator>("accelerator", "the wan_accelerator that acknowledges to the sender"),
      field<&R::flow>("flow", "name of the flow, or job and connection"),
      field<&R::from>("from_host", "sender"),
      field<&R::to>("to_host", "receiver"),
      field<&R::held_peak_bytes>("held_peak_bytes", "most frame bytes that the accelerator held of it"),
      field<&R::retransmitted_packets>("retransmitted_packets", "packets sent again over the long link"),
      field<&R::redelivered_packets>("redelivered_packets", "packets that the partner sent again to the receiver"),
      field<&R::acknowledged_bytes>("acknowledged_bytes", "payload acknowledged to the sender"),
      field<&R::delivered_bytes>("delivered_bytes", "payload that the receiver has acknowledged to the partner"),
      field<&R::acknowledged_ahead_bytes>(
          "acknowledged_ahead_bytes",
          "most payload acknowledged to the sender that the accelerator did not know to be delivered"),
      field<&R::last_acknowledged_ps>("last_acknowledged_ps", "when the last of it was acknowledged to the sender"),
      field<&R::last_delivered_ps>("last_delivered_ps", "when the receiver's last acknowledge reached the partner")};
  return fields;
}

template <class Row>
std::vector<TableColumn> columns_of(const std::vector<Field<Row>>& fields) {
  std::vector<TableColumn> columns{{"variant", ColumnType::text, false, "name of the variant; empty for the base"}};
  for (const Field<Row>& field : fields) columns.push_back(field.column);
  return columns;
}

template <class Row>
void read_row(const std::vector<Field<Row>>& fields, const Row& row, std::vector<Value>& values) {
  values.resize(1);
  for (const Field<Row>& field : fields) values.push_back(field.get(row));
}

template <class Row>
void rows_of(const std::vector<Field<Row>>& fields, std::span<const Row> rows, const std::string& variant,
             RowSink& sink) {
  std::vector<Value> values{variant};
  for (const Row& row : rows) {
    read_row(fields, row, values);
    sink.row(values);
  }
}

template <class Row>
bool set_row(const std::vector<Field<Row>>& fields, Row& row, std::span<const Value> values) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (!fields[i].set(row, values[i + 1])) return false;
  }
  return true;
}

/// The table of the rows `results.*Rows`.
template <auto Fields, auto Rows>
Table table_of(const char* name, const char* meaning) {
  return {name, meaning, columns_of(Fields()),
          [](const RunResults& results, const std::string& variant, RowSink& sink) {
            rows_of(Fields(), std::span{results.*Rows}, variant, sink);
          },
          [](RunResults& results, std::span<const Value> values) {
            return set_row(Fields(), (results.*Rows).emplace_back(), values);
          }};
}

Table table_of_runs() {
  return {"run", "one row per run: the base, then each variant", columns_of(run_fields()),
          [](const RunResults& results, const std::string& variant, RowSink& sink) {
            rows_of(run_fields(), std::span<const RunResults>{&results, 1}, variant, sink);
          },
          [](RunResults& results, std::span<const Value> values) { return set_row(run_fields(), results, values); }};
}

std::vector<Table> declare_tables() {
  using R = RunResults;
  return {
      table_of_runs(),
      table_of<host_fields, &R::hosts>("host", "one row per host"),
      table_of<link_fields, &R::links>("link", "one row per direction of each link"),
      table_of<tier_fields, &R::tiers>("tier", "one row per pair of tiers with links between them, and way"),
      table_of<queue_fields, &R::queues>("queue",
                                         "one row per port and priority of a switch that saw traffic or is lossless"),
      table_of<pause_fields, &R::pauses>("pause",
                                         "one row per priority group of a switch that has paused its neighbour"),
      table_of<switch_fields, &R::switches>("switch", "one row per switch"),
      table_of<headroom_use_fields, &R::headroom_use>("headroom_use",
                                                      "one row per switch and share of its headroom that was in use"),
      table_of<reconvergence_fields, &R::reconvergences>(
          "reconvergence", "one row per instant at which switches route by a failure or repair"),
      table_of<accelerator_fields, &R::accelerators>("accelerator", "one row per WAN accelerator"),
      table_of<accelerator_flow_fields, &R::accelerator_flows>(
          "accelerator_flow", "one row per direction of a connection that WAN accelerators relay"),
      table_of<transfer_fields, &R::transfer_rows>("transfer", "one row per RDMA message, or series of like messages"),
      table_of<collective_fields, &R::collectives>("collective", "one row per collective operation"),
      table_of<perftest_fields, &R::perftest>("perftest", "one row per size of each perftest job"),
      table_of<step_fields, &R::steps>("step", "one row per training step of each job"),
      table_of<sample_fields, &R::samples>("sample", "one row per change of a time series (measure.sample)")};
}

}  // namespace

const std::vector<Table>& result_tables() {
  static const std::vector<Table> tables = declare_tables();
  return tables;
}

std::vector<Value> transfer_values(const TransferRow& row, const std::string& variant) {
  std::vector<Value> values{variant};
  read_row(transfer_fields(), row, values);
  return values;
}

const char* sql_type(ColumnType type) {
  switch (type) {
    case ColumnType::integer:
      return "INTEGER";
    case ColumnType::real:
      return "REAL";
    case ColumnType::text:
      return "TEXT";
  }
  return "TEXT";
}

std::string tables_markdown() {
  std::string text;
  for (const Table& table : result_tables()) {
    text += fmt::format("### `{}`: {}\n\n| column | type | meaning |\n|---|---|---|\n", table.name, table.meaning);
    for (const TableColumn& column : table.columns) {
      text += fmt::format("| `{}` | {}{} | {} |\n", column.name, sql_type(column.type),
                          column.nullable ? ", may be NULL" : "", column.meaning);
    }
    text += "\n";
  }
  return text;
}

}  // namespace soya
