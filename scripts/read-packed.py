#!/usr/bin/env python3
"""Reads packed tables as docs/packed-format.md describes them; checksums are not tested.

    scripts/read-packed.py --tables DIR [--variant NAME] [FEN...]

Prints a line for each FEN, or for each line of standard input: the value for the side to move (win, stalemate-win,
draw, stalemate-loss or loss) and the distance in plies (- for a draw). Tables are DIR/NAME/KQKR.hxv and so on. Needs
Python 3.11 and the package zstandard. Exit status: 0 done, 1 with one line that says what is wrong, 2 bad arguments.
"""
import argparse, json, mmap, re, struct, sys, tomllib
from functools import cache, lru_cache, reduce
from itertools import chain, combinations, count, product, takewhile
from pathlib import Path

try:
    import zstandard
except ImportError:
    sys.exit("read-packed.py: the package zstandard is missing; `pip install zstandard` gets it")

WORDS, DRAW, KING = ["loss", "stalemate-loss", "draw", "stalemate-win", "win"], 2, 0
union = lambda sets: reduce(int.__or__, sets, 0)  # a set of cells is a number with a bit for each
as_set = lambda cells: reduce(lambda found, cell: found | 1 << cell, cells, 0)

def bits(cells):  # the cells of a set
    while cells:
        yield (cells & -cells).bit_length() - 1
        cells &= cells - 1

def spread(cells, table, steps):  # a set with what is reached from it in some steps by a table of sets
    return reduce(lambda reached, _: reached | union(table[c] for c in bits(reached)), range(steps), cells)

class Pawns:  # the rules of one side's pawns, cell by cell
    def __init__(self, game, rules):
        n, walk, at = range(game.n), game.walk, lambda vector: game.at.get(tuple(vector), -1)
        rays = [(first, ray["along"]) for ray in rules["start"] if (first := at(ray["from"])) >= 0]
        reach = {c: rules["first_steps"] for first, along in rays for c in [first, *walk(first, along)]}
        starts = [int(c in reach) << c for c in n]
        reach |= {at(other["cell"]): other["steps"] for other in rules.get("exceptions", [])}
        self.paths = [[path for v in rules["forward"] if (path := walk(c, v)[:reach.get(c, 1)])] for c in n]
        self.captures = [as_set(to for v in rules["captures"] for to in walk(c, v)[:1]) for c in n]
        self.promotion = as_set(c for c in n if not self.paths[c])
        self.on_the_way = [as_set(chain(*paths)) for paths in self.paths]
        self.ahead = [spread(on, self.on_the_way, game.n) for on in self.on_the_way]
        either = list(map(int.__or__, self.on_the_way, self.captures))
        self.places = spread(union(starts), either, game.n) & ~self.promotion
        self.left = cache(lambda c: max((1 + self.left(path[0]) for path in self.paths[c]), default=0))
        self.tables = [self.on_the_way, self.captures, starts]

class Game:  # what follows from a description; a man is (side, role), men on the board are given by their cells
    def __init__(self, name, folder):
        base, _, radius = name.partition("-")
        text = tomllib.loads((Path(__file__).resolve().parent.parent / f"variants/{base}.toml").read_text())
        board, ((shape, size),), pieces = text["board"], text["board"]["shape"].items(), text["piece"]
        r = int(radius or size.get("radius", 0))
        axes = [range(-r, r + 1)] * 2 if shape == "hexagon" else [range(size["width"]), range(size["height"])]
        self.cells = cells = [(x, y) for x, y in product(*axes) if shape != "hexagon" or abs(x + y) <= r]
        self.n, self.all, n = len(cells), (1 << len(cells)) - 1, range(len(cells))
        self.at = {cell: number for number, cell in enumerate(cells)}
        ranks = [y - min(b for a, b in cells if a == x) + 1 for x, y in cells]
        self.names = {f"{board['files'][x - cells[0][0]]}{rank}": self.at[x, y] for (x, y), rank in zip(cells, ranks)}
        self.fen_ranks = [[c for c in n if ranks[c] == rank] for rank in range(max(ranks), 0, -1)]
        self.letters, self.castling = [x["letter"] for x in [*pieces, text["pawn"]]], text.get("castling_field", False)
        self.pawn, self.promotions = len(pieces), [self.letters.index(x) for x in text["pawn"]["promotions"]]
        steps, slides = ([[v for name in piece.get(kind, []) for v in text["directions"][name]] for piece in pieces]
                         for kind in ("steps", "slides"))
        self.steps = [[as_set(to for v in vectors for to in self.walk(c, v)[:1]) for c in n] for vectors in steps]
        self.rays = [[[self.walk(c, v) for v in vectors] for c in n] for vectors in slides]
        self.in_reach = [[as_set(chain(*rays)) for rays in of_role] for of_role in self.rays]
        self.pawns = [Pawns(self, text["pawn"][side]) for side in ("white", "black")]
        tables, (white, black) = self.steps + self.in_reach, [pawns.tables for pawns in self.pawns]
        turns = lambda image, one, other: all(
            as_set(image[b] for b in bits(a[c])) == b[image[c]] for a, b in zip(one, other) for c in n)
        p, q = (sum(axis) / self.n for axis in zip(*cells))
        images = [[self.at.get((a * (x - p) + b * (y - q) + p, c * (x - p) + d * (y - q) + q)) for x, y in cells]
                  for a, b, c, d in product((-1, 0, 1), repeat=4)]
        images = [image for image in images if set(image) == set(n) and turns(image, tables, tables)]
        self.groups = [images, [image for image in images if turns(image, white + black, white + black)]]
        self.swap = next(image for image in images if turns(image, white + black, black + white))
        king, (w0, w1), colours = self.steps[KING], board["colours"]["weights"], len(board["colours"]["names"])
        self.balls = [[spread(1 << c, king, steps) for steps in range(13)] for c in n]
        colour = [(w0 * x + w1 * y) % colours for x, y in cells]
        phase = [3 + 2 * (x % 2) + y % 2 if x % 2 or y % 2 else x % 4 + y % 4 // 2 for x, y in cells]
        near = [as_set(b for b in bits(king[c]) if colour[b] != colour[c]) for c in n]
        most, inside, self.rings = max(map(int.bit_count, near)), self.all, []
        while inside:
            inside &= ~(as_set(c for c in bits(inside) if (near[c] & inside).bit_count() < most) or inside)
            self.rings.append(self.all & ~inside)
        self.phases = [[c for c in n if phase[c] == number] for number in range(7)]
        first = [as_set(b for b in self.phases[0] if b < c) & self.balls[c][4] for c in n]
        ways = [[way for v in steps[KING] if (way := self.walk(c, v)[:k])[k - 1:] and phase[way[-1]] < phase[c]]
                for c in n for k in [2 if phase[c] < 4 else 1]]
        self.forerunners = [[as_set(way[-1] for way in ways[c] if near[c] >> way[0] & 1 == other) for other in (1, 0)]
                            if phase[c] else [first[c], 0] for c in n]
        self.table = cache(lambda material: Table(self, folder / name, material))
    def walk(self, cell, vector):  # the cells met from a cell on, without it
        (x, y), (a, b) = self.cells[cell], vector
        return list(takewhile(lambda c: c is not None, (self.at.get((x + i * a, y + i * b)) for i in count(1))))
    def attacks(self, man, c, occupied):  # of a piece also from where it attacks: vectors have their opposites
        (side, role), pawns = man, self.pawns
        return pawns[side].captures[c] if role == self.pawn else self.slide(role, c, occupied & self.in_reach[role][c])
    @lru_cache(1 << 19)
    def slide(self, role, cell, occupied):
        ends = [next((i for i, c in enumerate(ray, 1) if occupied >> c & 1), None) for ray in self.rays[role][cell]]
        return self.steps[role][cell] | as_set(c for ray, end in zip(self.rays[role][cell], ends) for c in ray[:end])
    def attacked(self, men, side, occupied):  # what a side's men attack together
        return union(self.attacks(man, c, occupied) for c, man in men.items() if man[0] == side)
    def is_legal(self, men, turn):  # whether the side to move does not attack the other king
        king = next(c for c, man in men.items() if man == (1 - turn, KING))
        return not self.attacked(men, turn, as_set(men)) >> king & 1
    def moves(self, men, turn, right):  # the legal moves, each as what it is and the men after it
        own, pawns = as_set(c for c, man in men.items() if man[0] == turn), self.pawns[turn]
        for cell, role in [(c, men[c][1]) for c in bits(own)]:
            targets, passing, promotion = self.attacks((turn, role), cell, as_set(men)) & ~own, 0, 0
            if role == self.pawn:
                steps = chain(*(takewhile(lambda c: c not in men, path) for path in pawns.paths[cell]))
                passing, promotion = targets & right[0], pawns.promotion
                targets = targets & as_set(men) | passing | as_set(steps)
            for to in bits(targets):
                gone = [cell, right[1]] if passing >> to & 1 else [cell]
                for new in self.promotions if promotion >> to & 1 else [role]:
                    after = {c: man for c, man in men.items() if c not in gone} | {to: (turn, new)}
                    if self.is_legal(after, 1 - turn):
                        yield "en passant" if gone[1:] else "conversion" if to in men or new != role else "", after
    def parse(self, fen):  # the men, the side to move, and the cells passed over with the pawn that may be taken
        (board, turn, *rest), men = fen.split(), {}
        for rank, cells in zip(board.split("/"), self.fen_ranks, strict=True):
            line = zip(cells, re.sub("[0-9]+", lambda run: "." * int(run[0]), rank), strict=True)
            men |= {c: (int(x.islower()), self.letters.index(x.upper())) for c, x in line if x != "."}
        turn, passed = "wb".index(turn), [self.names[x] for x in re.findall("[^-][0-9]*", rest[self.castling])]
        paths, k, pawn = chain(*self.pawns[1 - turn].paths), len(passed), (1 - turn, self.pawn)
        pawns = [p[k] for p in paths if p[k:] and sorted(p[:k]) == sorted(passed) and men.get(p[k]) == pawn]
        return men, turn, (as_set(passed), pawns[0] if passed else None)
    def outcome(self, men, turn, right=(0, None)):  # a value and plies
        sides = [sorted(role for side, role in men.values() if side == s) for s in (0, 1)]
        swap = int((len(sides[1]), sides[0]) > (len(sides[0]), sides[1]))
        table = self.table("".join(self.letters[role] for role in chain(*(sides[::-1] if swap else sides))))
        swap = turn if sides[0] == sides[1] else swap
        kinds = ["en passant"] + ["conversion"] * ("wb"[turn ^ swap] in table.values.about["conversions"])
        moves = list(self.moves(men, turn, right)) if right[0] or kinds[1:] else []
        found = [(4 - v, n + 1) for kind, after in moves if kind in kinds for v, n in [self.outcome(after, 1 - turn)]]
        if not moves or any(kind != "en passant" for kind, _ in moves):
            men = {self.swap[c]: (1 - side, role) for c, (side, role) in men.items()} if swap else men
            found.append(table.outcome(men, turn ^ swap))
        return max(found, key=lambda outcome: (outcome[0], -outcome[1] if outcome[0] > DRAW else outcome[1]))

class Message:  # the arithmetic decoder
    def __init__(self, message):
        self.code, self.range, self.rest = int.from_bytes(message[:4].ljust(4, b"\0")), 0xffffffff, iter(message[4:])
    def answer(self, no):
        bound = (self.range >> 16) * no
        yes = self.code >= bound
        self.code, self.range = (self.code - bound, self.range - bound) if yes else (self.code, bound)
        while self.range < 1 << 24:
            self.code, self.range = self.code << 8 & 0xffffffff | next(self.rest, 0), self.range << 8
        return yes
    def symbol(self, symbols, likely):
        return next((symbol for symbol, no in zip(symbols, likely) if not self.answer(no)), symbols[-1])
    def error(self, kind):
        if (error := self.symbol(*kind)) < 15:
            return error
        counted, digits = self.answer(64512), list(takewhile(lambda _: self.answer(1 << 15), range(20)))
        return reduce(lambda number, _: 2 * number + self.answer(1 << 15), digits, 1) - 1 + (0 if counted else 15)

class File:  # a packed file: what it says of itself, for each side to move a tree and its leaves' kinds, and units
    def __init__(self, path, letter, expected):
        with open(path, "rb") as file:
            *first, self.directory, about, models = struct.unpack("<8sI4s2Q2I", file.read(40).ljust(40))
            if first != [b"\x89HEXTB\r\n", 5, letter + bytes(3), file.seek(0, 2)]:
                raise OSError(f"{path}: no packed file of this kind and version, or cut short")
            self.bytes, self.body = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), 40 + about + models
        self.about, self.models = json.loads(zstandard.decompress(self.bytes[40:40 + about])), []
        if (found := [self.about["variant"], self.about["material"]]) != expected:
            raise OSError(f"{path}: it holds {found}, not {expected}")
        data = iter(zstandard.decompress(self.bytes[40 + about:self.body]))
        short = lambda: next(data) | next(data) << 8
        for _ in self.about["entries"]:
            nodes, leaves = iter([short() for _ in range(short())]), count()
            tree = lambda node: (node - 1, tree(next(nodes)), tree(next(nodes))) if node else next(leaves)
            self.models.append((tree(next(nodes)), [(symbols := [next(data) for _ in range(next(data))], [
                short() for _ in symbols[1:]]) for _ in range(next(leaves))]))
    def unit(self, unit):
        number = lambda at, size: int.from_bytes(self.bytes[at:at + size], "little")
        begin, end = (self.body + number(self.directory + 5 * (unit // 64 + i), 5) for i in (0, 1))
        width = self.bytes[begin] if begin < end else 0
        *before, length = [number(begin + 1, 8 * width) >> k * width & (1 << width) - 1 for k in range(unit % 64 + 1)]
        begin += 1 + 8 * width + sum(before)
        return self.bytes[begin:begin + length]

def leaf(node, holds):  # where a tree leads; holds answers a question
    while node.__class__ is tuple:
        node = node[1 if holds(node[0]) else 2]
    return node

class Table:  # a material's two files; known men are given by their cells, in their order
    def __init__(self, game, folder, material):
        file = lambda x: File(folder / f"{material}.hx{x}", x.encode(), [folder.name, material])
        self.game, self.values, self.distances, n = game, file("v"), cache(lambda: file("d")), range(game.n)
        *self.men, self.man = [(int(x.islower()), game.letters.index(x.upper())) for x in self.values.about["men"]]
        self.turns = [1 - self.man[0], self.man[0]] if self.values.models[1:] else [0]
        self.group = game.groups[any(role == game.pawn for _, role in self.men)]
        self.pairs = [(a, b) for a in n for b in (n if self.men[1:] else [a]) if all(
            image[a] > a or image[a] == a and image[b] >= b for image in self.group)]
        self.number = {pair: number for number, pair in enumerate(self.pairs)}
    def outcome(self, men, turn):  # what is stored
        for image in self.group:
            cells_of = {man: sorted(image[c] for c in men if men[c] == man) for man in men.values()}
            cells, side = [cells_of[man].pop(0) for man in [*self.men, self.man]], self.turns.index(turn)
            if (pair := self.number.get((cells[0], cells[len(self.men) > 1]))) is not None:
                row = reduce(lambda row, c: row * self.game.n + c, cells[2:-1], pair)
                value = self.row(row)[1][side][1][cells[-1]]
                return value, 0 if value == DRAW else 2 * self.moves(row, side)[cells[-1]] + (value > DRAW)
    def stored(self, cells, turn):  # the columns that a row stores with a side to move
        places, known = [pawns.places for pawns in self.game.pawns], list(zip(cells, self.men))
        misplaced = any(role == self.game.pawn and not places[side] >> c & 1 for c, (side, role) in known)
        if misplaced or any(x == y or a == b and x > y for (x, a), (y, b) in combinations(known, 2)):
            return []
        columns = range(max((c + 1 for c, man in known if man == self.man), default=0), self.game.n)
        return [c for c in columns if c not in cells and self.game.is_legal(dict(known) | {c: self.man}, turn)]
    @lru_cache(4000)
    def row(self, number):  # the known cells, and for each side to move where features hold, and the value by column
        size, n = self.values.about["unit_rows"], self.game.n
        message = Message(unit := self.values.unit(number // size))
        for row in range(number // size * size if unit else number, number + 1):
            pair, *cells = reduce(lambda found, _: [found[0] // n, found[0] % n, *found[1:]], self.men[2:], [row])
            cells = [*self.pairs[pair][:len(self.men)], *cells]
            features, sides, shown = self.features(cells), [], [0] * 9
            reach = [self.game.attacks(self.man, c, as_set(cells)) for c in range(n)]
            for turn, (tree, kinds) in zip(self.turns, self.values.models):
                holds = shown + features
                found = sorted((leaf(tree, lambda q: holds[q] >> c & 1), c) for c in self.stored(cells, turn))
                value = {c: message.symbol(*kinds[at]) for at, c in found}
                sides.append((holds, value))
                at_most = [as_set(c for c in value if value[c] <= v) for v in range(5)]
                shown = [as_set(c for c in range(n) if reach[c] & some) for some in at_most[:4]] + at_most
        return cells, sides
    @lru_cache(4000)
    def moves(self, row, side):  # the distances of a row with the first or the second side to move, by column
        (cells, sides), message, far = self.row(row), Message(self.distances().unit(row)), {}
        for (holds, value), (tree, kinds) in list(zip(sides, self.distances().models))[:side + 1]:
            other, far, latest = far, {}, [0] * 5
            for phase, columns in enumerate(self.game.phases):
                for c in [c for c in columns if value.get(c, DRAW) != DRAW]:
                    v, exceeds = value[c], []
                    known = [[far[b] for b in bits(few) if value.get(b) == v] for few in self.game.forerunners[c]]
                    near = known[0] or known[1] or [latest[v]]
                    guess = (2 * sum(near) + len(near)) // (2 * len(near))
                    after = bits(self.game.attacks(self.man, c, as_set(cells)))
                    if bounds := [other[b] for b in after if b in other and sides[0][1][b] == 4 - v]:
                        bound = max(bounds) + 1 if v < DRAW else min(bounds)
                        exceeds = [True] + [guess - bound >= by for by in (-4, -2, -1, 0, 1, 2, 4)]
                        guess = max(guess, bound) if v < DRAW else min(guess, bound)
                    traits = [v == 0, v == 1, v == 3] + [len(known[0]) > more for more in range(4)] + [
                        max(near) - min(near) > by for by in (0, 1, 2, 4, 8, 16)] + [
                        guess >= least for least in (1, 2, 4, 6, 10, 16, 25, 40, 64)] + (exceeds or [False] * 8)
                    answer = lambda q: holds[q] >> c & 1 if q < len(holds) else traits[q - len(holds)]
                    error = message.error(kinds[leaf(tree, answer)])
                    far[c] = max(0, guess + (error + 1) // 2 * (1 if error % 2 else -1))
                    latest[v] = latest[v] if phase else far[c]
        return far
    def features(self, cells):  # where each of them holds, but for those that ask for the other side's values
        game, men, n, occupied = self.game, self.men, range(len(cells)), as_set(cells)
        known, rings, on = dict(zip(cells, men)), game.rings[:-1], lambda m, some: game.all * (some >> cells[m] & 1)
        near, attacked = lambda m, s: game.balls[cells[m]][s], [game.attacked(known, side, occupied) for side in (0, 1)]
        kings, pawns = ([m for m in n if men[m][1] == role] for role in (KING, game.pawn))
        f = [game.attacks(self.man, c, occupied) for c in cells] + [game.attacks(men[m], cells[m], occupied) for m in n]
        f += attacked + [near(m, s) for m in n for s in range(1, 6 if m in kings else 4)] + rings
        for m in n:
            f += [on(m, ring) for ring in rings] + [on(m, near(o, s)) for o in range(m) for s in range(1, 7)]
        for k in kings:
            side, without, every, one, two = men[k][0], occupied & ~(1 << cells[k]), game.all, 0, 0
            own = as_set(c for c, man in zip(cells, men) if man[0] == side)
            flights = near(k, 1) & ~own & ~game.attacked(known, 1 - side, without)
            f += [game.all * (flights.bit_count() >= s) for s in range(1, 6)] + [flights, on(k, attacked[1 - side])]
            for flight in bits(flights):
                here = game.attacks(self.man, flight, without) | 1 << flight
                every, one, two = every & here, one | here, two | one & here
            f += [every, one, two] if side != self.man[0] else []
        for p in pawns:
            rules, cell = game.pawns[men[p][0]], cells[p]
            left, ahead = rules.left(cell), rules.ahead[cell]
            goal = [union(game.balls[c][s] for c in bits(ahead & rules.promotion)) for s in range(13)]
            race = goal[:7] + [goal[min(left + lead, 12)] if left + lead >= 0 else 0 for lead in (-2, -1, 0, 1)]
            f += [game.all * (left <= s) for s in range(1, 8)] + [rules.on_the_way[cell], ahead]
            f += [on(m, ahead) for m in n if m != p] + race + [on(k, some) for k in kings for some in race]
        return (f + [on(m, some) for m in n if m not in kings for some in attacked])[:503]

if __name__ == "__main__":
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("--tables", type=Path, required=True)
    parser.add_argument("--variant", default="glinski")
    parser.add_argument("fens", nargs="*")
    given, fen, _ = parser.parse_args(), "", sys.setrecursionlimit(10000)
    try:
        game = Game(given.variant, given.tables)
        for fen in given.fens or filter(str.strip, sys.stdin):
            value, plies = game.outcome(*game.parse(fen))
            print(WORDS[value], "-" if value == DRAW else plies)
    except (OSError, zstandard.ZstdError) as error:
        sys.exit(f"read-packed.py: {error}")
    except (ValueError, LookupError, StopIteration, RuntimeError, AttributeError, TypeError):
        sys.exit(f"read-packed.py: no game {given.variant}, or no legal position of it: {fen.strip()}")
