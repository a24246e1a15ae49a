#include "sweep/point_list.hpp"

#include "results/csv.hpp"
#include "sweep/points_csv.hpp"

namespace soya {

void list_points(const SweepConfig& sweep, const PointSpace& space, Shard shard,
                 const std::function<void(std::string_view)>& write) {
  constexpr std::size_t piece = std::size_t{1} << 16;
  std::vector<Value> record{std::string{"point"}};
  for (const Column& column : columns_of(sweep)) {
    record.emplace_back(csv_name(column));
  }
  std::string text = csv_record(record);
  PointSpace::Cursor cursor{space, shard};
  while (const auto point = cursor.next()) {
    record.assign({Value{point->number}});
    for (const Cell& cell : space.cells(*point)) record.push_back(csv_value(cell, true));
    text += csv_record(record);
    if (text.size() < piece) continue;
    write(text);
    text.clear();
  }
  write(text);
}

std::string cells_text(const std::vector<Column>& columns, const std::vector<Cell>& cells) {
  std::string out;
  for (std::size_t i = 0; i < cells.size() && i < columns.size(); ++i) {
    out += (i == 0 ? "" : ", ") + columns[i].name + ' ' + cells[i].text;
  }
  return out;
}

}  // namespace soya
