#include <set>
#include <utility>

#include "scenario/decode.hpp"
#include "scenario/key_tables.hpp"
#include "workload/incast.hpp"
#include "workload/permutation.hpp"

namespace soya::reading {

namespace {

struct Message {
  Bytes& size;
  std::int64_t& messages;
  Time& start;
  Priority& priority;
  Operation& operation;
};

/// Keys that flows, an incast and a permutation share.
void read_message(JobScope& scope, Section& section, const Message& message) {
  section.read("size", message.size);
  section.read("messages", message.messages);
  section.read("start", message.start);
  read_priority(scope, section, message.priority);
  section.read("operation", message.operation);
  const Int128 payload = static_cast<Int128>(message.size.count()) * message.messages;
  if (payload > limits::payload) {
    section.error("messages", format_number(message.messages, Dimension::none) + " messages of " +
                                  format_number(message.size.count(), Dimension::size) + " are more than " +
                                  format_number(limits::payload, Dimension::size));
  }
}

FlowConfig read_flow(JobScope& scope, const Node& node, const Path& path) {
  Section section{scope.reading, &node, path, SectionId::flow, Absent::standard, Noted::on_one_line};
  FlowConfig flow;
  flow.where = section.where();
  if (!node.is_map()) return flow;
  section.read("name", flow.name);
  flow.from = read_host(scope, section, "from");
  flow.to = read_host(scope, section, "to");
  read_message(scope, section, {flow.size, flow.messages, flow.start, flow.priority, flow.operation});
  section.finish();
  if (!flow.from.is_none() && flow.from == flow.to) {
    section.error("to", "a flow from \"" + scope.names.name(flow.to) + "\" to itself");
  }
  return flow;
}

JobConfig read_flows(JobScope& scope, const Node& node, const Path& path, const std::string& name) {
  FlowsConfig config;
  config.name = name;
  config.where = scope.reading.sources.where(node.place, path.text());
  // `flows: [...]` is short for `flows: {list: [...]}`.
  Node wrapped;
  if (node.is_list()) {
    wrapped.type = NodeType::map;
    wrapped.place = node.place;
    wrapped.children.push_back(node);
    wrapped.children.back().key = "list";
  }
  Section section{scope.reading, node.is_list() ? &wrapped : &node, path, SectionId::flows};
  note_job_name(section, name);
  const Node* list = section.given("list");
  if (!list || !list->is_list()) {
    section.error("list", "expected a list of flows" + (list ? ", got " + shown(*list) : std::string{}));
    return config;
  }
  if (list->children.empty()) section.note("list", "[]");
  const Path list_path = section.at("list");
  config.flows.reserve(list->children.size());
  for (std::size_t i = 0; i < list->children.size(); ++i) {
    config.flows.push_back(read_flow(scope, list->children[i], list_path.item(i)));
  }
  return config;
}

JobConfig read_incast(JobScope& scope, const Node& node, const Path& path, const std::string& name) {
  Section section{scope.reading, &node, path, SectionId::incast};
  IncastConfig config;
  config.name = name;
  config.where = section.where();
  note_job_name(section, name);
  config.receiver = read_host(scope, section, "receiver");
  config.senders = read_hosts(scope, section, "senders", config.receiver);
  const Node* senders = section.given("senders");
  if (senders != nullptr && senders->text != "all") scope.reading.idle_hosts_meant = true;
  for (const HostId sender : config.senders) {
    if (sender == config.receiver)
      section.error("senders", "the receiver \"" + scope.names.name(sender) + "\" is among the senders");
  }
  read_message(scope, section, {config.size, config.messages, config.start, config.priority, config.operation});
  return config.receiver.is_none() ? FlowsConfig{} : expand_incast(config);
}

JobConfig read_permutation(JobScope& scope, const Node& node, const Path& path, const std::string& name) {
  const std::size_t errors_before = scope.reading.errors.size();
  Section section{scope.reading, &node, path, SectionId::permutation};
  PermutationConfig config;
  config.name = name;
  config.where = section.where();
  note_job_name(section, name);
  config.hosts = read_hosts(scope, section, "hosts", std::nullopt);
  section.read("shift", config.shift);
  section.read("flows_per_host", config.flows_per_host);
  read_message(scope, section, {config.size, config.messages, config.start, config.priority, config.operation});
  if (scope.reading.errors.size() > errors_before || config.hosts.empty()) return FlowsConfig{};
  const auto hosts = static_cast<int>(config.hosts.size());
  if (hosts < 2) {
    section.error("hosts", "expected at least two hosts, and there is one: nobody to send to");
  } else if (config.shift && *config.shift % hosts == 0) {
    section.error("shift", "a shift of " + std::to_string(*config.shift) + " among " + std::to_string(hosts) +
                               " hosts sends to oneself; give one that is no multiple of " + std::to_string(hosts));
  } else {
    return expand_permutation(config, scope.seed);
  }
  return FlowsConfig{};
}

JobConfig read_all_reduce(JobScope& scope, const Node& node, const Path& path, const std::string& name) {
  Section section{scope.reading, &node, path, SectionId::all_reduce};
  AllReduceConfig config;
  config.name = name;
  config.where = section.where();
  note_job_name(section, name);
  config.hosts = read_hosts(scope, section, "hosts", std::nullopt);
  section.read("size", config.size);
  if (section.given("dtype")) {
    DataType type{DataType::float32};
    if (section.given("element")) section.error("dtype", "element and dtype exclude each other; give one");
    if (section.read("dtype", type)) config.element = element_size(type);
  } else {
    section.read("element", config.element);
  }
  section.read("repeat", config.repeat);
  read_priority(scope, section, config.priority);
  section.read("local_link", config.local_link);
  read_ring(section, config.ring);
  return config;
}

/// Names of jobs: given, or their kind with a number where the kind has been there before.
class JobNames {
 public:
  std::string name(JobScope& scope, const Node& item, std::string_view kind, const Path& path) {
    const Node* given = item.find("name");
    if (given && given->is_scalar() && !given->text.empty()) {
      if (!used_.insert(given->text).second) {
        scope.reading.errors.add(given->place, path.key("name").text(), "another job is named \"" + given->text + '"');
      }
      return given->text;
    }
    if (given) scope.reading.errors.add(given->place, path.key("name").text(), "expected a name, got " + shown(*given));
    std::string name{kind};
    for (int number = 2; !used_.insert(name).second; ++number) name = std::string{kind} + '-' + std::to_string(number);
    return name;
  }

 private:
  std::set<std::string> used_;
};

void read_item(JobScope& scope, JobNames& names, const Node& node, const Path& path, std::vector<JobConfig>& jobs) {
  Section section{scope.reading, &node, path, SectionId::workload_item};
  if (!node.is_map()) return;
  std::vector<std::string_view> kinds;
  for (const Key& key : keys_of(SectionId::workload_item).own) {
    if (node.find(key.name)) kinds.push_back(key.name);
  }
  if (kinds.size() != 1) {
    if (kinds.empty() && !node.children.empty()) return;  // an unknown key, reported already
    return section.error(
        "expected exactly one of ddp, all_reduce, flows, incast, permutation, perftest" +
        (kinds.empty() ? std::string{} : ", got " + std::string{kinds[0]} + " and " + std::string{kinds[1]}));
  }
  const std::string_view kind = kinds.front();
  const Node& item = *node.find(kind);
  const Path item_path = section.at(kind);
  const std::string name = names.name(scope, item, kind, item_path);
  if (kind == "flows") {
    jobs.push_back(read_flows(scope, item, item_path, name));
  } else if (kind == "incast") {
    jobs.push_back(read_incast(scope, item, item_path, name));
  } else if (kind == "permutation") {
    jobs.push_back(read_permutation(scope, item, item_path, name));
  } else if (kind == "all_reduce") {
    jobs.push_back(read_all_reduce(scope, item, item_path, name));
  } else if (kind == "perftest") {
    jobs.push_back(read_perftest(scope, item, item_path, name));
  } else if (auto ddp = read_ddp(scope, item, item_path, name)) {
    jobs.push_back(std::move(*ddp));
  }
}

}  // namespace

HostId read_host(JobScope& scope, Section& section, std::string_view key) {
  const Node* node = section.given(key);
  if (!node) {
    section.error(key, "missing; expected the name of a host");
    return HostId::none();
  }
  const auto host = scope.names.find_host(scope.reading, *node, section.at(key));
  section.note(key, yaml_text(node->text));
  return host.value_or(HostId::none());
}

void read_workload(Section& root, const Names& names, Scenario& out) {
  const Node* node = root.given("workload");
  if (!node || (node->is_list() && node->children.empty())) return root.note("workload", "[]");
  if (!node->is_list())
    return root.error(
        "workload",
        "expected a list of items, each one of ddp, all_reduce, flows, incast, permutation, perftest, got " +
            shown(*node));
  JobScope scope{root.reading(), names, Priority{3}, out.seed};
  for (std::uint8_t p = 0; p < Priority::count; ++p) {
    if (!out.pfc.priorities.contains(Priority{p})) continue;
    scope.priority = Priority{p};
    break;
  }
  JobNames job_names;
  const Path path = root.at("workload");
  for (std::size_t i = 0; i < node->children.size(); ++i)
    read_item(scope, job_names, node->children[i], path.item(i), out.jobs);
}

}  // namespace soya::reading
