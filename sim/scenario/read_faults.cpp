#include <algorithm>

#include "scenario/decode.hpp"

namespace soya::reading {

namespace {

struct Ends {
  NodeId first;
  NodeId second;
  LinkId link;
};

class FaultReader {
 public:
  FaultReader(Section& root, const Names& names, Scenario& out) : reading_{root.reading()}, names_{names}, out_{out} {}

  void read(const Node& node, const Path& path) {
    Section item{reading_, &node, path, SectionId::fault};
    if (!node.is_map()) return;
    const Node* down = node.find("link_down");
    const Node* drop = node.find("drop");
    const Node* hold = node.find("hold");
    const int given = (down ? 1 : 0) + (drop ? 1 : 0) + (hold ? 1 : 0);
    if (given == 0 && !node.children.empty()) return;  // an unknown key, reported already
    if (given != 1) return item.error("expected exactly one of link_down, drop, hold");
    if (down) read_link_down(*down, item.at("link_down"));
    if (drop) read_drop(*drop, item.at("drop"));
    if (hold) read_hold(*hold, item.at("hold"));
  }

 private:
  std::optional<Ends> read_ends(Section& section) {
    const Node* between = section.given("between");
    std::int64_t ordinal = 0;
    const auto read_ordinal = [&] { return section.read("link", ordinal); };
    if (!between || !between->is_list() || between->children.size() != 2) {
      section.error("between", "expected the two ends of a link, such as [a, b]" +
                                   (between ? ", got " + shown(*between) : std::string{}));
      read_ordinal();
      return std::nullopt;
    }
    const Path path = section.at("between");
    const auto first = names_.find_node(reading_, between->children[0], path.item(0));
    const auto second = names_.find_node(reading_, between->children[1], path.item(1));
    const std::string& a = between->children[0].text;
    const std::string& b = between->children[1].text;
    section.note("between", '[' + yaml_text(a) + ", " + yaml_text(b) + ']');
    if (!read_ordinal() || !first || !second) return std::nullopt;
    std::int64_t count = 0;
    const auto& links = out_.topology.links;
    for (std::size_t i = 0; i < links.size(); ++i) {
      const bool joins =
          (links[i].a == *first && links[i].b == *second) || (links[i].a == *second && links[i].b == *first);
      if (joins && count++ == ordinal) return Ends{*first, *second, LinkId{i}};
    }
    if (!reading_.links_whole) return std::nullopt;
    if (count == 0)
      section.error("between", "no link joins \"" + a + "\" and \"" + b + '"');
    else
      section.error("link", "there is no link " + std::to_string(ordinal) + " between \"" + a + "\" and \"" + b +
                                "\"; they have " + numbered(count));
    return std::nullopt;
  }

  static std::string numbered(std::int64_t count) {
    return count == 1 ? "one, link 0" : std::to_string(count) + ", links 0 to " + std::to_string(count - 1);
  }

  void read_link_down(const Node& node, const Path& path) {
    Section section{reading_, &node, path, SectionId::link_down};
    const auto ends = read_ends(section);
    LinkDownFault fault;
    section.read("at", fault.down);
    section.read("until", fault.up);
    if (fault.up && *fault.up <= fault.down) refuse_order(section, *fault.up, "at", fault.down);
    fault.where = section.where();
    if (!ends) return;
    fault.link = ends->link;
    out_.faults.push_back(fault);
  }

  void read_drop(const Node& node, const Path& path) {
    Section section{reading_, &node, path, SectionId::drop};
    const auto ends = read_ends(section);
    DropFault fault;
    const bool data = section.given("data") != nullptr;
    if (data == (section.given("acknowledge") != nullptr))
      section.error("expected exactly one of data, acknowledge: which frame is lost, counted from 1");
    fault.kind = data ? DropKind::data : DropKind::acknowledge;
    section.read(data ? "data" : "acknowledge", fault.nth);
    fault.where = section.where();
    if (!ends) return;
    fault.link = ends->link;
    fault.from = ends->first;
    out_.faults.push_back(fault);
  }

  void read_hold(const Node& node, const Path& path) {
    Section section{reading_, &node, path, SectionId::hold};
    const auto ends = read_ends(section);
    HoldFault fault;
    section.read("from", fault.from);
    const bool ended = section.read("until", fault.until);
    if (ended && fault.until <= fault.from) refuse_order(section, fault.until, "from", fault.from);
    fault.where = section.where();
    if (!ends) return;
    fault.link = ends->link;
    fault.node = ends->first;
    out_.faults.push_back(fault);
  }

  static void refuse_order(Section& section, Time until, const std::string& key, Time from) {
    const auto text = [](Time time) { return format_number(time.picoseconds(), Dimension::duration); };
    section.error("until", "until " + text(until) + " is not after " + key + ' ' + text(from));
  }

  Reading& reading_;
  const Names& names_;
  Scenario& out_;
};

}  // namespace

void read_faults(Section& root, const Names& names, Scenario& out) {
  const Node* node = root.given("faults");
  if (!node || (node->is_list() && node->children.empty())) return root.note("faults", "[]");
  if (!node->is_list())
    return root.error("faults", "expected a list of items, each one of link_down, drop, hold, got " + shown(*node));
  FaultReader reader{root, names, out};
  const Path path = root.at("faults");
  for (std::size_t i = 0; i < node->children.size(); ++i) reader.read(node->children[i], path.item(i));
}

}  // namespace soya::reading
