#!/bin/sh
# Plants the faults of tests/faults/table.txt in a copy of the core, one at a time, and runs the
# core's tests with invariants on: each must be caught, by an invariant where the table says so.
#
#   tools/planted-faults.sh [WORD]     only faults with this word
#
# The copy is in build/faults: `healthy` as it is, `sick` with the fault. Of `sick` only what the
# fault concerns is compiled again. Ends with "N passed, N failed"; fails if anything failed.
cd "$(dirname "$0")/.." || exit 1
table=$PWD/tests/faults/table.txt
seconds=300 # that tests may take
healthy=build/faults/healthy
sick=build/faults/sick
program=build/plain/core-tests

build() {
  ${MAKE:-make} -s -C "$1/tests/core" PACKAGE= $program > build/faults/make.log 2>&1
}

# The first broken invariant, or else the first failure, of the tests whose name contains $2.
failure() {
  (cd "$1/tests/core" && timeout $seconds ./$program "$2") > build/faults/run.log 2>&1
  status=$?
  [ $status -eq 0 ] && return
  awk -v status=$status '
    / broken invariant / { print; found = 1; exit }
    /^FAIL / && first == "" { first = $0 }
    END {
      if (found) exit
      if (first != "") print first
      else print "FAIL " (status == 124 ? "no end in sight" : "no end: status " status)
    }' build/faults/run.log
}

# Replaces the one line of file $1 that is $was by $now, and keeps its indentation.
plant() {
  WAS=$was NOW=$now awk '
    { text = $0; sub(/^[ \t]+/, "", text) }
    text == ENVIRON["WAS"] { ++times; sub(/[^ \t].*/, ""); $0 = $0 ENVIRON["NOW"] }
    { print }
    END { exit times != 1 }' "$1" > build/faults/planted && cp build/faults/planted "$1"
}

# Says how the fault of $file, $was, $now, $tests and $by fares; fails if it is not caught.
try() {
  until rm -rf $sick; do sleep 1; done # a crashed test may leave a process that still writes
  cp -Rp $healthy $sick
  plant "$sick/src/core/$file" || { echo "the line is not there, or more than once"; return 1; }
  [ -z "$(failure $healthy "$tests")" ] || { echo "tests fail without it"; return 1; }
  build $sick || { echo "it does not compile"; return 1; }
  found=$(failure $sick "$tests")
  [ -n "$found" ] || found=$(failure $sick "")
  case $found in
  "") echo "NOT CAUGHT"; return 1 ;;
  *"broken invariant"*) echo "caught by an invariant: ${found#FAIL }" ;;
  *)
    echo "caught by a test: ${found#FAIL }"
    [ "$by" = test ] || { echo "NOT CAUGHT by an invariant"; return 1; }
    ;;
  esac
}

rm -rf $healthy/src $healthy/tests/core/*.cpp $healthy/tests/core/*.h
mkdir -p $healthy/src $healthy/tests/core
cp -Rp src/core src/checker $healthy/src
cp -p tests/core/*.cpp tests/core/*.h tests/core/Makefile $healthy/tests/core
build $healthy || { cat build/faults/make.log; exit 1; }

passed=0 failed=0
fault=
while read -r key value; do
  case $key in
  fault) fault=$value ;;
  file) file=$value ;;
  was) was=$value ;;
  now) now=$value ;;
  tests) tests=$value ;;
  by)
    by=$value
    case $fault in *"$1"*) ;; *) continue ;; esac
    echo "$file: $fault"
    if try; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
    ;;
  esac
done < "$table"
rm -rf $sick
echo "$passed passed, $failed failed" | tee ${COUNT:+"$COUNT"}
[ $failed -eq 0 ] && [ $passed -gt 0 ]
