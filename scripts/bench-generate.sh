#!/usr/bin/env bash
# Times the generation of tables: CPU seconds, wall seconds and peak memory of whole processes, medians of several
# runs, for a fixed list of materials (or those given), each made from nothing with all the tables it needs.
#
#   scripts/bench-generate.sh [-n RUNS] [-v VARIANT] [MATERIAL|--men=N ...]
#
# Needs GNU time (Debian package "time"). Ratios between rows of one run mean something; absolute times depend on
# the machine and on what else it is doing.
set -euo pipefail
cd "$(dirname "$0")/.."

runs=5
variant=glinski
while [ $# -ge 2 ]; do
    case $1 in
    -n) runs=$2 ;;
    -v) variant=$2 ;;
    *) break ;;
    esac
    shift 2
done
jobs=("$@")
if [ ${#jobs[@]} -eq 0 ]; then
    jobs=(KQKR KRKB KRKN KBNK KRPK KRKP KPKP --men=3 --men=4)
fi
[ -x /usr/bin/time ] || { echo "bench-generate: /usr/bin/time is missing; install the package \"time\"" >&2; exit 2; }

cargo build --release --quiet
hextb=${CARGO_TARGET_DIR:-target}/release/hextb
echo "commit:  $(git rev-parse --short HEAD)$(git diff --quiet HEAD || echo ' (changed)')"
echo "cpu:     $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), $(nproc) threads"
echo "variant: $variant, medians of $runs runs"
echo

median() { sort -g | awk '{ v[NR] = $1 } END { print (NR % 2) ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }

printf '%-10s %10s %10s %10s %12s\n' tables "cpu s" "wall s" "peak MiB" "bytes"
for job in "${jobs[@]}"; do
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    for ((run = 0; run < runs; run++)); do
        rm -rf "$work/tables"
        # shellcheck disable=SC2086 # "--men=4" and "KQKR" are single words
        /usr/bin/time -f '%U %S %e %M' -o "$work/time" \
            "$hextb" generate $job --variant "$variant" --tables "$work/tables" --quiet
        awk '{ print $1 + $2, $3, $4 / 1024 }' "$work/time" >>"$work/all"
    done
    bytes=$(cat "$work"/tables/"$variant"/*.hxt | wc -c)
    printf '%-10s %10.2f %10.2f %10.0f %12d\n' "${job#--}" \
        "$(cut -d' ' -f1 "$work/all" | median)" "$(cut -d' ' -f2 "$work/all" | median)" \
        "$(cut -d' ' -f3 "$work/all" | median)" "$bytes"
    rm -rf "$work"
done
