#include "scenario/differences.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "scenario/parse.hpp"
#include "scenario/tree.hpp"

namespace soya {

namespace {

using reading::Node;
using reading::Path;

using Keys = std::vector<std::pair<std::string, std::string>>;  ///< path and value

bool is_leaf(const Node& node) {
  if (node.is_list()) return std::ranges::all_of(node.children, &Node::is_scalar);
  return !node.is_map() || node.children.empty();
}

std::string leaf_text(const Node& node) {
  if (node.is_map()) return "{}";
  if (!node.is_list()) return node.is_scalar() ? node.text : "null";
  std::string text = "[";
  for (const Node& item : node.children) text += (text.size() > 1 ? ", " : "") + item.text;
  return text + "]";
}

void flatten(const Node& node, const Path& path, Keys& keys) {
  if (is_leaf(node)) {
    keys.emplace_back(path.text(), leaf_text(node));
    return;
  }
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const Node& child = node.children[i];
    flatten(child, node.is_list() ? path.item(i) : path.key(child.key), keys);
  }
}

Keys keys_of(const std::string& yaml) {
  reading::Sources sources;
  reading::Problems problems{sources};
  const std::uint32_t source = sources.add("effective scenario", {});
  const auto root = reading::parse_yaml(yaml, source, problems);
  if (!problems.empty()) throw ScenarioError(problems.sorted(10));
  Keys keys;
  const Path top;
  if (root) flatten(*root, top, keys);
  return keys;
}

}  // namespace

std::vector<KeyDifference> key_differences(const std::string& before, const std::string& after) {
  const Keys old_keys = keys_of(before);
  const Keys new_keys = keys_of(after);
  const std::map<std::string, std::string> old_values{old_keys.begin(), old_keys.end()};
  const std::map<std::string, std::string> new_values{new_keys.begin(), new_keys.end()};
  const auto is_label = [](const std::string& path) { return path == "name" || path == "seed"; };
  std::vector<KeyDifference> differences;
  for (const auto& [path, value] : old_keys) {
    const auto now = new_values.find(path);
    if (is_label(path) || (now != new_values.end() && now->second == value)) continue;
    differences.push_back({path, value, now == new_values.end() ? std::nullopt : std::optional{now->second}});
  }
  for (const auto& [path, value] : new_keys) {
    if (!is_label(path) && !old_values.contains(path)) differences.push_back({path, std::nullopt, value});
  }
  return differences;
}

std::optional<std::string> effective_value(const std::string& yaml, const std::string& path) {
  for (auto& [key, value] : keys_of(yaml)) {
    if (key == path) return value;
  }
  return std::nullopt;
}

}  // namespace soya
