#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The one command: installs what is missing, builds, measures, reports, tests.
# Everything it decides is in lockpath, lockpath-bench and lockpath-report; this file hands over.
set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$top/build/release

build_packages=(build-essential cmake ninja-build pkg-config libbenchmark-dev libnuma-dev
    libpfm4-dev libhwloc-dev libjansson-dev libck-dev libbsd-dev)
test_packages=(libcmocka-dev bats valgrind shellcheck jq procps)

usage() {
    cat <<'END'
Usage: ./run.sh [COMMAND] [OPTION…]

  (none)           set up, build, measure every suite in the quick profile, print the report
  run [OPTION…]    set up, build, measure (see below), print the report
  list [OPTION…]   suites, variants, parameters, cases; what cannot run here, and why
  report DIR [--format text|markdown]
                   the report of a results folder
  claims DIR       what was published, what was measured there, and the verdict
  test             build and run all tests, sanitizer builds included
  setup            install what is missing
  build            build, without measuring
  help             this text, and the options of run and list

END
    if [[ -x $build/lockpath ]]; then
        "$build/lockpath" help | sed -n '/^Which cases/,$p'
    else
        echo "The options of run and list are shown here once the project is built."
    fi
}

die() {
    echo "run.sh: $*" >&2
    exit 2
}

missing_packages() {
    local package installed
    installed=" $(dpkg-query -W -f='${db:Status-Status}:${Package} ' "$@" 2>/dev/null || :) "
    for package in "$@"; do
        [[ $installed == *" installed:$package "* ]] || echo "$package"
    done
}

# With apt-get as root or through sudo; otherwise says what to run, and stops.
setup() {
    local missing root=()
    command -v dpkg-query >/dev/null || return 0 # not Debian: the build says what it misses
    mapfile -t missing < <(missing_packages "$@")
    [[ ${#missing[@]} -gt 0 ]] || return 0
    if [[ $EUID -ne 0 ]]; then
        if command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [[ -t 0 ]]; }; then
            root=(sudo)
        else
            echo "run.sh: packages are missing; as root, run:" >&2
            echo "apt-get install --no-install-recommends ${missing[*]}" >&2
            exit 2
        fi
    fi
    echo "Installing ${missing[*]} …" >&2
    logged setup "${root[@]}" apt-get update
    logged setup "${root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y --no-install-recommends "${missing[@]}"
}

# Runs a command quietly; shows what it said only when it fails.
logged() {
    local log=$top/build/$1.log
    shift
    mkdir -p "$top/build"
    "$@" >"$log" 2>&1 </dev/null || {
        cat "$log" >&2
        die "failed: $*"
    }
}

# Configures and builds one preset.
build_preset() {
    local preset=$1
    shift
    logged "configure-$preset" env -C "$top" cmake --preset "$preset" "$@"
    logged "build-$preset" env -C "$top" cmake --build --preset "$preset"
}

ready() {
    # A checkout that somebody else built and that is not ours to write to is used as it is.
    if [[ -x $build/lockpath && ! -w $build ]]; then return 0; fi
    [[ -w $top ]] || die "$top cannot be written to; build it as its owner, or use a copy"
    setup "${build_packages[@]}"
    [[ -x $build/lockpath ]] || echo "Building …" >&2
    build_preset release -DLOCKPATH_TESTS=OFF
}

# Runs lockpath with its standard output in the file $said. Ctrl-C reaches it by itself; other
# requests to stop are handed on. It then ends by itself, and still says where its results are.
supervise() {
    local pid status
    said=$(mktemp)
    trap 'rm -f "$said"' EXIT
    env --default-signal=INT "$build/lockpath" run "$@" >"$said" &
    pid=$!
    trap : INT
    trap 'kill -TERM "$pid" 2>/dev/null || :' TERM HUP
    while :; do
        status=0
        wait "$pid" || status=$?
        # A trap ends the waiting, and not lockpath.
        if [[ $status -le 128 ]] || ! kill -0 "$pid" 2>/dev/null; then break; fi
    done
    trap - INT TERM HUP
    return "$status"
}

measure() {
    local status=0 folder
    ready
    supervise "$@" || status=$?
    folder=$(<"$said")
    [[ -n $folder ]] || exit "$status"
    if [[ $status -gt 128 ]]; then
        echo "Results so far: $folder"
        exit "$status"
    fi
    "$build/lockpath-report" report "$folder" || status=$?
    echo
    echo "Results: $folder"
    exit "$status"
}

run_tests() {
    local preset failed=()
    [[ $# -eq 0 ]] || die "test takes no argument: '$1'"
    setup "${build_packages[@]}" "${test_packages[@]}"
    for preset in asan tsan release; do
        echo "== $preset: building" >&2
        build_preset "$preset" -DLOCKPATH_TESTS=ON
        echo "== $preset: testing" >&2
        env -C "$top" ctest --preset "$preset" || failed+=("$preset")
    done
    [[ ${#failed[@]} -eq 0 ]] || {
        echo "run.sh: tests failed in: ${failed[*]}" >&2
        exit 1
    }
}

command=${1:-run}
[[ $# -eq 0 ]] || shift
case $command in
run) measure "$@" ;;
list)
    ready
    exec "$build/lockpath" list "$@"
    ;;
report | claims)
    ready
    exec "$build/lockpath-report" "$command" "$@"
    ;;
test) run_tests "$@" ;;
setup) setup "${build_packages[@]}" "${test_packages[@]}" ;;
build) ready ;;
help | --help | -h) usage ;;
*) die "'$command': no such command; ./run.sh help lists them" ;;
esac
