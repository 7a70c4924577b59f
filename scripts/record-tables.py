#!/usr/bin/env python3
"""Makes all tables of a game up to some number of men, and records what is in them.

    scripts/record-tables.py [--variant NAME] [--men N] [--tables DIR] [--record DIR] [--prune] [--hextb PROGRAM]
                             [-- OPTIONS of `hextb generate`]
    scripts/record-tables.py --compare [--variant NAME] [--tables DIR] [--record DIR] [--hextb PROGRAM]

Records go to `checksums-NAME.txt` (a line for each table: material, checksum of the outcomes with White and with Black
to move; what they are sums of is told in the library's documentation of `Count::checksum`) and `stats-NAME.json` (what
`hextb stats --json` prints) in the folder of records, `tables` unless another is given. What is recorded already is
not made again, unless a table that is still to be made needs it. With --prune a table is deleted when all that
need it are recorded. Can be stopped at any time and started again.

With --compare nothing is made: the tables that are there are compared with the records; differences are printed, and
the exit status is 1 if there are any.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def arguments():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1], add_help=True)
    parser.add_argument("--variant", default="glinski")
    parser.add_argument("--men", type=int, default=4)
    parser.add_argument("--tables", type=Path, default=ROOT / "tables")
    parser.add_argument("--record", type=Path, default=ROOT / "tables")
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    parser.add_argument("--hextb", default=str(target / "release/hextb"))
    parser.add_argument("--prune", action="store_true")
    parser.add_argument("--compare", action="store_true")
    parser.add_argument("options", nargs="*")
    return parser.parse_args()


class Records:
    """The two files of records of a game."""

    def __init__(self, folder, variant):
        self.checksums_path = folder / f"checksums-{variant}.txt"
        self.statistics_path = folder / f"stats-{variant}.json"
        self.variant = variant
        self.checksums = {}
        self.statistics = {}
        if self.checksums_path.exists():
            lines = self.checksums_path.read_text().splitlines()
            fields = [line.split() for line in lines if line and not line.startswith("#")]
            self.checksums = {name: sums for name, *sums in fields}
        if self.statistics_path.exists():
            self.statistics = json.loads(self.statistics_path.read_text())["tables"]

    def has(self, material):
        return material in self.checksums and material in self.statistics

    def add(self, material, checksums, statistics):
        self.checksums[material] = checksums
        self.statistics[material] = statistics
        order = sorted(self.checksums, key=lambda name: (len(name), name))
        lines = [f"# {self.variant}: material, checksum with White to move, with Black to move (if stored)"]
        lines += [" ".join([f"{name:<7}", *self.checksums[name]]) for name in order]
        replace(self.checksums_path, "\n".join(lines) + "\n")
        rows = ",\n".join(f'"{name}":{json.dumps(self.statistics[name], separators=(",", ":"))}' for name in order)
        replace(self.statistics_path, f'{{"variant":"{self.variant}","tables":{{\n{rows}\n}}}}\n')


def replace(path, text):
    """Writes a file so that it is never half there."""
    temporary = path.with_suffix(path.suffix + ".new")
    temporary.write_text(text)
    temporary.replace(path)


def main():
    given = arguments()
    common = ["--variant", given.variant, "--tables", str(given.tables)]

    def ask(*command):
        run = subprocess.run([given.hextb, *command, *common, "--json"], stdout=subprocess.PIPE, check=True)
        return json.loads(run.stdout)

    def contents(material):
        listed = next(table for table in ask("list")["tables"] if table["material"] == material)
        statistics = ask("stats", material)
        return listed["checksums"], {side: statistics[side] for side in "wb"}

    records = Records(given.record, given.variant)
    if given.compare:
        materials = [table["material"] for table in ask("list")["tables"]]
        different = 0
        for material in materials:
            if not records.has(material):
                print(f"{material}: not recorded")
            elif contents(material) != (records.checksums[material], records.statistics[material]):
                print(f"{material}: DIFFERS from the record")
                different += 1
        print(f"{len(materials)} tables, {different} differ from the records in {given.record}")
        return 1 if different else 0

    plan = ask("plan", "--men", str(given.men), "--all")["tables"]
    users = {table["material"]: [] for table in plan}
    for table in plan:
        for needed in table["needs"]:
            users[needed].append(table["material"])
    begin = time.time()
    for table in plan:
        material = table["material"]
        if not records.has(material):
            command = [given.hextb, "generate", material, *common, "--quiet", *given.options]
            start = time.time()
            subprocess.run(command, check=True)
            records.add(material, *contents(material))
            size = os.path.getsize(given.tables / given.variant / f"{material}.hxt")
            seconds, in_all = time.time() - start, time.time() - begin
            print(f"{material:<7} {seconds:8.1f} s {size:>13} bytes {in_all:9.0f} s in all", flush=True)
        if given.prune:
            for needed in [material, *table["needs"]]:
                path = given.tables / given.variant / f"{needed}.hxt"
                if path.exists() and records.has(needed) and all(records.has(user) for user in users[needed]):
                    path.unlink()
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except subprocess.CalledProcessError as error:
        sys.exit(f"record-tables: {' '.join(error.cmd)} failed")
    except KeyboardInterrupt:
        sys.exit(130)
