#include <utility>

#include "scenario/decode.hpp"
#include "scenario/suggest.hpp"
#include "topology/families.hpp"

namespace soya::reading {

namespace {

/// Beyond these a slip of the keyboard is likelier than a fabric: a line of YAML can ask for 10^15 links.
constexpr std::int64_t most_nodes = 1'000'000;
constexpr std::int64_t most_links = 10'000'000;

bool has_no_delay(const LinkConfig& link) {
  return link.forward_way() <= Duration{0} || link.reverse_way() <= Duration{0};
}

std::string no_delay_text(const LinkConfig& link) {
  const auto text = [](Length length) { return format_number(length.millimetres(), Dimension::length); };
  if (link.forward_way() <= Duration{0}) {
    return "a link needs a positive delay, and this one has length " + text(link.length) + " and delay 0s";
  }
  return "a link needs a positive delay each way, and this one has reverse_length " +
         text(link.reverse_length.value_or(link.length)) + " and reverse_delay 0s";
}

std::string loss_text(const LossConfig& loss) {
  return "{packets: " + format_probability(loss.packets) + ", bits: " + format_probability(loss.bits) +
         ", burst: " + format_ratio(loss.burst) + ", control: " + (loss.control ? "true" : "false") + '}';
}

void check_loss(Section& section, const LossConfig& loss) {
  const auto no_effect = [&](std::string_view key, const std::string& why) {
    if (section.given(key)) {
      section.reading().warnings.add(section.place(key), section.at(key).text(), "has no effect: " + why);
    }
  };
  const bool in_bursts = !(loss.burst == Ratio{1, 1});
  if (loss.burst.numerator < loss.burst.denominator) {
    return section.error("burst",
                         "expected a mean of at least 1 frame, such as 8, got \"" + format_ratio(loss.burst) + '"');
  }
  if (loss.packets.value == 0 && in_bursts) no_effect("burst", "it is of packets, and none are lost");
  if (loss.packets.value == 0 && loss.bits.value == 0 && !loss.control) no_effect("control", "nothing is lost");
  if (!in_bursts || loss.packets.value <= most_loss_in_bursts(loss.burst)) return;
  section.error("packets", "expected at most " + format_probability({most_loss_in_bursts(loss.burst)}) +
                               ", as bursts of " + format_ratio(loss.burst) +
                               " frames on average have a frame between them, got \"" +
                               format_probability(loss.packets) + '"');
}

/// A number is the share of packets; over a link type that has a loss a mapping says what differs.
void read_loss(Section& link, std::optional<LossConfig>& loss) {
  const Node* node = link.given("loss");
  if (!node && link.absent() == Absent::keep) return;
  if (!node || (node->is_scalar() && node->text == "none")) {
    loss.reset();
    return link.note("loss", "none");
  }
  LossConfig config;
  if (node->is_scalar()) {
    const auto packets = parse_probability(node->text);
    if (!packets) {
      return link.error("loss",
                        "expected a probability from 0 to 1, such as 1e-5, or keys such as {packets: 1e-5, "
                        "burst: 8}, got " +
                            shown(*node));
    }
    config.packets = *packets;
  } else {
    config = loss.value_or(config);
    Section section{link.reading(),    node, link.at("loss"), SectionId::loss, loss ? Absent::keep : Absent::standard,
                    Noted::on_one_line};
    section.read("packets", config.packets);
    section.read("bits", config.bits);
    section.read("burst", config.burst);
    section.read("control", config.control);
    if (section.right({"packets", "bits", "burst"})) check_loss(section, config);
  }
  link.note("loss", loss_text(config));
  loss.reset();
  if (config.packets.value > 0 || config.bits.value > 0) loss = config;
}

/// `link` holds the defaults, or its type; what is wrong with a type was said where the type is.
void read_link_keys(Section& section, LinkConfig& link) {
  const bool wrong_already = has_no_delay(link);
  section.read("rate", link.rate);
  section.read("reverse_rate", link.reverse_rate);
  section.read("length", link.length);
  section.read("reverse_length", link.reverse_length);
  section.read("per_kilometre", link.per_kilometre);
  section.read("delay", link.delay);
  section.read("reverse_delay", link.reverse_delay);
  read_loss(section, link.loss);
  const bool right = section.right({"length", "reverse_length", "per_kilometre", "delay", "reverse_delay"});
  if (has_no_delay(link) && right && !wrong_already)
    section.error(no_delay_text(link) + "; give it a length or a delay");
}

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
    read_link_types();
    read_list("parts", &TopologyReader::read_part);
    if (!reading_.links_whole) reading_.nodes_whole = false;  // parts make both
    const std::vector<PartnerName> partners = read_nodes(section_, out_);
    names_.emplace(out_);
    read_partners(section_, *names_, partners, out_);
    read_list("links", &TopologyReader::read_link);
    read_routes(section_, *names_, out_);
    return std::move(out_);
  }

 private:
  void read_link_types() {
    const Node* node = section_.given("link_types");
    if (!node || (node->is_map() && node->children.empty())) return section_.note("link_types", "{}");
    if (!node->is_map()) return section_.error("link_types", "expected a mapping of link types, got " + shown(*node));
    const Path types = section_.at("link_types");
    for (const Node& entry : node->children) {
      Section section{reading_, &entry, types.key(entry.key), SectionId::link};
      LinkConfig link;
      read_link_keys(section, link);
      types_.push_back({entry.key, link});
    }
  }

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

  const LinkConfig* find_type(const Node& name, const Path& path) {
    if (!name.is_scalar()) {
      reading_.errors.add(name.place, path.text(), "expected the name of a link type, got " + shown(name));
      return nullptr;
    }
    for (const auto& [known, link] : types_) {
      if (known == name.text) return &link;
    }
    std::vector<std::string_view> names;
    for (const auto& [known, link] : types_) names.push_back(known);
    std::string message = "unknown link type \"" + name.text + '"';
    if (names.empty())
      message += "; topology.link_types has none";
    else if (const auto near = nearest(name.text, names))
      message += "; did you mean \"" + std::string{*near} + "\"?";
    else {
      message += "; known: ";
      for (const std::string_view& known : names) message += (&known == names.data() ? "" : ", ") + std::string{known};
    }
    reading_.errors.add(name.place, path.text(), message);
    return nullptr;
  }

  LinkConfig read_family_link(Section& family, std::string_view key) {
    LinkConfig link;
    const Node* node = family.given(key);
    const Path path = family.at(key);
    if (node && node->is_scalar()) {
      family.note(key, yaml_text(node->text));
      if (const LinkConfig* type = find_type(*node, path)) link = *type;
    } else {
      Section section{reading_, node, path, SectionId::link};
      read_link_keys(section, link);
    }
    return link;
  }

  bool read_part(const Node& node, const Path& path) {
    const std::size_t errors_before = reading_.errors.size();
    Section part{reading_, &node, path, SectionId::part};
    const Node* given = part.given("leaf_spine");
    if (!given) {
      part.error("expected a family: leaf_spine");
      return false;
    }
    const Path family_path = part.at("leaf_spine");
    Section section{reading_, given, family_path, SectionId::leaf_spine};
    LeafSpineConfig config;
    bool whole = section.read("prefix", config.prefix);
    whole = section.read("leaves", config.leaves) && whole;
    whole = section.read("spines", config.spines) && whole;
    whole = section.read("hosts_per_leaf", config.hosts_per_leaf) && whole;
    whole = section.read("links_per_pair", config.links_per_pair) && whole;
    // With a key that nobody knows it may have other nodes than are made here.
    const bool meant = reading_.errors.size() == errors_before;
    config.host_link = read_family_link(section, "host_link");
    config.fabric_link = read_family_link(section, "fabric_link");
    config.where = section.where();
    if (!whole) return false;
    const std::int64_t hosts = std::int64_t{config.leaves} * config.hosts_per_leaf;
    const Int128 links = static_cast<Int128>(config.leaves) * config.spines * config.links_per_pair + hosts;
    if (!fits(section, hosts + config.leaves + config.spines, links)) return false;
    add_leaf_spine(out_, config);
    return meant;
  }

  bool fits(Section& section, Int128 nodes, Int128 links) {
    nodes += static_cast<Int128>(out_.nodes.size());
    links += static_cast<Int128>(out_.links.size());
    if (nodes <= most_nodes && links <= most_links) return true;
    section.error("makes a topology of " + format_number(nodes, Dimension::none) + " nodes and " +
                  format_number(links, Dimension::none) + " links; allowed: " + std::to_string(most_nodes) +
                  " nodes and " + std::to_string(most_links) + " links");
    return false;
  }

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
      if (const LinkConfig* found = find_type(*type, type_path)) link = with_ends(*found, link);
    }
    std::int64_t count = 1;
    const bool counted = section.read("count", count) || !section.given("count");
    read_link_keys(section, link);
    section.finish();
    link.where = section.where();
    if (!ends || !counted || !fits(section, 0, count)) return false;
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
  std::vector<std::pair<std::string, LinkConfig>> types_;
  std::optional<Names> names_;  ///< once all nodes are there
};

}  // namespace

TopologyConfig read_topology(Section& root) {
  return TopologyReader{root}.read();
}

}  // namespace soya::reading
