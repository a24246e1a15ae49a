#include "results/columns_of_work.hpp"

namespace soya::fields {

const std::vector<Field<HostRow>>& host_fields() {
  using R = HostRow;
  static const std::vector<Field<R>> fields{
      field<&R::name>("host", "name of the host"),
      field<&R::sent_payload_bytes>("sent_payload_bytes", "RDMA payload sent, retransmissions included"),
      field<&R::received_payload_bytes>("received_payload_bytes", "RDMA payload placed, duplicates not counted"),
      field<&R::sent_packets>("sent_packets", "packets sent, acknowledges included"),
      field<&R::received_packets>("received_packets", "packets received, acknowledges included"),
      field<&R::retransmitted_packets>("retransmitted_packets", "packets sent again; of READs, responses asked for again"),
      field<&R::timeouts>("timeouts", "retransmission time-outs"),
      field<&R::naks_received>("naks_received", "negative acknowledges received, of sequence errors"),
      field<&R::rnr_naks_received>("rnr_naks_received", "times the other end had no receive posted"),
      field<&R::gaps>("gaps", "gaps found in what arrived"),
      field<&R::duplicate_packets>("duplicate_packets", "packets received that had arrived before"),
      field<&R::completions_stalled_ps>("completions_stalled_ps", "time with a full completion queue, queue pairs stalled"),
      field<&R::pause_frames_sent>("pause_frames_sent", "PFC frames that this host's NIC sent to pause its switch")};
  return fields;
}

const std::vector<Field<TransferRow>>& transfer_fields() {
  using R = TransferRow;
  static const std::vector<Field<R>> fields{
      field<&R::flow>("flow", "name of the flow, or job and connection"),
      field<&R::from>("from_host", "sender"),
      field<&R::to>("to_host", "receiver"),
      field<&R::bytes>("message_bytes", "payload of the RDMA message"),
      field<&R::start_ps>("start_ps", "when it was posted"),
      field<&R::finish_ps>("finish_ps", "when its last packet was acknowledged; NULL: unfinished"),
      field<&R::ideal_ps>("ideal_ps", "time it takes alone on its path"),
      field<&R::slowdown>("slowdown", "(finish_ps - start_ps) / ideal_ps; NULL: unfinished"),
      field<&R::retransmitted_packets>("retransmitted_packets", "packets sent again; NULL: unfinished"),
      field<&R::messages>("messages", "like messages in a row that this row stands for: of a perftest its iterations")};
  return fields;
}

const std::vector<Field<CollectiveRow>>& collective_fields() {
  using R = CollectiveRow;
  static const std::vector<Field<R>> fields{
      field<&R::name>("collective", "job, step and bucket, or job and repetition"),
      field<&R::bytes>("size_bytes", "collective size S: bytes each rank holds"),
      field<&R::ranks>("ranks", "ranks that take part"),
      field<&R::time_us>("time_us", "first rank's start to last rank's end"),
      field<&R::algbw_GBps>("algbw_GBps", "S / time"),
      field<&R::busbw_GBps>("busbw_GBps", "algbw times 2(n-1)/n for an all-reduce, as nccl-tests")};
  return fields;
}

const std::vector<Field<PerftestRow>>& perftest_fields() {
  using R = PerftestRow;
  static const std::vector<Field<R>> fields{
      field<&R::job>("job", "name of the job"),
      field<&R::test>("test", "write_bw, write_lat, read_bw or send_bw"),
      field<&R::client>("client", "host that posts; of a latency test both do"),
      field<&R::server>("server", "the other host"),
      field<&R::bytes>("message_bytes", "payload of the RDMA message"),
      field<&R::iterations>("iterations", "messages of all queue pairs"),
      field<&R::qps>("qps", "queue pairs"),
      field<&R::tx_depth>("tx_depth", "work requests outstanding per queue pair"),
      field<&R::cq_mod>("cq_mod", "one work request in so many is signalled, and the last"),
      field<&R::mtu_bytes>("mtu_bytes", "payload of a full packet"),
      field<&R::outstanding_reads>("outstanding_reads", "READs outstanding per queue pair; NULL: no READs"),
      field<&R::bw_peak_gbps>("bw_peak_gbps",
                              "best span from a post to a completion; NULL: latency, or more than 20 000 iterations"),
      field<&R::bw_average_gbps>("bw_average_gbps", "payload / (first post to last completion); NULL: latency"),
      field<&R::message_rate_mpps>("message_rate_mpps", "the same in million messages a second; NULL: latency"),
      field<&R::steady_gbps>("steady_gbps", "payload rate of the whole windows after the first; NULL: there is none"),
      field<&R::bound_gbps>("bound_gbps", "the same by the closed form; NULL: latency, or a host that takes time"),
      field<&R::bound_by>("bound_by", "what limits it"),
      field<&R::t_min_us>("t_min_us", "shortest half round trip; NULL, as what follows: bandwidth"),
      field<&R::t_max_us>("t_max_us", "longest but two"),
      field<&R::t_typical_us>("t_typical_us", "median"),
      field<&R::t_avg_us>("t_avg_us", "mean"),
      field<&R::t_stdev_us>("t_stdev_us", "standard deviation"),
      field<&R::p99_us>("p99_us", "99th percentile"),
      field<&R::p99_9_us>("p99_9_us", "99.9th percentile"),
      field<&R::bound_us>("bound_us", "half a round trip by the closed form")};
  return fields;
}

const std::vector<Field<StepRow>>& step_fields() {
  using R = StepRow;
  static const std::vector<Field<R>> fields{
      field<&R::job>("job", "name of the training job"),
      field<&R::step>("step", "step, from 0"),
      field<&R::forward_ms>("forward_ms", "longest forward pass over ranks"),
      field<&R::backward_ms>("backward_ms", "longest backward pass over ranks"),
      field<&R::communication_ms>("communication_ms", "first all-reduce start to last all-reduce end"),
      field<&R::exposed_ms>("exposed_ms", "communication after the end of backward"),
      field<&R::idle_ms>("idle_ms", "GPU idle: step less the union of compute intervals"),
      field<&R::step_ms>("step_ms", "measured step time"),
      field<&R::plan_step_ms>("plan_step_ms", "step time by the closed form"),
      field<&R::plan_exposed_ms>("plan_exposed_ms", "exposed communication by the closed form"),
      field<&R::condition_ms>("condition_ms", "data / bandwidth, which backward must exceed"),
      field<&R::sent_bytes_total>("sent_bytes_total", "payload all ranks sent"),
      field<&R::sent_bytes_per_rank_min>("sent_bytes_per_rank_min", "payload of the rank that sent least"),
      field<&R::sent_bytes_per_rank_max>("sent_bytes_per_rank_max", "payload of the rank that sent most")};
  return fields;
}

const std::vector<Field<TierRow>>& tier_fields() {
  using R = TierRow;
  static const std::vector<Field<R>> fields{
      field<&R::from>("from_tier", "senders of these directions: what their names share, or their tier"),
      field<&R::to>("to_tier", "receivers"),
      field<&R::links>("links", "directions of links from the one to the other"),
      field<&R::choice>("choice", "1 where switches choose among some of them, else 0"),
      field<&R::unused_links>("unused_links", "those that carried nothing but PFC frames"),
      field<&R::mean_bytes>("mean_bytes", "mean load on the wire without PFC frames"),
      field<&R::max_bytes>("max_bytes", "largest load"),
      field<&R::max_to_mean>("max_to_mean", "largest / mean: 1 where all carried as much"),
      field<&R::plan_unused_links>("plan_unused_links", "the same as planned"),
      field<&R::plan_mean_bytes>("plan_mean_bytes", "planned mean load"),
      field<&R::plan_max_bytes>("plan_max_bytes", "planned largest load"),
      field<&R::plan_max_to_mean>("plan_max_to_mean", "planned largest / mean"),
      field<&R::unused>("unused", "the first unused ones by name, one per line")};
  return fields;
}

}  // namespace soya::fields
