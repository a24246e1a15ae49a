#include "import.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "core/utf8.hpp"
#include "display_width.hpp"
#include "exit_status.hpp"
#include "foreign_file.hpp"
#include "headroom_options.hpp"
#include "output.hpp"
#include "results/files.hpp"
#include "scenario/quantity.hpp"

namespace soya::cli {

namespace {

constexpr std::size_t value_column = 28;

std::string size_value(Bytes size) {
  return reading::format_number(size.count(), reading::Dimension::size);
}

/// "    reserved: 1248B         # BUFFER_PROFILE …: size".
std::string line(const std::string& key, const std::string& value, const std::string& origin) {
  return pad_right("    " + key + ": " + value, value_column) + " # " + visible(origin) + "\n";
}

std::string line(const std::string& key, const Imported<Bytes>& imported) {
  return line(key, size_value(imported.value), imported.origin);
}

std::string line(const std::string& key, const std::optional<Imported<Bytes>>& imported) {
  return imported ? line(key, *imported) : "";
}

std::string line(const std::string& key, const std::optional<Imported<Ratio>>& imported) {
  return imported ? line(key, reading::format_ratio(imported->value), imported->origin) : "";
}

std::string headroom_lines(const SonicSwitch& imported) {
  if (imported.pool) {
    return line("mode", "shared-pool", "the pool has an xoff") + line("pool", imported.pool) +
           line("cap", imported.headroom);
  }
  return line("mode", "per-queue", "the pool has no xoff") +
         (imported.headroom ? line("size", imported.headroom) : line("size", "auto", "no profile says"));
}

bool is_json(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  return first != std::string::npos && (text[first] == '{' || text[first] == '[');
}

SonicChoice choice_of(const Command& self, const Parsed& parsed) {
  SonicChoice choice;
  if (const auto speed = number_like(self, parsed, "speed", reading::SectionId::link, "rate"))
    choice.speed = Rate{*speed};
  if (const auto cable = number_like(self, parsed, "cable", reading::SectionId::link, "length"))
    choice.cable = Length{*cable};
  return choice;
}

SonicSwitch read_switch(const Command& self, const Parsed& parsed, const std::vector<std::string>& files) {
  SonicBuffers buffers;
  std::vector<SonicTableFile> tables;
  for (const std::string& file : files) {
    const std::string text = read_foreign_file(file);
    if (is_json(text)) {
      add_sonic_json(file, text, buffers);
    } else {
      tables.push_back({file, read_sonic_table(file, text)});
    }
  }
  for (const SonicTableFile& table : tables) {
    for (const Diagnostic& warning : table.table.warnings) print_message("warning: " + warning.text() + "\n");
  }
  if (buffers.entries.empty()) {
    throw ScenarioError(
        {Diagnostic{Where{files.front(), 0, 0, std::string{}},
                    "no BUFFER_POOL here; give the JSON of a switch: its buffers.json or config_db.json"}});
  }
  return sonic_switch(buffers, tables, choice_of(self, parsed));
}

/// Nobody means to lose what a switch was asked for.
void refuse_input_as_output(const Command& self, const std::vector<std::string>& files, const std::string& out) {
  for (const std::string& file : files) {
    std::error_code none;
    if (!std::filesystem::is_regular_file(out, none) || !std::filesystem::equivalent(file, out, none)) continue;
    throw UsageError(usage_error(self, fmt::format("--out: \"{}\" is read here; write to another file", out)));
  }
}

int import(const Command& self, const Parsed& parsed) {
  const std::vector<std::string>& words = parsed.positional;
  if (words.empty()) throw UsageError(usage_error(self, "import what? Write: soya import sonic-buffers FILE..."));
  if (words.front() != "sonic-buffers") {
    throw UsageError(usage_error(self, fmt::format("unknown kind \"{}\"; known: sonic-buffers{}", words.front(),
                                                   suggestion(words.front(), {"sonic-buffers"}))));
  }
  const std::vector<std::string> files{words.begin() + 1, words.end()};
  if (files.empty()) throw UsageError(usage_error(self, "which FILE? Name the JSON of a switch's buffers"));
  const auto out = parsed.value("out");
  if (out && out->empty()) throw UsageError(usage_error(self, "--out: expected a file, got \"\""));
  if (out) refuse_input_as_output(self, files, *out);
  const SonicSwitch imported = read_switch(self, parsed, files);
  const std::string yaml = switch_yaml(imported, files);
  if (out) {
    atomic_write(*out, yaml);
  } else {
    print_answer(yaml);
  }
  for (const std::string& each : imported.unmapped) print_message("not mapped: " + visible(each) + "\n");
  return ExitStatus::sound;
}

}  // namespace

std::string switch_yaml(const SonicSwitch& imported, const std::vector<std::string>& files) {
  std::string text = "# A switch as SONiC configures it, from";
  for (const std::string& file : files) text += " " + visible(file);
  text += "\n# A scenario takes it with `extends:` and this file's name, and adds topology and workload.\n";
  text += "fabric:\n  buffer:\n" + line("size", imported.size) + line("reserved", imported.reserved) +
          line("alpha", imported.alpha) + line("threshold", imported.threshold) +
          line("xon_offset", imported.xon_offset) + line("lossy_alpha", imported.lossy_alpha);
  text += "  headroom:\n" + headroom_lines(imported);
  if (imported.unmapped.empty()) return text;
  text += "# Not mapped:\n";
  for (const std::string& each : imported.unmapped) text += "#   " + visible(each) + "\n";
  return text;
}

Command import_command() {
  return {"import",
          "sonic-buffers FILE...",
          "a switch profile from the buffer settings of a SONiC switch",
          "Reads BUFFER_POOL and BUFFER_PROFILE (buffers.json, config_db.json, a dump of\n"
          "APPL_DB) and pg_profile_lookup.ini, and writes YAML for `extends:`, each line\n"
          "with where it comes from. What cannot be mapped is listed there and on standard\n"
          "error. Exit status: 0 written, 2 bad input, 4 not writable.\n",
          {{"speed", "RATE", ""},
           {"cable", "LENGTH", "which lossless profile or row: 100Gbps, 40m"},
           {"out", "FILE", "write there instead of to standard output"},
           help_option()},
          {"soya import sonic-buffers buffers.json --out tor.yaml",
           "soya import sonic-buffers config_db.json --speed 100Gbps --cable 40m"},
          import};
}

}  // namespace soya::cli
