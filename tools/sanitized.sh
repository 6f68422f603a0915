#!/bin/sh
# The package as tests want it: with the address and undefined-behaviour sanitizers, and with the
# invariants of its code checked, in the library build/address/library.
#
#   tools/sanitized.sh install       copies the sources to build/address/optbn and installs them
#   tools/sanitized.sh run COMMAND   runs a command with this library before all others
#
# CXX=clang++ takes another compiler than R's; tests/core is then to be built by the same.
cd "$(dirname "$0")/.." || exit 1
home=$PWD/build/address

install() {
  mkdir -p "$home/optbn" "$home/library"
  tar -cf - --exclude='*.o' --exclude='*.d' --exclude='*.so' --exclude='check-*' DESCRIPTION NAMESPACE R src inst |
    tar -xf - -C "$home/optbn"
  tools/stale-objects.sh "$home/optbn/src"
  {
    [ -n "$CXX" ] && echo "CXX17 = $CXX"
    echo "CXX17FLAGS = $("${MAKE:-make}" -s -C tests/core flags-address) -MMD -MP"
    echo "SHLIB_CXX17LDFLAGS = -shared -fsanitize=address,undefined"
  } > "$home/Makevars"
  echo "Compiling optbn with sanitizers into build/address (log: build/address/install.log)"
  # It cannot be loaded where the sanitizers are not, as they are not during an installation.
  R_MAKEVARS_USER=$home/Makevars MAKEFLAGS=-j$(getconf _NPROCESSORS_ONLN) \
    R CMD INSTALL --no-docs --no-test-load --library="$home/library" "$home/optbn" \
    > "$home/install.log" 2>&1 ||
    { grep -A5 -E '(error:|^ERROR|^Error)' "$home/install.log"; exit 1; }
}

# The compiler's library of the address sanitizer, which must be loaded before all others.
runtime() {
  for name in "libclang_rt.asan-$(uname -m).so" libclang_rt.asan.so libasan.so; do
    file=$(${CXX:-g++} -print-file-name="$name")
    [ -f "$file" ] && echo "$file" && return
  done
}

# R frees little of its memory when it ends, so that leaks are not looked for.
run() {
  LD_PRELOAD=$(runtime) \
    ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
    R_LIBS=$home/library${R_LIBS:+:$R_LIBS} \
    $(setarch -R true 2> /dev/null && echo setarch -R) "$@"
}

case $1 in
install) install ;;
run) shift && run "$@" ;;
*) sed -n '2,6p' "$0" && exit 1 ;;
esac
