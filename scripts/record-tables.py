#!/usr/bin/env python3
"""Makes all tables of a game up to some number of men, and records what is in them.

    scripts/record-tables.py [--variant NAME] [--men N] [--tables DIR] [--record DIR] [--prune] [--hextb PROGRAM]
                             [-- OPTIONS of `hextb generate`]
    scripts/record-tables.py --compare [--variant NAME] [--tables DIR] [--record DIR] [--hextb PROGRAM]

Records go to `checksums-NAME.txt` (a line for each table: material, checksum of the outcomes with White and with Black
to move; what they are sums of is told in the library's documentation of `Count::checksum`) and `stats-NAME.json` (what
`hextb stats --json` prints) in the folder of records, which is made if need be. What is recorded already is not made
again, unless a table that is still to be made needs it; so records of your own go into a folder of their own
(--record), as those of Gliński's game are in `tables` already. With --prune, which takes a folder of tables named by
--tables, each table in it is deleted when it and all that need it are recorded. Can be stopped at any time and started
again.

With --compare nothing is made: the tables that are there are compared with the records.

Exit status: 0 done, 1 a table differs from its record, 2 bad arguments or records, 3 hextb failed.
"""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def arguments():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1], add_help=True)
    parser.add_argument("--variant", default="glinski")
    parser.add_argument("--men", type=int, default=4)
    parser.add_argument("--tables", type=Path)
    parser.add_argument("--record", type=Path, default=ROOT / "tables")
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    parser.add_argument("--hextb", default=str(target / "release/hextb"))
    parser.add_argument("--prune", action="store_true")
    parser.add_argument("--compare", action="store_true")
    parser.add_argument("options", nargs="*")
    given = parser.parse_args()
    if given.prune and given.tables is None:
        parser.error("--prune deletes tables: name their folder with --tables")
    given.tables = given.tables or ROOT / "tables"
    if given.compare and not given.tables.joinpath(given.variant).is_dir():
        parser.error(f"there are no tables in {given.tables / given.variant}")
    return given


class BadRecords(Exception):
    """Records that cannot be read."""


class Records:
    """The two files of records of a game."""

    def __init__(self, folder, variant):
        self.checksums_path = folder / f"checksums-{variant}.txt"
        self.statistics_path = folder / f"stats-{variant}.json"
        self.variant = variant
        self.checksums = {}
        self.statistics = {}
        if self.checksums_path.exists():
            for line in self.checksums_path.read_text().splitlines():
                if line and not line.startswith("#"):
                    if not re.fullmatch("K[A-Z]*K[A-Z]* +[0-9a-f]{16}( [0-9a-f]{16})?", line):
                        raise BadRecords(f'{self.checksums_path}: no record: "{line}"')
                    name, *sums = line.split()
                    self.checksums[name] = sums
        if self.statistics_path.exists():
            try:
                self.statistics = dict(json.loads(self.statistics_path.read_text())["tables"])
            except (ValueError, KeyError, TypeError) as error:
                raise BadRecords(f"{self.statistics_path}: no records of statistics: {error}") from error

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

    if not given.compare:
        given.record.mkdir(parents=True, exist_ok=True)
    records = Records(given.record, given.variant)
    if given.compare:
        if not records.checksums:
            raise BadRecords(f"there are no records of {given.variant} in {given.record}")
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
    recorded = [table["material"] for table in plan if records.has(table["material"])]
    if recorded:
        print(f"{len(recorded)} of {len(plan)} tables are recorded in {given.record} already", flush=True)
    for table in plan:
        material = table["material"]
        if not records.has(material):
            command = [given.hextb, "generate", material, *common, "--level", "plain", "--quiet", *given.options]
            start = time.time()
            run(command)
            records.add(material, *contents(material))
            size = os.path.getsize(given.tables / given.variant / f"{material}.hxt")
            seconds, in_all = time.time() - start, time.time() - begin
            print(f"{material:<7} {seconds:8.1f} s {size:>13} bytes {in_all:9.0f} s in all", flush=True)
        if given.prune:
            for needed in [material, *table["needs"]]:
                path = given.tables / given.variant / f"{needed}.hxt"
                if path.exists() and records.has(needed) and all(records.has(user) for user in users[needed]):
                    path.unlink()
                    print(f"{needed:<7} deleted: all that need it are recorded", flush=True)
    return 0


def run(command):
    """Runs a command; one that is under way when this program is told to stop is told so too, and waited for."""
    with subprocess.Popen(command) as process:
        try:
            status = process.wait()
        except KeyboardInterrupt:
            process.terminate()
            raise
    if status != 0:
        raise subprocess.CalledProcessError(status, command)


def stop(*_):
    """A signal to stop is passed on to the run of hextb that is being waited for."""
    raise KeyboardInterrupt


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, stop)
    try:
        sys.exit(main())
    except subprocess.CalledProcessError as error:
        # hextb has said why.
        print(f"record-tables: {' '.join(map(str, error.cmd))} failed", file=sys.stderr)
        sys.exit(2 if error.returncode == 2 else 3)
    except (BadRecords, OSError) as error:
        print(f"record-tables: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
