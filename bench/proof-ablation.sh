#!/bin/sh
# What each part of the tree searches brings to a proof, as a table.
#
#   bench/proof-ablation.sh FOLDER [SECONDS [NAME...]]
#
# FOLDER holds instances, NAME.jkl.gz; without names all of them are taken, the smallest file first.
# A run is cut off after SECONDS (60) of processor time. A part is left out by compiling one file
# anew, with one line replaced.
set -e
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 2; }
folder=$1
seconds=${2:-60}
shift; [ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- $(cd "$folder" && ls -rS ./*.jkl.gz | sed 's|^\./||; s|\.jkl\.gz$||')

build=${BUILD:-$here/../build}/proof-ablation
source=$here/../src
mkdir -p "$build"

# The table's rows of a program: what is left out, and the engine.
run() {
  for name in $names; do
    zcat "$folder/$name.jkl.gz"
    echo
    echo end
  done | "$build/program" "$1" "$seconds" "$2" $names
}

# The same without something: where one line of a file is replaced.
without() {
  [ "$(grep -cF -- "$3" "$source/core/structure/$2.cpp")" = 1 ] || {
    echo "the line is not there once: $3" >&2
    exit 1
  }
  variant=$build/variant # found before the sources
  rm -rf "$variant"
  mkdir -p "$variant/core/structure/$(dirname "$2")"
  WAS=$3 NOW=$4 awk '
    (at = index($0, ENVIRON["WAS"])) {
      $0 = substr($0, 1, at - 1) ENVIRON["NOW"] substr($0, at + length(ENVIRON["WAS"]))
    }
    { print }' "$source/core/structure/$2.cpp" > "$variant/core/structure/$2.cpp"
  object=$(dirname "$2")/sources # which includes all files of a folder
  compiled=$source/core/structure/$object.cpp
  [ -e "$compiled" ] || { object=$2; compiled=$variant/core/structure/$2.cpp; }
  ${CXX:-g++} -std=c++17 -O2 -pthread -I"$variant" -I"$source" -c -o "$build/variant.o" "$compiled"
  "$here/compile.sh" proof-ablation "$build/program" "structure/$object.o" "$build/variant.o"
  run "$1" branch-and-cut
}

# A row for each instance, a column for each variant: seconds, or the gap that is left.
as_table() {
  awk -F' *[|] *' '
    { if (!($2 in seen)) { names[++count] = $2; seen[$2] }
      if (!($3 in met)) { variants[++width] = $3; met[$3] }
      cell[$2, $3] = $6 > 0 ? "gap " $6 : $4 }
    END {
      printf "| instance |"; for (v = 1; v <= width; v++) printf " %s |", variants[v]
      printf "\n|---|"; for (v = 1; v <= width; v++) printf "---|"
      for (i = 1; i <= count; i++) {
        printf "\n| %s |", names[i]
        for (v = 1; v <= width; v++) printf " %s |", cell[names[i], variants[v]]
      }
      print "" }'
}

names=$*
"$here/compile.sh" proof-ablation "$build/program"
nodes=engines/branch_and_cut
{
  run "both in turn" both
  run "orders alone" orders
  run "branch and cut alone" branch-and-cut
  without "no cuts at nodes" $nodes "kRounds = 15" "kRounds = 1"
  without "no group cuts" bounds/relaxation "  add_violated_groups(network, watch);" ""
  without "no exclusion" $nodes "    return !any || (propagate" "    return true || (propagate"
  without "no strong branching" $nodes "kTrials = 8" "kTrials = 1"
  without "no search over orders" $nodes " && !closed_by_orders(open)" ""
} > "$build/rows"
echo
echo "### Branch and cut with a part left out, processor seconds of one core"
echo
as_table < "$build/rows"
