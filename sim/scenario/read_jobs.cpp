#include <algorithm>
#include <utility>

#include "scenario/decode.hpp"
#include "scenario/input_file.hpp"
#include "scenario/key_tables.hpp"
#include "workload/model_table.hpp"

namespace soya::reading {

namespace {

std::vector<HostId> first_hosts(JobScope& scope, std::int64_t count, std::optional<HostId> without) {
  std::vector<HostId> out;
  for (std::size_t i = 0; i < scope.names.rank_count() && static_cast<std::int64_t>(out.size()) < count; ++i) {
    if (HostId{i} != without) out.push_back(HostId{i});
  }
  return out;
}

std::vector<HostId> listed_hosts(JobScope& scope, Section& item, std::string_view key, const Node& list) {
  std::vector<HostId> out;
  std::vector<bool> seen(scope.names.host_count(), false);
  const Path path = item.at(key);
  std::string noted = "[";
  for (std::size_t i = 0; i < list.children.size(); ++i) {
    const Node& name = list.children[i];
    std::vector<HostId> hosts;
    if (const auto gpus = scope.names.gpus_of(name)) {
      hosts = *gpus;
    } else if (const auto host = scope.names.find_host(scope.reading, name, path.item(i))) {
      hosts.push_back(*host);
    }
    for (const HostId host : hosts) {
      if (seen[host.index()]) {
        scope.reading.errors.add(name.place, path.item(i).text(),
                                 "host \"" + scope.names.name(host) + "\" is listed twice");
      }
      seen[host.index()] = true;
      out.push_back(host);
    }
    if (!hosts.empty()) noted += (i == 0 ? "" : ", ") + yaml_text(name.text);
  }
  if (list.children.empty()) item.error(key, "the list of hosts is empty");
  item.note(key, noted + ']');
  return out;
}

struct ModelSource {
  std::vector<TensorConfig> tensors;
  bool has_times{false};
};

void note_tensors(JobScope& scope, const Path& model, const std::vector<TensorConfig>& tensors,
                  const std::string& origin) {
  const Path list = model.key("tensors");
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const TensorConfig& tensor = tensors[i];
    std::string value = "{name: " + yaml_text(tensor.name) + ", elements: " + std::to_string(tensor.elements);
    if (tensor.backward) value += ", backward: " + format_number(tensor.backward->picoseconds(), Dimension::duration);
    scope.reading.effective.push_back({list.item(i).text(), value + '}', origin});
  }
}

std::vector<TensorConfig> read_file(JobScope& scope, Section& model, const Node& file) {
  if (!file.is_scalar() || file.text.empty()) {
    model.error("file", "expected the path of a file, got " + shown(file));
    return {};
  }
  const std::string path = resolve(file.text, scope.reading.sources[file.place.source].folder);
  if (const auto fault = input_fault(path)) {
    model.error("file", *fault + ": " + path);
    return {};
  }
  try {
    std::vector<TensorConfig> tensors = read_model_table(path);
    note_tensors(scope, model.path(), tensors, path);
    return tensors;
  } catch (const ScenarioError& error) {
    for (const Diagnostic& diagnostic : error.diagnostics()) {
      // What has no line in the table is the mistake of the key that names it.
      if (diagnostic.where.line > 0)
        scope.reading.errors.add(file.place, diagnostic);
      else
        model.error("file", diagnostic.message + ": " + path);
    }
    return {};
  }
}

std::vector<TensorConfig> read_list(JobScope& scope, Section& model, const Node& list) {
  std::vector<TensorConfig> out;
  const Path path = model.at("tensors");
  for (std::size_t i = 0; i < list.children.size(); ++i) {
    Section section{scope.reading,     &list.children[i], path.item(i),
                    SectionId::tensor, Absent::standard,  Noted::on_one_line};
    TensorConfig tensor;
    section.read("name", tensor.name);
    section.read("elements", tensor.elements);
    section.read("backward", tensor.backward);
    section.finish();
    out.push_back(std::move(tensor));
  }
  if (out.empty()) model.error("tensors", "the list of tensors is empty");
  return out;
}

std::vector<TensorConfig> read_equal(Section& model) {
  std::int64_t parameters = 0;
  int tensors = 1;
  const bool counted = model.read("parameters", parameters);
  const bool split = model.read("tensors", tensors);
  if (!counted || !split) return {};
  if (parameters < tensors) {
    model.error("tensors",
                std::to_string(parameters) + " parameters do not fill " + std::to_string(tensors) + " tensors");
    return {};
  }
  return equal_tensors(parameters, tensors);
}

std::vector<TensorConfig> read_tensors(JobScope& scope, Section& model) {
  const Node* file = model.given("file");
  const Node* tensors = model.given("tensors");
  const bool listed = tensors && tensors->is_list();
  if (!file && !listed && !model.given("parameters")) {
    model.error("expected parameters or a file");
    return {};
  }
  if ((file && (model.given("parameters") || tensors)) || (listed && model.given("parameters"))) {
    model.error("parameters, a list of tensors and file exclude each other; give one");
    return {};
  }
  if (file) return read_file(scope, model, *file);
  return listed ? read_list(scope, model, *tensors) : read_equal(model);
}

/// Each tensor alone may be as large as they all together.
void check_elements(Section& item, const std::vector<TensorConfig>& tensors) {
  Int128 total = 0;
  for (const TensorConfig& tensor : tensors) total += tensor.elements;
  if (total <= limits::elements) return;
  item.error("model", "the tensors have " + format_number(total, Dimension::none) + " elements; allowed: up to " +
                          format_number(limits::elements, Dimension::none));
}

/// Backward pass: given, or the sum of the tensors' own times.
void read_backward(Section& item, DdpConfig& config) {
  const auto timed = [](const TensorConfig& tensor) { return tensor.backward.has_value(); };
  const bool all = !config.tensors.empty() && std::all_of(config.tensors.begin(), config.tensors.end(), timed);
  const bool some = std::any_of(config.tensors.begin(), config.tensors.end(), timed);
  if (some && !all) {
    const auto untimed = std::find_if_not(config.tensors.begin(), config.tensors.end(), timed);
    item.error("model",
               "tensor \"" + untimed->name + "\" has no backward time, others have; give all tensors one or none");
  }
  Int128 total = 0;
  for (const TensorConfig& tensor : config.tensors) total += tensor.backward.value_or(Duration{0}).picoseconds();
  if (total > limits::time) {
    return item.error("model", "the tensors' times add up to " + format_number(total, Dimension::duration) +
                                   "; allowed: up to " + format_number(limits::time, Dimension::duration));
  }
  const Duration sum{static_cast<std::int64_t>(total)};
  const bool given = item.given("backward") != nullptr;
  if (all && !given) {
    config.backward = sum;
    item.note("backward", format_number(sum.picoseconds(), Dimension::duration), "default: sum of the tensors' times");
    return;
  }
  if (!given)
    return item.error("backward", "missing; expected a time such as 5us or 1.5ms, or a model whose tensors have times");
  if (item.read("backward", config.backward) && all && config.backward != sum) {
    item.error("backward", format_number(config.backward.picoseconds(), Dimension::duration) +
                               " differs from the sum of the tensors' times, " +
                               format_number(sum.picoseconds(), Dimension::duration) + "; leave one out");
  }
}

}  // namespace

Bytes element_size(DataType type) {
  switch (type) {
    case DataType::float32:
      return Bytes{4};
    case DataType::bfloat16:
    case DataType::float16:
      return Bytes{2};
    case DataType::float64:
      return Bytes{8};
  }
  return Bytes{4};
}

std::vector<HostId> read_hosts(JobScope& scope, Section& item, std::string_view key, std::optional<HostId> without) {
  const Node* node = item.given(key);
  const auto available = static_cast<std::int64_t>(scope.names.rank_count()) - (without && !without->is_none() ? 1 : 0);
  if (!node || (node->is_scalar() && node->text == "all")) {
    item.note(key, "all");
    if (available <= 0 && scope.reading.nodes_whole) item.error(key, "the topology has no hosts for it");
    return first_hosts(scope, available, without);
  }
  if (node->is_list()) return listed_hosts(scope, item, key, *node);
  const ParsedNumber number = parse_number(node->text, Dimension::none);
  if (!node->is_scalar() || number.fault != NumberFault::none || number.value < 1) {
    item.error(key, "expected all, a number of hosts from 1, or a list of hosts, got " + shown(*node));
    return {};
  }
  if (number.value > available) {
    if (!scope.reading.nodes_whole) return {};
    item.error(key, "asks for " + format_number(number.value, Dimension::none) + " hosts; the topology has " +
                        std::to_string(available) + (without ? " besides the receiver" : ""));
    return {};
  }
  item.note(key, format_number(number.value, Dimension::none));
  return first_hosts(scope, static_cast<std::int64_t>(number.value), without);
}

void note_job_name(Section& item, const std::string& name) {
  item.note("name", yaml_text(name), item.given("name") ? item.reading().sources.origin(item.place("name")) : "");
}

void read_priority(JobScope& scope, Section& item, Priority& priority) {
  priority = scope.priority;
  std::optional<Priority> given;
  if (item.read("priority", given) && given) priority = *given;
}

void read_ring(Section& item, RingConfig& ring) {
  Section section{item.reading(), item.given("ring"), item.at("ring"), SectionId::ring};
  section.read("channels", ring.channels);
  section.read("slice", ring.slice);
  section.read("slices_per_chunk", ring.slices_per_chunk);
  section.read("slots", ring.slots);
  section.read("clear_to_send", ring.clear_to_send);
  section.read("reduce_time", ring.reduce_time);
}

std::optional<DdpConfig> read_ddp(JobScope& scope, const Node& node, const Path& path, const std::string& name) {
  Section section{scope.reading, &node, path, SectionId::ddp};
  DdpConfig config;
  config.name = name;
  config.where = section.where();
  note_job_name(section, name);
  config.hosts = read_hosts(scope, section, "hosts", std::nullopt);
  const Node* model_node = section.given("model");
  if (!model_node) {
    section.error("model", "missing; expected {parameters: 1e9} or {file: model.csv}");
  } else {
    Section model{scope.reading, model_node, section.at("model"), SectionId::model};
    DataType type{DataType::float32};
    if (model_node->is_map()) config.tensors = read_tensors(scope, model);
    check_elements(section, config.tensors);
    if (model.read("dtype", type)) config.element = element_size(type);
  }
  section.read("forward", config.forward);
  read_backward(section, config);
  section.read("optimiser", config.optimiser);
  section.read("bucket", config.bucket);
  section.read("first_bucket", config.first_bucket);
  section.read("steps", config.steps);
  read_priority(scope, section, config.priority);
  section.read("local_link", config.local_link);
  read_ring(section, config.ring);
  return config;
}

}  // namespace soya::reading
