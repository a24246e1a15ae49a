#include "workload/model_table.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/temporary_folder.hpp"
#include "support/units_io.hpp"

using namespace soya;
using soya::test::TemporaryFolder;
using soya::test::write_text;

namespace {

std::int64_t total(const std::vector<TensorConfig>& tensors) {
  std::int64_t sum = 0;
  for (const TensorConfig& tensor : tensors) sum += tensor.elements;
  return sum;
}

std::vector<TensorConfig> shipped(const std::string& name) {
  return read_model_table(std::string{SOYA_SOURCE_DIR} + "/scenarios/models/" + name + ".csv");
}

std::vector<TensorConfig> read(const std::string& text) {
  const TemporaryFolder folder;
  write_text(folder / "model.csv", text);
  return read_model_table((folder / "model.csv").string());
}

/// The errors of a table, each without its folder: "model.csv:2:3: …".
std::vector<std::string> errors(const std::string& text) {
  const TemporaryFolder folder;
  write_text(folder / "model.csv", text);
  std::vector<std::string> lines;
  try {
    static_cast<void>(read_model_table((folder / "model.csv").string()));
  } catch (const ScenarioError& error) {
    for (const Diagnostic& diagnostic : error.diagnostics()) {
      lines.push_back(diagnostic.text().substr(folder.path().string().size() + 1));
    }
  }
  return lines;
}

using Lines = std::vector<std::string>;

/// Elements of a k x k convolution without bias and its batch normalisation.
struct Convolution {
  std::int64_t in, out, kernel;
  [[nodiscard]] std::int64_t elements() const { return in * out * kernel * kernel + 2 * out; }
};

std::int64_t basic_block(std::int64_t in, std::int64_t width) {
  const std::int64_t projection = in == width ? 0 : Convolution{in, width, 1}.elements();
  return Convolution{in, width, 3}.elements() + Convolution{width, width, 3}.elements() + projection;
}

std::int64_t bottleneck(std::int64_t in, std::int64_t width) {
  const std::int64_t projection = in == 4 * width ? 0 : Convolution{in, 4 * width, 1}.elements();
  return Convolution{in, width, 1}.elements() + Convolution{width, width, 3}.elements() +
         Convolution{width, 4 * width, 1}.elements() + projection;
}

}  // namespace

TEST_CASE("the ResNet-18 table is the architecture's sum") {
  std::int64_t expected = Convolution{3, 64, 7}.elements();
  std::int64_t in = 64;
  for (const std::int64_t width : {64, 128, 256, 512}) {
    expected += basic_block(in, width) + basic_block(width, width);
    in = width;
  }
  expected += 512 * 1000 + 1000;
  REQUIRE(expected == 11'689'512);
  CHECK(total(shipped("resnet18")) == expected);
  // 20 convolutions with weight and bias of their normalisation, and the classifier's two.
  CHECK(shipped("resnet18").size() == 20 * 3 + 2);
}

TEST_CASE("the ResNet-50 table is the architecture's sum") {
  std::int64_t expected = Convolution{3, 64, 7}.elements();
  std::int64_t in = 64;
  std::int64_t width = 64;
  for (const int blocks : {3, 4, 6, 3}) {
    for (int block = 0; block < blocks; ++block) {
      expected += bottleneck(in, width);
      in = 4 * width;
    }
    width *= 2;
  }
  expected += 2048 * 1000 + 1000;
  REQUIRE(expected == 25'557'032);
  CHECK(total(shipped("resnet50")) == expected);
  // 1 + 16 x 3 + 4 projections are 53 convolutions.
  CHECK(shipped("resnet50").size() == 53 * 3 + 2);
}

TEST_CASE("the GPT-2 table is the architecture's sum, with the tied embedding once and no padded vocabulary") {
  constexpr std::int64_t width = 768;
  constexpr std::int64_t attention = width * 3 * width + 3 * width + width * width + width;
  constexpr std::int64_t mlp = width * 4 * width + 4 * width + 4 * width * width + width;
  constexpr std::int64_t norm = 2 * width;
  constexpr std::int64_t expected = 50'257 * width + 1024 * width + 12 * (attention + mlp + 2 * norm) + norm;
  static_assert(expected == 124'439'808);
  CHECK(total(shipped("gpt2")) == expected);
  CHECK(shipped("gpt2").size() == 2 + 12 * 12 + 2);
  CHECK(shipped("gpt2").front().name == "wte.weight");
  CHECK(shipped("gpt2").front().elements == 50'257 * width);
}

TEST_CASE("comments, blank lines, spaces, CRLF, a BOM and a missing last newline are fine") {
  const auto tensors =
      read("\xEF\xBB\xBF# a comment, with a comma\r\nindex,name,numel\r\n\r\n0, a ,12\r\n1,埋め込み,3");
  REQUIRE(tensors.size() == 2);
  CHECK(tensors[0].name == "a");
  CHECK(tensors[0].elements == 12);
  CHECK_FALSE(tensors[0].backward.has_value());
  CHECK(tensors[1].name == "埋め込み");
  CHECK(tensors[1].elements == 3);
}

TEST_CASE("columns come in any order, index is not needed, and rules the order where it is there") {
  const auto by_line = read("name,numel\nb,2\na,1\n");
  REQUIRE(by_line.size() == 2);
  CHECK(by_line[0].name == "b");
  const auto by_index = read("numel,name,index\n2,b,1\n1,a,0\n");
  REQUIRE(by_index.size() == 2);
  CHECK(by_index[0].name == "a");
  CHECK(by_index[1].elements == 2);
}

TEST_CASE("times are exact and carry a unit") {
  const auto tensors = read("name,numel,time\na,1,1.5ms\nb,1,12us\nc,1,0.001ns\nd,1,2µs\ne,1,1s\nf,1,0ns\ng,1,7ps\n");
  REQUIRE(tensors.size() == 7);
  CHECK(tensors[0].backward == 1'500_us);
  CHECK(tensors[1].backward == 12_us);
  CHECK(tensors[2].backward == 1_ps);
  CHECK(tensors[3].backward == 2_us);
  CHECK(tensors[4].backward == 1_s);
  CHECK(tensors[5].backward == 0_ps);
  CHECK(tensors[6].backward == 7_ps);
}

TEST_CASE("what is wrong with a table is said with line and column") {
  CHECK(errors("") == Lines{"model.csv: file is empty"});
  CHECK(errors("# only a comment\n") == Lines{"model.csv: expected the header index,name,numel, found no line"});
  CHECK(errors("name,numel\n") == Lines{"model.csv: no tensors after the header"});
  CHECK(errors("name,size\na,1\n") ==
        Lines{"model.csv:1:6: unknown column \"size\"; a table has index, name, numel, time",
              "model.csv:1:1: the header has no column \"numel\""});
  CHECK(errors("0,conv1,9408\n").size() == 5);  // three unknown columns, two missing ones
  CHECK(errors("name,numel,name\na,1,b\n") == Lines{"model.csv:1:12: column \"name\" is there twice"});
  CHECK(errors("name,numel\na\n") == Lines{"model.csv:2:1: expected 2 columns as in the header, got 1"});
  CHECK(errors("name,numel\na,1,2\n") == Lines{"model.csv:2:1: expected 2 columns as in the header, got 3"});
  CHECK(errors("name,numel\n,1\n") == Lines{"model.csv:2:1: the tensor has no name"});
}

TEST_CASE("a file that is no table is refused without reading all of it") {
  CHECK(errors("name,numel\n" + std::string(65'535, 'a') + ",1\n") ==
        Lines{"model.csv:2:1: a line above 64 KiB: not a table of tensors"});
  CHECK(errors(std::string(1'000'000, ',')) == Lines{"model.csv:1:1: a line above 64 KiB: not a table of tensors"});
  CHECK(errors("# " + std::string(65'536, 'a') + "\nname,numel\n" + std::string(65'534, 'a') + ",1\n").empty());
  // One mistake in each line, in either pass over the rows.
  std::string numbers = "name,numel\n";
  std::string indices = "index,name,numel\n";
  for (int row = 0; row < 2000; ++row) {
    numbers += "a,0\n";
    indices += "7,a,1\n";
  }
  CHECK(errors(numbers).size() == 1000);
  CHECK(errors(indices).size() == 1000);
}

TEST_CASE("columns are counted in characters, in every cell of a line") {
  // é and µ are one each: 4 of the first cell, a comma, a blank, 4 of the second, a comma.
  CHECK(errors("étés, µsec,nom\n") ==
        Lines{"model.csv:1:1: unknown column \"étés\"; a table has index, name, numel, time",
              "model.csv:1:7: unknown column \"µsec\"; a table has index, name, numel, time",
              "model.csv:1:12: unknown column \"nom\"; a table has index, name, numel, time",
              "model.csv:1:1: the header has no column \"name\"",
              "model.csv:1:1: the header has no column \"numel\""});
}

TEST_CASE("a table that is no text is refused at its first byte that is none") {
  using namespace std::string_literals;
  CHECK(errors("name,numel\na\0b,1\n"s) == Lines{"model.csv:2:2: control character 0x00; this is not a text file"});
  CHECK(errors("name,numel\r重,1\r") == Lines{"model.csv:1:11: control character 0x0D; this is not a text file"});
  CHECK(errors("name,numel\n重\xE9,1\n") == Lines{"model.csv:2:2: not UTF-8 (byte 0xE9); save the file as UTF-8"});
  CHECK(errors("# caf\xE9\nname,numel\na,1\n") ==
        Lines{"model.csv:1:6: not UTF-8 (byte 0xE9); save the file as UTF-8"});
  CHECK(errors("name,\tnumel\na,\t1\n").empty());
}

TEST_CASE("a cell in quotes is refused, so that no quote becomes part of a name") {
  const std::string expected = "quotes have no meaning here; write the cell without them";
  CHECK(errors("name,numel\n\"a,b\",1\n\"c\",1\nd,\"1\"\n") ==
        Lines{"model.csv:2:1: " + expected, "model.csv:3:1: " + expected, "model.csv:4:3: " + expected});
}

TEST_CASE("element counts that are none are refused, all of them at once") {
  const std::string expected = "numel: expected a whole number of elements from 1 to 10^15, got ";
  CHECK(
      errors("name,numel\na,-1\nb,0\n重み,x\nd,1e6\ne,1.5\nf,\ng,99999999999999999999\nh,12 x\ni,1000000000000001\n") ==
      Lines{"model.csv:2:3: " + expected + "\"-1\"", "model.csv:3:3: " + expected + "\"0\"",
            "model.csv:4:4: " + expected + "\"x\"", "model.csv:5:3: " + expected + "\"1e6\"",
            "model.csv:6:3: " + expected + "\"1.5\"", "model.csv:7:3: " + expected + "\"\"",
            "model.csv:8:3: " + expected + "\"99999999999999999999\"", "model.csv:9:3: " + expected + "\"12 x\"",
            "model.csv:10:3: " + expected + "\"1000000000000001\""});
  CHECK(errors("name,numel\na,1000000000000000\nb,1\nc,1\n") ==
        Lines{"model.csv:3:3: more than 10^15 elements in all"});
}

TEST_CASE("an index that is none or is there twice is refused") {
  CHECK(errors("index,name,numel\n0,a,1\n1,b,1\n0,c,1\n") == Lines{"model.csv:4:1: index 0 is also on line 2"});
  CHECK(errors("name,index,numel\na,x,1\n") ==
        Lines{"model.csv:2:3: index: expected a whole number from 0, got \"x\""});
}

TEST_CASE("times without a unit, below a picosecond or missing are refused") {
  for (const std::string time : {"5", "-5us", "1.us", ".5us", "1.2.3us", "0.5ps", "1.0001ns", "5 us", "5min", "",
                                 "99999999999s", "1e3us", "nan"}) {
    CAPTURE(time);
    CHECK(errors("name,numel,time\na,1," + time + "\n") ==
          Lines{"model.csv:2:5: time: expected a time such as 12us or 1.5ms, got \"" + time + "\""});
  }
}

TEST_CASE("a path that cannot be read says why") {
  const TemporaryFolder folder;
  const std::string missing = (folder / "none.csv").string();
  CHECK_THROWS_WITH_AS(static_cast<void>(read_model_table(missing)),
                       (missing + ": cannot read: No such file or directory").c_str(), ScenarioError);
  const std::string itself = folder.path().string();
  CHECK_THROWS_WITH_AS(static_cast<void>(read_model_table(itself)), (itself + ": cannot read: Is a directory").c_str(),
                       ScenarioError);
  CHECK_THROWS_WITH_AS(static_cast<void>(read_model_table("/dev/zero")),
                       "/dev/zero: larger than 64 MiB: not a table of tensors", ScenarioError);
}

TEST_CASE("equal tensors differ by one element at most and are never empty") {
  const auto tensors = equal_tensors(1'000'000'007, 40);
  REQUIRE(tensors.size() == 40);
  CHECK(total(tensors) == 1'000'000'007);
  for (const TensorConfig& tensor : tensors) {
    CHECK(tensor.elements >= 25'000'000);
    CHECK(tensor.elements <= 25'000'001);
  }
  CHECK(tensors[39].name == "tensor39");
  CHECK(equal_tensors(3, 40).size() == 3);
  CHECK(total(equal_tensors(3, 40)) == 3);
  CHECK(equal_tensors(0, 40).empty());
}
