#include "topology/dot.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "topology/dot_tokens.hpp"

namespace soya {
namespace {

/// Subgraphs in subgraphs deeper than this are refused: the parser is recursive.
constexpr int deepest = 64;

/// Attributes that new nodes and edges of a subgraph start with.
struct Defaults {
  ForeignAttributes node;
  ForeignAttributes edge;
};

using NodeSet = std::vector<std::size_t>;  ///< in order of first mention, each once

class DotParser {
 public:
  explicit DotParser(std::string_view text) : tokens_{dot_tokens(checked_text(text))} {}

  ForeignGraph read(const std::optional<std::string>& wanted) {
    if (is_end()) throw ForeignFault({}, "holds no graph");
    std::optional<ForeignGraph> found;
    std::size_t count = 0;
    std::string names;
    while (!is_end()) {
      ForeignGraph graph = read_graph();
      names += (count == 0 ? "" : ", ") + (graph.name.empty() ? "one without name" : '"' + graph.name + '"');
      ++count;
      if (!wanted || graph.name == *wanted) found = std::move(graph);
    }
    if (!found) throw ForeignFault({}, "holds no graph \"" + *wanted + "\"; it holds: " + names);
    if (!wanted && count > 1) {
      throw ForeignFault({}, "holds " + std::to_string(count) + " graphs (" + names +
                                 "); choose one by its name: {map: FILE, graph: NAME}");
    }
    if (found->nodes.empty()) throw ForeignFault({}, "the graph has no nodes");
    return std::move(*found);
  }

 private:
  [[nodiscard]] const DotToken& token() const { return tokens_[at_]; }
  [[nodiscard]] bool is_end() const { return token().word == DotWord::end; }
  [[nodiscard]] bool is_sign(std::string_view sign) const {
    return token().word == DotWord::sign && token().text == sign;
  }
  /// Keywords are told in any case.
  [[nodiscard]] bool is_word(std::string_view word) const {
    return token().word == DotWord::name && !token().quoted && lower(token().text) == word;
  }

  [[noreturn]] void fail(const std::string& expected) const {
    throw ForeignFault(token().place, "is no DOT: expected " + expected + ", got " +
                                          (is_end() ? "the end of the file" : '"' + token().text + '"'));
  }

  bool take(std::string_view sign) {
    const bool is = is_sign(sign);
    if (is) ++at_;
    return is;
  }

  void expect(std::string_view sign) {
    if (!take(sign)) fail('"' + std::string{sign} + '"');
  }

  std::string name(const char* what) {
    if (token().word != DotWord::name) fail(what);
    return tokens_[at_++].text;
  }

  ForeignGraph read_graph() {
    out_ = {};
    index_.clear();
    strict_ = is_word("strict");
    if (strict_) ++at_;
    if (is_word("digraph")) refuse_directed("digraph");
    if (!is_word("graph")) fail("graph { … }");
    ++at_;
    if (!is_sign("{")) out_.name = name("a name or \"{\"");
    read_block({}, 0);
    return std::move(out_);
  }

  [[noreturn]] void refuse_directed(const char* by) const {
    throw ForeignFault(token().place, "is directed (" + std::string{by} +
                                          "), and a link joins its ends both ways; write graph and --");
  }

  NodeSet read_block(Defaults defaults, int depth) {
    if (depth > deepest) {
      throw ForeignFault(token().place, "subgraphs nest deeper than " + std::to_string(deepest) + " levels");
    }
    expect("{");
    NodeSet members;
    while (!take("}")) {
      if (take(";")) continue;
      read_statement(defaults, members, depth);
    }
    std::ranges::sort(members);
    members.erase(std::unique(members.begin(), members.end()), members.end());
    return members;
  }

  void read_statement(Defaults& defaults, NodeSet& members, int depth) {
    for (const char* kind : {"graph", "node", "edge"}) {
      if (!is_word(kind)) continue;
      ++at_;
      ForeignAttributes attributes = read_attributes();
      if (kind[0] == 'g') return;
      ForeignAttributes& known = kind[0] == 'n' ? defaults.node : defaults.edge;
      for (auto& [key, value] : attributes) known[key] = std::move(value);
      return;
    }
    if (token().word == DotWord::name && tokens_[at_ + 1].word == DotWord::sign && tokens_[at_ + 1].text == "=") {
      at_ += 2;  // an attribute of the graph
      (void)name("a value");
      return;
    }
    const ForeignPlace place = token().place;
    std::vector<NodeSet> chain{read_end(defaults, members, depth)};
    const bool single = is_single_;
    while (is_sign("--") || is_sign("->")) {
      if (is_sign("->")) refuse_directed("->");
      ++at_;
      chain.push_back(read_end(defaults, members, depth));
    }
    const ForeignAttributes attributes = is_sign("[") ? read_attributes() : ForeignAttributes{};
    if (chain.size() == 1) {
      if (single) lay_over(out_.nodes[chain[0][0]].attributes, attributes);
      return;
    }
    for (std::size_t i = 1; i < chain.size(); ++i) {
      for (const std::size_t from : chain[i - 1]) {
        for (const std::size_t to : chain[i]) add_edge(from, to, {defaults.edge, attributes, place});
      }
    }
  }

  static void lay_over(ForeignAttributes& under, const ForeignAttributes& top) {
    for (const auto& [key, value] : top) under[key] = value;
  }

  struct EdgeWords {
    const ForeignAttributes& defaults;
    const ForeignAttributes& given;
    ForeignPlace place;
  };

  void add_edge(std::size_t from, std::size_t to, const EdgeWords& words) {
    if (strict_) {  // there one edge joins two nodes, and later mentions add to it
      const auto same = std::ranges::find_if(out_.edges, [&](const ForeignEdge& edge) {
        return (edge.from == from && edge.to == to) || (edge.from == to && edge.to == from);
      });
      if (same != out_.edges.end()) return lay_over(same->attributes, words.given);
    }
    ForeignEdge edge{from, to, words.defaults, words.place};
    lay_over(edge.attributes, words.given);
    out_.edges.push_back(std::move(edge));
  }

  /// A node or a subgraph, as an end of an edge or a statement of its own.
  NodeSet read_end(const Defaults& defaults, NodeSet& members, int depth) {
    is_single_ = false;
    if (is_word("subgraph") || is_sign("{")) {
      if (is_word("subgraph")) ++at_;
      if (!is_sign("{")) (void)name("a name or \"{\"");
      NodeSet inner = read_block(defaults, depth + 1);
      is_single_ = false;
      members.insert(members.end(), inner.begin(), inner.end());
      return inner;
    }
    const ForeignPlace place = token().place;
    const std::string id = name("a node, an edge or \"}\"");
    for (int parts = 0; parts < 2 && take(":"); ++parts) (void)name("a port");
    const auto [known, is_new] = index_.emplace(id, out_.nodes.size());
    if (is_new) out_.nodes.push_back({id, defaults.node, place});
    members.push_back(known->second);
    is_single_ = true;
    return {known->second};
  }

  ForeignAttributes read_attributes() {
    ForeignAttributes attributes;
    if (!is_sign("[")) fail("\"[\"");
    while (take("[")) {
      while (!take("]")) {
        const std::string key = lower(name("an attribute or \"]\""));
        attributes[key] = take("=") ? name("a value") : "true";
        if (!take(",")) take(";");
      }
    }
    return attributes;
  }

  std::vector<DotToken> tokens_;
  std::size_t at_{0};
  bool strict_{false};
  bool is_single_{false};  ///< what `read_end` read last was a node
  std::unordered_map<std::string, std::size_t> index_;
  ForeignGraph out_;
};

}  // namespace

ForeignGraph read_dot(std::string_view text, const std::optional<std::string>& graph) {
  return DotParser{text}.read(graph);
}

}  // namespace soya
