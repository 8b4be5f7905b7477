#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh from a checkout whose tools are stand-ins: what it calls, shows, and returns.
# As root, a user who is not is played by an unprivileged one, so everything is readable for all.
# shellcheck disable=SC2016 # scripts in single quotes are to be expanded later
bats_require_minimum_version 1.5.0

setup() {
    TOP=$(mktemp -d "${TMPDIR:-/tmp}/lp-run-sh.XXXXXX")/"a checkout"
    BIN=$TOP/bin
    RUN=$TOP/run.sh
    mkdir -p "$BIN"
    chmod -R a+rX "$(dirname "$TOP")"
    cp "$LP_SOURCE/run.sh" "$TOP"
    export PATH=$BIN:$PATH CALLS=$BATS_TEST_TMPDIR/calls
    cd "$BATS_TEST_TMPDIR" || return 1
    # Packages named in $MISSING are not installed.
    stand_in dpkg-query 'for p; do [[ $p == -* || " ${MISSING-} " == *" $p "* ]] || printf "installed:%s " "$p"; done'
    stand_in apt-get 'echo "apt-get $*" >>"$CALLS"'
    stand_in sudo 'exit 1'
    stand_in ctest 'echo "tests of $2"; [[ $2 != "${FAILING-}" ]]'
    # A build makes the three programs; $BROKEN is one that cannot be built.
    stand_in cmake '
        echo "cmake $*" >>"$CALLS"
        [[ "$*" != "${BROKEN-}" ]] || { echo "no such header"; exit 1; }
        mkdir -p build/release
        cp bin/lockpath bin/lockpath-report build/release'
    stand_in lockpath '
        case $1 in
        run)
            echo "measuring ${*:2}" >&2
            trap "echo out; exit 130" INT
            trap "echo out; exit 143" TERM
            [[ -z ${LONG-} ]] || { touch begun; for ((i = 0; i < 600; i++)); do sleep 0.1; done; }
            echo out
            exit "${STATUS-0}"
            ;;
        *) echo "lockpath $*" ;;
        esac'
    stand_in lockpath-report 'echo "the report: $*"'
}

teardown() {
    rm -rf "$(dirname "$TOP")"
}

stand_in() { # name script
    printf '#!/usr/bin/env bash\n%s\n' "$2" >"$BIN/$1"
    chmod a+rx "$BIN/$1"
}

# Runs as a user who may neither install nor write to the checkout.
unprivileged() {
    if [ "$EUID" -eq 0 ]; then
        setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
    else
        chmod a-w "$TOP"
        "$@"
    fi
}

@test "without a command it builds, measures, reports, and says where the results are" {
    run "$RUN"
    echo "$output"
    [ "$status" -eq 0 ]
    [ "${lines[-1]}" = "Results: out" ]
    [[ $output == *"Building"*"measuring"*"the report: report out"* ]]
    grep -qx "cmake --build --preset release" "$CALLS"
    run ! grep -q apt-get "$CALLS"
}

@test "options of run are handed on as they are" {
    run "$RUN" run --filter "a b" --suite locks
    [ "$status" -eq 0 ]
    [[ $output == *"measuring --filter a b --suite locks"* ]]
}

@test "a failed repetition is reported, and the status says so" {
    STATUS=1 run "$RUN"
    [ "$status" -eq 1 ]
    [[ $output == *"the report: report out"*"Results: out" ]]
}

@test "list, report and claims are handed over" {
    run "$RUN" list --suite locks
    [ "$output" = "Building …"$'\n'"lockpath list --suite locks" ]
    run "$RUN" report DIR --format markdown
    [ "$output" = "the report: report DIR --format markdown" ]
    run "$RUN" claims DIR
    [ "$output" = "the report: claims DIR" ]
}

@test "a build that fails is shown, and nothing is measured" {
    BROKEN="--build --preset release" run "$RUN"
    [ "$status" -eq 2 ]
    [[ $output == *"no such header"*"run.sh: failed:"* ]]
    [[ $output != *measuring* ]]
}

interrupted_by() { # target: of kill; signal; the status wanted
    for ((i = 0; i < 600; i++)); do
        [ ! -e begun ] || break
        sleep 0.05
    done
    kill "-$2" -- "$1"
    wait "$pid" && status=0 || status=$?
    cat out
    [ "$status" -eq "$3" ]
    [ "$(tail -n 1 out)" = "Results so far: out" ]
    run ! grep -q "the report" out
}

@test "Ctrl-C reaches everything at once, and the results so far are named" {
    LONG=1 setsid env --default-signal=INT "$RUN" >out 2>&1 3>&- &
    pid=$!
    interrupted_by "-$pid" INT 130
}

@test "SIGTERM to run.sh alone is handed on" {
    LONG=1 setsid "$RUN" >out 2>&1 3>&- &
    pid=$!
    interrupted_by "$pid" TERM 143
}

@test "what is missing is installed by root or through sudo" {
    [ "$EUID" -eq 0 ] || stand_in sudo '[[ $1 != -n ]] || shift; "$@"'
    MISSING="libck-dev ninja-build" run "$RUN" build
    echo "$output"
    [ "$status" -eq 0 ]
    grep -qx "apt-get update" "$CALLS"
    grep -qx "apt-get install -y --no-install-recommends ninja-build libck-dev" "$CALLS"
}

@test "tests want packages of their own" {
    [ "$EUID" -eq 0 ] || stand_in sudo '[[ $1 != -n ]] || shift; "$@"'
    MISSING="bats" run "$RUN" build
    [ ! -e "$CALLS" ] || run ! grep -q apt-get "$CALLS"
    MISSING="bats" run "$RUN" setup
    grep -qx "apt-get install -y --no-install-recommends bats" "$CALLS"
}

@test "who may not install is told the one line to run" {
    chmod a+w "$TOP"
    run unprivileged env MISSING="libck-dev" "$RUN" build </dev/null
    echo "$output"
    [ "$status" -eq 2 ]
    [ "${lines[-1]}" = "apt-get install --no-install-recommends libck-dev" ]
    [ "${#lines[@]}" -eq 2 ]
}

@test "a checkout of somebody else is used as it is once it is built, and not before" {
    run unprivileged "$RUN" list
    [ "$status" -eq 2 ]
    [[ $output == *"cannot be written to"* ]]
    chmod u+w "$TOP"
    "$RUN" build
    chmod -R a+rX "$TOP"
    [ "$EUID" -eq 0 ] || chmod a-w "$TOP/build/release"
    run unprivileged "$RUN" list
    [ "$status" -eq 0 ]
    [ "$output" = "lockpath list" ]
}

@test "test builds and tests three ways, the release build last" {
    run "$RUN" test
    [ "$status" -eq 0 ]
    [ "$(grep -c "^cmake --build" "$CALLS")" -eq 3 ]
    [[ $output == *"tests of asan"*"tests of tsan"* ]]
    [ "${lines[-1]}" = "tests of release" ]
}

@test "one failing build fails the tests, the others are still run" {
    FAILING=asan run "$RUN" test
    [ "$status" -eq 1 ]
    [[ $output == *"tests of release"*"tests failed in: asan"* ]]
    run "$RUN" test extra
    [ "$status" -eq 2 ]
}
