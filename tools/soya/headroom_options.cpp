#include "headroom_options.hpp"

#include "exit_status.hpp"
#include "scenario/section.hpp"

namespace soya::cli {

using reading::SectionId;

std::optional<std::int64_t> number_like(const Command& self, const Parsed& parsed, const std::string& name,
                                        SectionId section, std::string_view key) {
  const auto text = parsed.value(name);
  const reading::Key& declared = *reading::keys_of(section).find(key);
  if (!text || (!declared.word.empty() && *text == declared.word)) return std::nullopt;
  const reading::KeyNumber number = reading::key_number(declared, *text);
  if (!number.value) throw UsageError(usage_error(self, "--" + name + ": " + number.complaint));
  return static_cast<std::int64_t>(*number.value);
}

FrameConfig frame_options(const Command& self, const Parsed& parsed, Bytes default_mtu) {
  FrameConfig frame;
  frame.mtu = Bytes{number_like(self, parsed, "mtu", SectionId::fabric, "mtu").value_or(default_mtu.count())};
  frame.vlan = parsed.has("vlan");
  frame.ip = parsed.has("ipv6") ? IpVersion::v6 : IpVersion::v4;
  return frame;
}

std::optional<Bytes> cell_option(const Command& self, const Parsed& parsed) {
  const auto cell = number_like(self, parsed, "cell", SectionId::buffer, "cell");
  return cell ? std::optional{Bytes{*cell}} : std::nullopt;
}

std::optional<Duration> response_option(const Command& self, const Parsed& parsed) {
  const auto response = number_like(self, parsed, "response", SectionId::pfc, "response");
  return response ? std::optional{Duration{*response}} : std::nullopt;
}

}  // namespace soya::cli
