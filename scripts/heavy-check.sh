#!/usr/bin/env bash
# The checks that take too long for `cargo test`: up to an hour and a half on two cores.
#
#   scripts/heavy-check.sh [all|brute|tables|threads|kills]...
#
# brute    every position of all four-man materials on the hexagon of radius 3, and of all five-man ones on radius 2,
#          against the brute-force solver of the tests
# tables   all tables of up to four men of Gliński's and McCooey's game and of orthodox chess, every position
#          recomputed from its successors by `hextb check`
# threads  the same bytes from one thread, from two, and from two runs
# kills    ten kills at random moments of a generation: no readable table is wrong, and running again completes
set -euo pipefail
cd "$(dirname "$0")/.."

cargo build --release --quiet
hextb=${CARGO_TARGET_DIR:-target}/release/hextb
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

brute() {
    cargo test --release --test small_boards -- --ignored --nocapture heavy_
}

tables() {
    for variant in glinski mccooey orthodox; do
        "$hextb" generate --men 4 --variant "$variant" --tables "$work/tables"
        "$hextb" check --variant "$variant" --tables "$work/tables"
    done
}

checksums() { (cd "$1" && sha256sum ./*.hxt); }

threads() {
    for run in one two again; do
        count=2
        [ $run = one ] && count=1
        "$hextb" generate KRPK KQKR KBBK KPKP --tables "$work/$run" --threads $count --quiet
        checksums "$work/$run/glinski" >"$work/$run.sums"
    done
    cmp "$work/one.sums" "$work/two.sums"
    cmp "$work/two.sums" "$work/again.sums"
    echo "threads: $(wc -l <"$work/one.sums") tables, the same bytes from one thread, two threads and two runs"
}

kills() {
    "$hextb" generate KRPK KPKP --tables "$work/whole" --quiet
    checksums "$work/whole/glinski" >"$work/whole.sums"
    mkdir -p "$work/killed/glinski"
    for kill in 1 2 3 4 5 6 7 8 9 10; do
        "$hextb" generate KRPK KPKP --tables "$work/killed" --quiet &
        pid=$!
        sleep "$((RANDOM % 4)).$((RANDOM % 10))"
        kill -9 $pid 2>/dev/null || true
        wait $pid 2>/dev/null || true
        # What is there must be whole: each file equals the one of the undisturbed run.
        (cd "$work/killed/glinski" && for table in *.hxt; do
            [ ! -e "$table" ] || cmp "$table" "$work/whole/glinski/$table"
        done)
        echo "kill $kill: $(find "$work/killed" -name '*.hxt' | wc -l) tables, all whole"
        # Begin afresh now and then, so that kills hit early tables too.
        [ $((kill % 3)) -ne 0 ] || rm -f "$work"/killed/glinski/*.hxt
    done
    "$hextb" generate KRPK KPKP --tables "$work/killed" --quiet
    checksums "$work/killed/glinski" >"$work/killed.sums"
    cmp "$work/whole.sums" "$work/killed.sums"
    [ -z "$(find "$work/killed" -name '.unfinished-*')" ]
    echo "kills: ten kills, nothing wrong on disk, the rest made afterwards"
}

[ $# -gt 0 ] || set -- all
for check in "$@"; do
    case $check in
    all) threads; kills; tables; brute ;;
    brute | tables | threads | kills) "$check" ;;
    *) echo "heavy-check: unknown check \"$check\"; see the head of this script" >&2; exit 2 ;;
    esac
done
