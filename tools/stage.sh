#!/bin/sh
# A stage of a tier: tools/stage.sh TARGET runs `make TARGET`, prints how many seconds it took, and
# notes them in build/stages for tools/tally.sh.
#
# With OPTBN_UNTIL (seconds since 1970) a stage that has not ended by then is ended, and is counted
# as one that was left out.
cd "$(dirname "$0")/.." || exit 1
mkdir -p build/counts
begun=$(date +%s)
echo "== $1"
if [ -z "$OPTBN_UNTIL" ]; then
  "${MAKE:-make}" --no-print-directory "$1"
elif [ "$begun" -lt "$OPTBN_UNTIL" ]; then
  timeout -k 30 $((OPTBN_UNTIL - begun)) "${MAKE:-make}" --no-print-directory "$1"
else
  (exit 124)
fi
status=$?
if [ -n "$OPTBN_UNTIL" ] && { [ $status -eq 124 ] || [ $status -eq 137 ]; }; then
  echo "0 passed, 0 failed, 1 skipped (no time was left)" > "build/counts/$1"
  status=0
fi
seconds=$(($(date +%s) - begun))
echo "== $1: $seconds s"
echo "$seconds $1" >> build/stages
exit $status
