#include <algorithm>
#include <charconv>
#include <utility>

#include "scenario/key_path.hpp"
#include "scenario/read.hpp"
#include "scenario/section.hpp"

namespace soya {

namespace {

using reading::Step;

bool same(const Step& a, const Step& b) {
  return a.key == b.key && a.item == b.item;
}

std::vector<Step> steps_of(const std::string& path) {
  std::string wrong;
  return reading::parse_key_path(path, wrong).value_or(std::vector<Step>{});
}

/// A comment holds no control characters, whatever a file is called.
std::string comment(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, '?');
  return text;
}

/// The lines that lead from the key before to this one; every level is two columns deep, list items too.
void append(std::string& out, const std::vector<Step>& before, const std::vector<Step>& steps) {
  std::size_t common = 0;
  while (common < std::min(before.size(), steps.size()) && same(before[common], steps[common])) ++common;
  bool at_line_start = true;
  for (std::size_t depth = common; depth < steps.size(); ++depth) {
    if (at_line_start) out.append(2 * depth, ' ');
    at_line_start = false;
    if (steps[depth].item) {
      out += "- ";
      continue;
    }
    out += reading::yaml_text(steps[depth].key) + ':';
    if (depth + 1 < steps.size()) {
      out += '\n';
      at_line_start = true;
    } else {
      out += ' ';
    }
  }
}

/// Keys one after another as the lines of one YAML file.
class YamlLines final {
 public:
  void add(std::vector<Step> steps, const std::string& value) {
    append(text_, before_, steps);
    text_ += value + '\n';
    before_ = std::move(steps);
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::vector<Step> before_;
};

int number_at_end(std::string_view& text) {
  const std::size_t colon = text.rfind(':');
  int number = 0;
  if (colon == std::string_view::npos) return 0;
  const auto [end, failed] = std::from_chars(text.data() + colon + 1, text.data() + text.size(), number);
  if (failed != std::errc{} || end != text.data() + text.size()) return 0;
  text = text.substr(0, colon);
  return number;
}

Where parse_origin(std::string_view origin, const std::string& path) {
  Where where{{}, 0, 0, path};
  origin = origin.substr(0, origin.find("; default: "));
  const int last = number_at_end(origin);
  const int first = last > 0 ? number_at_end(origin) : 0;
  where.line = first;
  where.column = first > 0 ? last : 0;
  where.file = origin;
  return where;
}

}  // namespace

std::string effective_yaml(const Scenario& scenario) {
  YamlLines lines;
  for (const EffectiveKey& key : scenario.effective) {
    lines.add(steps_of(key.path), key.value + "  # " + comment(key.origin));
  }
  return lines.text();
}

std::string plain_yaml(const Scenario& scenario) {
  YamlLines lines;
  for (const EffectiveKey& key : scenario.effective) lines.add(steps_of(key.path), key.value);
  return lines.text();
}

std::string effective_yaml_under(const Scenario& scenario, std::string_view under) {
  const std::string prefix = std::string{under} + '.';
  YamlLines lines;
  for (const EffectiveKey& key : scenario.effective) {
    if (!key.path.starts_with(prefix)) continue;
    std::vector<Step> steps = steps_of(key.path);
    steps.erase(steps.begin());
    lines.add(std::move(steps), key.value);
  }
  return lines.text();
}

Where Scenario::where(const std::string& path) const {
  // A key inside a flow or link has the place of the whole item.
  for (std::string at = path; !at.empty(); at.resize(std::min(at.find_last_of(".["), at.size()))) {
    const auto found =
        std::find_if(effective.begin(), effective.end(), [&](const EffectiveKey& key) { return key.path == at; });
    if (found != effective.end()) {
      return found->origin.starts_with("default: ") ? where_of_default(path) : parse_origin(found->origin, path);
    }
    if (at.find_last_of(".[") == std::string::npos) break;
  }
  return where_of_default(path);
}

Where Scenario::where_of_default(std::string path) const {
  return Where{place.file, place.line, place.column, std::move(path)};
}

std::optional<Where> Scenario::where_of_switch(const std::string& switch_name,
                                               const std::vector<std::string>& keys) const {
  const std::string own = "switches." + reading::path_name(switch_name);
  for (const std::string& scope : {own, "topology." + own, std::string{"fabric"}}) {
    for (const std::string& key : keys) {
      const std::string path = scope + '.' + key;
      const auto found =
          std::find_if(effective.begin(), effective.end(), [&](const EffectiveKey& e) { return e.path == path; });
      if (found != effective.end() && !found->origin.starts_with("default: ")) return parse_origin(found->origin, path);
    }
  }
  return std::nullopt;
}

}  // namespace soya
