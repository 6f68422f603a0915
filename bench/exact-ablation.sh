#!/bin/sh
# ELSA with plain lists against ELSA with decision trees, as a table.
#
#   bench/exact-ablation.sh FOLDER [SECONDS [NAME...]]
#
# FOLDER holds instances, NAME.jkl.gz; without names all of them are taken, the smallest file first.
# A run is cut off after SECONDS (10) of processor time.
set -e
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 2; }
folder=$1
seconds=${2:-10}
shift; [ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- $(cd "$folder" && ls -rS ./*.jkl.gz | sed 's|^\./||; s|\.jkl\.gz$||')

build=${BUILD:-$here/../build}/exact-ablation
mkdir -p "$build"
"$here/compile.sh" exact-ablation "$build/exact-ablation"

for name in "$@"; do
  zcat "$folder/$name.jkl.gz"
  echo
  echo end
done | "$build/exact-ablation" "$seconds" "$@"
