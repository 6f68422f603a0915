#include "check.h"

#include "core/base/random.h"
#include "core/structure/bounds/column_tiles.h"
#include "core/structure/bounds/primal_dual.h"

using namespace optbn;

namespace {

// Blocks of up to 20 columns, some rows of which have entries of 1 and others of any size.
SimplexProgram random_program(Random &random, std::uint32_t rows) {
  SimplexProgram program;
  program.rhs.assign(rows, 1);
  for (unsigned block = 0; block < 5; ++block) {
    for (unsigned columns = 1 + random.below(20); columns > 0; --columns) {
      for (std::uint32_t r = 0; r < rows; ++r)
        if (random.uniform() < .4)
          program.add_entry(r, r % 3 ? 1 : random.uniform() - .3);
      program.end_column(10 * random.uniform());
    }
    program.end_block();
  }
  return program;
}

std::vector<double> entry_by_entry(const SimplexProgram &program, const std::vector<double> &y) {
  std::vector<double> reduced = program.cost;
  for (std::size_t j = 0; j < program.columns(); ++j)
    for (std::uint32_t e = program.start[j]; e < program.start[j + 1]; ++e)
      reduced[j] -= y[program.row[e]] * program.value[e];
  return reduced;
}

} // namespace

TEST(column_tiles_give_the_bits_of_a_sum_entry_by_entry) {
  Random random(1);
  for (unsigned trial = 0; trial < 100; ++trial) {
    const SimplexProgram program = random_program(random, trial % 12);
    std::vector<double> y(program.rows());
    for (double &price : y)
      price = random.uniform() < .3 ? 0 : random.uniform();
    std::vector<double> reduced(program.columns());
    ColumnTiles(program).reduced_costs(program.cost, y, reduced);
    CHECK(reduced == entry_by_entry(program, y));
  }
}
