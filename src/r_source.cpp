#include "r_source.h"
#include "r_data.h"

using namespace optbn;

namespace {

class RRowSource final : public RowSource {
public:
  RRowSource(const Rcpp::List &source, const Dataset &data)
      : cells_(Rcpp::as<Rcpp::Function>(source["cells"])),
        moments_(Rcpp::as<Rcpp::Function>(source["moments"])), total_(data.total),
        levels_(levels_of(data)) {
    for (const Column &column : data.columns)
      holes_.push_back(column.holes);
  }

  std::vector<Dataset> cells(const std::vector<Block> &blocks) override {
    Rcpp::List queried;
    for (const Block &block : blocks)
      queried.push_back(from_one(block));
    const Rcpp::List answer = cells_(queried);
    std::vector<Dataset> out;
    for (R_xlen_t i = 0; i < answer.size(); ++i)
      out.push_back(cells_of(blocks[static_cast<std::size_t>(i)], answer[i]));
    return out;
  }

  std::vector<Moments> moments(const Block &block) override {
    std::vector<Moments> out;
    const Rcpp::List cells = moments_(from_one(block));
    for (const Rcpp::List cell : cells)
      out.push_back({Rcpp::as<double>(cell["rows"]), Rcpp::as<std::vector<double>>(cell["means"]),
                     Rcpp::as<std::vector<double>>(cell["products"])});
    return out;
  }

private:
  static Rcpp::IntegerVector from_one(const Block &block) {
    return Rcpp::IntegerVector(block.begin(), block.end()) + 1;
  }

  // from: list(codes, counts)
  Dataset cells_of(const Block &block, const Rcpp::List &from) const {
    const Rcpp::List codes = from["codes"];
    Dataset cells;
    cells.total = total_;
    cells.columns.resize(levels_.size());
    for (std::size_t i = 0; i < block.size(); ++i) {
      Column &column = cells.columns[block[i]];
      column.levels = levels_[block[i]];
      column.holes = holes_[block[i]];
      const Rcpp::IntegerVector values = codes[static_cast<R_xlen_t>(i)];
      for (const int value : values)
        column.codes.push_back(as_code(value, column));
    }
    cells.weights = Rcpp::as<std::vector<std::uint32_t>>(from["counts"]);
    cells.rows = cells.weights.size();
    return cells;
  }

  const Rcpp::Function cells_, moments_;
  const std::uint64_t total_;
  const std::vector<unsigned> levels_;
  std::vector<bool> holes_;
};

} // namespace

std::shared_ptr<RowSource> make_row_source(const Rcpp::List &source, const Dataset &data) {
  return std::make_shared<RRowSource>(source, data);
}
