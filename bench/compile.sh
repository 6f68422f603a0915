#!/bin/sh
# Compiles a program of bench/ with the core as it is installed: `make install` leaves its objects
# in src.
#
#   bench/compile.sh NAME PROGRAM [OBJECT FILE]
#
# makes PROGRAM from bench/NAME.cpp; with FILE in the place of an OBJECT of the core, such as
# structure/bounds/sources.o.
set -e
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../src/core"
objects=$(find . -name '*.o' ! -path "./${3:-none}")
[ -n "$objects" ] || { echo "the core is not compiled: make install" >&2; exit 1; }
${CXX:-g++} -std=c++17 -O2 -pthread -I.. -o "$2" "$here/$1.cpp" $objects ${4:+"$4"}
