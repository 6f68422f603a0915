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
"$here/compile.sh" density-rows "$build/density-rows"

for name in "$@"; do
  zcat "$folder/$name.train.data.gz" "$folder/$name.valid.data.gz" "$folder/$name.test.data.gz"
  echo end
done | "$build/density-rows" "$seconds" "$@"
