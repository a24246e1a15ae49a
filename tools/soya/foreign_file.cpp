#include "foreign_file.hpp"

#include <cstring>

#include "core/diagnostic.hpp"
#include "core/input_text.hpp"
#include "scenario/input_file.hpp"

namespace soya::cli {

std::string read_foreign_file(const std::string& file) {
  const auto fail = [&](const std::string& message) {
    throw ScenarioError({Diagnostic{Where{file, 0, 0, std::string{}}, message}});
  };
  if (file.empty()) fail("no such file: \"\"");
  if (const auto fault = reading::input_fault(file)) fail(*fault);
  constexpr std::size_t largest_file = std::size_t{64} << 20;
  InputText input = read_input(file, largest_file);
  if (input.fault == InputFault::system) fail(reading::unreadable(std::strerror(input.error)));
  if (input.fault == InputFault::too_large) fail("is larger than 64MiB");
  if (input.fault == InputFault::nothing_comes) fail(nothing_comes_text);
  if (input.text.empty()) fail("file is empty");
  return std::move(input.text);
}

}  // namespace soya::cli
