#!/bin/sh
# How well and how fast density learners of the core do on data sets of zeros and ones, as a table.
#
#   bench/density-learners.sh FOLDER [THREADS [NAME...]]
#
# FOLDER holds NAME.train.data.gz, NAME.valid.data.gz and NAME.test.data.gz, rows of 0 and 1 with
# commas between them; without names all of them are taken, the smallest first. Every learner is
# tried with a few settings, of which the validation rows choose; log-likelihoods are means by row.
set -e
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 2; }
folder=$1
threads=${2:-1}
shift; [ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- $(cd "$folder" && ls -rS ./*.train.data.gz |
  sed 's|^\./||; s|\.train\..*$||')

build=${BUILD:-$here/../build}/density-learners
mkdir -p "$build"
core=$here/../src/core
${CXX:-g++} -std=c++17 -O2 -pthread -I"$here/../src" -o "$build/density-learners" \
  "$here/density-learners.cpp" "$core"/cutset/*.cpp "$core/base/parallel.cpp" \
  "$core/base/popcount.cpp"

for name in "$@"; do
  for part in train valid test; do
    zcat "$folder/$name.$part.data.gz"
    echo end
  done
done | "$build/density-learners" "$threads" "$@"
