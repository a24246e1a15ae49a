#include "scenario/key_path.hpp"

#include <utility>

#include "core/suggest.hpp"

namespace soya::reading {

namespace {

class PathParser {
 public:
  PathParser(std::string_view path, std::string& wrong) : path_{path}, wrong_{wrong} {}

  std::optional<std::vector<Step>> parse() {
    while (at_ < path_.size()) {
      const bool is_item = path_[at_] == '[';
      if (is_item ? !item() : !key()) return std::nullopt;
    }
    if (steps_.empty() || steps_.front().item) return fail("it must begin with a key");
    return steps_;
  }

 private:
  std::nullopt_t fail(std::string why) {
    wrong_ = std::move(why);
    return std::nullopt;
  }

  bool key() {
    if (!steps_.empty()) {
      if (path_[at_] != '.') return fail("expected a dot or [ behind ]"), false;
      ++at_;
    }
    Step step;
    if (at_ < path_.size() && path_[at_] == '"') {
      if (!quoted(step.key)) return false;
    } else {
      while (at_ < path_.size() && path_[at_] != '.' && path_[at_] != '[') step.key += path_[at_++];
      if (step.key.find_first_of("] \"") != std::string::npos) return fail("\"" + step.key + "\" needs quotes"), false;
    }
    if (step.key.empty()) return fail("a key is empty"), false;
    steps_.push_back(std::move(step));
    if (at_ == path_.size() || path_[at_] == '.' || path_[at_] == '[') return true;
    return fail("expected a dot or [ behind a quoted name"), false;
  }

  bool quoted(std::string& out) {
    for (++at_; at_ < path_.size(); ++at_) {
      if (path_[at_] == '"') return ++at_, true;
      if (path_[at_] == '\\' && at_ + 1 < path_.size()) ++at_;
      out += path_[at_];
    }
    return fail("a quote is not closed"), false;
  }

  bool item() {
    std::size_t index = 0;
    const std::size_t first = ++at_;
    constexpr std::size_t longest = 9;
    while (at_ < path_.size() && path_[at_] >= '0' && path_[at_] <= '9' && at_ - first < longest) {
      index = index * 10 + static_cast<std::size_t>(path_[at_++] - '0');
    }
    if (at_ == first || at_ == path_.size() || path_[at_] != ']')
      return fail("[ ] must hold a number counted from 0"), false;
    ++at_;
    steps_.push_back({{}, index});
    return true;
  }

  std::string_view path_;
  std::string& wrong_;
  std::size_t at_{0};
  std::vector<Step> steps_;
};

std::string items(std::size_t count) {
  if (count == 0) return "the list is empty";
  return count == 1 ? "the list has one item, [0]" : "the list has items [0] to [" + std::to_string(count - 1) + ']';
}

/// Mappings of names, in which a path may change what there is and add nothing: a name misspelt would do nothing.
bool holds_names(const std::vector<Step>& steps, std::size_t depth) {
  return depth == 2 && steps[0].key == "topology" && (steps[1].key == "link_types" || steps[1].key == "nodes");
}

std::string unknown_name(const Node& map, const std::string& name) {
  std::vector<std::string_view> names;
  for (const Node& child : map.children) names.push_back(child.key);
  std::string out = "there is no \"" + name + "\" to change";
  if (const auto near = nearest(name, names)) return out + "; did you mean \"" + std::string{*near} + "\"?";
  constexpr std::size_t listed = 8;
  for (std::size_t i = 0; i < names.size() && i < listed; ++i)
    out += (i == 0 ? "; known: " : ", ") + std::string{names[i]};
  return out;
}

/// The child of `node` that step `depth` leads to, made where it may be; null with the reason in `wrong`.
Node* descend(Node& node, const std::vector<Step>& steps, std::size_t depth, const Place& place, std::string& wrong) {
  const Step& step = steps[depth];
  if (step.item) {
    if (node.type == NodeType::null) return wrong = items(0), nullptr;
    if (!node.is_list()) return wrong = "only a list has items [" + std::to_string(*step.item) + ']', nullptr;
    if (*step.item >= node.children.size()) return wrong = items(node.children.size()), nullptr;
    return &node.children[*step.item];
  }
  if (node.is_list()) return wrong = "is a list: name an item, such as [0]; " + items(node.children.size()), nullptr;
  if (node.is_scalar()) return wrong = "\"" + node.text + "\" has no key \"" + step.key + '"', nullptr;
  if (Node* found = node.find(step.key)) return found;
  if (holds_names(steps, depth)) return wrong = unknown_name(node, step.key), nullptr;
  node.type = NodeType::map;
  Node child;
  child.key = step.key;
  child.key_place = child.place = place;
  node.children.push_back(std::move(child));
  return &node.children.back();
}

}  // namespace

std::optional<std::vector<Step>> parse_key_path(std::string_view path, std::string& wrong) {
  return PathParser{path, wrong}.parse();
}

std::size_t find_unquoted(std::string_view text, char c) {
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (text[i] == '\\' && quoted)
      ++i;
    else if (text[i] == c && !quoted)
      return i;
  }
  return std::string_view::npos;
}

bool assign_at(Node& root, const std::vector<Step>& steps, const Place& place, Node value, std::string& wrong) {
  // The last key is laid over its mapping as a mapping of one, so that rivals leave as they do for `extends`.
  Node* node = &root;
  for (std::size_t depth = 0; depth + 1 < steps.size(); ++depth) {
    node = descend(*node, steps, depth, place, wrong);
    if (!node) return false;
  }
  const bool is_item = steps.back().item.has_value();
  Node* target = descend(*node, steps, steps.size() - 1, place, wrong);
  if (!target) return false;
  if (is_item) {
    overlay(*target, std::move(value));
    return true;
  }
  Node top;
  top.type = NodeType::map;
  top.place = place;
  value.key = steps.back().key;
  value.key_place = place;
  top.children.push_back(std::move(value));
  overlay(*node, std::move(top));
  return true;
}

}  // namespace soya::reading
