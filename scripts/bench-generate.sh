#!/usr/bin/env bash
# Times the generation of tables: CPU seconds to load, solve and write the table itself, CPU and wall seconds and peak
# memory of the whole process, bytes of the table's file, and legal positions (all images, both sides to move) per CPU
# second of solving; medians of several runs, for a fixed list of materials (or those given), each made from nothing
# with all the tables it needs.
#
#   scripts/bench-generate.sh [-n RUNS] [-v VARIANT] [-t TABLES] [-m MEMORY] [MATERIAL|--men=N ...]
#
# With -t the tables that a material needs are taken from the folder TABLES and only the material itself is made: for
# materials of five men with pawns. With -m it is what `hextb generate --memory` says. For --men=N the columns of the
# table itself are sums over all tables. Peak memory includes the pages of mapped files, except in the column "anon".
#
# Needs GNU time and jq (Debian packages "time" and "jq"). Ratios between rows of one run mean something; absolute times
# depend on the machine and on what else it is doing.
set -euo pipefail
cd "$(dirname "$0")/.."

runs=5
variant=glinski
given=
options=()
refuse() { echo "bench-generate: $1; see the head of $0" >&2; exit 2; }
while getopts :n:v:t:m: option; do
    case $option in
    n) runs=$OPTARG ;;
    v) variant=$OPTARG ;;
    t) given=$OPTARG ;;
    m) options=(--memory "$OPTARG") ;;
    *) refuse "-$OPTARG is no option, or lacks its value" ;;
    esac
done
shift $((OPTIND - 1))
[[ $runs =~ ^[1-9][0-9]*$ ]] || refuse "-n takes a number of runs, not \"$runs\""
[ -z "$given" ] || [ -d "$given/$variant" ] || refuse "there is no folder $given/$variant"
jobs=("$@")
if [ ${#jobs[@]} -eq 0 ]; then
    jobs=(KQKR KRKB KRKN KBNK KRPK KRKP KPKP --men=3 --men=4)
fi
[ -x /usr/bin/time ] || { echo "bench-generate: /usr/bin/time is missing; install the package \"time\"" >&2; exit 2; }
command -v jq >/dev/null || { echo "bench-generate: jq is missing; install the package \"jq\"" >&2; exit 2; }

cargo build --release --quiet
hextb=${CARGO_TARGET_DIR:-target}/release/hextb
echo "commit:  $(git rev-parse --short HEAD)$(git diff --quiet HEAD || echo ' (changed)')"
echo "cpu:     $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), $(nproc) threads"
echo "variant: $variant, medians of $runs runs"
echo

median() { sort -g | awk '{ v[NR] = $1 } END { print (NR % 2) ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
column() { cut -d' ' -f"$1" "$work/all" | median; }

work=
trap 'rm -rf "$work"' EXIT
printf '%-10s %8s %8s %8s | %8s %8s %9s %9s %13s %12s\n' \
    tables "load s" "solve s" "write s" "cpu s" "wall s" "peak MiB" "anon MiB" "bytes" "pos/solve s"
for job in "${jobs[@]}"; do
    if [[ $job != --men=* ]]; then
        # The name as the files have it; refuses what is no material.
        job=$("$hextb" plan "$job" --variant "$variant" --tables /nonexistent --json | jq -r '.tables[-1].material')
    fi
    work=$(mktemp -d)
    for ((run = 0; run < runs; run++)); do
        rm -rf "$work/tables"
        mkdir -p "$work/tables/$variant"
        if [ -n "$given" ]; then
            for table in "$given/$variant"/*.hx?; do
                [[ "$(basename "$table")" = "$job".* ]] || ln -s "$(realpath "$table")" "$work/tables/$variant/"
            done
        fi
        /usr/bin/time -f '%U %S %e %M' -o "$work/time" \
            "$hextb" generate "$job" --variant "$variant" --tables "$work/tables" "${options[@]}" --json >"$work/made" &
        timed=$!
        anonymous=0
        while kill -0 $timed 2>/dev/null; do
            now=$(awk '/^RssAnon/ { print $2 }' "/proc/$(pgrep -P $timed | head -1)/status" 2>/dev/null || true)
            [ "${now:-0}" -le "$anonymous" ] || anonymous=$now
            sleep 0.1
        done
        wait $timed
        # The table itself, or with --men=N all of them.
        read -r load solve write positions bytes <<<"$(jq -rs --arg job "$job" '
            [.[] | select(.status == "made") | select(.material == $job or ($job | startswith("--")))] |
            [(map(.cpu_seconds.loading) | add), (map(.cpu_seconds.solving) | add), (map(.cpu_seconds.writing) | add),
             (map(.positions) | add), (map(.bytes) | add)] | join(" ")' "$work/made")"
        awk -v table="$load $solve $write $positions $bytes" -v anonymous="$anonymous" \
            '{ print table, $1 + $2, $3, $4 / 1024, anonymous / 1024 }' "$work/time" >>"$work/all"
    done
    printf '%-10s %8.2f %8.2f %8.2f | %8.2f %8.2f %9.0f %9.0f %13d %12.0f\n' "${job#--}" "$(column 1)" \
        "$(column 2)" "$(column 3)" "$(column 6)" "$(column 7)" "$(column 8)" "$(column 9)" "$(column 5)" \
        "$(awk '{ print ($2 > 0) ? $4 / $2 : 0 }' "$work/all" | median)"
    rm -rf "$work"
done
