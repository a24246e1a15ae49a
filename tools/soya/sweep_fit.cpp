#include "sweep_fit.hpp"

#include <fmt/format.h>

#include "exit_status.hpp"
#include "output.hpp"
#include "sweep_input.hpp"

namespace soya::cli {

namespace {

int fit(const Command& self, const Parsed& parsed) {
  StoreReader reader{store_file(self, parsed)};
  answer_from_table(self, [&] {
    const std::string y = needed_value(self, parsed, "y", "a quantity");
    const std::string terms = needed_value(self, parsed, "terms", "terms such as \"1, rate*length\"");
    TableQuestion question{{quantity_named(reader.head(), y)}};
    if (const auto beside = parsed.value("beside")) {
      question.quantities.push_back(quantity_named(reader.head(), *beside));
    }
    if (const auto where = parsed.value("where")) question.where = table_condition(reader.head(), *where);
    const SweepTable table = read_table(reader.head(), points_of(reader), question);
    if (const std::int64_t missing = reader.head().points - table.stored; missing > 0) {
      print_message(fmt::format("note: {} of {} points are not there yet\n", missing, reader.head().points));
    }
    const SweepFit result = fit_table(table, terms);
    print_answer(parsed.has("json") ? fit_json(table, result) : fit_text(table, result));
  });
  return ExitStatus::sound;
}

}  // namespace

Command sweep_fit_command() {
  return {"sweep fit",
          "STORE --y QUANTITY --terms TERMS",
          "fit a quantity of a sweep as a sum of terms, by least squares",
          "STORE is the folder of a sweep, or its sweep.sqlite. A term is 1, or a product\n"
          "of columns: rate*length, size^2/rate; of a column's name its end is enough.\n"
          "Every point counts, seeds too. --beside fits a closed form over the same\n"
          "points. Exit status: 0 good, 2 bad input.\n",
          {{"y", "QUANTITY", "a number of the summary, answer, plan.*"},
           {"terms", "TERMS", "separated by commas: \"1, rate*length\""},
           {"beside", "QUANTITY", "the closed form: plan.headroom_static_bytes"},
           {"where", "CONDITION", "only points with it: \"mode == dsh and sound == 1\""},
           {"json", "", "as JSON"},
           help_option()},
          {"soya sweep fit out/headroom --y answer --terms \"1, rate*length\"",
           "soya sweep fit out/ddp --y steps.step_ms.max --terms \"1, bucket, 1/bucket\""},
          fit};
}

}  // namespace soya::cli
