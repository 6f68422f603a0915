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
"$here/compile.sh" cutset-learning "$build/cutset-learning"

for name in "$@"; do
  zcat "$folder/$name.train.data.gz"
  echo end
done | "$build/cutset-learning" "$seconds" "$@"
