#!/usr/bin/env bash
# The checks that take too long for `cargo test`: up to an hour and a half on two cores.
#
#   scripts/heavy-check.sh [all|brute|tables|threads|kills|disk|readers|fuzz]...
#
# brute    every position of all four-man materials on the hexagon of radius 3, and of all five-man ones on radius 2,
#          against the brute-force solver of the tests
# tables   all tables of up to four men of Gliński's and McCooey's game and of orthodox chess, every position
#          recomputed from its successors by `hextb check`
# threads  the same bytes from one thread, from two, and from two runs
# kills    twenty kills at random moments while tables of five men are made (4 GiB of memory): what is there is whole,
#          and running again completes it
# disk     disks that are full, of tables and of scratch files: told in one line, nothing half-written, and running
#          again with more room completes it. Mounts small disks in memory, which takes root; else it is skipped, and
#          the exit status is 1
# readers  scripts/read-packed.py agrees with hextb on 10,000 random positions of each game's tables of up to four men;
#          fetches the Python package zstandard
# fuzz     the fuzz targets, a minute each, from seeds that reach real answers; fetches cargo-fuzz if it is not there
set -euo pipefail
cd "$(dirname "$0")/.."

cargo build --release --quiet
hextb=${CARGO_TARGET_DIR:-target}/release/hextb
work=$(mktemp -d)
mounted=()
skipped=()
clean_up() {
    for folder in "${mounted[@]}"; do
        umount "$folder" || true
    done
    rm -rf "$work"
}
trap clean_up EXIT

brute() {
    cargo test --release --test small_boards -- --ignored --nocapture heavy_
    cargo test --release --test draw_classes -- --ignored --nocapture heavy_
}

tables() {
    for variant in glinski mccooey orthodox; do
        "$hextb" generate --men 4 --level usual --variant "$variant" --tables "$work/tables"
        "$hextb" check --variant "$variant" --tables "$work/tables"
    done
}

checksums() { (cd "$1" && sha256sum ./*.hx?); }

threads() {
    for run in one two again; do
        count=2
        [ $run = one ] && count=1
        "$hextb" generate KRPK KQKR KBBK KPKP --level usual --tables "$work/$run" --threads $count --quiet
        checksums "$work/$run/glinski" >"$work/$run.sums"
    done
    cmp "$work/one.sums" "$work/two.sums"
    cmp "$work/two.sums" "$work/again.sums"
    echo "threads: $(wc -l <"$work/one.sums") files, the same bytes from one thread, two threads and two runs"
}

# What a failed run must be: one line on standard error, with all of the patterns in it, and exit status 3.
# failed STATUS FILE PATTERN...
failed() {
    [ "$1" -eq 3 ] || { echo "heavy-check: exit status $1, not 3: $(cat "$2")" >&2; return 1; }
    [ "$(wc -l <"$2")" -eq 1 ] || { echo "heavy-check: not one line: $(cat "$2")" >&2; return 1; }
    for pattern in "${@:3}"; do
        grep -Eq "$pattern" "$2" || { echo "heavy-check: no \"$pattern\" in: $(cat "$2")" >&2; return 1; }
    done
    sed 's/^/    /' "$2"
}

# Each table of the folder $1 equals the one of the folder $2.
whole() {
    for table in "$1"/*.hx?; do
        [ ! -e "$table" ] || cmp "$table" "$2/${table##*/}"
    done
}

# Nothing but tables, in a folder.
only_tables() {
    local others
    others=$(find "$1" -mindepth 1 ! -name '*.hx[tvd]')
    [ -z "$others" ] || { echo "heavy-check: left behind: $others" >&2; return 1; }
}

kills() {
    local whole=$work/kills-whole killed=$work/kills/glinski scratch=$work/kills-scratch kills=20 under_way=0
    local job=(generate KBBKN KNNKN --level plain --quiet)
    mkdir -p "$killed" "$scratch"
    # The tables that five men need come first, so that all kills are for tables of five.
    "$hextb" generate KBBK KBKN KNNK KNKN --tables "$whole" --quiet
    cp "$whole"/glinski/*.hx? "$killed"
    local begin=$EPOCHREALTIME
    "$hextb" "${job[@]}" --tables "$whole"
    local usual
    usual=$(awk -v begin="$begin" -v end="$EPOCHREALTIME" 'BEGIN { print end - begin }')
    for ((kill = 1; kill <= kills; kill++)); do
        local options=()
        # Scratch files must vanish with their process too.
        [ $((kill % 5)) -ne 0 ] || options=(--scratch "$scratch")
        "$hextb" "${job[@]}" "${options[@]}" --tables "$work/kills" &
        local pid=$!
        sleep "$(awk -v usual="$usual" -v random=$RANDOM 'BEGIN { print usual * random / 32768 }')"
        kill -9 $pid 2>/dev/null || true
        wait $pid 2>/dev/null || true
        local unfinished
        unfinished=$(cd "$killed" && find . -name '.unfinished-*' | tr '\n' ' ')
        [ -z "$unfinished" ] || under_way=$((under_way + 1))
        whole "$killed" "$whole/glinski"
        only_tables "$scratch"
        echo "kill $kill: $(find "$killed" -name '*.hx?' | wc -l) files, all whole; under way: ${unfinished:-none}"
        # Begin afresh when all is made, so that there is something to kill.
        [ ! -e "$killed/KNNKN.hxt" ] || rm -f "$killed"/K{BBKN,NNKN}.hxt
    done
    [ "$under_way" -gt 0 ] || { echo "heavy-check: no kill met a table under way" >&2; return 1; }
    "$hextb" "${job[@]}" --tables "$work/kills"
    whole "$whole/glinski" "$killed"
    whole "$killed" "$whole/glinski"
    only_tables "$killed"
    echo "kills: $kills kills, $under_way of them of a table under way; nothing wrong on disk, the rest made afterwards"
}

# Mounts a disk of a size in memory on a folder; it is unmounted at the end.
small_disk() {
    mkdir -p "$2"
    mount -t tmpfs -o "size=$1" tmpfs "$2" 2>"$work/mount" || return 1
    mounted+=("$2")
}

disk() {
    local whole=$work/disk-whole small=$work/small scratch=$work/small-scratch
    if ! small_disk 1M "$small" || ! small_disk 8M "$scratch"; then
        skipped+=("disk and scratch files that are full: cannot mount a tmpfs ($(cat "$work/mount")); run it as root")
        return
    fi
    "$hextb" generate KQKR --level plain --tables "$whole" --quiet
    local needed
    needed=$(du -sk "$whole" | cut -f1)
    [ "$needed" -gt 1024 ] || { echo "heavy-check: KQKR fits into 1 MiB" >&2; return 1; }

    echo "disk: a full one of tables"
    local status=0
    "$hextb" generate KQKR --level plain --tables "$small" --quiet 2>"$work/said" || status=$?
    failed $status "$work/said" '^hextb: no space left for .*/KQKR\.hxt: up to [0-9.]+ [KMG]iB are needed'
    only_tables "$small/glinski"
    whole "$small/glinski" "$whole/glinski"
    mount -o "remount,size=$((2 * needed))k" "$small"
    "$hextb" generate KQKR --level plain --tables "$small" --quiet
    whole "$whole/glinski" "$small/glinski"
    only_tables "$small/glinski"

    echo "disk: one too small for scratch files"
    local job=(generate KQKR --level plain --quiet --tables "$work/disk-made" --scratch "$scratch")
    status=0
    "$hextb" "${job[@]}" 2>"$work/said" || status=$?
    failed $status "$work/said" '^hextb: K[A-Z]+ needs about .* of scratch files and .* has room for .* only'
    [ ! -e "$work/disk-made" ] || { echo "heavy-check: something was made" >&2; return 1; }

    echo "disk: one that others fill while scratch files are made"
    mount -o remount,size=64M "$scratch"
    "$hextb" "${job[@]}" 2>"$work/said" &
    local pid=$!
    # Stopped when the first table is there and others are still to come.
    while [ ! -e "$work/disk-made/glinski/KK.hxt" ] && kill -0 $pid; do sleep 0.002; done
    kill -STOP $pid
    cat /dev/zero >"$scratch/other" 2>"$work/filled" || true
    kill -CONT $pid
    status=0
    wait $pid || status=$?
    failed $status "$work/said" \
        '^hextb: (no room for planes of [0-9.]+ .?i?B:|K[A-Z]+ needs about .* of scratch files and .* has room for)'
    only_tables "$work/disk-made/glinski"
    whole "$work/disk-made/glinski" "$whole/glinski"
    rm "$scratch/other"
    "$hextb" "${job[@]}"
    whole "$whole/glinski" "$work/disk-made/glinski"
    only_tables "$work/disk-made/glinski"
    only_tables "$scratch"
    echo "disk: told in one line each time, nothing half-written, the rest made when there was room"
}

readers() {
    python3 -m venv "$work/python"
    "$work/python/bin/pip" install --quiet --disable-pip-version-check zstandard
    for variant in glinski mccooey orthodox; do
        "$hextb" generate --men 4 --level usual --variant "$variant" --tables "$work/tables" --quiet
        "$work/python/bin/python" scripts/compare-readers.py --hextb "$hextb" --tables "$work/tables" --variant "$variant"
    done
}

fuzz() {
    cargo fuzz --version >/dev/null 2>&1 || cargo install --quiet --locked cargo-fuzz
    # The coverage that fuzzing goes by is no part of the stable language.
    export RUSTC_BOOTSTRAP=1
    cargo test --quiet --lib --manifest-path fuzz/Cargo.toml
    for target in fen game header probe; do
        cargo fuzz run "$target" -- -max_total_time=60 -max_len=65536 -print_final_stats=1
    done
}

[ $# -gt 0 ] || set -- all
for check in "$@"; do
    case $check in
    all) threads; kills; disk; readers; fuzz; tables; brute ;;
    brute | tables | threads | kills | disk | readers | fuzz) "$check" ;;
    *) echo "heavy-check: unknown check \"$check\"; see the head of this script" >&2; exit 2 ;;
    esac
done
if [ ${#skipped[@]} -gt 0 ]; then
    printf 'heavy-check: skipped: %s\n' "${skipped[@]}" >&2
    exit 1
fi
