#include "workload/flow_identities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <tuple>

namespace soya {
namespace {

struct Entry {
  const FlowConfig* flow;
  std::uint32_t job;
  std::uint32_t position;
};

auto pair_key(const FlowConfig& flow) {
  return std::tie(flow.from, flow.to, flow.name);
}

auto field_key(const FlowConfig& flow) {
  return std::tie(flow.size, flow.messages, flow.start, flow.priority, flow.operation);
}

/// By everything that makes a flow, then by place: equal flows are numbered in file order.
bool before(const Entry& a, const Entry& b) {
  if (pair_key(*a.flow) != pair_key(*b.flow)) return pair_key(*a.flow) < pair_key(*b.flow);
  if (field_key(*a.flow) != field_key(*b.flow)) return field_key(*a.flow) < field_key(*b.flow);
  return std::tie(a.job, a.position) < std::tie(b.job, b.position);
}

std::string_view word(Operation operation) {
  switch (operation) {
    case Operation::write:
      return "write";
    case Operation::write_immediate:
      return "write-immediate";
    case Operation::send:
      return "send";
    case Operation::read:
      return "read";
    case Operation::write_polled:
      return "write-polled";
  }
  return "";
}

std::string fields(const FlowConfig& flow) {
  return fmt::format("{}B,{}x,{}ps,p{},{}", flow.size.count(), flow.messages, flow.start.picoseconds(),
                     flow.priority.value(), word(flow.operation));
}

/// Names the flows of `first` … `last`, which share source, destination and name.
void name_group(std::vector<Entry>::const_iterator first, std::vector<Entry>::const_iterator last,
                const std::vector<std::string>& host_names, std::vector<std::vector<std::string>>& out) {
  const FlowConfig& one = *first->flow;
  const std::string pair = fmt::format("{}>{}", host_names.at(one.from.index()), host_names.at(one.to.index()));
  const bool differ = field_key(*first->flow) != field_key(*(last - 1)->flow);
  while (first != last) {
    const auto equal_end = std::find_if(
        first, last, [&](const Entry& entry) { return field_key(*entry.flow) != field_key(*first->flow); });
    std::string base = pair;
    if (!one.name.empty()) base += "/" + one.name;
    if (differ) base += "/" + fields(*first->flow);
    const bool numbered = one.name.empty() || equal_end - first > 1;
    for (std::size_t ordinal = 0; first != equal_end; ++first, ++ordinal) {
      out[first->job][first->position] = numbered ? fmt::format("{}/{}", base, ordinal) : base;
    }
  }
}

}  // namespace

std::vector<std::vector<std::string>> flow_identities(const std::vector<const FlowsConfig*>& jobs,
                                                      const std::vector<std::string>& host_names) {
  std::vector<Entry> entries;
  std::vector<std::vector<std::string>> out;
  for (std::uint32_t job = 0; job < jobs.size(); ++job) {
    const std::vector<FlowConfig>& flows = jobs[job]->flows;
    out.emplace_back(flows.size());
    for (std::uint32_t i = 0; i < flows.size(); ++i) entries.push_back({&flows[i], job, i});
  }
  std::sort(entries.begin(), entries.end(), before);
  for (auto first = entries.cbegin(); first != entries.cend();) {
    const auto last = std::find_if(first, entries.cend(),
                                   [&](const Entry& entry) { return pair_key(*entry.flow) != pair_key(*first->flow); });
    name_group(first, last, host_names, out);
    first = last;
  }
  return out;
}

}  // namespace soya
