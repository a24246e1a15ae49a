#include "scenario/read.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/suggest.hpp"
#include "core/utf8.hpp"
#include "scenario/decode.hpp"
#include "scenario/load.hpp"
#include "scenario/map_topology.hpp"
#include "scenario/raw_text.hpp"

namespace soya {

namespace reading {

namespace {

constexpr std::size_t most_errors = 100;

/// `name_fault` of what a file is called, which need not even be text as a value in a file is.
std::optional<std::string> file_name_fault(const std::string& name) {
  if (const auto fault = find_raw_fault(name)) return "is no text: " + fault->message;
  if (std::any_of(name.begin(), name.end(), is_control)) return "holds a line break or control character";
  return name_fault(name);
}

void throw_if_any(const Problems& problems) {
  if (!problems.empty()) throw ScenarioError{problems.sorted(most_errors)};
}

/// What a file is read for.
enum class Wanted { scenario, topology };

/// Whether the file's keys are those of a topology alone.
bool is_topology(const Node& root) {
  const auto given = [&](std::string_view key) { return root.find(key) != nullptr; };
  return !given("topology") && (given("map") || given("parts") || given("nodes") || given("links"));
}

/// `topology` as the scenario that has nothing else.
Node scenario_around(Node topology) {
  Node root;
  root.type = NodeType::map;
  root.place = topology.place;
  if (const Node* name = topology.find("name")) root.children.push_back(*name);
  topology.key = "topology";
  topology.key_place = topology.place;
  root.children.push_back(std::move(topology));
  return root;
}

/// One reading of one file: its tree, and the places its values come from.
class Reader {
 public:
  Reader(const std::string& file, const ReadOptions& options, Wanted wanted = Wanted::scenario)
      : file_{file}, options_{options}, wanted_{wanted} {
    auto root = wanted == Wanted::topology && is_map_file(file) ? around_map() : loader_.load(file);
    if (root && wanted == Wanted::topology && is_topology(*root)) root = scenario_around(std::move(*root));
    if (root && root->find("scenario") && !root->find("topology")) {
      problems_.add(root->place, "", "is a sweep, not a scenario: soya sweep run " + file);
      root.reset();
    }
    if (!root) throw ScenarioError{problems_.sorted(most_errors)};
    command_line_ = sources_.add("--set", {});
    seed_option_ = sources_.add("--seed", {});
    file_name_ = sources_.add("default: name of the file", {});
    variants_.type = NodeType::map;
    root_ = std::move(*root);
    take_variants();
  }

  Scenario read() {
    Node root = root_;
    if (options_.variant) apply(root, *options_.variant, loader_, problems_);
    override_by_options(root, loader_, problems_);
    Reading reading{sources_};
    loader_.expand_map(root, reading.warnings);
    if (problems_.fatal()) throw_if_any(problems_);
    const Problems of_map = reading.warnings;
    Scenario scenario = decode(root, reading);
    problems_.add_new(reading.errors, "");
    if (!options_.variant) check_variants();
    throw_if_any(problems_);
    scenario.place = sources_.where(root_.place, "");
    scenario.warnings = (wanted_ == Wanted::topology ? of_map : reading.warnings).sorted(most_errors);
    return scenario;
  }

  /// The tree with `laid` on top, beside the options; what cannot be laid is in `problems`.
  Node lay(const Laid& laid, std::uint32_t laid_by, Sources& sources, Problems& problems) {
    Loader loader{sources, problems, options_.texts};
    Node root = root_;
    if (laid.variant) apply(root, *laid.variant, loader, problems);
    override_by_options(root, loader, problems);
    loader.lay(root, laid.values, laid_by);
    if (laid.seed) set_scalar(root, "seed", std::to_string(*laid.seed), {laid_by, 0, 0});
    return root;
  }

  /// As `read`, with `laid` on top of everything, and without a look at the variants. Any number of times.
  Scenario read(const Laid& laid, const std::string& laid_by) {
    throw_if_any(problems_);
    Sources sources = sources_;
    Problems problems{sources};
    const std::uint32_t source = sources.add(laid_by, std::filesystem::path{laid_by}.parent_path());
    Node root = lay(laid, source, sources, problems);
    Reading reading{sources};
    Loader{sources, problems, options_.texts}.expand_map(root, reading.warnings);
    if (problems.fatal()) throw_if_any(problems);
    Scenario scenario = decode(root, reading);
    problems.add_new(reading.errors, "");
    throw_if_any(problems);
    scenario.place = sources.where(root_.place, "");
    scenario.warnings = reading.warnings.sorted(most_errors);
    return scenario;
  }

  std::vector<Diagnostic> faults_of(const Laid& laid, const std::string& laid_by) {
    Sources sources = sources_;
    Problems problems{sources};
    const std::uint32_t source = sources.add(laid_by, std::filesystem::path{laid_by}.parent_path());
    (void)lay(laid, source, sources, problems);
    return problems.sorted(most_errors);
  }

  [[nodiscard]] std::vector<std::string> names() const {
    throw_if_any(problems_);
    std::vector<std::string> out;
    for (const Node& variant : variants_.children) out.push_back(variant.key);
    return out;
  }

 private:
  std::optional<Node> around_map() {
    Node named;
    named.type = NodeType::scalar;
    named.place = {sources_.add(file_, {}), 0, 0};
    named.text = file_;
    return scenario_around(map_topology(named));
  }

  void take_variants() {
    const Node* variants = root_.find("variants");
    if (!variants) return;
    if (variants->is_map())
      variants_ = *variants;
    else if (variants->type != NodeType::null)
      problems_.add(variants->place, "variants", "expected a mapping of names, got " + shown(*variants));
    for (const Node& variant : variants_.children) {
      if (!variant.is_map()) {
        problems_.add(variant.place, "variants." + path_name(variant.key),
                      "expected a mapping of key paths to values, got " + shown(variant));
      }
    }
    std::erase_if(root_.children, [](const Node& child) { return child.key == "variants"; });
  }

  void apply(Node& root, const std::string& name, Loader& loader, Problems& problems) {
    if (const Node* variant = variants_.find(name)) return loader.apply_paths(root, *variant);
    std::vector<std::string_view> known;
    for (const Node& variant : variants_.children) known.push_back(variant.key);
    std::string message = "unknown variant \"" + name + "\"; ";
    if (known.empty()) message += "the scenario has none";
    for (std::size_t i = 0; i < known.size(); ++i) message += (i == 0 ? "known: " : ", ") + std::string{known[i]};
    problems.add(Place{}, "variants", std::move(message));
    problems.set_fatal();
  }

  void override_by_options(Node& root, Loader& loader, Problems& problems) {
    name_after_file(root);
    for (const std::string& assignment : options_.sets) loader.set(root, assignment, command_line_);
    refuse_bad_file_name(root, problems);
    if (options_.seed) set_scalar(root, "seed", std::to_string(*options_.seed), {seed_option_, 0, 0});
  }

  void name_after_file(Node& root) const {
    if (!root.find("name")) set_scalar(root, "name", std::filesystem::path{file_}.stem().string(), {file_name_, 0, 0});
  }

  /// A name that nobody wrote is no mistake of a key, so the message says where it came from and what to do.
  void refuse_bad_file_name(Node& root, Problems& problems) const {
    Node* name = root.find("name");
    if (!name || name->place.source != file_name_) return;
    const auto fault = file_name_fault(name->text);
    if (!fault) return;
    problems.add(Place{}, "name",
                 "the file's name gives the name \"" + name->text + "\", which " + *fault + "; set name: in the file");
    name->text = "scenario";  // said once is enough
  }

  static void set_scalar(Node& root, const std::string& key, std::string text, const Place& place) {
    std::erase_if(root.children, [&](const Node& child) { return child.key == key; });
    Node node;
    node.type = NodeType::scalar;
    node.key = key;
    node.text = std::move(text);
    node.key_place = node.place = place;
    root.children.push_back(std::move(node));
  }

  /// A mistake in a variant is told when the base is read, not when its turn comes an hour later.
  void check_variants() {
    for (const Node& variant : variants_.children) {
      if (!variant.is_map()) continue;
      Problems problems{sources_};
      Loader loader{sources_, problems, options_.texts};
      Node root = root_;
      loader.apply_paths(root, variant);
      override_by_options(root, loader, problems_);
      Reading reading{sources_};
      loader.expand_map(root, reading.warnings);
      if (!problems.fatal()) (void)decode(root, reading);
      problems.add_new(reading.errors, "");
      problems_.add_new(problems, " (in variant \"" + variant.key + "\")");
    }
  }

  std::string file_;
  const ReadOptions& options_;
  Wanted wanted_;
  Sources sources_;
  std::uint32_t command_line_{0};
  std::uint32_t seed_option_{0};
  std::uint32_t file_name_{0};
  Problems problems_{sources_};
  Loader loader_{sources_, problems_, options_.texts};
  Node root_;
  Node variants_;
};

}  // namespace

}  // namespace reading

Scenario read_scenario(const std::string& file, const ReadOptions& options) {
  return reading::Reader{file, options}.read();
}

Scenario read_topology_file(const std::string& file, const ReadOptions& options) {
  return reading::Reader{file, options, reading::Wanted::topology}.read();
}

class ScenarioReader::Files final {
 public:
  Files(const std::string& file, ReadOptions options, std::string laid_by)
      : laid_by_{std::move(laid_by)}, options_{with_texts(std::move(options))}, reader_{file, options_} {}

  [[nodiscard]] Scenario read(const Laid& laid) { return reader_.read(laid, laid_by_); }
  [[nodiscard]] std::vector<Diagnostic> faults_of(const Laid& laid) { return reader_.faults_of(laid, laid_by_); }
  [[nodiscard]] std::vector<std::string> variants() const { return reader_.names(); }
  [[nodiscard]] const FileTexts& texts() const { return texts_; }

 private:
  ReadOptions with_texts(ReadOptions options) {
    if (options.texts != nullptr) texts_ = *options.texts;
    options.texts = &texts_;
    return options;
  }

  std::string laid_by_;
  FileTexts texts_;
  ReadOptions options_;
  reading::Reader reader_;
};

ScenarioReader::ScenarioReader(const std::string& file, ReadOptions options, const std::string& laid_by)
    : files_{std::make_unique<Files>(file, std::move(options), laid_by)} {}
ScenarioReader::~ScenarioReader() = default;
Scenario ScenarioReader::read(const Laid& laid) {
  return files_->read(laid);
}
std::vector<Diagnostic> ScenarioReader::faults_of(const Laid& laid) {
  return files_->faults_of(laid);
}
std::vector<std::string> ScenarioReader::variants() const {
  return files_->variants();
}
const FileTexts& ScenarioReader::texts() const {
  return files_->texts();
}

std::vector<std::string> variant_names(const std::string& file, const ReadOptions& options) {
  return reading::Reader{file, options}.names();
}

}  // namespace soya
