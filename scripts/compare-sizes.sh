#!/usr/bin/env bash
# Compares packed tables with the same data in natural order under zstd: what the tables would take if nothing were known
# of chess. Values and distances, illegal entries (for distances undecided ones, too) filled with the entry before, one
# byte an entry, `zstd -19 --long=27`.
#
#   scripts/compare-sizes.sh [-v VARIANT] [-t TABLES] [-b BASELINES] [MATERIAL|--men=N ...]
#
# Prints a line for each material (default: all of three and four men): bytes of values natural and packed, their ratio,
# bits for each legal position; the same of distances, bits for each decisive position; and the totals. BASELINES is a
# file that baselines are read from if they are there, and added to if not: a large one takes minutes. The tables must be
# there, packed. Needs zstd and jq; HEXTB is the program, if it is not target/release/hextb.
set -euo pipefail

refuse() { echo "compare-sizes: $1; see the head of $0" >&2; exit 2; }
variant=glinski tables=tables baselines=
while getopts "v:t:b:" option; do
    case $option in
        v) variant=$OPTARG ;;
        t) tables=$OPTARG ;;
        b) baselines=$OPTARG ;;
        *) refuse "unknown option" ;;
    esac
done
shift $((OPTIND - 1))
for tool in zstd jq; do
    command -v $tool >/dev/null || { echo "compare-sizes: $tool is missing; install the package \"$tool\"" >&2; exit 2; }
done
hextb=${HEXTB:-$(dirname "$0")/../target/release/hextb}
[ -x "$hextb" ] || refuse "$hextb is missing: build it with cargo build --release, or set HEXTB"
[ -n "$baselines" ] || baselines=$(mktemp)
touch "$baselines"
options=(--variant "$variant" --tables "$tables")
list=$("$hextb" list --json "${options[@]}")
men="3 4" names=()
for argument in "$@"; do
    case $argument in
        --men=*) men=${argument#--men=} ;;
        *) names+=("$argument") ;;
    esac
done
if [ ${#names[@]} -eq 0 ]; then
    mapfile -t names < <(jq -r --arg men "$men" '.tables[] | select(.men as $m | $men | split(" ") | index($m|tostring)) | .material' <<<"$list")
fi
[ ${#names[@]} -gt 0 ] || refuse "no tables in $tables"

natural() { "$hextb" export "$1" --what "$2" --fill --quiet "${options[@]}" | zstd -19 --long=27 -q | wc -c; }
printf '%-8s %12s %12s %6s %7s  %12s %12s %6s %7s\n' material "values" packed ratio bits distances packed ratio bits
for name in "${names[@]}"; do
    table=$(jq --arg name "$name" '.tables[] | select(.material == $name)' <<<"$list")
    [ "$(jq -r .form <<<"$table")" = packed ] || refuse "$name is not there, or not packed (hextb pack $name)"
    baseline=$(awk -v variant="$variant" -v name="$name" '$1 == variant && $2 == name { print $3, $4; exit }' "$baselines")
    if [ -z "$baseline" ]; then
        baseline="$(natural "$name" values) $(natural "$name" distances)"
        echo "$variant $name $baseline" >>"$baselines"
    fi
    echo "$name $baseline $(jq -r '[.values_bytes, .bits_per_position, .distances_bytes, .bits_per_decisive] | @tsv' <<<"$table")"
done | awk '
    function row(name, v, pv, vbits, d, pd, dbits) {
        printf "%-8s %12d %12d %6.3f %7.4f  %12d %12d %6.3f %7.3f\n", name, v, pv, pv / v, vbits, d, pd, pd / d, dbits
    }
    { row($1, $2, $4, $5, $3, $6, $7)
      v += $2; pv += $4; d += $3; pd += $6
      if ($5 > 0) legal += 8 * $4 / $5
      if ($7 > 0) decisive += 8 * $6 / $7 }
    END { row("all", v, pv, 8 * pv / legal, d, pd, 8 * pd / decisive) }'
