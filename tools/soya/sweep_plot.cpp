#include "sweep_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "exit_status.hpp"
#include "output.hpp"
#include "plot_svg.hpp"
#include "plot_text.hpp"
#include "results/csv.hpp"
#include "results/files.hpp"
#include "sweep_input.hpp"
#include "sweep_picture.hpp"

namespace soya::cli {

namespace {

/// What the options ask for, with columns and quantities found.
struct PlotOrder {
  PictureQuestion question;
  TableQuestion table;
  bool heat{false};
};

UsageError wrong(const Command& self, const std::string& message) {
  return UsageError(usage_error(self, message));
}

std::vector<std::string> split_commas(const std::string& text) {
  std::vector<std::string> parts{""};
  for (const char c : text) {
    if (c == ',') {
      parts.emplace_back();
    } else if (c != ' ') {
      parts.back() += c;
    }
  }
  return parts;
}

void read_by(const Command& self, const Parsed& parsed, const StoreHead& head, PlotOrder& order) {
  const auto by = parsed.value("by");
  if (!by) return;
  if (order.heat) throw wrong(self, "--by draws lines, and --color a heat map; leave one out");
  const std::vector<std::string> names = split_commas(*by);
  if (names.size() > 2) throw wrong(self, "--by: at most two columns tell lines apart, got \"" + *by + "\"");
  for (const std::string& name : names) {
    const std::size_t column = column_named(head.columns, name);
    if (column == order.question.x) throw wrong(self, "--by: " + head.columns[column].name + " is --x already");
    if (std::ranges::count(order.question.by, column) > 0) {
      throw wrong(self, "--by: " + head.columns[column].name + " stands there twice");
    }
    order.question.by.push_back(column);
  }
}

void read_log(const Command& self, const Parsed& parsed, PlotOrder& order) {
  const auto log = parsed.value("log");
  if (!log) return;
  if (order.heat) {
    if (*log != "color") throw wrong(self, "--log: of a heat map only its colors, --log color; got \"" + *log + "\"");
    order.question.log_y = true;
    return;
  }
  if (*log != "x" && *log != "y" && *log != "xy") throw wrong(self, "--log: expected x, y or xy, got \"" + *log + "\"");
  order.question.log_x = log->find('x') != std::string::npos;
  order.question.log_y = log->find('y') != std::string::npos;
}

/// Lines have a quantity upwards; a heat map has a column there, and a quantity as colour.
void read_axes(const Command& self, const Parsed& parsed, const StoreHead& head, PlotOrder& order) {
  const std::string x = needed_value(self, parsed, "x", "a column");
  const std::string y = needed_value(self, parsed, "y", "a quantity, or a column beside --color");
  order.question.x = column_named(head.columns, x);
  const auto y_column = find_column(head.columns, y);
  const auto colour = parsed.value("color");
  order.heat = colour.has_value();
  if (!order.heat) {
    if (y_column) {
      throw wrong(self, "--y: " + head.columns[*y_column].name +
                            " is a column; give a quantity, or add --color QUANTITY for a heat map");
    }
    order.table.quantities.push_back(quantity_named(head, y));
    return;
  }
  const std::size_t column = column_named(head.columns, y);
  if (column == order.question.x) throw wrong(self, "--y: " + head.columns[column].name + " is --x already");
  order.question.by.push_back(column);
  order.table.quantities.push_back(quantity_named(head, *colour));
}

PlotOrder read_order(const Command& self, const Parsed& parsed, const StoreHead& head) {
  PlotOrder order;
  read_axes(self, parsed, head, order);
  read_by(self, parsed, head, order);
  read_log(self, parsed, order);
  order.question.title = parsed.value("title");
  if (const auto where = parsed.value("where")) {
    order.question.where = *where;
    order.table.where = table_condition(head, *where);
  }
  const auto out = parsed.value("out");
  if (out && !out->ends_with(".svg"))
    throw wrong(self, "--out: expected a name that ends in .svg, got \"" + *out + "\"");
  return order;
}

std::string with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() || name.ends_with(unit) ? name : name + "_" + unit;
}

Value cell_value(const Cell& cell, bool numeric) {
  if (numeric) return *cell.number;
  return cell.text;
}

/// The groups of the picture: x, the other columns, n, mean, min, max, and how many are not sound or have no value.
std::string groups_csv(const SweepTable& table, const PictureQuestion& question) {
  std::vector<Value> header;
  std::vector<std::size_t> columns{question.x};
  columns.insert(columns.end(), question.by.begin(), question.by.end());
  for (const std::size_t column : columns) {
    header.emplace_back(with_unit(table.head.columns[column].name, table.head.columns[column].unit));
  }
  for (const char* name : {"quantity", "unit", "n", "mean", "min", "max", "not_sound", "without_value"}) {
    header.emplace_back(name);
  }
  std::string text = csv_record(header);
  for (const PointGroup& group : picture_groups(table, question).groups) {
    std::vector<Value> values{cell_value(group.key.back(), table.numeric[question.x])};
    for (std::size_t i = 0; i < question.by.size(); ++i) {
      values.push_back(cell_value(group.key[i], table.numeric[question.by[i]]));
    }
    values.emplace_back(table.quantities.front().name);
    values.emplace_back(table.quantities.front().unit);
    values.emplace_back(group.values);
    for (const double value : {group.mean, group.least, group.most}) {
      if (group.values > 0) {
        values.emplace_back(value);
      } else {
        values.emplace_back(std::monostate{});
      }
    }
    values.emplace_back(group.unsound);
    values.emplace_back(group.without);
    text += csv_record(values);
  }
  return text;
}

template <class Picture>
void show(const Picture& picture, const Parsed& parsed) {
  const auto out = parsed.value("out");
  if (out) atomic_write(*out, svg_of(picture));
  if (parsed.has("csv")) return;
  std::string text = text_of(picture, {answer_bars(), answer_colour()});
  if (out) text += "\n " + *out + "\n";
  print_answer(text);
}

/// A picture of half a sweep looks like one of all of it.
void tell_missing(const SweepTable& table) {
  const std::int64_t missing = table.head.points - table.stored;
  if (missing <= 0) return;
  print_message(fmt::format("note: {} of {} points are not there yet\n", missing, table.head.points));
}

int plot(const Command& self, const Parsed& parsed) {
  StoreReader reader{store_file(self, parsed)};
  answer_from_table(self, [&] {
    const PlotOrder order = read_order(self, parsed, reader.head());
    const SweepTable table = read_table(reader.head(), points_of(reader), order.table);
    tell_missing(table);
    if (table.not_decided > 0) {
      print_message(fmt::format("note: --where leaves {} points out because they lack a value that it asks for\n",
                                table.not_decided));
    }
    if (order.heat) {
      show(heat_picture(table, order.question), parsed);
    } else {
      show(line_picture(table, order.question), parsed);
    }
    if (parsed.has("csv")) print_answer(groups_csv(table, order.question));
  });
  return ExitStatus::sound;
}

}  // namespace

Command sweep_plot_command() {
  return {"sweep plot",
          "STORE --x COLUMN --y QUANTITY",
          "draw a quantity of a sweep over a column, with its spread",
          "STORE is the folder of a sweep, or its sweep.sqlite. The picture is printed;\n"
          "--out writes it as SVG. Of a column's name its end is enough: length. Where\n"
          "--y is a column, --color QUANTITY makes a heat map. Quantities are numbers of\n"
          "the summary, sound, answer, probes, and closed forms plan.*.\n"
          "Exit status: 0 good, 2 bad input, 4 the machine refused.\n",
          {{"x", "COLUMN", "along the bottom"},
           {"y", "NAME", "upwards: a quantity, or of a heat map a column"},
           {"by", "COLUMN[,COLUMN]", "a line for each of its values"},
           {"color", "QUANTITY", "of a heat map"},
           {"where", "CONDITION", "only points with it: \"mode == dsh and length <= 100km\""},
           {"log", "x|y|xy|color", "logarithmic"},
           {"title", "TEXT", "of the picture"},
           {"out", "FILE.svg", "write it there, too"},
           {"csv", "", "print what is drawn as CSV: n, mean, min, max"},
           help_option()},
          {"soya sweep plot out/headroom --x length --y answer --by rate --log xy",
           "soya sweep plot out/headroom --x length --y rate --color answer --out map.svg"},
          plot};
}

}  // namespace soya::cli
