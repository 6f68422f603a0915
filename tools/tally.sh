#!/bin/sh
# Adds up test counts: each file holds one line "N passed, N failed[, N skipped]", and one that is
# missing counts as a failure. Prints each, then "N passed, N failed"; fails if anything failed.
for file in "$@"; do
  if [ -s "$file" ]; then
    echo "$file: $(head -n 1 "$file")"
  else
    echo "$file: 0 passed, 1 failed (did not run)"
  fi
done | awk '{ print; passed += $2; failed += $4 }
  END { print passed + 0 " passed, " failed + 0 " failed"; exit failed > 0 }'
