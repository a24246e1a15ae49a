#include "scenario/parse.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <numeric>
#include <sstream>
#include <unordered_map>
#include <utility>

#include "scenario/raw_text.hpp"
#include "scenario/section.hpp"

namespace soya::reading {

namespace {

/// Nodes that aliases may add to a file: beyond it the file expands without bound.
constexpr std::size_t most_alias_nodes = 1'000'000;

std::size_t count_nodes(const Node& node, std::size_t limit) {
  std::size_t count = 1;
  for (const Node& child : node.children) {
    if (count > limit) break;
    count += count_nodes(child, limit - count);
  }
  return count;
}

/// What ends the reading of a document: `place` in it, and why.
struct Stop {
  Place place;
  std::string message;
};

/// What is wrong in a document that can be read all the same, so that its other mistakes are told with it.
struct Complaint {
  Place place;
  std::string path;  ///< in the document; may be empty
  std::string message;
};

/// Turns places of the parser, which count bytes from 0, into lines and columns that count characters from 1.
class Columns {
 public:
  Columns(const std::string& text, std::uint32_t source) : text_{text}, source_{source} {}

  Place place(const YAML::Mark& mark) {
    if (mark.line < 0) return {source_, 0, 0};
    const std::size_t position = std::min(static_cast<std::size_t>(mark.pos), text_.size());
    if (position == text_.size()) return end();
    const std::size_t bytes = std::min(static_cast<std::size_t>(mark.column), position);
    // Marks mostly advance along a line, so counting goes on from the last one.
    std::size_t from = position - bytes;
    int column = 1;
    if (mark.line == line_ && position_ <= position && position_ >= from) {
      from = position_;
      column = column_;
    }
    for (; from < position; ++from) column += (static_cast<unsigned char>(text_[from]) & 0xC0U) != 0x80U ? 1 : 0;
    line_ = mark.line;
    position_ = position;
    column_ = column;
    return {source_, mark.line + 1, column};
  }

 private:
  /// Marks at the end of the text have lost their column.
  [[nodiscard]] Place end() const {
    const auto line = static_cast<int>(std::count(text_.begin(), text_.end(), '\n')) + 1;
    const std::size_t last = text_.rfind('\n');
    int column = 1;
    for (std::size_t i = last == std::string::npos ? 0 : last + 1; i < text_.size(); ++i) {
      column += (static_cast<unsigned char>(text_[i]) & 0xC0U) != 0x80U ? 1 : 0;
    }
    return {source_, line, column};
  }

  const std::string& text_;
  std::uint32_t source_;
  int line_{-1};
  std::size_t position_{0};
  int column_{1};
};

class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(Columns& columns, std::vector<Complaint>& complaints) : columns_{columns}, complaints_{complaints} {}

  /// The tree. Bad keys are told only now: of a file that is cut off, the parser makes keys of what is left.
  [[nodiscard]] Node take() {
    if (bad_key_) throw Stop{*bad_key_, "a key must be a plain name"};
    return std::move(root_);
  }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    Node node;
    node.place = columns_.place(mark);
    close(std::move(node), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const Place place = columns_.place(mark);
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) throw Stop{place, "this alias refers to itself"};
    copy_budget(found->second, place);
    close(found->second, 0);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    Node node;
    node.type = NodeType::scalar;
    node.place = columns_.place(mark);
    node.quoted = tag == "!";
    node.text = value;
    check_tag(node.place, tag);
    if (const char* control = find_control(value)) {
      complain(node.place, "",
               "line break or control character in a value, after \"" +
                   value.substr(0, static_cast<std::size_t>(control - value.data())) + '"');
    }
    close(std::move(node), anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(NodeType::list, mark, tag, anchor);
  }
  void OnSequenceEnd() override { close_frame(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(NodeType::map, mark, tag, anchor);
  }
  void OnMapEnd() override {
    refuse_duplicates(frames_.back().node);
    merge(frames_.back().node);
    close_frame();
  }

 private:
  struct Frame {
    Node node;
    YAML::anchor_t anchor{0};
    bool has_key{false};
    bool merges{false};  ///< a merge key stands in this map
    std::string key;
    Place key_place;
  };

  static const char* find_control(const std::string& value) {
    for (const char& c : value) {
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return &c;
    }
    return nullptr;
  }

  void complain(const Place& place, std::string path, std::string message) {
    complaints_.push_back({place, std::move(path), std::move(message)});
  }

  void check_tag(const Place& place, const std::string& tag) {
    if (!tag.empty() && tag != "?" && tag != "!") complain(place, "", "tags such as " + tag + " are not supported");
  }

  void open(NodeType type, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    Frame frame;
    frame.node.type = type;
    frame.node.place = columns_.place(mark);
    frame.anchor = anchor;
    check_tag(frame.node.place, tag);
    if (frames_.size() >= static_cast<std::size_t>(deepest_nesting)) {
      throw Stop{frame.node.place, "nested deeper than " + std::to_string(deepest_nesting) + " levels"};
    }
    frames_.push_back(std::move(frame));
  }

  void close_frame() {
    Frame frame = std::move(frames_.back());
    frames_.pop_back();
    close(std::move(frame.node), frame.anchor);
  }

  [[nodiscard]] bool expects_key() const {
    return !frames_.empty() && frames_.back().node.is_map() && !frames_.back().has_key;
  }

  /// A node is complete: it becomes a key, a value, an item or the root.
  void close(Node node, YAML::anchor_t anchor) {
    if (anchor != 0) {
      copy_budget(node, node.place);
      anchors_.insert_or_assign(anchor, node);
    }
    if (frames_.empty()) {
      root_ = std::move(node);
      return;
    }
    Frame& frame = frames_.back();
    if (expects_key()) {
      if (!node.is_scalar() && !bad_key_) bad_key_ = node.place;
      frame.key = std::move(node.text);
      frame.key_place = node.place;
      frame.has_key = true;
      frame.merges = frame.merges || (frame.key == "<<" && !node.quoted);
      return;
    }
    if (frame.node.is_map()) {
      node.key = std::move(frame.key);
      node.key_place = frame.key_place;
      frame.has_key = false;
    }
    frame.node.children.push_back(std::move(node));
  }

  void copy_budget(const Node& node, const Place& place) {
    copied_ += count_nodes(node, most_alias_nodes);
    if (copied_ > most_alias_nodes) {
      throw Stop{place, "aliases expand to more than " + std::to_string(most_alias_nodes) + " values"};
    }
  }

  /// Of duplicates the first one stays, so that the rest of the file can be judged.
  void refuse_duplicates(Node& map) {
    std::vector<std::size_t> order(map.children.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return map.children[a].key < map.children[b].key; });
    std::vector<bool> repeated(order.size(), false);
    bool any = false;
    for (std::size_t i = 1; i < order.size(); ++i) {
      const Node& first = map.children[order[i - 1]];
      const Node& second = map.children[order[i]];
      if (first.key != second.key) continue;
      repeated[order[i]] = any = true;
      complain(second.key_place, path_of(second.key),
               "duplicate key; it is already given at line " + std::to_string(first.key_place.line));
    }
    if (!any) return;
    std::vector<Node> kept;
    for (std::size_t i = 0; i < map.children.size(); ++i) {
      if (!repeated[i]) kept.push_back(std::move(map.children[i]));
    }
    map.children = std::move(kept);
  }

  /// Path of `key` in the innermost open map.
  [[nodiscard]] std::string path_of(const std::string& key) const {
    std::string path;
    for (std::size_t i = 0; i + 1 < frames_.size(); ++i) {
      const Frame& frame = frames_[i];
      if (frame.node.is_list())
        path += '[' + std::to_string(frame.node.children.size()) + ']';
      else
        path += (path.empty() ? "" : ".") + path_name(frame.key);
    }
    return path + (path.empty() ? "" : ".") + path_name(key);
  }

  void merge(Node& map) {
    if (!frames_.back().merges) return;
    const auto at = std::find_if(map.children.begin(), map.children.end(), [](const Node& n) { return n.key == "<<"; });
    Node given = std::move(*at);
    map.children.erase(at);
    const bool is_list = given.is_list();
    std::vector<Node> maps;
    if (is_list)
      maps = std::move(given.children);
    else
      maps.push_back(std::move(given));
    for (Node& source : maps) {
      if (!source.is_map()) {
        const auto item = static_cast<std::size_t>(&source - maps.data());
        complain(source.place, path_of("<<") + (is_list ? '[' + std::to_string(item) + ']' : ""),
                 is_list ? "a merge key's list holds mappings only, got " + shown(source)
                         : "a merge key takes a mapping or a list of mappings, got " + shown(source));
        continue;
      }
      for (Node& child : source.children) {
        if (!map.find(child.key)) map.children.push_back(std::move(child));
      }
    }
  }

  Columns& columns_;
  std::vector<Complaint>& complaints_;
  Node root_;
  std::optional<Place> bad_key_;
  std::vector<Frame> frames_;
  std::unordered_map<YAML::anchor_t, Node> anchors_;
  std::size_t copied_{0};
};

/// Sees whether there is a second document without keeping any of it.
class SecondDocument final : public YAML::EventHandler {
 public:
  explicit SecondDocument(Columns& columns) : columns_{columns} {}
  void OnDocumentStart(const YAML::Mark& mark) override {
    throw Stop{columns_.place(mark), "a second document starts here; a file holds one"};
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}

 private:
  Columns& columns_;
};

/// What the parser's words leave out: that a key is too long, the file is cut off, or its indentation has tabs.
std::string hint(const std::string& text, const YAML::Mark& mark) {
  if (std::string long_key = long_key_hint(text); !long_key.empty()) return long_key;
  const std::size_t position = mark.pos < 0 ? 0 : static_cast<std::size_t>(mark.pos);
  if (position >= text.size()) return "; the file ends too early";
  const std::size_t before = text.rfind('\n', position == 0 ? 0 : position - 1);
  const std::size_t line = before == std::string::npos ? 0 : before + 1;
  const std::size_t indentation = std::min(text.find_first_not_of(" \t", line), text.size());
  const bool has_tab = text.substr(line, indentation - line).find('\t') != std::string::npos;
  return has_tab ? "; indent with spaces, not tabs" : "";
}

Node build(const std::string& text, std::uint32_t source, std::vector<Complaint>& complaints) {
  Columns columns{text, source};
  TreeBuilder builder{columns, complaints};
  std::istringstream stream{text};
  try {
    YAML::Parser parser{stream};
    if (!parser.HandleNextDocument(builder)) return {};
    SecondDocument second{columns};
    (void)parser.HandleNextDocument(second);
  } catch (const YAML::Exception& error) {
    throw Stop{columns.place(error.mark), "YAML: " + error.msg + hint(text, error.mark)};
  }
  return builder.take();
}

/// Where `inner`, a path in the value of `path`, is in the scenario.
std::string joined(const std::string& path, const std::string& inner) {
  if (inner.empty()) return path;
  return path + (inner.front() == '[' ? "" : ".") + inner;
}

}  // namespace

std::optional<Node> parse_yaml(std::string text, std::uint32_t source, Problems& problems) {
  if (text.rfind("\xEF\xBB\xBF", 0) == 0) text.erase(0, 3);
  std::vector<Complaint> complaints;
  std::optional<Node> tree;
  try {
    if (const auto fault = find_raw_fault(text)) {
      throw Stop{{source, fault->line, fault->column}, fault->message + fault->advice};
    }
    tree = build(text, source, complaints);
  } catch (const Stop& stop) {
    problems.add(stop.place, "", stop.message);
    problems.set_fatal();
  }
  for (Complaint& complaint : complaints) {
    problems.add(complaint.place, std::move(complaint.path), std::move(complaint.message));
  }
  return tree;
}

std::optional<Node> parse_yaml_value(const std::string& text, std::uint32_t source, const std::string& path,
                                     Problems& problems) {
  const auto forget_places = [source](auto&& self, Node& node) -> void {
    node.place = node.key_place = {source, 0, 0};
    for (Node& child : node.children) self(self, child);
  };
  const Place place{source, 0, 0};
  const std::string where = ", in \"" + text + '"';
  std::vector<Complaint> complaints;
  std::optional<Node> value;
  try {
    if (const auto fault = find_raw_fault(text)) throw Stop{place, fault->message};
    value = build(text, source, complaints);
    forget_places(forget_places, *value);
  } catch (const Stop& stop) {
    problems.add(place, path, stop.message + where);
  }
  for (const Complaint& complaint : complaints) {
    problems.add(place, joined(path, complaint.path), complaint.message + where);
  }
  return value;
}

}  // namespace soya::reading
