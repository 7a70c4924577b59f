//! Walking the tables of a material, slice by slice and row by row.
//!
//! Every stored position counts for all the places on the board that it stands for. Of stored positions that are
//! images of each other, as there are where the kings or pawns stand on an axis, one is listed.

use super::select::{Record, Selection};
use super::{Find, Finds, Found, Kind, Rows, Scratch, Site, Slices};
use crate::analysis::Progress;
use crate::geometry::{CellSet, Color, Role, Variant};
use crate::index::{Layout, Material, OutcomeRow, Place, SideTable, position_at};
use crate::oracle::ProbeError;
use crate::position::Position;
use crate::solve::LARGE_SLICE_ROWS;
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The sides to move that a table keeps, of those asked for. Where both sides have the same men it keeps White, whose
/// positions are Black's with the colours swapped.
pub(super) fn stored_turns(material: &Material, turn: Option<Color>) -> Vec<Color> {
    match (material.is_symmetric(), turn) {
        (true, _) => vec![Color::White],
        (false, Some(turn)) => vec![turn],
        (false, None) => Color::BOTH.to_vec(),
    }
}

/// Finds the positions of a kind in a material, with one side to move or either, on all threads of the current rayon
/// pool. Keeps the first `first`.
///
/// Where both sides have the same men, positions are listed with White to move unless Black is asked for, and counted
/// on the board with either side to move unless one is asked for. Progress counts blocks of rows.
///
/// # Errors
/// When a table that is asked is not there or damaged.
pub fn mine(
    tables: &dyn Slices,
    material: &Material,
    kind: &dyn Kind,
    turn: Option<Color>,
    first: usize,
    progress: Progress,
) -> Result<Finds, ProbeError> {
    let layout = tables.layout(material)?;
    let symmetric = material.is_symmetric();
    let site = Site { oracle: tables, variant: layout.variant(), symmetric };
    let turns = if kind.of_placements() { vec![Color::White] } else { stored_turns(material, turn) };
    let blocks: usize = (0..layout.slices().len()).map(|slice| layout.block_count(slice)).sum();
    let scan = Scan {
        tables,
        layout: &layout,
        kind,
        site: &site,
        first,
        done: AtomicU64::new(0),
        blocks: (blocks * turns.len()) as u64,
        progress,
    };
    let mut selection = Selection::new(first);
    for turn in turns {
        let large = |slice: &usize| layout.block_count(*slice) * layout.cell_count() > LARGE_SLICE_ROWS;
        let (large, small): (Vec<usize>, Vec<usize>) = (0..layout.slices().len()).partition(large);
        // Of the large slices one at a time is in memory.
        for slice in large {
            selection = selection.merge(scan.slice(slice, turn)?);
        }
        let found = small.into_par_iter().map(|slice| scan.slice(slice, turn));
        selection = selection.merge(found.try_reduce(|| Selection::new(first), |a, b| Ok(a.merge(b)))?);
    }
    let both = symmetric && turn.is_none() && !kind.of_placements();
    let swapped = symmetric && turn == Some(Color::Black) && !kind.of_placements();
    let shown = |record: &Record| -> Result<(Record, String, Position), ProbeError> {
        let mut position = position_at(&layout, record.place, record.turn);
        position.set_en_passant(record.right);
        if swapped {
            position = position.with_colours_swapped(site.variant);
        }
        let (fen, position) = kind.shown(&site, &position)?.first_image(site.variant);
        Ok((*record, fen, position))
    };
    let mut listed: Vec<_> = selection.records.par_iter().map(shown).collect::<Result<_, _>>()?;
    listed.par_sort_unstable_by(|(a, fen_a, _), (b, fen_b, _)| b.rank.cmp(&a.rank).then_with(|| fen_a.cmp(fen_b)));
    listed.truncate(first);
    let find = |(record, fen, position): (Record, String, Position)| -> Result<Find, ProbeError> {
        let outcome = tables.outcome(&position)?;
        Ok(Find {
            position,
            rank: record.rank,
            fen,
            material: material.name(site.variant),
            turn: position.turn().letter(),
            worth: outcome.into(),
            details: kind.details(&site, &position, outcome)?,
        })
    };
    Ok(Finds {
        positions: selection.positions,
        images: selection.images * if both { 2 } else { 1 },
        first: listed.into_par_iter().map(find).collect::<Result<_, _>>()?,
    })
}

struct Scan<'a> {
    tables: &'a dyn Slices,
    layout: &'a Arc<Layout>,
    kind: &'a dyn Kind,
    site: &'a Site<'a>,
    first: usize,
    done: AtomicU64,
    blocks: u64,
    progress: Progress<'a>,
}

/// The outcomes of a slice with `turn` to move, and with the other side if that is of use.
struct Sides {
    slice: usize,
    turn: Color,
    mover: Arc<SideTable>,
    waiting: Option<Arc<SideTable>>,
}

/// A task's share: what it found, and what it need not make afresh.
struct Share {
    selection: Selection,
    scratch: Scratch,
    positions: Vec<Position>,
}

impl Scan<'_> {
    fn slice(&self, slice: usize, turn: Color) -> Result<Selection, ProbeError> {
        let layout = self.layout;
        let count = layout.block_count(slice);
        if !self.kind.may_be_in(layout.variant(), layout.slices()[slice].pawns, turn) {
            self.tell(count);
            return Ok(Selection::new(self.first));
        }
        let side = |turn| self.tables.side(layout.material(), slice, turn);
        let waiting = self.kind.of_placements() && !layout.material().is_symmetric();
        let waiting = if waiting { Some(side(turn.other())?) } else { None };
        let sides = Sides { slice, turn, mover: side(turn)?, waiting };
        let start = || Share { selection: Selection::new(self.first), scratch: Scratch::default(), positions: vec![] };
        let with_block = |mut share: Share, block: usize| {
            self.block(&sides, block, &mut share)?;
            self.tell(1);
            Ok(share)
        };
        let shares = (0..count).into_par_iter().try_fold(start, with_block);
        let selections = shares.map(|share: Result<Share, ProbeError>| share.map(|share| share.selection));
        selections.try_reduce(|| Selection::new(self.first), |a, b| Ok(a.merge(b)))
    }

    fn tell(&self, blocks: usize) {
        let blocks = blocks as u64;
        (self.progress)(self.done.fetch_add(blocks, Ordering::Relaxed) + blocks, self.blocks);
    }

    fn block(&self, sides: &Sides, block: usize, share: &mut Share) -> Result<(), ProbeError> {
        let (layout, n) = (self.layout, self.layout.cell_count());
        let weight = layout.block_weight(sides.slice, block);
        let symmetries = fixing(layout, sides.slice, block);
        for number in block * n..(block + 1) * n {
            let stored = layout.ascending_columns(sides.slice, block, number % n).0;
            let of = |side: &SideTable| -> OutcomeRow {
                let mut row = side.row(number);
                row.restrict(stored);
                row
            };
            let rows = Rows { mover: of(&sides.mover), waiting: sides.waiting.as_deref().map(of) };
            for column in CellSet(self.kind.columns(&rows)) {
                let place = Place { slice: sides.slice, index: number * n + column.index() };
                let outcome = sides.mover.code(number, column.index()).outcome();
                let outcome = outcome.expect("a column that has a value is a legal position");
                let placement = position_at(layout, place, sides.turn);
                share.positions.clear();
                self.kind.positions_of(layout.variant(), &placement, &mut share.positions);
                for at in 0..share.positions.len() {
                    let position = share.positions[at];
                    let judged = self.kind.judge(self.site, &position, outcome, &mut share.scratch)?;
                    let Some(Found { rank, listed }) = judged else { continue };
                    let selection = &mut share.selection;
                    selection.images += weight;
                    if listed && is_first(layout.variant(), &symmetries, &position) {
                        selection.positions += 1;
                        let right = position.en_passant();
                        selection.add(Record { rank, place, turn: sides.turn, right });
                    }
                }
            }
        }
        Ok(())
    }
}

/// The symmetries, the identity left out, that leave the pawns of a slice and the outer kings of a block where they
/// are: the images of a stored position under them are stored, too.
fn fixing(layout: &Layout, slice: usize, block: usize) -> Vec<usize> {
    let variant = layout.variant();
    let pawns = layout.slices()[slice].pawns;
    let cells = layout.outer_cells(slice, block);
    let kings = layout.men()[..layout.outer_men()].iter().zip(cells).filter(|(man, _)| man.role == Role::KING);
    let kings: Vec<_> = kings.map(|(_, cell)| cell).collect();
    let allowed: Vec<usize> = match layout.material().has_pawns(variant) {
        true => variant.pawn_symmetries().to_vec(),
        false => (0..variant.symmetries().len()).collect(),
    };
    let fixes = |&g: &usize| {
        let symmetry = &variant.symmetries()[g];
        !symmetry.is_identity()
            && kings.iter().all(|&king| symmetry.apply(king) == king)
            && pawns.iter().all(|&set| symmetry.apply_set(set) == set)
    };
    allowed.into_iter().filter(fixes).collect()
}

/// Whether a position is the least of its images under these symmetries.
fn is_first(variant: &Variant, symmetries: &[usize], position: &Position) -> bool {
    symmetries.iter().all(|&g| *position <= position.mapped(&variant.symmetries()[g]))
}
