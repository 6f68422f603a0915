#!/bin/sh
# Ends a tier: tools/tally.sh STAGE... prints the seconds of the stages that ran (build/stages),
# then adds up the test counts of those named. Each has left a file build/counts/STAGE with one line "N
# passed, N failed[, N skipped]"; one that is missing counts as a failure. Prints each, then
# "N passed, N failed"; fails if anything failed.
cd "$(dirname "$0")/.." || exit 1
echo "== seconds"
awk '{ printf "%6d  %s\n", $1, $2; sum += $1 } END { printf "%6d  in all\n", sum }' build/stages
echo "== tests"
for stage in "$@"; do
  if [ -s "build/counts/$stage" ]; then
    echo "$stage: $(head -n 1 "build/counts/$stage")"
  else
    echo "$stage: 0 passed, 1 failed (did not run)"
  fi
done | awk '{ print; passed += $2; failed += $4 }
  END { print passed + 0 " passed, " failed + 0 " failed"; exit failed > 0 }'
