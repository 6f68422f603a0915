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
"$here/compile.sh" treewidth-rates "$build/treewidth-rates"

for name in "$@"; do
  zcat "$folder/$name.jkl.gz"
  echo
  echo end
done | "$build/treewidth-rates" "$seconds" "$@"
