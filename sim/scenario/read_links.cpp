#include "scenario/read_links.hpp"

#include "core/suggest.hpp"

namespace soya::reading {

std::string loss_text(const LossConfig& loss) {
  return "{packets: " + format_probability(loss.packets) + ", bits: " + format_probability(loss.bits) +
         ", burst: " + format_ratio(loss.burst) + ", control: " + (loss.control ? "true" : "false") + '}';
}

namespace {

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

}  // namespace

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

void LinkTypes::read(Section& topology) {
  const Node* node = topology.given("link_types");
  if (!node || (node->is_map() && node->children.empty())) return topology.note("link_types", "{}");
  if (!node->is_map()) return topology.error("link_types", "expected a mapping of link types, got " + shown(*node));
  const Path types = topology.at("link_types");
  for (const Node& entry : node->children) {
    Section section{topology.reading(), &entry, types.key(entry.key), SectionId::link};
    LinkConfig link;
    read_link_keys(section, link);
    types_.push_back({entry.key, link});
  }
}

const LinkConfig* LinkTypes::find(Reading& reading, const Node& name, const Path& path) const {
  if (!name.is_scalar()) {
    reading.errors.add(name.place, path.text(), "expected the name of a link type, got " + shown(name));
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
  reading.errors.add(name.place, path.text(), message);
  return nullptr;
}

LinkConfig LinkTypes::read_kind(Section& family, std::string_view key) const {
  LinkConfig link;
  const Node* node = family.given(key);
  const Path path = family.at(key);
  if (node && node->is_scalar()) {
    family.note(key, yaml_text(node->text));
    if (const LinkConfig* type = find(family.reading(), *node, path)) link = *type;
  } else {
    Section section{family.reading(), node, path, SectionId::link};
    read_link_keys(section, link);
  }
  return link;
}

}  // namespace soya::reading
