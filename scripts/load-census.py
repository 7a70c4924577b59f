#!/usr/bin/env python3
"""Loads a census with pandas and polars, from its CSV and from its Parquet file, and compares the four.

    scripts/load-census.py tables/census-glinski

Prints what share of all positions each value has. Needs the packages pandas, polars and pyarrow. Exit status: 0 they
agree, 1 they do not.
"""
import json
import sys

import pandas
import polars


def rows(frame):
    """The rows as plain data; nothing where there is nothing."""
    return [{name: None if pandas.isna(value) else value for name, value in row.items()} for row in frame]


def main(prefix):
    # Columns that are empty in all of the first rows of a CSV file would be taken for text otherwise.
    frames = {
        "pandas, CSV": rows(pandas.read_csv(f"{prefix}.csv", dtype_backend="numpy_nullable").to_dict("records")),
        "pandas, Parquet": rows(pandas.read_parquet(f"{prefix}.parquet").to_dict("records")),
        "polars, CSV": rows(polars.read_csv(f"{prefix}.csv", infer_schema_length=None).to_dicts()),
        "polars, Parquet": rows(polars.read_parquet(f"{prefix}.parquet").to_dicts()),
    }
    with open(f"{prefix}.json") as file:
        expected = json.load(file)["rows"]
    status = 0
    for name, found in frames.items():
        if found != expected:
            print(f"{name}: not what the JSON file has")
            status = 1
    frame = polars.read_parquet(f"{prefix}.parquet")
    values = ["win", "stalemate_win", "draw", "stalemate_loss", "loss"]
    shares = {value: f"{100 * frame[value].sum() / frame['legal'].sum():.2f} %" for value in values}
    print(f"{prefix}: {len(frame)} rows, {len(frame.columns)} columns;", ", ".join(f"{k} {v}" for k, v in shares.items()))
    return status


if __name__ == "__main__":
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    try:
        sys.exit(main(sys.argv[1]))
    except OSError as error:
        sys.exit(f"load-census.py: {error}")
