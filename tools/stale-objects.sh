#!/bin/sh
# tools/stale-objects.sh [FOLDER]: deletes the objects below src/, or FOLDER, that are older than a header they were made from, or were made from
# one that is gone. The compiler's notes X.d say which (FILE.o: FILE ...); an object without is made
# anew, too.
cd "${1:-$(dirname "$0")/../src}" || exit 1
find . -name '*.o' | while read -r object; do
  notes=${object%.o}.d
  if [ ! -e "$notes" ]; then
    rm "$object"
    continue
  fi
  # The first rule, without its target and line ends; in the rest, headers are targets.
  sed -e '/^$/,$d' -e 's/^[^ ]*:/ /' -e 's/\\$//' "$notes" | tr -s ' ' '\n' | sed '/^$/d' |
    while read -r source; do
      if [ ! -e "$source" ] || [ "$source" -nt "$object" ]; then
        rm -f "$object"
        break
      fi
    done
done
