#include "topology/graphml.hpp"

#include <unordered_map>

#include "topology/xml_elements.hpp"

namespace soya {
namespace {

/// What a <key> declares.
struct Declared {
  std::string name;      ///< of the attribute; empty where a tool keeps drawings in it
  std::string domain;    ///< node, edge, graph or all
  std::string fallback;  ///< its <default>
};

std::string quoted(std::string_view text) {
  return '"' + std::string{text} + '"';
}

/// yEd keeps a label deep inside its drawing of a node.
std::string label_in(const XmlElement& data) {
  for (const XmlElement& child : data.children) {
    if ((child.name == "NodeLabel" || child.name == "EdgeLabel") && !child.text.empty()) return child.text;
    if (std::string inner = label_in(child); !inner.empty()) return inner;
  }
  return {};
}

class GraphmlReader {
 public:
  explicit GraphmlReader(const XmlElement& root) : root_{root} {
    if (root.name != "graphml") throw ForeignFault(root.place, "expected <graphml>, got <" + root.name + '>');
    for (const XmlElement& child : root.children) {
      if (child.name == "key") read_key(child);
    }
  }

  ForeignGraph read(const std::optional<std::string>& wanted) {
    const XmlElement& graph = choose(wanted);
    refuse_directed(graph, "edgedefault", "directed");
    out_.labels_name = true;
    if (const std::string* id = graph.find("id")) out_.name = *id;
    for (const XmlElement& child : graph.children) {
      if (child.name == "node") read_node(child);
      if (child.name == "hyperedge") throw ForeignFault(child.place, "a hyperedge is no link; write an edge for each");
    }
    if (out_.nodes.empty()) throw ForeignFault(graph.place, "the graph has no nodes");
    for (const XmlElement& child : graph.children) {
      if (child.name == "edge") read_edge(child);
    }
    return std::move(out_);
  }

 private:
  void read_key(const XmlElement& element) {
    const std::string* id = element.find("id");
    if (!id) throw ForeignFault(element.place, "a <key> needs an id");
    Declared key;
    if (const std::string* name = element.find("attr.name")) key.name = lower(*name);
    const std::string* domain = element.find("for");
    key.domain = domain ? *domain : "all";
    for (const XmlElement& child : element.children) {
      if (child.name == "default") key.fallback = child.text;
    }
    if (!keys_.emplace(*id, key).second) throw ForeignFault(element.place, "a second <key> has the id " + quoted(*id));
  }

  const XmlElement& choose(const std::optional<std::string>& wanted) const {
    const XmlElement* found = nullptr;
    std::size_t count = 0;
    std::string ids;
    for (const XmlElement& child : root_.children) {
      if (child.name != "graph") continue;
      const std::string* id = child.find("id");
      ids += (count == 0 ? "" : ", ") + (id ? quoted(*id) : std::string{"one without id"});
      ++count;
      if (!wanted || (id && *id == *wanted)) found = &child;
    }
    if (count == 0) throw ForeignFault(root_.place, "holds no graph");
    if (!found) throw ForeignFault(root_.place, "holds no graph " + quoted(*wanted) + "; it holds: " + ids);
    if (!wanted && count > 1) {
      throw ForeignFault(root_.place, "holds " + std::to_string(count) + " graphs (" + ids +
                                          "); choose one by its id: {map: FILE, graph: ID}");
    }
    return *found;
  }

  static void refuse_directed(const XmlElement& element, const char* name, const char* directed) {
    const std::string* value = element.find(name);
    if (!value || *value != directed) return;
    throw ForeignFault(element.place, "is directed (" + std::string{name} + "=\"" + *value +
                                          "\"), and a link joins its ends both ways; save it as an undirected graph");
  }

  void read_node(const XmlElement& element) {
    const std::string* id = element.find("id");
    if (!id || id->empty()) throw ForeignFault(element.place, "a node needs an id");
    const auto [known, is_new] = index_.emplace(*id, out_.nodes.size());
    if (!is_new) {
      throw ForeignFault(element.place, "node " + quoted(*id) + " is already given at line " +
                                            std::to_string(out_.nodes[known->second].place.line));
    }
    for (const XmlElement& child : element.children) {
      if (child.name == "graph") {
        throw ForeignFault(child.place, "node " + quoted(*id) + " holds a graph of its own; ungroup it");
      }
    }
    out_.nodes.push_back({*id, attributes_of(element, "node"), element.place});
  }

  void read_edge(const XmlElement& element) {
    refuse_directed(element, "directed", "true");
    ForeignEdge edge;
    edge.from = end_of(element, "source");
    edge.to = end_of(element, "target");
    edge.attributes = attributes_of(element, "edge");
    edge.place = element.place;
    out_.edges.push_back(std::move(edge));
  }

  [[nodiscard]] std::size_t end_of(const XmlElement& edge, const char* name) const {
    const std::string* id = edge.find(name);
    if (!id) throw ForeignFault(edge.place, "an edge needs a " + std::string{name});
    const auto found = index_.find(*id);
    if (found == index_.end()) {
      throw ForeignFault(edge.place, std::string{name} + " is node " + quoted(*id) + ", which the graph does not have");
    }
    return found->second;
  }

  [[nodiscard]] ForeignAttributes attributes_of(const XmlElement& element, const char* domain) const {
    ForeignAttributes attributes;
    for (const auto& [id, key] : keys_) {
      const bool here = key.domain == domain || key.domain == "all";
      if (here && !key.name.empty() && !key.fallback.empty()) attributes[key.name] = key.fallback;
    }
    for (const XmlElement& data : element.children) {
      if (data.name != "data") continue;
      const std::string* id = data.find("key");
      if (!id) throw ForeignFault(data.place, "<data> needs a key");
      const auto key = keys_.find(*id);
      if (key == keys_.end()) throw ForeignFault(data.place, "no <key> has the id " + quoted(*id));
      if (!key->second.name.empty() && data.children.empty()) attributes[key->second.name] = data.text;
      if (std::string label = label_in(data); !label.empty()) attributes.emplace("label", std::move(label));
    }
    return attributes;
  }

  const XmlElement& root_;
  std::map<std::string, Declared> keys_;
  std::unordered_map<std::string, std::size_t> index_;  ///< of nodes, by id
  ForeignGraph out_;
};

}  // namespace

ForeignGraph read_graphml(std::string_view text, const std::optional<std::string>& graph) {
  const XmlElement root = parse_xml(text);
  return GraphmlReader{root}.read(graph);
}

}  // namespace soya
