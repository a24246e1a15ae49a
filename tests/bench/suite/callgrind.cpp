#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "suite/measure.hpp"
#include "support/temporary_folder.hpp"

namespace soya::bench {

namespace {

/// Exit status of `words`, its output to `output`; 127 where the program is not there.
int run(std::vector<std::string> words, const std::string& output) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t files{};
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawnp(&child, argv[0], &files, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) return 127;
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Of a log of callgrind: "==7== Collected : 123456".
std::int64_t collected_in(const std::string& log) {
  const std::string heading = "Collected : ";
  const std::size_t found = log.find(heading);
  if (found == std::string::npos) throw std::runtime_error{"callgrind counted nothing:\n" + log};
  return std::stoll(log.substr(found + heading.size()));
}

Counted count_once(const std::string& program, const Case& one, std::int64_t size) {
  const test::TemporaryFolder folder;
  const std::string log = (folder / "log").string();
  const std::string json = (folder / "json").string();
  const std::string output = (folder / "output").string();
  const int status = run({"valgrind", "--tool=callgrind", std::string{"--toggle-collect="} + counted_function,
                          std::string{"--instr-atstart="} + (watched_from_start ? "yes" : "no"),
                          "--callgrind-out-file=/dev/null", "--log-file=" + log, program, "--here", "--case",
                          std::string{one.name}, "--size", std::to_string(size), "--repeat", "1", "--json", json},
                         output);
  if (status == 127) throw std::runtime_error{"instructions are counted by valgrind, which is not installed"};
  if (status != 0) {
    throw std::runtime_error{"valgrind ended with status " + std::to_string(status) + ":\n" + test::read_text(log) +
                             test::read_text(output)};
  }
  const auto measured = nlohmann::ordered_json::parse(test::read_text(json)).at("cases").at(0);
  return {size, measured.at("packet_hops"), collected_in(test::read_text(log))};
}

}  // namespace

Counted count_with_callgrind(const std::string& program, const Case& one) {
  const Counted less = count_once(program, one, one.counted);
  const Counted more = count_once(program, one, 2 * one.counted);
  return {one.counted, more.packet_hops - less.packet_hops, more.instructions - less.instructions};
}

}  // namespace soya::bench
