#include "failure.hpp"

#include <fmt/format.h>

#include <exception>
#include <new>

#include "core/diagnostic.hpp"
#include "core/utf8.hpp"
#include "exit_status.hpp"
#include "output.hpp"
#include "results/files.hpp"
#include "results/reader.hpp"
#include "sweep/isolation.hpp"

namespace soya::cli {

namespace {

std::string defect_report(const std::string& what, const std::vector<std::string>& arguments) {
  std::string command = "soya";
  for (const std::string& argument : arguments) command += " " + visible(argument);
  return fmt::format(
      "soya: an internal check failed: {}\n"
      "This is a defect of Soya, not of your scenario. Please report the line above with\n"
      "  version  {}\n  command  {}\n"
      "and the scenario, as `soya check SCENARIO` prints it.\n",
      what, SOYA_VERSION, command);
}

}  // namespace

int reported(const std::vector<std::string>& arguments, const std::function<int()>& work) {
  try {
    return work();
  } catch (const UsageError& error) {
    print_note(std::string{error.what()} + "\n");
    return ExitStatus::bad_input;
  } catch (const ScenarioError& error) {
    print_message(std::string{error.what()} + "\n");
    return ExitStatus::bad_input;
  } catch (const ResultsError& error) {
    print_message(std::string{error.what()} + "\n");
    return ExitStatus::bad_input;
  } catch (const MachineError& error) {
    print_note(std::string{"soya: "} + error.what() + "\n");
    return ExitStatus::machine_refused;
  } catch (const ProcessError& error) {
    print_note(std::string{"soya: "} + error.what() + "\n");
    return ExitStatus::machine_refused;
  } catch (const MemoryRefusal& error) {
    print_note(std::string{"soya: "} + error.what() + "\n");
    return ExitStatus::machine_refused;
  } catch (const std::bad_alloc&) {
    // No formatting: there is no memory for it.
    print_note("soya: out of memory. `soya check SCENARIO` estimates what a run needs.\n");
    return ExitStatus::machine_refused;
  } catch (const std::exception& error) {
    print_note(defect_report(error.what(), arguments));
    return ExitStatus::internal_error;
  }
}

}  // namespace soya::cli
