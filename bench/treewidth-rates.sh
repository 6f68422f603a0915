#!/bin/sh
# How many k-trees a second: codes, informative scores, best networks, as two tables.
#
#   bench/treewidth-rates.sh FOLDER [SECONDS [NAME...]]
#
# FOLDER holds instances, NAME.jkl.gz; without names all of them are taken, the smallest file first.
# Every figure takes SECONDS (2) of processor time. bench/paper-treewidth/instances.R writes the
# instances of that paper's data.
set -e
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 2; }
folder=$1
seconds=${2:-2}
shift; [ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- $(cd "$folder" && ls -rS ./*.jkl.gz | sed 's|^\./||; s|\.jkl\.gz$||')

build=${BUILD:-$here/../build}/treewidth-rates
mkdir -p "$build"
core=$here/../src/core
${CXX:-g++} -std=c++17 -O2 -pthread -I"$here/../src" -o "$build/treewidth-rates" \
  "$here/treewidth-rates.cpp" "$core/base/parallel.cpp" "$core/score/jkl.cpp" \
  "$core/score/parent_sets.cpp" "$core/score/set_table.cpp" \
  "$core/treewidth/within/bag_orders.cpp" "$core/treewidth/within/bag_scores.cpp" \
  "$core/treewidth/within/bag_step.cpp" \
  "$core/treewidth/codes/code_climb.cpp" "$core/treewidth/codes/dandelion.cpp" \
  "$core/treewidth/informative_score.cpp" "$core/treewidth/k_tree.cpp" \
  "$core/treewidth/within/k_tree_dp.cpp" "$core/treewidth/codes/k_tree_sampling.cpp" \
  "$core/treewidth/within/sampled_orders.cpp"

for name in "$@"; do
  zcat "$folder/$name.jkl.gz"
  echo
  echo end
done | "$build/treewidth-rates" "$seconds" "$@"
