#!/bin/sh
# A stage of a tier: tools/stage.sh TARGET runs `make TARGET`, prints how many seconds it took, and
# notes them in build/stages for tools/tally.sh.
cd "$(dirname "$0")/.." || exit 1
mkdir -p build
begun=$(date +%s)
echo "== $1"
"${MAKE:-make}" --no-print-directory "$1"
status=$?
seconds=$(($(date +%s) - begun))
echo "== $1: $seconds s"
echo "$seconds $1" >> build/stages
exit $status
