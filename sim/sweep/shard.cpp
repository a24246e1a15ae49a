#include "sweep/shard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "core/quantity_text.hpp"
#include "core/utf8.hpp"

namespace soya {

namespace {

/// Digits and nothing else.
std::optional<std::int64_t> whole(std::string_view text) {
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, fault] = std::from_chars(text.data(), end, number);
  if (text.empty() || text.front() == '-' || fault != std::errc{} || stopped != end) return std::nullopt;
  return number;
}

struct Halves {
  std::string_view before;
  std::string_view after;
};

/// Around the first `separator`.
std::optional<Halves> split(std::string_view text, char separator) {
  const std::size_t at = text.find(separator);
  if (at == std::string_view::npos) return std::nullopt;
  return Halves{text.substr(0, at), text.substr(at + 1)};
}

[[noreturn]] void refuse_shard(std::string_view text, const std::string& hint = {}) {
  throw ShardError(fmt::format("expected i/n with 0 <= i < n, such as 0/8, got \"{}\"{}", visible(text), hint));
}

}  // namespace

Shard parse_shard(std::string_view text) {
  const std::optional<Halves> halves = split(text, '/');
  if (!halves) refuse_shard(text);
  const std::optional<std::int64_t> index = whole(halves->before);
  const std::optional<std::int64_t> count = whole(halves->after);
  if (!index || !count || *count == 0) refuse_shard(text);
  if (*index == *count) refuse_shard(text, fmt::format(": shards count from 0, the last is {}/{}", *count - 1, *count));
  if (*index > *count) refuse_shard(text);
  return {*index, *count};
}

std::string shard_text(const Shard& shard) {
  return fmt::format("{}/{}", shard.index, shard.count);
}

std::int64_t points_in(const Shard& shard, std::int64_t points) {
  return shard.index < points ? (points - shard.index - 1) / shard.count + 1 : 0;
}

std::string shard_folder(const Shard& shard) {
  constexpr std::size_t usual_digits = 5;
  const std::size_t digits = std::max(usual_digits, std::to_string(shard.count).size());
  return fmt::format("shard-{:0{}}-of-{:0{}}", shard.index, digits, shard.count, digits);
}

std::optional<Shard> shard_of_folder(std::string_view name) {
  constexpr std::string_view head = "shard-";
  constexpr std::string_view middle = "-of-";
  const std::size_t at = name.find(middle);
  if (!name.starts_with(head) || at == std::string_view::npos || at < head.size()) return std::nullopt;
  const std::optional<std::int64_t> index = whole(name.substr(head.size(), at - head.size()));
  const std::optional<std::int64_t> count = whole(name.substr(at + middle.size()));
  if (!index || !count || *index >= *count) return std::nullopt;
  const Shard shard{*index, *count};
  return shard_folder(shard) == name ? std::optional{shard} : std::nullopt;
}

ArrayTask array_task_of_environment() {
  const auto variable = [](const char* name) -> std::optional<std::string> {
    const char* value = std::getenv(name);
    return value == nullptr ? std::nullopt : std::optional<std::string>{value};
  };
  return {variable("SLURM_ARRAY_TASK_ID"), variable("SLURM_ARRAY_TASK_MIN"), variable("SLURM_ARRAY_TASK_MAX"),
          variable("SLURM_ARRAY_TASK_STEP"), variable("SLURM_ARRAY_TASK_COUNT")};
}

std::optional<Shard> shard_of_array(const ArrayTask& task) {
  if (!task.id) return std::nullopt;
  const auto number = [](const char* name, const std::optional<std::string>& value) {
    const std::optional<std::int64_t> read = value ? whole(*value) : std::nullopt;
    if (read) return *read;
    throw ShardError(fmt::format("expected a whole number in {}, {}; give --shard i/n", name,
                                 value ? "got \"" + visible(*value) + "\"" : "which is not set"));
  };
  const std::int64_t id = number("SLURM_ARRAY_TASK_ID", task.id);
  const std::int64_t min = number("SLURM_ARRAY_TASK_MIN", task.min);
  const std::int64_t max = number("SLURM_ARRAY_TASK_MAX", task.max);
  const std::int64_t step = number("SLURM_ARRAY_TASK_STEP", task.step);
  const std::int64_t count = number("SLURM_ARRAY_TASK_COUNT", task.count);
  const bool range = step > 0 && min <= id && id <= max && (id - min) % step == 0 && (max - min) / step + 1 == count;
  if (range) return Shard{(id - min) / step, count};
  throw ShardError(
      fmt::format("expected a Slurm array of the form first-last:step, got one of {} tasks from {} to {} in "
                  "steps of {}, in which task {} does not know its place; give --shard i/n",
                  count, min, max, step, id));
}

std::string index_list(const std::vector<std::int64_t>& indices) {
  std::string text;
  for (std::size_t i = 0; i < indices.size();) {
    std::size_t last = i;
    while (last + 1 < indices.size() && indices[last + 1] == indices[last] + 1) ++last;
    if (!text.empty()) text += ',';
    text += std::to_string(indices[i]);
    if (last > i) text += (last == i + 1 ? "," : "-") + std::to_string(indices[last]);
    i = last + 1;
  }
  return text;
}

namespace {

/// Appends "7", "17-20" or "4-10:2"; false where it is none, or gets too long.
bool append_part(std::string_view part, std::vector<std::int64_t>& to) {
  std::optional<std::int64_t> step = 1;
  if (const auto stepped = split(part, ':')) {
    step = whole(stepped->after);
    part = stepped->before;
    if (!split(part, '-')) return false;
  }
  const Halves ends = split(part, '-').value_or(Halves{part, part});
  const std::optional<std::int64_t> first = whole(ends.before);
  const std::optional<std::int64_t> last = whole(ends.after);
  if (!first || !last || !step || *step == 0 || *last < *first) return false;
  const std::int64_t beyond_first = (*last - *first) / *step;
  if (beyond_first >= most_listed - static_cast<std::int64_t>(to.size())) return false;
  for (std::int64_t i = 0; i <= beyond_first; ++i) to.push_back(*first + i * *step);
  return true;
}

}  // namespace

std::vector<std::int64_t> parse_index_list(std::string_view text) {
  std::vector<std::int64_t> indices;
  std::string_view rest = text;
  for (bool more = !text.empty(); more;) {
    const std::optional<Halves> halves = split(rest, ',');
    const std::string_view part = halves ? halves->before : rest;
    if (!append_part(part, indices)) {
      throw ShardError(fmt::format("expected indices such as 3,17-20 or 4-10:2, at most {} of them, got \"{}\"",
                                   grouped(most_listed), visible(part)));
    }
    more = halves.has_value();
    if (more) rest = halves->after;
  }
  std::sort(indices.begin(), indices.end());
  indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
  return indices;
}

}  // namespace soya
