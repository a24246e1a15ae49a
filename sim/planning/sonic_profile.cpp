#include "planning/sonic_profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include "planning/sonic_check.hpp"

namespace soya {

namespace {

constexpr std::string_view pool_name = "ingress_lossless_pool";
constexpr std::int64_t most = std::int64_t{1} << 40;  // bytes of a buffer that Soya takes

[[noreturn]] void fail(const std::string& file, const std::string& path, std::string message) {
  throw ScenarioError({Diagnostic{Where{file, 0, 0, path}, std::move(message)}});
}

/// "pool": "[BUFFER_POOL|ingress_lossless_pool]" of older releases is "ingress_lossless_pool" of newer ones.
std::string referred(std::string reference) {
  if (reference.starts_with('[') && reference.ends_with(']')) reference = reference.substr(1, reference.size() - 2);
  return reference.substr(reference.find_last_of("|:") + 1);
}

/// Settings of one lossless priority group: an entry of BUFFER_PROFILE, or a row of a table that becomes one.
struct Profile {
  SonicEntry entry;
  bool of_table{false};
};

/// Speed and cable of "pg_lossless_100000_40m_profile"; other names have none.
struct NamedPort {
  std::string speed;
  std::string cable;
};

std::optional<NamedPort> named_port(std::string_view name) {
  constexpr std::string_view begin = "pg_lossless_";
  if (!name.starts_with(begin)) return std::nullopt;
  name.remove_prefix(begin.size());
  const std::size_t first = name.find('_');
  if (first == std::string_view::npos) return std::nullopt;
  const std::string_view rest = name.substr(first + 1);
  return NamedPort{std::string{name.substr(0, first)}, std::string{rest.substr(0, rest.find('_'))}};
}

/// As SONiC makes a profile of a row: sonic-swss cfgmgr/buffermgr.cpp, doSpeedUpdateTask().
Profile profile_of(const SonicRow& row, const std::string& file, bool dynamic_pool) {
  const auto bytes = [](Bytes size) { return std::to_string(size.count()); };
  SonicEntry entry{file, "line", std::to_string(row.line), {}};
  entry.fields = {
      {"pool", std::string{pool_name}}, {"xon", bytes(row.xon)}, {"xoff", bytes(row.xoff)}, {"size", bytes(row.size)}};
  if (row.xon_offset) entry.fields.emplace_back("xon_offset", bytes(*row.xon_offset));
  if (row.threshold)
    entry.fields.emplace_back(dynamic_pool ? "dynamic_th" : "static_th", std::to_string(*row.threshold));
  return {std::move(entry), true};
}

class Importer final {
 public:
  Importer(const SonicBuffers& buffers, const std::vector<SonicTableFile>& tables, const SonicChoice& choice)
      : buffers_{buffers}, tables_{tables}, choice_{choice} {}

  SonicSwitch run() {
    const SonicEntry& pool = lossless_pool();
    read_memory(pool);
    const Profile profile = chosen(pool);
    read_profile(profile);
    read_lossy();
    tell_rest();
    return std::move(out_);
  }

 private:
  const SonicEntry& lossless_pool() {
    if (const SonicEntry* pool = buffers_.find("BUFFER_POOL", pool_name)) return *pool;
    std::string known;
    for (const SonicEntry& entry : buffers_.entries) {
      if (entry.table == "BUFFER_POOL") known += (known.empty() ? "" : ", ") + entry.name;
    }
    const std::string file = buffers_.entries.empty() ? "" : buffers_.entries.front().file;
    fail(file, "BUFFER_POOL",
         fmt::format("expected the pool {}, got {}", pool_name, known.empty() ? "no pool" : known));
  }

  /// The whole number of `field`; absent where there is none.
  std::optional<std::int64_t> number(const SonicEntry& entry, const std::string& field, std::int64_t least) {
    used_.insert({entry.title(), field});
    const auto text = entry.field(field);
    if (!text) return std::nullopt;
    std::int64_t value = 0;
    const char* end = text->data() + text->size();
    const auto [stop, error] = std::from_chars(text->data(), end, value);
    if (error != std::errc{} || stop != end || value < least || value > most) {
      fail(entry.file, entry.table + "." + entry.name + "." + field,
           value > most && error == std::errc{} && stop == end
               ? fmt::format("expected at most {} (1 TiB), got \"{}\"", most, *text)
               : fmt::format("expected a whole number of at least {}, got \"{}\"", least, *text));
    }
    return value;
  }

  void read_memory(const SonicEntry& pool) {
    const auto size = number(pool, "size", 1);
    if (!size) {
      fail(pool.file, pool.table + "." + pool.name,
           "has no size: a switch in the dynamic buffer model computes it; give its APPL_DB, which has it");
    }
    const std::int64_t xoff = number(pool, "xoff", 0).value_or(0);
    used_.insert({pool.title(), "type"});
    used_.insert({pool.title(), "mode"});
    if (*size + xoff > most) {
      fail(pool.file, pool.table + "." + pool.name,
           fmt::format("size {} + xoff {} is more than {} (1 TiB)", *size, xoff, most));
    }
    out_.size = {Bytes{*size + xoff}, fmt::format("{}: size {}", pool.title(), *size)};
    if (xoff == 0) return;
    out_.size.origin += fmt::format(" + xoff {}", xoff);
    out_.pool = {Bytes{xoff}, fmt::format("{}: xoff", pool.title())};
  }

  std::vector<Profile> candidates(const SonicEntry& pool, const SonicChoice& choice) {
    std::vector<Profile> profiles;
    for (const SonicEntry& entry : buffers_.entries) {
      const bool lossless = entry.table == "BUFFER_PROFILE" && entry.field("xoff");
      if (lossless && referred(entry.field("pool").value_or(std::string{pool_name})) == pool_name)
        profiles.push_back({entry});
    }
    const bool dynamic = pool.field("mode").value_or("dynamic") == "dynamic";
    for (const SonicTableFile& file : tables_) {
      for (const SonicRow& row : file.table.rows) {
        if (choice.speed && row.speed != *choice.speed) continue;
        if (choice.cable && row.cable != *choice.cable) continue;
        Profile profile = profile_of(row, file.file, dynamic);
        profile.entry.table = speed_text(row.speed) + " over " + cable_text(row.cable) + ", line";
        profiles.push_back(std::move(profile));
      }
    }
    return profiles;
  }

  [[nodiscard]] bool matches(const Profile& profile) const {
    if (profile.of_table || (!choice_.speed && !choice_.cable)) return true;
    const auto port = named_port(profile.entry.name);
    if (!port) return false;
    const bool speed = !choice_.speed || port->speed == std::to_string(choice_.speed->bits_per_second() / 1'000'000);
    return speed && (!choice_.cable || sonic_cable(port->cable) == choice_.cable);
  }

  /// The one profile that counts; one of BUFFER_PROFILE before a row of a table for the same port, as in SONiC.
  Profile chosen(const SonicEntry& pool) {
    const std::vector<Profile> all = candidates(pool, choice_);
    std::vector<Profile> left;
    std::ranges::copy_if(all, std::back_inserter(left), [&](const Profile& profile) { return matches(profile); });
    const bool has_entry = std::ranges::any_of(left, [](const Profile& profile) { return !profile.of_table; });
    if (has_entry) std::erase_if(left, [](const Profile& profile) { return profile.of_table; });
    if (left.size() == 1) {
      tell_others(all, left.front());
      return std::move(left.front());
    }
    if (all.empty() && !choice_.speed && !choice_.cable) return without_headroom();
    const std::string file = left.empty() ? pool.file : left.front().entry.file;
    const std::vector<Profile> shown = left.empty() ? candidates(pool, {}) : left;
    if (shown.empty()) {
      fail(file, "", "no profile has an xoff to choose with --speed and --cable; give pg_profile_lookup.ini, too");
    }
    fail(file, "",
         fmt::format("{} for lossless priority groups{}; choose with --speed and --cable{}",
                     left.empty() ? "no such profile" : fmt::format("{} profiles", left.size()),
                     left.empty() ? "" : " are left", list_of(shown)));
  }

  static std::string list_of(const std::vector<Profile>& profiles) {
    constexpr std::size_t shown = 6;
    std::string text;
    for (std::size_t i = 0; i < std::min(profiles.size(), shown); ++i) {
      const SonicEntry& entry = profiles[i].entry;
      text +=
          (i == 0 ? ": " : ", ") + (profiles[i].of_table ? entry.table.substr(0, entry.table.find(',')) : entry.name);
    }
    return profiles.size() > shown ? text + fmt::format(" and {} more", profiles.size() - shown) : text;
  }

  /// A profile of the dynamic buffer model has a threshold only; headroom comes from cable and speed.
  Profile without_headroom() {
    const SonicEntry* entry = buffers_.find("BUFFER_PROFILE", "ingress_lossless_profile");
    unmapped_first_.push_back(
        "no profile has an xoff, and no pg_profile_lookup.ini was given: headroom is left to size: auto");
    return {entry != nullptr ? *entry : SonicEntry{"", "BUFFER_PROFILE", "", {}}};
  }

  void tell_others(const std::vector<Profile>& all, const Profile& taken) {
    for (const Profile& profile : all) {
      if (profile.of_table || profile.entry.title() == taken.entry.title()) continue;
      for (const auto& [field, value] : profile.entry.fields) used_.insert({profile.entry.title(), field});
      unmapped_first_.push_back(profile.entry.title() +
                                ": another speed and cable; choose it with --speed and --cable");
    }
  }

  void read_profile(const Profile& profile) {
    const SonicEntry& entry = profile.entry;
    const std::string origin = (profile.of_table ? entry.file + ", " : "") + entry.title() + ": ";
    used_.insert({entry.title(), "pool"});
    const std::int64_t size = number(entry, "size", 0).value_or(0);
    const auto xoff = number(entry, "xoff", 0);
    if (xoff && *xoff > 0) out_.headroom = {Bytes{*xoff}, origin + "xoff"};
    if (xoff && *xoff == 0) {
      unmapped_first_.push_back(origin + "xoff 0: a lossless group without headroom; " +
                                (out_.pool ? "its share of the pool is left without a cap" : "left to size: auto"));
    }
    const std::int64_t headroom = out_.headroom ? out_.headroom->value.count() : 0;
    // Without a pool a profile's size holds its headroom; where it is smaller, it does not.
    const bool holds_headroom = !out_.pool && size >= headroom && headroom > 0;
    out_.reserved = holds_headroom ? Imported<Bytes>{Bytes{size - headroom},
                                                     origin + fmt::format("size {} - xoff {}", size, headroom)}
                                   : Imported<Bytes>{Bytes{size}, origin + (entry.field("size") ? "size" : "no size")};
    if (entry.name.empty()) out_.reserved.origin = "no profile of a lossless group, so no size";
    read_threshold(entry, origin);
    if (const auto offset = number(entry, "xon_offset", 0)) {
      out_.xon_offset = {Bytes{*offset}, origin + "xon_offset"};
    }
    if (const auto xon = number(entry, "xon", 0)) {
      unmapped_first_.push_back(fmt::format(
          "{}xon {}: Soya resumes at threshold - xon_offset, and at 0 of shared memory at the latest", origin, *xon));
    }
  }

  void read_threshold(const SonicEntry& entry, const std::string& origin) {
    constexpr std::int64_t least_power = -8;
    if (const auto power = number(entry, "dynamic_th", least_power)) {
      out_.alpha = {power_of_two(entry, *power), origin + fmt::format("dynamic_th {}", *power)};
    }
    const auto bytes = number(entry, "static_th", 0);
    if (!out_.alpha && !bytes) unmapped_first_.push_back("no dynamic_th or static_th: alpha is left at its default");
    if (bytes) {
      if (out_.alpha) fail(entry.file, entry.title(), "has dynamic_th and static_th; expected one of them");
      if (*bytes > 0) out_.threshold = {Bytes{*bytes}, origin + "static_th"};
      if (*bytes == 0)
        unmapped_first_.push_back(origin + "static_th 0: no shared memory at all; alpha is left as it is");
    }
  }

  /// 2^power as a ratio; SONiC's 8 and above would be more than Soya's 1024.
  Ratio power_of_two(const SonicEntry& entry, std::int64_t power) {
    constexpr std::int64_t most_power = 10;
    if (power > most_power) {
      fail(entry.file, entry.table + "." + entry.name + ".dynamic_th",
           fmt::format("expected n of alpha = 2^n from -8 to {}, got \"{}\"", most_power, power));
    }
    return power >= 0 ? Ratio{std::int64_t{1} << power, 1} : Ratio{1, std::int64_t{1} << -power};
  }

  /// Lossy classes are limited at the egress: by the profile of its queues.
  void read_lossy() {
    for (const char* name : {"q_lossy_profile", "egress_lossy_profile"}) {
      const SonicEntry* entry = buffers_.find("BUFFER_PROFILE", name);
      if (entry == nullptr || out_.lossy_alpha || !entry->field("dynamic_th")) continue;
      const auto power = number(*entry, "dynamic_th", -8);
      used_.insert({entry->title(), "pool"});
      out_.lossy_alpha = {power_of_two(*entry, *power), fmt::format("{}: dynamic_th {}", entry->title(), *power)};
    }
  }

  void tell_rest() {
    out_.unmapped = std::move(unmapped_first_);
    for (const SonicEntry& entry : buffers_.entries) {
      std::string fields;
      for (const auto& [field, value] : entry.fields) {
        if (!used_.contains({entry.title(), field})) fields += (fields.empty() ? " " : ", ") + field + " " + value;
      }
      if (fields.empty() && !entry.fields.empty()) continue;
      out_.unmapped.push_back(entry.title() + fields + ": " + reason_of(entry));
    }
    if (buffers_.other_tables.empty()) return;
    out_.unmapped.push_back(fmt::format("tables without buffer settings: {}", fmt::join(buffers_.other_tables, ", ")));
  }

  static std::string reason_of(const SonicEntry& entry) {
    if (entry.table == "BUFFER_POOL") return "one memory serves every port and class";
    if (entry.table != "BUFFER_PROFILE") return "who uses which profile follows from fabric.pfc.priorities";
    if (entry.name.starts_with("egress_lossless")) return "a lossless class is limited at the ingress alone";
    if (entry.field("xoff")) return fmt::format("its pool is not {}", pool_name);
    if (entry.name.starts_with("ingress_lossy")) return "a lossy class is limited at the egress alone";
    return "no such setting";
  }

  const SonicBuffers& buffers_;
  const std::vector<SonicTableFile>& tables_;
  const SonicChoice& choice_;
  SonicSwitch out_;
  std::set<std::pair<std::string, std::string>> used_;
  std::vector<std::string> unmapped_first_;
};

}  // namespace

SonicSwitch sonic_switch(const SonicBuffers& buffers, const std::vector<SonicTableFile>& tables,
                         const SonicChoice& choice) {
  return Importer{buffers, tables, choice}.run();
}

}  // namespace soya
