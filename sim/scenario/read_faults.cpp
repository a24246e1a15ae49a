#include <iterator>
#include <string_view>

#include "scenario/decode.hpp"

namespace soya::reading {

namespace {

constexpr std::string_view names_of_kinds = "link_down, drop, hold, loss_burst, protection, switch_down";

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
    int given = 0;
    for (const Kind& kind : kinds) given += node.find(kind.name) ? 1 : 0;
    if (given == 0 && !node.children.empty()) return;  // an unknown key, reported already
    if (given != 1) return item.error("expected exactly one of " + std::string{names_of_kinds});
    for (const Kind& kind : kinds) {
      if (const Node* fault = node.find(kind.name)) (this->*kind.read)(*fault, item.at(kind.name));
    }
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
    constexpr std::string_view frames[] = {"data", "acknowledge", "pause"};
    int given = 0;
    for (std::size_t i = 0; i < std::size(frames); ++i) {
      if (!section.given(frames[i])) continue;
      ++given;
      fault.kind = static_cast<DropKind>(i);
      section.read(frames[i], fault.nth);
    }
    if (given != 1)
      section.error("expected exactly one of data, acknowledge, pause: which frame is lost, counted from 1");
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

  void read_loss_burst(const Node& node, const Path& path) {
    Section section{reading_, &node, path, SectionId::loss_burst};
    const auto ends = read_ends(section);
    LossBurstFault fault;
    section.read("at", fault.at);
    const bool until = section.given("until") != nullptr;
    if (until == (section.given("frames") != nullptr))
      section.error("expected exactly one of until, frames: how much is lost");
    section.read("until", fault.until);
    section.read("frames", fault.frames);
    if (fault.until && *fault.until <= fault.at) refuse_order(section, *fault.until, "at", fault.at);
    fault.where = section.where();
    if (!ends) return;
    fault.link = ends->link;
    fault.from = ends->first;
    out_.faults.push_back(fault);
  }

  void read_protection(const Node& node, const Path& path) {
    Section section{reading_, &node, path, SectionId::protection};
    const auto ends = read_ends(section);
    ProtectionFault fault;
    section.read("at", fault.at);
    section.read("until", fault.until);
    section.read("length", fault.length);
    section.read("delay", fault.delay);
    section.read("outage", fault.outage);
    const Time over = fault.at + fault.outage;
    if (fault.until && *fault.until <= over && section.right({"at", "outage"})) {
      section.error("until", "until " + text(*fault.until) + " is not after at " + text(fault.at) + " and its outage");
    }
    if (!section.given("length") && !section.given("delay"))
      section.error("expected a length or a delay: the path that the link goes over to");
    fault.where = section.where();
    if (!ends) return;
    fault.link = ends->link;
    const LinkConfig other = fault.other_path(out_.topology.links[fault.link.index()]);
    if (other.forward_way() <= Duration{0} || other.reverse_way() <= Duration{0})
      return section.error("a link needs a positive delay, on its other path, too; give it a length or a delay");
    if (section.right({"at", "until", "outage"})) refuse_overlap(section, fault);
    out_.faults.push_back(fault);
  }

  void read_switch_down(const Node& node, const Path& path) {
    Section section{reading_, &node, path, SectionId::switch_down};
    SwitchDownFault fault;
    std::string name;
    const bool named = section.read("switch", name);
    section.read("at", fault.down);
    section.read("until", fault.up);
    if (fault.up && *fault.up <= fault.down) refuse_order(section, *fault.up, "at", fault.down);
    fault.where = section.where();
    if (!named) return;
    const auto found = names_.find_switch(reading_, name, section.place("switch"), section.at("switch"));
    if (!found) return;
    fault.node = names_.node(name).value();
    out_.faults.push_back(fault);
  }

  /// Which path a link is on while two switch-overs are under way, nobody could say.
  void refuse_overlap(Section& section, const ProtectionFault& fault) {
    const auto end = [](const ProtectionFault& one) { return one.until ? *one.until + one.outage : Time::never(); };
    for (const FaultConfig& earlier : out_.faults) {
      const auto* other = std::get_if<ProtectionFault>(&earlier);
      if (other == nullptr || other->link != fault.link) continue;
      if (fault.at >= end(*other) || other->at >= end(fault)) continue;
      return section.error("at", "the link is on its other path from " + text(other->at) +
                                     (other->until ? " to " + text(end(*other)) : " on") +
                                     " already, by another fault");
    }
  }

  static std::string text(Time time) { return format_number(time.picoseconds(), Dimension::duration); }

  static void refuse_order(Section& section, Time until, const std::string& key, Time from) {
    if (!section.right({key})) return;
    section.error("until", "until " + text(until) + " is not after " + key + ' ' + text(from));
  }

  struct Kind {
    std::string_view name;
    void (FaultReader::*read)(const Node&, const Path&);
  };
  static const Kind kinds[6];

  Reading& reading_;
  const Names& names_;
  Scenario& out_;
};

const FaultReader::Kind FaultReader::kinds[6] = {{"link_down", &FaultReader::read_link_down},
                                                 {"drop", &FaultReader::read_drop},
                                                 {"hold", &FaultReader::read_hold},
                                                 {"loss_burst", &FaultReader::read_loss_burst},
                                                 {"protection", &FaultReader::read_protection},
                                                 {"switch_down", &FaultReader::read_switch_down}};

}  // namespace

void read_faults(Section& root, const Names& names, Scenario& out) {
  const Node* node = root.given("faults");
  if (!node || (node->is_list() && node->children.empty())) return root.note("faults", "[]");
  if (!node->is_list())
    return root.error("faults",
                      "expected a list of items, each one of " + std::string{names_of_kinds} + ", got " + shown(*node));
  FaultReader reader{root, names, out};
  const Path path = root.at("faults");
  for (std::size_t i = 0; i < node->children.size(); ++i) reader.read(node->children[i], path.item(i));
}

}  // namespace soya::reading
