//! The pictures of positions: every cell and every man is where it belongs, and the documents are well formed.

use std::collections::BTreeMap;

use hextb::geometry::{Cell, Color, Shape, Variant};
use hextb::picture::{SvgOptions, TextStyle, svg, text};
use hextb::position::{Fen, Position};

const ASCII: TextStyle = TextStyle { colour: false, unicode: false };

/// Positions on boards of several sizes and shapes.
const POSITIONS: [(&str, &str); 7] = [
    ("glinski", "b/qbk/n1b1n/r5r/ppppppppp/11/5P5/4P1P4/3P1B1P3/2P2B2P2/1PRNQBKNRP1 w - 0 1"),
    ("glinski", README_FEN),
    ("glinski", "1/1k1/5/7/9/4Pp5/11/11/3K7/11/11 b e5 0 1"),
    ("glinski-3", "1/1k1/5/3r3/7/P1K4/7 b - 0 1"),
    ("mccooey", "1/3/2k2/7/9/5p5/5P5/11/3K7/11/11 w - 0 1"),
    ("orthodox", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"),
    ("orthodox", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"),
];

/// The position that the README shows.
const README_FEN: &str = "1/2r/5/1k5/9/8K2/11/11/10Q/11/11 b - 0 1";

fn position(variant: &str, fen: &str) -> (Variant, Position) {
    let variant = Variant::named(variant).unwrap();
    let position = Fen::parse(&variant, fen).unwrap().position;
    (variant, position)
}

fn letter(variant: &Variant, position: &Position, cell: Cell) -> Option<char> {
    let man = position.man_at(cell)?;
    let letter = variant.letter(man.role);
    Some(if man.color == Color::White { letter } else { letter.to_ascii_lowercase() })
}

/// The line and the character of a cell in the text.
fn text_place(variant: &Variant, cell: Cell) -> (usize, usize) {
    let [x, y] = variant.board().coordinates(cell);
    let (line, column) = match *variant.board().shape() {
        Shape::Hexagon { radius } => (2 * radius + 1 - (2 * y + x), x + radius + 1),
        Shape::Rectangle { height, .. } => (height - 1 - y, x + 1),
    };
    (line as usize, 3 * column as usize + 1)
}

/// What stands in the text at each cell.
fn read_cells(variant: &Variant, text: &str) -> Vec<char> {
    let lines: Vec<Vec<char>> = text.lines().map(|l| l.chars().collect()).collect();
    let at = |cell| {
        let (line, column) = text_place(variant, cell);
        lines[line][column]
    };
    variant.board().cells().map(at).collect()
}

/// The text without its escape sequences.
fn without_escapes(text: &str) -> String {
    text.split('\x1b')
        .enumerate()
        .map(|(i, part)| if i == 0 { part } else { part.split_once('m').unwrap().1 })
        .collect()
}

#[test]
fn text_shows_every_cell_in_its_place() {
    for (variant, fen) in POSITIONS {
        let (variant, position) = position(variant, fen);
        let text = text(&variant, &position, ASCII);
        for (cell, shown) in variant.board().cells().zip(read_cells(&variant, &text)) {
            match letter(&variant, &position, cell) {
                Some(man) => assert_eq!(shown, man, "{} of {fen}", variant.board().name(cell)),
                None => assert!(".:+".contains(shown), "{} of {fen}", variant.board().name(cell)),
            }
        }
        assert!(text.is_ascii());
        assert!(text.lines().all(|l| !l.ends_with(' ')), "trailing blanks");
    }
}

#[test]
fn painted_text_shows_the_same_men() {
    for (variant, fen) in POSITIONS {
        let (variant, position) = position(variant, fen);
        for unicode in [false, true] {
            let painted = text(&variant, &position, TextStyle { colour: true, unicode });
            let plain = without_escapes(&painted);
            let cells = read_cells(&variant, &plain);
            for (cell, shown) in variant.board().cells().zip(cells) {
                let expected = letter(&variant, &position, cell).map_or(' ', |l| match unicode {
                    false => l,
                    true => "♚♛♜♝♞♟".chars().nth("KQRBNP".find(l.to_ascii_uppercase()).unwrap()).unwrap(),
                });
                assert_eq!(shown, expected, "{} of {fen}", variant.board().name(cell));
            }
        }
    }
}

#[test]
fn figurines_tell_the_sides_apart() {
    let (variant, start) = position("orthodox", POSITIONS[5].1);
    let text = text(&variant, &start, TextStyle { colour: false, unicode: true });
    assert!(text.starts_with(" 8  ♜  ♞  ♝  ♛  ♚  ♝  ♞  ♜\n 7  ♟"), "{text}");
    assert!(text.contains("\n 1  ♖  ♘  ♗  ♕  ♔  ♗  ♘  ♖\n    a  b  c  d  e  f  g  h\n"), "{text}");
}

#[test]
fn text_of_a_small_board() {
    let (variant, position) = position("glinski-2", "k/3/5/4R/K4 w - 0 1");
    let expected = "
       5
    4     k
       :     :
 3  +     +     +
       .     .
 2  :     :     R
       +     +
 1  K     .     .
       :     :
    a     +     e
       b     d
          c

White to move
";
    assert_eq!(text(&variant, &position, ASCII), expected.trim_start_matches('\n'));
}

#[test]
fn text_tells_the_side_to_move_and_en_passant() {
    let last_line = |i: usize| {
        let (variant, position) = position(POSITIONS[i].0, POSITIONS[i].1);
        text(&variant, &position, ASCII).lines().last().unwrap().to_string()
    };
    assert_eq!(last_line(0), "White to move");
    assert_eq!(last_line(2), "Black to move, en passant on e5");
    assert_eq!(last_line(3), "Black to move");
    assert_eq!(last_line(6), "Black to move, en passant on e3");
}

/// The numbers in a text such as `translate(1.00,2.00) scale(3.0)`.
fn numbers(text: &str) -> Vec<f64> {
    text.split(|c: char| !(c.is_ascii_digit() || c == '.' || c == '-')).filter_map(|n| n.parse().ok()).collect()
}

#[test]
fn svg_has_a_polygon_per_cell_and_a_figure_per_man() {
    for (variant, fen) in POSITIONS {
        let (variant, position) = position(variant, fen);
        let board = variant.board();
        let drawn = svg(&variant, &position, &SvgOptions::default());
        let document = roxmltree::Document::parse(&drawn).unwrap();
        let nodes = || document.descendants();
        let mut middles = BTreeMap::new();
        for polygon in nodes().filter(|n| n.has_tag_name("polygon")) {
            let points = numbers(polygon.attribute("points").unwrap());
            let mean = |i: usize| points.iter().skip(i).step_by(2).sum::<f64>() / (points.len() / 2) as f64;
            let cell = polygon.attribute("data-cell").unwrap().to_string();
            assert!(middles.insert(cell, [mean(0), mean(1)]).is_none(), "a cell drawn twice");
        }
        let mut names: Vec<&str> = board.cells().map(|c| board.name(c)).collect();
        names.sort();
        assert_eq!(middles.keys().collect::<Vec<_>>(), names);
        // Where one cell is above or to the right of another on the board, so it is in the picture.
        for (a, b) in board.cells().flat_map(|a| board.cells().map(move |b| (a, b))) {
            let ([ax, ay], [bx, by]) = (middles[board.name(a)], middles[board.name(b)]);
            assert_eq!(board.file(a) < board.file(b), ax + 0.1 < bx);
            assert!(board.file(a) != board.file(b) || (board.rank(a) < board.rank(b)) == (ay > by + 0.1));
        }
        let mut men = BTreeMap::new();
        for man in nodes().filter(|n| n.attribute("class") == Some("man")) {
            let cell = man.attribute("data-cell").unwrap().to_string();
            let place = numbers(man.attribute("transform").unwrap());
            let middle = middles[&cell];
            assert!((place[0] - middle[0]).abs() < 0.02 && (place[1] - middle[1]).abs() < 0.02, "{cell} of {fen}");
            assert!(man.descendants().any(|n| n.has_tag_name("path")));
            men.insert(cell, man.attribute("data-man").unwrap().to_string());
        }
        let with_men = board.cells().filter_map(|c| Some((c, letter(&variant, &position, c)?)));
        assert_eq!(men, with_men.map(|(c, l)| (board.name(c).to_string(), l.to_string())).collect());
        let text_of = |tag: &str| nodes().find(|n| n.has_tag_name(tag)).unwrap().text().unwrap();
        assert_eq!(text_of("desc"), position.fen(&variant));
        assert!(text_of("title").starts_with(&variant.description().title));
        let rings = nodes().filter(|n| n.attribute("class") == Some("en-passant")).count();
        assert_eq!(rings, position.en_passant().map_or(0, |right| right.skipped.len()));
        let size = numbers(document.root_element().attribute("viewBox").unwrap());
        for word in nodes().filter(|n| n.has_tag_name("text")) {
            let [x, y] = ["x", "y"].map(|a| word.attribute(a).unwrap().parse::<f64>().unwrap());
            assert!(x > 8.0 && x < size[2] - 8.0 && y > 12.0 && y < size[3] - 2.0, "{:?}", word.text());
        }
    }
}

#[test]
fn svg_names_files_and_ranks_on_request() {
    for (variant, fen) in POSITIONS {
        let (variant, position) = position(variant, fen);
        let words = |coordinates| {
            let drawn = svg(&variant, &position, &SvgOptions { coordinates, ..SvgOptions::default() });
            let document = roxmltree::Document::parse(&drawn).unwrap();
            let texts = document.descendants().filter(|n| n.has_tag_name("text"));
            texts.filter_map(|n| n.text()).filter(|t| t.len() < 3).map(str::to_string).collect::<Vec<_>>()
        };
        let board = variant.board();
        let mut files: Vec<String> = board.cells().map(|c| board.file_letter(c).to_string()).collect();
        files.dedup();
        let ranks = board.cells().map(|c| board.rank(c)).max().unwrap();
        assert_eq!(words(true), files.into_iter().chain((1..=ranks).map(|r| r.to_string())).collect::<Vec<_>>());
        assert!(words(false).is_empty());
    }
}

#[test]
fn svg_marks_and_arrows() {
    let (variant, position) = position("glinski", README_FEN);
    let cell = |name: &str| variant.board().cell_named(name).unwrap();
    let options = SvgOptions {
        marked: vec![cell("a1"), cell("f6"), Cell(127)],
        arrows: vec![(cell("l3"), cell("l6")), (cell("a1"), cell("a1"))],
        ..SvgOptions::default()
    };
    let drawn = svg(&variant, &position, &options);
    let document = roxmltree::Document::parse(&drawn).unwrap();
    let count = |class: &str| document.descendants().filter(|n| n.attribute("class") == Some(class)).count();
    assert_eq!((count("mark"), count("arrow")), (2, 1));
    assert!(!drawn.contains("NaN") && !drawn.contains("inf"));
}

#[test]
fn svg_is_the_same_every_time() {
    for (variant, fen) in POSITIONS {
        let draw = || {
            let (variant, position) = position(variant, fen);
            svg(&variant, &position, &SvgOptions::default())
        };
        assert_eq!(draw(), draw());
    }
}

#[test]
fn odd_titles_and_letters_do_no_harm() {
    let mut description = Variant::named("orthodox").unwrap().description().clone();
    description.title = "chess <with> \"dukes\" & 'more'\u{1}".to_string();
    description.piece[1].letter = 'D';
    description.pawn.promotions = "DRBN".to_string();
    let variant = Variant::new(description).unwrap();
    let position = Fen::parse(&variant, "4k3/8/8/3d4/8/8/8/D3K3 w - - 0 1").unwrap().position;
    let drawn = svg(&variant, &position, &SvgOptions::default());
    let document = roxmltree::Document::parse(&drawn).unwrap();
    let title = document.descendants().find(|n| n.has_tag_name("title")).unwrap().text().unwrap();
    assert_eq!(title, "chess <with> \"dukes\" & 'more'\u{fffd}: White to move");
    let discs = document.descendants().filter(|n| n.has_tag_name("text") && n.text() == Some("D"));
    assert_eq!(discs.count(), 2);
    let text = text(&variant, &position, TextStyle { colour: false, unicode: true });
    assert!(text.contains(" D ") && text.contains(" d ") && text.contains(" ♔ "));
}

/// Set `HEXTB_WRITE_DOCS=1` to bring the file up to date.
#[test]
fn the_readme_shows_what_the_code_draws() {
    let (variant, position) = position("glinski", README_FEN);
    let drawn = svg(&variant, &position, &SvgOptions::default());
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/board.svg");
    if std::env::var_os("HEXTB_WRITE_DOCS").is_some() {
        std::fs::write(&path, &drawn).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == drawn, "docs/board.svg is out of date: run HEXTB_WRITE_DOCS=1 cargo test --test picture");
}
