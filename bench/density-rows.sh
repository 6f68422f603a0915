#!/bin/sh
# How many rows a second cutset networks give log densities of, beside reading the rows, a table.
#
#   bench/density-rows.sh FOLDER [SECONDS [NAME...]]
#
# FOLDER holds sets of 0/1 rows, NAME.train.data.gz, .valid. and .test.; without names plants,
# accidents and ad are taken. Every figure is the best of SECONDS (2).
set -e
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 2; }
folder=$1
seconds=${2:-2}
shift; [ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- plants accidents ad

build=${BUILD:-$here/../build}/density-rows
mkdir -p "$build"
core=$here/../src/core
${CXX:-g++} -std=c++17 -O2 -pthread -I"$here/../src" -o "$build/density-rows" \
  "$here/density-rows.cpp" "$core/base/parallel.cpp" "$core/density/inference/block_kernels.cpp" \
  "$core/density/inference/complete_rows.cpp" "$core/density/density_queries.cpp" \
  "$core/density/inference/log_odds_network.cpp" "$core/density/inference/network_evidence.cpp" \
  "$core/density/inference/partial_descent.cpp" "$core/density/inference/row_densities.cpp" \
  "$core/density/inference/tree_block.cpp" "$core/density/inference/tree_descent.cpp" \
  "$core/density/inference/tree_messages.cpp"

for name in "$@"; do
  zcat "$folder/$name.train.data.gz" "$folder/$name.valid.data.gz" "$folder/$name.test.data.gz"
  echo end
done | "$build/density-rows" "$seconds" "$@"
