#include "scenario/tree.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/utf8.hpp"

namespace soya::reading {

namespace {

/// What is laid over the one removes the other.
constexpr std::array<Rivals, 4> rivals{
    {{"alpha", "threshold"}, {"file", "parameters"}, {"file", "tensors"}, {"element", "dtype"}}};

bool are_rivals(std::string_view a, std::string_view b) {
  return std::any_of(rivals.begin(), rivals.end(), [&](const Rivals& pair) {
    return (pair.one == a && pair.other == b) || (pair.one == b && pair.other == a);
  });
}

bool is_a_rival(std::string_view key) {
  return std::any_of(rivals.begin(), rivals.end(),
                     [&](const Rivals& pair) { return pair.one == key || pair.other == key; });
}

void remove_rivals(Node& base, const Node& top) {
  for (const Node& given : top.children) {
    if (!is_a_rival(given.key)) continue;
    std::erase_if(base.children,
                  [&](const Node& child) { return are_rivals(child.key, given.key) && !top.find(child.key); });
  }
}

constexpr std::size_t small_map = 16;

}  // namespace

std::span<const Rivals> rival_keys() {
  return rivals;
}

const Node* Node::find(std::string_view name) const {
  if (type != NodeType::map) return nullptr;
  for (const Node& child : children) {
    if (child.key == name) return &child;
  }
  return nullptr;
}

Node* Node::find(std::string_view name) {
  return const_cast<Node*>(std::as_const(*this).find(name));
}

void overlay(Node& base, Node top) {
  if (base.is_map() && top.type == NodeType::null) return;  // a key whose mapping is commented out changes nothing
  if (!base.is_map() || !top.is_map() || top.replaces) {
    const std::string key = std::move(base.key);
    base = std::move(top);
    if (!key.empty()) base.key = key;
    return;
  }
  remove_rivals(base, top);
  std::unordered_map<std::string, std::size_t> index;
  const bool indexed = base.children.size() > small_map;
  if (indexed) {
    for (std::size_t i = 0; i < base.children.size(); ++i) index.emplace(base.children[i].key, i);
  }
  for (Node& given : top.children) {
    Node* below = nullptr;
    if (!indexed)
      below = base.find(given.key);
    else if (const auto found = index.find(given.key); found != index.end())
      below = &base.children[found->second];
    if (below)
      overlay(*below, std::move(given));
    else
      base.children.push_back(std::move(given));
  }
  if (base.children.empty()) base.place = top.place;
}

std::string path_name(std::string_view key) {
  if (!key.empty() && key.find_first_of(" .[]=\"'\\\t\n\r") == std::string_view::npos) return std::string{key};
  std::string out = "\"";
  for (const char c : key) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
  }
  return out + '"';
}

std::string Path::text() const {
  if (!parent_) return {};
  std::string out = parent_->text();
  if (is_item_) return out + '[' + std::to_string(index_) + ']';
  if (!out.empty()) out += '.';
  return out + path_name(name_);
}

std::uint32_t Sources::add(std::string name, std::filesystem::path folder) {
  sources_.push_back({std::move(name), std::move(folder)});
  return static_cast<std::uint32_t>(sources_.size() - 1);
}

Where Sources::where(const Place& place, std::string path) const {
  return Where{sources_[place.source].name, place.line, place.column, std::move(path)};
}

std::string Sources::origin(const Place& place) const {
  std::string out = visible(sources_[place.source].name);
  if (place.line > 0) out += ':' + std::to_string(place.line) + ':' + std::to_string(place.column);
  return out;
}

void Problems::add(const Place& place, std::string path, std::string message) {
  add(place, Diagnostic{sources_.where(place, std::move(path)), std::move(message)});
}

void Problems::add(const Place& place, Diagnostic diagnostic) {
  entries_.push_back({place, std::move(diagnostic)});
}

void Problems::add_new(const Problems& other, const std::string& suffix) {
  not_kept_ += other.not_kept_;
  std::set<std::string> known;
  for (const Entry& entry : entries_) known.insert(entry.diagnostic.text());
  for (const Entry& entry : other.entries_) {
    if (known.count(entry.diagnostic.text()) != 0) continue;
    entries_.push_back(entry);
    entries_.back().diagnostic.message += suffix;
  }
}

std::vector<Diagnostic> Problems::sorted(std::size_t limit) const {
  std::vector<Entry> entries = entries_;
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.place.source, a.place.line, a.place.column) <
           std::tie(b.place.source, b.place.line, b.place.column);
  });
  std::vector<Diagnostic> out;
  std::set<std::string> seen;
  for (Entry& entry : entries) {
    if (seen.insert(entry.diagnostic.text()).second) out.push_back(std::move(entry.diagnostic));
  }
  if (out.size() > limit) {
    const std::size_t more = out.size() - limit + not_kept_;
    out.resize(limit);
    out.push_back({{}, "and " + std::to_string(more) + " more error" + (more == 1 ? "" : "s")});
  }
  return out;
}

}  // namespace soya::reading
