#!/usr/bin/env bash
# A PostgreSQL server of its own for tests and benchmarks, on the loopback address only.
#
#   eval "$(tools/postgres.sh start)"   starts it and sets PGHOST, PGPORT, PGUSER, PGPASSWORD, ...
#   tools/postgres.sh stop              stops it and deletes its data
#
# Nothing is asked of a server that runs already. The data are in a new folder below TMPDIR, whose
# name build/postgres keeps; the password is made up at each start, and no file keeps it. The port is
# that of OPTBN_POSTGRES_PORT, or 54329. PostgreSQL refuses to run as root, which becomes the user
# `postgres` for it.
set -euo pipefail
cd "$(dirname "$0")/.."

kept=build/postgres # holds the name of the folder while the server runs
port=${OPTBN_POSTGRES_PORT:-54329}

fail() {
  echo "postgres.sh: $*" >&2
  exit 1
}

# The programs of the newest installed version: Debian has them outside the path.
programs() {
  local folder
  folder=$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
  [ -x "$folder/initdb" ] || folder=$(dirname "$(command -v initdb || true)")
  [ -x "$folder/initdb" ] || fail "PostgreSQL is not installed (Debian: apt-get install postgresql)"
  echo "$folder"
}

as_server() {
  if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}

start() {
  [ ! -e "$kept" ] || fail "it runs already, or was not stopped: tools/postgres.sh stop"
  local bin folder password
  bin=$(programs)
  folder=$(mktemp -d "${TMPDIR:-/tmp}/optbn-postgres-XXXXXX")
  password=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  mkdir -p build
  echo "$folder" > "$kept"
  (umask 077 && echo "$password" > "$folder/password")
  [ "$(id -u)" != 0 ] || chown -R postgres "$folder"
  (
    cd "$folder" # where the server may be
    as_server "$bin/initdb" --pgdata="$folder/data" --username=optbn --auth=scram-sha-256 \
      --pwfile="$folder/password" --encoding=UTF8 --locale=C.UTF-8 > "$folder.log" 2>&1
    rm "$folder/password"
    as_server "$bin/pg_ctl" --pgdata="$folder/data" --log="$folder/log" --wait start \
      --options="-c listen_addresses=127.0.0.1 -p $port -c unix_socket_directories=$folder \
        -c fsync=off -c max_wal_size=4GB ${OPTBN_POSTGRES_OPTIONS:-}" >> "$folder.log" 2>&1
  ) < /dev/null || {
    cat "$folder.log" "$folder/log" >&2 || true
    stop
    fail "the server did not start"
  }
  rm -f "$folder.log"
  cat << EXPORTS
export PGHOST=127.0.0.1 PGPORT=$port PGUSER=optbn PGPASSWORD=$password PGDATABASE=postgres
export OPTBN_POSTGRES=true
EXPORTS
}

stop() {
  [ -e "$kept" ] || return 0
  local folder
  folder=$(cat "$kept")
  (
    cd "$folder"
    as_server "$(programs)/pg_ctl" --pgdata="$folder/data" --mode=immediate --wait stop
  ) > /dev/null 2>&1 || true
  rm -rf "$folder" "$folder.log" "$kept"
}

case "${1:-}" in
  start) start ;;
  stop) stop ;;
  *) fail "usage: tools/postgres.sh start|stop" ;;
esac
