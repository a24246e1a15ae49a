#include "workload/perftest_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/check.hpp"
#include "core/quantity_text.hpp"
#include "workload/unfinished.hpp"

namespace soya {
namespace {

/// perftest's own limit; and how many times of all queue pairs are worth their memory, 32 MB.
constexpr std::int64_t most_iterations_with_peak = 20'000;
constexpr std::int64_t most_messages_with_peak = 2'000'000;

}  // namespace

Operation perftest_operation(PerftestTest test) {
  switch (test) {
    case PerftestTest::write_bw:
      return Operation::write;
    case PerftestTest::write_lat:
      return Operation::write_polled;
    case PerftestTest::read_bw:
      return Operation::read;
    case PerftestTest::send_bw:
      return Operation::send;
  }
  return Operation::write;
}

const char* perftest_name(PerftestTest test) {
  switch (test) {
    case PerftestTest::write_bw:
      return "write_bw";
    case PerftestTest::write_lat:
      return "write_lat";
    case PerftestTest::read_bw:
      return "read_bw";
    case PerftestTest::send_bw:
      return "send_bw";
  }
  return "";
}

PerftestJob::PerftestJob(const PerftestConfig& config, const std::vector<std::string>& host_names)
    : config_{config}, operation_{perftest_operation(config.test)} {
  const std::string& client = host_names.at(config.client.index());
  const std::string& server = host_names.at(config.server.index());
  for (int queue_pair = 0; queue_pair < config.qps; ++queue_pair) {
    connections_.push_back({config.client, config.server, config.priority,
                            fmt::format("{}/{}>{}/{}", config.name, client, server, queue_pair), config.tx_depth});
  }
}

std::int64_t PerftestJob::transfers() const {
  const std::int64_t of_client = std::ssize(config_.sizes) * config_.iterations * config_.qps;
  return is_latency(config_.test) ? 2 * of_client : of_client;
}

void PerftestJob::start(HostContext& context) {
  if (context.host() == config_.client) begin_size(context);
}

void PerftestJob::begin_size(HostContext& context) {
  if (is_latency(config_.test)) {
    client_player_ = {};
    client_.last_post.reset();
    client_.between_posts.clear();
    return serve(context);
  }
  client_.queue_pairs.assign(connections_.size(), {});
  const std::int64_t depth = std::min<std::int64_t>(config_.tx_depth, config_.iterations);
  const bool peak =
      config_.iterations <= most_iterations_with_peak && config_.iterations * config_.qps <= most_messages_with_peak;
  client_.bandwidth.emplace(
      BandwidthMeter::Setup{.window = config_.qps * (depth / size().cq_mod * size().cq_mod), .peak = peak});
  for (std::uint32_t queue_pair = 0; queue_pair < connections_.size(); ++queue_pair) fill(context, queue_pair);
}

void PerftestJob::end_size(HostContext& context) {
  PerftestReport report{client_.size, {}, {}, {}, {}};
  if (is_latency(config_.test)) {
    report.latency = half_round_trips(std::move(client_.between_posts));
    client_.between_posts = {};
  } else {
    report.average = client_.bandwidth->average();
    report.peak = client_.bandwidth->peak();
    report.steady = client_.bandwidth->steady();
    client_.bandwidth.reset();
  }
  reports_.push_back(report);
  if (++client_.size < config_.sizes.size()) begin_size(context);
}

void PerftestJob::post(HostContext& context, std::uint32_t connection, std::int64_t iteration, Bytes message) {
  context.post({.connection = connection,
                .size = message,
                .operation = operation_,
                .tag = static_cast<std::uint64_t>(iteration),
                .is_transfer = true,
                .series = config_.iterations});
}

void PerftestJob::fill(HostContext& context, std::uint32_t queue_pair) {
  QueuePairState& state = client_.queue_pairs[queue_pair];
  while (state.posted < config_.iterations && state.posted - state.complete < config_.tx_depth) {
    client_.bandwidth->posted(context.now());
    post(context, queue_pair, state.posted++, size().message);
  }
}

bool PerftestJob::signalled(std::int64_t iteration) const {
  return (iteration + 1) % size().cq_mod == 0 || iteration + 1 == config_.iterations;
}

void PerftestJob::sent(HostContext& context, const Completion& completion) {
  if (is_latency(config_.test)) {
    Player& player = context.host() == config_.client ? client_player_ : server_player_;
    ++player.acknowledged;
    return context.host() == config_.client ? serve(context) : answer(context);
  }
  const auto iteration = static_cast<std::int64_t>(completion.tag);
  if (!signalled(iteration)) return;
  QueuePairState& state = client_.queue_pairs[completion.connection];
  client_.bandwidth->completed(iteration + 1 - std::exchange(state.complete, iteration + 1), context.now());
  fill(context, completion.connection);
  if (iterations_done() == config_.iterations * config_.qps) end_size(context);
}

void PerftestJob::received(HostContext& context, const Completion& /*completion*/) {
  if (!is_latency(config_.test)) return;
  if (context.host() == config_.client) {
    ++client_player_.received;
    serve(context);
  } else {
    ++server_player_.received;
    answer(context);
  }
}

/// The client posts when the answer to its last message is there and that message is acknowledged.
void PerftestJob::serve(HostContext& context) {
  Player& player = client_player_;
  if (!player.idle() || player.received < player.posted) return;
  if (player.posted == config_.iterations) return end_size(context);
  if (client_.last_post) client_.between_posts.push_back(context.now() - *client_.last_post);
  client_.last_post = context.now();
  post(context, 0, player.posted++, size().message);
}

/// The server posts when a message has come that it has not answered, and its last answer is acknowledged.
void PerftestJob::answer(HostContext& context) {
  Player& player = server_player_;
  if (!player.idle() || player.received == player.posted) return;
  const auto size = static_cast<std::size_t>(player.posted / config_.iterations);
  const std::int64_t iteration = player.posted++ % config_.iterations;
  post(context, 0, iteration, config_.sizes[size].message);
}

bool PerftestJob::finished(HostId host) const {
  if (host == config_.client) return client_.size == config_.sizes.size();
  const std::int64_t answers = is_latency(config_.test) ? std::ssize(config_.sizes) * config_.iterations : 0;
  return server_player_.posted == answers && server_player_.idle();
}

std::int64_t PerftestJob::iterations_done() const {
  if (is_latency(config_.test)) return client_player_.received;
  return client_.bandwidth ? client_.bandwidth->messages_completed() : 0;
}

JobReport PerftestJob::report() const {
  JobReport report;
  report.perftest = reports_;
  if (finished(config_.client)) return report;
  report.unfinished.push_back(fmt::format("{}: {} of {}: {} of {} iterations complete", config_.name,
                                          perftest_name(config_.test), bytes_text(size().message),
                                          grouped(iterations_done()), grouped(config_.iterations * config_.qps)));
  report.unfinished_count = 1;
  return report;
}

}  // namespace soya
