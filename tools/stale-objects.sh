#!/bin/sh
# tools/stale-objects.sh [FOLDER]: deletes the objects below src/, or FOLDER, that are older than a
# header they were made from, or were made from one that is gone or belongs to another library's Rcpp
# than R finds now: two releases of Rcpp keep their objects differently. The compiler's notes X.d
# list the headers (FILE.o: FILE ...); an object without notes is deleted, too.
cd "${1:-$(dirname "$0")/../src}" || exit 1
rcpp=$("${RSCRIPT:-Rscript}" -e 'cat(system.file("include", package = "Rcpp"))')
other_rcpp() {
  case $1 in
  "$rcpp"/*) false ;;
  */Rcpp/include/*) true ;;
  *) false ;;
  esac
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
      if [ ! -e "$source" ] || [ "$source" -nt "$object" ] || other_rcpp "$source"; then
        rm -f "$object"
        break
      fi
    done
done
