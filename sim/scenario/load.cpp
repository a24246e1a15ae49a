#include "scenario/load.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

#include "core/input_text.hpp"
#include "scenario/input_file.hpp"
#include "scenario/key_path.hpp"
#include "scenario/map_topology.hpp"
#include "scenario/parse.hpp"
#include "scenario/read_parts.hpp"
#include "scenario/section.hpp"

namespace soya::reading {

namespace {

namespace fs = std::filesystem;

/// Larger is no scenario; it keeps an endless pipe from filling memory.
constexpr std::size_t largest_file = std::size_t{1} << 30;

bool is_blank(const std::string& text) {
  return text.find_first_not_of(" \t\r\n") == std::string::npos;
}

constexpr const char* map_endings = ".graphml, .dot or .gv";

/// What a file that should be YAML is instead, where it is a graph: no YAML of a scenario begins like one.
std::optional<std::string> graph_language(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  if (text.starts_with("<?xml") || text.starts_with("<graphml")) return "looks like GraphML";
  const std::size_t end = std::min(text.find_first_of(" \t\r\n{\"<"), text.size());
  const std::string_view word = text.substr(0, end);
  const bool opens = text.substr(0, text.find('\n')).find('{') != std::string_view::npos;
  if ((word == "graph" || word == "digraph" || word == "strict") && opens) return "looks like DOT";
  return std::nullopt;
}

/// The entries of `root` whose keys lead further down than one key does; they leave it.
Node take_key_paths(Node& root) {
  const auto is_path = [](const Node& entry) {
    std::string wrong;
    const auto steps = parse_key_path(entry.key, wrong);
    return steps && steps->size() > 1;
  };
  const auto first = std::stable_partition(root.children.begin(), root.children.end(),
                                           [&](const Node& entry) { return !is_path(entry); });
  Node paths;
  paths.type = NodeType::map;
  paths.children.assign(std::make_move_iterator(first), std::make_move_iterator(root.children.end()));
  root.children.erase(first, root.children.end());
  return paths;
}

std::string canonical(const std::string& file) {
  std::error_code failed;
  const fs::path path = fs::weakly_canonical(file, failed);
  return failed ? file : path.string();
}

/// Before its nodes and edges become keys, each with its place: those of millions would fill memory.
std::optional<std::string> too_large(const ForeignGraph& graph) {
  const auto nodes = static_cast<std::int64_t>(graph.nodes.size());
  const auto edges = static_cast<std::int64_t>(graph.edges.size());
  if (nodes <= most_nodes && edges <= most_links) return std::nullopt;
  return "the graph has " + std::to_string(nodes) + " nodes and " + std::to_string(edges) +
         " edges; allowed: " + std::to_string(most_nodes) + " nodes and " + std::to_string(most_links) + " links";
}

}  // namespace

std::optional<std::string> Loader::read_text(const std::string& file, const Place& place, const std::string& key) {
  const auto fail = [&](const std::string& message) {
    // A file that another file names is that file's mistake; the one on the command line speaks for itself.
    problems_.add(place, key, key.empty() ? message : message + ": " + file);
    problems_.set_fatal();
    return std::nullopt;
  };
  if (file.empty()) return fail("no such file: \"\"");
  if (texts_ != nullptr) {
    if (const auto kept = texts_->find(file); kept != texts_->end()) return kept->second;
  }
  if (const auto fault = input_fault(file)) return fail(*fault);
  InputText input = read_input(file, largest_file);
  switch (input.fault) {
    case InputFault::system:
      return fail(unreadable(std::strerror(input.error)));
    case InputFault::too_large:
      return fail("is larger than 1GiB");
    case InputFault::nothing_comes:
      return fail(nothing_comes_text);
    case InputFault::none:
      break;
  }
  if (input.text.empty()) return fail("file is empty");
  if (is_blank(input.text)) return fail("file is empty but for blanks");
  if (texts_ != nullptr) texts_->emplace(file, input.text);
  return std::move(input.text);
}

std::optional<Node> Loader::load(const std::string& file, const Node* named_by, const std::string& key) {
  const std::uint32_t source = sources_.add(file, fs::path{file}.parent_path());
  const Place place = named_by ? named_by->place : Place{source, 0, 0};
  const std::string id = canonical(file);
  for (const Open& open : chain_) {
    if (open.canonical != id) continue;
    std::string cycle;
    for (const Open* link = &open; link != chain_.data() + chain_.size(); ++link) cycle += link->shown + " → ";
    problems_.add(place, key, "files extend each other in a circle: " + cycle + file);
    problems_.set_fatal();
    return std::nullopt;
  }
  auto text = read_text(file, place, key);
  if (!text) return std::nullopt;
  if (const auto drawn = graph_language(*text)) {
    problems_.add(Place{source, 1, 1}, "",
                  *drawn + ", and such a file is told by its name: one that ends in " + map_endings);
    problems_.set_fatal();
    return std::nullopt;
  }
  auto root = parse_yaml(std::move(*text), source, problems_);
  if (!root) return std::nullopt;
  if (!root->is_map()) {
    const std::string got =
        root->type == NodeType::null ? "the file holds no keys" : "expected a mapping of keys, got " + shown(*root);
    problems_.add(root->type == NodeType::null ? Place{source, 0, 0} : root->place, "", got);
    problems_.set_fatal();
    return std::nullopt;
  }
  chain_.push_back({file, id});
  if (key != "topology") place_topology(*root);
  const Node* extends = root->find("extends");
  std::optional<Node> base;
  if (extends && (!extends->is_scalar() || extends->text.empty())) {
    problems_.add(extends->place, "extends", "expected the path of a file, got " + shown(*extends));
  } else if (extends) {
    base = load(resolve(extends->text, sources_[source].folder), extends, key == "topology" ? key : "extends");
  }
  chain_.pop_back();
  if (!extends) return root;
  std::erase_if(root->children, [](const Node& child) { return child.key == "extends"; });
  if (!base) return problems_.fatal() ? std::nullopt : root;
  const Node paths = take_key_paths(*root);
  overlay(*base, std::move(*root));
  apply_paths(*base, paths);
  return base;
}

void Loader::place_topology(Node& root) {
  Node* topology = root.find("topology");
  if (!topology || !topology->is_scalar()) return;
  const Node named = *topology;
  if (named.text.empty()) {
    problems_.add(named.place, "topology", "expected the path of a file or a mapping of keys, got \"\"");
    return problems_.set_fatal();
  }
  if (is_map_file(named.text)) {
    *topology = map_topology(named);
    return;
  }
  auto tree = load(resolve(named.text, sources_[named.place.source].folder), &named, "topology");
  if (!tree) return;
  tree->key = named.key;
  tree->key_place = named.key_place;
  tree->replaces = true;
  *topology = std::move(*tree);
}

void Loader::expand_map(Node& root, Problems& warnings) {
  Node* topology = root.find("topology");
  const Node* map = topology ? topology->find("map") : nullptr;
  if (!map || map->type == NodeType::null) return;
  const auto fail = [&](const Place& place, const std::string& path, const std::string& message) {
    problems_.add(place, path, message);
    problems_.set_fatal();
  };
  if (!map->is_scalar() || !is_map_file(map->text)) {
    return fail(map->place, "topology.map",
                "expected a file that ends in " + std::string{map_endings} + ", got " + shown(*map));
  }
  const std::string file = resolve(map->text, sources_[map->place.source].folder);
  const std::uint32_t source = sources_.add(file, fs::path{file}.parent_path());
  const auto text = read_text(file, map->place, "topology.map");
  if (!text) return;
  const Node* chosen = topology->find("graph");
  try {
    ForeignGraph graph =
        read_foreign_graph(file, *text, chosen && chosen->is_scalar() ? std::optional{chosen->text} : std::nullopt);
    if (const auto fault = too_large(graph)) return fail({source, 0, 0}, "", *fault);
    if (graph.name.empty()) graph.name = fs::path{file}.stem().string();
    const std::size_t errors = problems_.size();
    Node keys = map_keys_of(graph, {source, *topology, problems_, warnings});
    if (problems_.size() > errors) return problems_.set_fatal();
    lay_under(*topology, std::move(keys));
  } catch (const ForeignFault& fault) {
    fail({source, fault.place().line, fault.place().column}, "", fault.what());
  }
}

void Loader::assign(Node& root, const std::string& path, const Place& place, Node value) {
  std::string wrong;
  const auto steps = parse_key_path(path, wrong);
  if (!steps) return problems_.add(place, "", "\"" + path + "\" is not a key path: " + wrong);
  if (!assign_at(root, *steps, place, std::move(value), wrong)) return problems_.add(place, path, wrong);
  place_topology(root);
}

void Loader::set(Node& root, const std::string& assignment, std::uint32_t command_line) {
  const Place place{command_line, 0, 0};
  const std::size_t equals = find_unquoted(assignment, '=');
  if (equals == std::string::npos || equals == 0) {
    return problems_.add(place, "",
                         "expected key=value, such as fabric.headroom.size=64KiB, got \"" + assignment + '"');
  }
  const std::string path = assignment.substr(0, equals);
  const std::string text = assignment.substr(equals + 1);
  if (is_blank(text)) return problems_.add(place, path, "expected a value behind the =, got nothing");
  auto value = parse_yaml_value(text, command_line, path, problems_);
  if (value) assign(root, path, place, std::move(*value));
}

void Loader::lay(Node& root, const std::vector<LaidValue>& values, std::uint32_t source) {
  const auto place_all = [](auto&& self, Node& node, const Place& place) -> void {
    node.place = node.key_place = place;
    for (Node& child : node.children) self(self, child, place);
  };
  for (const LaidValue& laid : values) {
    auto value = parse_yaml_value(laid.text, source, laid.path, problems_);
    if (!value) continue;
    const Place place{source, laid.line, laid.column};
    place_all(place_all, *value, place);
    assign(root, laid.path, place, std::move(*value));
  }
}

void Loader::apply_paths(Node& root, const Node& paths) {
  for (const Node& entry : paths.children) {
    Node value = entry;
    value.key.clear();
    assign(root, entry.key, entry.key_place, std::move(value));
  }
}

}  // namespace soya::reading
