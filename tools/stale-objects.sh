#!/bin/sh
# tools/stale-objects.sh [FOLDER]: deletes the objects below src/, or FOLDER, that are older than a
# header they were made from, or were made from one that is gone. Those that include Rcpp may not be
# older than build/rcpp either, which changes when R finds another release of it. The compiler's
# notes X.d list the headers (FILE.o: FILE ...); an object without notes is deleted, too.
rcpp=$(cd "$(dirname "$0")/.." && pwd)/build/rcpp
cd "${1:-$(dirname "$0")/../src}" || exit 1
outdated_by() {
  [ ! -e "$1" ] || [ "$1" -nt "$object" ] ||
    { [ "${1#*/Rcpp/include/}" != "$1" ] && [ "$rcpp" -nt "$object" ]; }
}
find . -name '*.o' | while read -r object; do
  notes=${object%.o}.d
  if [ ! -e "$notes" ]; then
    rm "$object"
    continue
  fi
  # The first rule, without its target and line ends; in the rest, headers are targets.
  sed -e '/^$/,$d' -e 's/^[^ ]*:/ /' -e 's/\\$//' "$notes" | tr -s ' ' '\n' | sed '/^$/d' |
    while read -r source; do
      if outdated_by "$source"; then
        rm -f "$object"
        break
      fi
    done
done
