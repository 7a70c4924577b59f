#!/usr/bin/env bash
# Takes the census of all endings of up to four men and compares it with the one recorded under tables/.
#
#   scripts/census.sh [--record] [--tables DIR]
#
# Makes the tables that are missing below DIR (else in a folder that is removed at the end), writes the census of
# Gliński's and of McCooey's game in each form, and compares every byte with tables/census-*; with --record replaces
# those. Then loads the CSV and Parquet files with pandas and polars, which it fetches, and compares them. Exit status: 0
# all is as recorded, 1 something differs or failed, 2 bad arguments. Takes a minute or two on two cores, besides the
# build.
set -euo pipefail
here=$PWD
cd "$(dirname "$0")/.."

record=false tables=
while [ $# -gt 0 ]; do
    case $1 in
    --record) record=true ;;
    --tables)
        [ $# -gt 1 ] || { echo "census.sh: --tables needs a folder" >&2 && exit 2; }
        tables=$(cd "$here" && realpath -m "$2") && shift
        ;;
    *) echo "census.sh: unknown argument \"$1\"; see the head of this script" >&2 && exit 2 ;;
    esac
    shift
done
cargo build --release --quiet
hextb=${CARGO_TARGET_DIR:-target}/release/hextb
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tables=${tables:-$work/tables}

status=0
for variant in glinski mccooey; do
    "$hextb" generate --men 4 --variant "$variant" --tables "$tables" --quiet
    forms=()
    for form in md csv json parquet; do
        forms+=(--write "$work/census-$variant.$form")
    done
    time "$hextb" census --men 4 --variant "$variant" --tables "$tables" "${forms[@]}"
    for form in md csv json parquet; do
        file=census-$variant.$form
        if $record; then
            cp "$work/$file" "tables/$file"
        elif ! cmp "$work/$file" "tables/$file"; then
            status=1
        fi
    done
done
python3 -m venv "$work/python"
"$work/python/bin/pip" install --quiet --disable-pip-version-check pandas polars pyarrow
for variant in glinski mccooey; do
    "$work/python/bin/python" scripts/load-census.py "tables/census-$variant" || status=1
done
[ $status -ne 0 ] || echo "census: all is as recorded"
exit $status
