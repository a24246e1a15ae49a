#include "topology/xml_elements.hpp"

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <cstddef>
#include <sstream>

namespace soya {
namespace {

namespace pt = boost::property_tree;

/// The parser is recursive: what nests deeper than this could run it out of stack.
constexpr std::size_t deepest = 64;

std::string local_name(const std::string& name) {
  return name.substr(name.rfind(':') + 1);  // npos + 1 is 0
}

/// The parser leaves the blanks in CDATA.
std::string trimmed(const std::string& text) {
  constexpr const char* blanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blanks);
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// Where each element begins, in document order: what the parser's tree does not keep.
class ElementPlaces {
 public:
  explicit ElementPlaces(std::string_view text) : text_{text} {
    while (at_ < text_.size()) {
      if (text_[at_] != '<') {
        step();
      } else if (!(skip("<!--", "-->") || skip("<![CDATA[", "]]>") || skip("<?", "?>") || skip("<!", ">"))) {
        read_tag();
      }
    }
  }

  [[nodiscard]] const std::vector<ForeignPlace>& places() const { return places_; }

 private:
  void step() {
    const char c = text_[at_++];
    if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) ++here_.column;
    if (c == '\n') here_ = {here_.line + 1, 1};
  }

  void step_to(std::size_t end) {
    while (at_ < end && at_ < text_.size()) step();
  }

  bool skip(std::string_view opening, std::string_view closing) {
    if (!text_.substr(at_).starts_with(opening)) return false;
    const std::size_t end = text_.find(closing, at_ + opening.size());
    step_to(end == std::string_view::npos ? text_.size() : end + closing.size());
    return true;
  }

  void read_tag() {
    const ForeignPlace start = here_;
    const std::size_t first = at_;
    char quote = '\0';
    for (step(); at_ < text_.size() && (quote != '\0' || text_[at_] != '>'); step()) {
      const char c = text_[at_];
      if (quote == '\0' && (c == '"' || c == '\'')) {
        quote = c;
      } else if (c == quote) {
        quote = '\0';
      }
    }
    note_tag(text_.substr(first + 1, at_ - first - 1), start);
  }

  /// The parser does not compare the names of a closing and its opening tag.
  void note_tag(std::string_view tag, const ForeignPlace& start) {
    const bool closes = tag.starts_with('/');
    if (closes) tag.remove_prefix(1);
    const std::string_view name = tag.substr(0, tag.find_first_of(" \t\r\n/"));
    if (!closes) {
      places_.push_back(start);
      if (tag.ends_with('/')) return;
      open_.push_back(name);
      if (open_.size() <= deepest) return;
      throw ForeignFault(start, "elements nest deeper than " + std::to_string(deepest) + " levels");
    }
    if (open_.empty() || open_.back() != name) {
      const std::string expected = open_.empty() ? "no closing tag" : "</" + std::string{open_.back()} + '>';
      throw ForeignFault(start, "is no XML: expected " + expected + ", got </" + std::string{name} + '>');
    }
    open_.pop_back();
  }

  std::string_view text_;
  std::size_t at_{0};
  std::vector<std::string_view> open_;  ///< names of the elements around
  ForeignPlace here_{1, 1};
  std::vector<ForeignPlace> places_;
};

class Builder {
 public:
  explicit Builder(const std::vector<ForeignPlace>& places) : places_{places} {}

  XmlElement build(const std::string& name, const pt::ptree& tree) {
    XmlElement element;
    element.name = local_name(name);
    element.text = trimmed(tree.data());
    if (next_ < places_.size()) element.place = places_[next_++];
    for (const auto& [key, child] : tree) {
      if (key == "<xmlattr>") {
        for (const auto& [attribute_name, value] : child) {
          element.attributes.emplace_back(local_name(attribute_name), value.data());
        }
      } else {
        element.children.push_back(build(key, child));
      }
    }
    return element;
  }

 private:
  const std::vector<ForeignPlace>& places_;
  std::size_t next_{0};
};

}  // namespace

const std::string* XmlElement::find(std::string_view attribute_name) const {
  for (const auto& [name_of, value] : attributes) {
    if (name_of == attribute_name) return &value;
  }
  return nullptr;
}

XmlElement parse_xml(std::string_view text) {
  text = checked_text(text);
  const ElementPlaces places{text};
  std::istringstream stream{std::string{text}};
  pt::ptree tree;
  try {
    pt::read_xml(stream, tree, pt::xml_parser::trim_whitespace | pt::xml_parser::no_comments);
  } catch (const pt::xml_parser_error& error) {
    throw ForeignFault({static_cast<int>(error.line()), 1}, "is no XML: " + error.message());
  }
  if (tree.empty()) throw ForeignFault({}, "holds no XML element");
  if (tree.size() > 1) throw ForeignFault({}, "holds several outermost elements; XML has one");
  return Builder{places.places()}.build(tree.front().first, tree.front().second);
}

}  // namespace soya
