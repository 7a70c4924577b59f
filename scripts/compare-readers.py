#!/usr/bin/env python3
"""Compares scripts/read-packed.py with hextb on random positions: two readers of one page must agree.

    scripts/compare-readers.py [--hextb PROGRAM] [--tables DIR] [--variant NAME] [--count N] [MATERIAL...]

N legal positions (10,000) are spread over the materials (default: all packed ones of the folder), both sides to move,
either side with the first half of the name. Prints the number that differ and the first of them; exit status 1 if any
does. Needs what read-packed.py needs.
"""
import argparse, importlib.util, json, random, subprocess, sys
from pathlib import Path

HERE = Path(__file__).parent
spec = importlib.util.spec_from_file_location("read_packed", HERE / "read-packed.py")
reader = importlib.util.module_from_spec(spec)
spec.loader.exec_module(reader)


def written(game, men, turn):
    """The FEN of men, a dictionary from cells to (side, role)."""
    ranks = []
    for rank in game.fen_ranks:
        text, run = "", 0
        for cell in rank:
            if cell not in men:
                run += 1
                continue
            side, role = men[cell]
            letter = game.letters[role]
            text, run = text + (str(run) if run else "") + (letter if side == 0 else letter.lower()), 0
        ranks.append(text + (str(run) if run else ""))
    return "/".join(ranks) + f" {'wb'[turn]} {'- ' * game.castling}- 0 1"


def is_legal(game, men, turn):
    pawns = (game.pawns[side].places >> cell & 1 for cell, (side, role) in men.items() if role == game.pawn)
    king = next(cell for cell, man in men.items() if man == (1 - turn, reader.KING))
    return all(pawns) and not game.attacked(men, turn, reader.as_set(men)) >> king & 1


def random_fen(game, material, numbers):
    half = material.index("K", 1)
    while True:
        swap, turn = numbers.random() < 0.5, numbers.randrange(2)
        men_of_sides = enumerate([material[:half], material[half:]])
        wanted = [(int(side ^ swap), game.letters.index(letter)) for side, name in men_of_sides for letter in name]
        men = dict(zip(numbers.sample(range(game.n), len(wanted)), wanted))
        if is_legal(game, men, turn):
            return written(game, men, turn)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hextb", default=HERE.parent / "target/release/hextb")
    parser.add_argument("--tables", type=Path, default=Path("tables"))
    parser.add_argument("--variant", default="glinski")
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("materials", nargs="*")
    given = parser.parse_args()
    materials = given.materials or sorted(path.stem for path in (given.tables / given.variant).glob("*.hxd"))
    if not materials:
        sys.exit(f"compare-readers: no packed tables in {given.tables / given.variant}")
    game, numbers = reader.Game(given.variant, given.tables), random.Random(given.count)
    fens = [random_fen(game, materials[at % len(materials)], numbers) for at in range(given.count)]
    command = [given.hextb, "probe", "-", "--quiet", "--variant", given.variant, "--tables", given.tables]
    answers = subprocess.run(command, input="\n".join(fens) + "\n", capture_output=True, text=True).stdout.splitlines()
    if len(answers) != len(fens):
        sys.exit(f"compare-readers: {len(fens)} questions and {len(answers)} answers")
    differ = 0
    for fen, answer in zip(fens, map(json.loads, answers)):
        value, plies = game.outcome(*game.parse(fen))
        found = (reader.WORDS[value], None if value == reader.DRAW else plies)
        told = (answer.get("category"), answer.get("plies"))
        if found != told:
            differ += 1
            if differ <= 5:
                print(f"{fen}: read-packed.py {found}, hextb {told}")
    print(f"{len(fens)} positions of {len(materials)} materials compared: {differ} differ")
    sys.exit(differ > 0)


main()
