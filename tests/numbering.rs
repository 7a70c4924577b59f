//! The numbering of positions: decoding a number and encoding the position leads back to the same position.

use hextb::geometry::{Color, Variant};
use hextb::index::{Layout, Material, Place, position_at};
use hextb::position::legality;
use hextb::probe::locate;
use std::collections::HashSet;
use std::sync::Arc;

/// All images of a place's position under the symmetries of its material.
fn images(layout: &Layout, place: Place) -> HashSet<String> {
    let variant = layout.variant();
    let position = position_at(layout, place, Color::White);
    let all = 0..variant.symmetries().len();
    let group: Vec<usize> = match layout.material().has_pawns(variant) {
        true => variant.pawn_symmetries().to_vec(),
        false => all.collect(),
    };
    group.iter().map(|&g| position.mapped(&variant.symmetries()[g]).fen(variant)).collect()
}

fn round_trips(variant: &Arc<Variant>, name: &str, step: usize) -> usize {
    let layout = Layout::new(variant.clone(), &Material::parse(variant, name).unwrap());
    let mut tested = 0;
    for number in (0..layout.len()).step_by(step) {
        let (slice, index) = layout.slice_at(number);
        let place = Place { slice, index };
        assert_eq!(layout.number(place), number);
        let position = position_at(&layout, place, Color::White);
        let men = position.occupied().len() == layout.material().men();
        if !men || legality::check_men(variant, &position).is_err() {
            continue;
        }
        let (turn, found) = locate(&layout, &position, false);
        assert_eq!(turn, Color::White, "{name} {number}");
        let fen = position.fen(variant);
        assert!(images(&layout, found).contains(&fen), "{name} {number}: {fen}");
        let ascending = layout.ascending(found);
        assert!(images(&layout, ascending).contains(&fen), "{name} {number}: {fen}");
        assert_eq!(layout.ascending(ascending), ascending);
        let n = layout.cell_count();
        let (block, row, column) = (ascending.index / n / n, ascending.index / n % n, ascending.index % n);
        let stored = layout.ascending_columns(ascending.slice, block, row);
        assert!(stored.iter().any(|cell| cell.index() == column), "{name} {number}: its place is not stored");
        tested += 1;
    }
    tested
}

#[test]
fn every_number_that_is_a_legal_position_leads_back_to_it() {
    let variant = Arc::new(Variant::named("glinski-2").unwrap());
    for name in ["KK", "KQK", "KPK", "KQKR", "KBBK", "KRPK", "KRKP", "KPPK", "KPKP", "KNNNK", "KRPKR", "KPPKP"] {
        assert!(round_trips(&variant, name, if name.len() > 4 { 7 } else { 1 }) > 100, "{name}");
    }
}

#[test]
fn numbers_of_the_full_board_and_of_square_boards_lead_back_to_their_positions() {
    for variant in ["glinski", "mccooey", "orthodox"] {
        let variant = Arc::new(Variant::named(variant).unwrap());
        for name in ["KQKR", "KNNK", "KRKP", "KPPK"] {
            assert!(round_trips(&variant, name, 997) > 1000, "{name}");
        }
    }
}

#[test]
fn each_placement_is_counted_once_by_the_weights_of_blocks() {
    let variant = Arc::new(Variant::named("glinski-2").unwrap());
    for (name, men_in_order) in [("KQKR", 1), ("KBBK", 2)] {
        let layout = Layout::new(variant.clone(), &Material::parse(&variant, name).unwrap());
        let (n, mut counted) = (layout.cell_count(), 0);
        for slice in 0..layout.slices().len() {
            for block in 0..layout.block_count(slice) {
                let places =
                    (0..n).flat_map(|row| layout.ascending_columns(slice, block, row).iter().map(move |c| (row, c)));
                let index = |(row, column): (usize, hextb::geometry::Cell)| (block * n + row) * n + column.index();
                let apart = |index: &usize| {
                    let position = position_at(&layout, Place { slice, index: *index }, Color::White);
                    let [white, black] = Color::BOTH.map(|c| position.king(c).unwrap());
                    let king = variant.movement(hextb::geometry::Role::KING);
                    position.occupied().len() == 4 && !king.steps[white.index()].contains(black)
                };
                counted += layout.block_weight(slice, block) * places.map(index).filter(apart).count() as u64;
            }
        }
        // Kings apart in order, times the ways to place the other two.
        let kings: u64 = variant
            .board()
            .cells()
            .map(|c| 18 - variant.movement(hextb::geometry::Role::KING).steps[c.index()].len() as u64)
            .sum();
        assert_eq!(counted, kings * 17 * 16 / men_in_order, "{name}");
    }
}

#[test]
fn slices_that_promotions_lead_from_to_the_same_slice_of_another_table_come_together() {
    let variant = Arc::new(Variant::named("glinski").unwrap());
    for (name, promoted) in [("KQPPK", "KQQPK"), ("KRPKP", "KQRKP")] {
        let layout = Layout::new(variant.clone(), &Material::parse(&variant, name).unwrap());
        let other = Layout::new(variant.clone(), &Material::parse(&variant, promoted).unwrap());
        let steps_left = &variant.pawn_rules(Color::White).steps_left;
        // The slices of the other table that promotions without a capture look up, in the order of solving.
        let mut looked_up = vec![];
        for slice in layout.slices() {
            let ready: Vec<_> = slice.pawns[0].iter().filter(|cell| steps_left[cell.index()] == 1).collect();
            if let [pawn] = ready[..] {
                let left = [slice.pawns[0] - pawn.set(), slice.pawns[1]];
                looked_up.push(other.locate_slice(left).unwrap().0);
            }
        }
        let distinct: HashSet<usize> = looked_up.iter().copied().collect();
        assert!(distinct.len() > 20, "{name}");
        looked_up.dedup();
        assert_eq!(looked_up.len(), distinct.len(), "{name}: a slice of {promoted} is needed again later");
    }
}
