#include <utility>

#include "scenario/decode.hpp"
#include "scenario/map_topology.hpp"
#include "scenario/read_links.hpp"
#include "scenario/read_parts.hpp"
#include "topology/servers.hpp"

namespace soya::reading {

namespace {

class TopologyReader {
 public:
  explicit TopologyReader(Section& root)
      : reading_{root.reading()},
        path_{root.at("topology")},
        section_{reading_, root.given("topology"), path_, SectionId::topology} {}

  TopologyConfig read() {
    // A key that nobody knows may be meant for nodes.
    if (reading_.errors.size() > errors_before_) reading_.nodes_whole = reading_.links_whole = false;
    section_.read("name", out_.name);
    for (const std::string_view key : map_keys) {
      if (section_.given(key)) section_.error(key, "says how a map is read, and there is no topology.map");
    }
    types_.read(section_);
    read_list("parts", &TopologyReader::read_part);
    if (!reading_.links_whole) reading_.nodes_whole = false;  // parts make both
    const NamedByNodes named = read_nodes(section_, types_, out_);
    add_local_links(out_);
    names_.emplace(out_);
    read_partners(section_, *names_, named.partners, out_);
    read_list("links", &TopologyReader::read_link);
    read_servers(section_, *names_, named, out_);
    read_routes(section_, *names_, out_);
    return std::move(out_);
  }

 private:
  /// `read_item` says whether the links of its item could be made.
  void read_list(std::string_view name, bool (TopologyReader::*read_item)(const Node&, const Path&)) {
    const Node* node = section_.given(name);
    if (!node || (node->is_list() && node->children.empty())) return section_.note(name, "[]");
    if (!node->is_list()) {
      reading_.links_whole = false;
      return section_.error(name, "expected a list, got " + shown(*node));
    }
    const Path list = section_.at(name);
    for (std::size_t i = 0; i < node->children.size(); ++i) {
      if (!(this->*read_item)(node->children[i], list.item(i))) reading_.links_whole = false;
    }
  }

  bool read_part(const Node& node, const Path& path) { return reading::read_part(reading_, types_, node, path, out_); }

  bool read_link(const Node& node, const Path& path) {
    Section section{
        reading_,          &node, path, SectionId::placed_link, node.find("type") ? Absent::keep : Absent::standard,
        Noted::on_one_line};
    if (!node.is_map()) return false;
    LinkConfig link;
    const bool ends = read_ends(section, link);
    const Path type_path = section.at("type");
    if (const Node* type = section.given("type")) {
      section.note("type", yaml_text(type->text));
      if (const LinkConfig* found = types_.find(reading_, *type, type_path)) link = with_ends(*found, link);
    }
    std::int64_t count = 1;
    const bool counted = section.read("count", count) || !section.given("count");
    read_link_keys(section, link);
    section.finish();
    link.where = section.where();
    if (!ends || !counted || is_full_) return false;
    is_full_ = !fits(reading_, section.place(), section.path(), out_, {0, count});
    if (is_full_) return false;
    for (std::int64_t i = 0; i < count; ++i) out_.links.push_back(link);
    return true;
  }

  static LinkConfig with_ends(LinkConfig type, const LinkConfig& ends) {
    type.a = ends.a;
    type.b = ends.b;
    return type;
  }

  bool read_ends(Section& section, LinkConfig& link) {
    const Node* between = section.given("between");
    if (!between || !between->is_list() || between->children.size() != 2) {
      section.error("between",
                    "expected the two ends, such as [a, b]" + (between ? ", got " + shown(*between) : std::string{}));
      return false;
    }
    const Path path = section.at("between");
    const auto a = names_->find_node(reading_, between->children[0], path.item(0));
    const auto b = names_->find_node(reading_, between->children[1], path.item(1));
    if (!a || !b) return false;
    link.a = *a;
    link.b = *b;
    const std::string& first = between->children[0].text;
    section.note("between", '[' + yaml_text(first) + ", " + yaml_text(between->children[1].text) + ']');
    if (*a == *b) section.error("between", "a link from \"" + first + "\" to itself");
    return *a != *b;
  }

  Reading& reading_;
  Path path_;
  std::size_t errors_before_{reading_.errors.size()};
  Section section_;
  TopologyConfig out_;
  LinkTypes types_;
  std::optional<Names> names_;  ///< once all nodes are there
  bool is_full_{false};         ///< with more than a topology may have, which was told
};

}  // namespace

TopologyConfig read_topology(Section& root) {
  return TopologyReader{root}.read();
}

}  // namespace soya::reading
