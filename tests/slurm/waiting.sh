# Sourced by slurm-local and run.
# shellcheck shell=bash

say() { printf '%s\n' "$*"; }

# Calls a test ten times a second until it holds; its exit status is 1 when it never did.
wait_until() { # SECONDS TEST…
  local deadline=$((SECONDS + $1))
  shift
  until "$@"; do
    ((SECONDS <= deadline)) || return 1
    sleep 0.1
  done
}
