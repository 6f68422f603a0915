#!/bin/sh
# How long structure learning takes by itself: Chow-Liu trees and cutset networks, as a table.
#
#   bench/cutset-learning.sh FOLDER [SECONDS [NAME...]]
#
# FOLDER holds sets of rows of 0s and 1s, NAME.train.data.gz; without names all of them are taken,
# the smallest file first. Every figure takes SECONDS (1) of processor time: laying out the rows for
# learners, a Chow-Liu tree, a cutset network with all cuts tried in full and with the best twenty,
# and what the latter costs in mean training log-likelihood.
set -e
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 2; }
folder=$1
seconds=${2:-1}
shift; [ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- $(cd "$folder" && ls -rS ./*.train.data.gz | sed 's|^\./||; s|\..*$||')

build=${BUILD:-$here/../build}/cutset-learning
mkdir -p "$build"
core=$here/../src/core
${CXX:-g++} -std=c++17 -O2 -pthread -I"$here/../src" -o "$build/cutset-learning" \
  "$here/cutset-learning.cpp" "$core/base/parallel.cpp" "$core/base/simd/popcount.cpp" \
  "$core/data/counting.cpp" "$core/data/extension_counter.cpp" "$core/data/set_counter.cpp" \
  "$core/data/source_counter.cpp" "$core/density/counts/bit_selection.cpp" \
  "$core/density/learn/chow_liu.cpp" "$core/density/cuts/cut_rules.cpp" \
  "$core/density/cuts/cut_screen.cpp" "$core/density/cuts/cutset_learning.cpp" \
  "$core/density/cuts/entropy_cuts.cpp" "$core/density/cuts/likelihood_cuts.cpp" \
  "$core/density/counts/list_slice.cpp" "$core/density/counts/map_counts.cpp" \
  "$core/density/counts/map_slice.cpp" \
  "$core/density/counts/pair_counts.cpp" "$core/density/counts/pair_kernels.cpp" \
  "$core/density/cuts/random_cuts.cpp" "$core/density/counts/slice.cpp" \
  "$core/density/learn/smoothing.cpp" "$core/density/learn/spanning_tree.cpp" \
  "$core/density/learn/training_rows.cpp" \
  "$core/density/counts/weighted_counts.cpp"

for name in "$@"; do
  zcat "$folder/$name.train.data.gz"
  echo end
done | "$build/cutset-learning" "$seconds" "$@"
