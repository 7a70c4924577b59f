//! A table as it was solved, looked at row by row with its men in any order.

use super::super::error::TableError;
use crate::geometry::{Cell, CellSet, Color, MAX_CELLS, Man, Role};
use crate::index::{Code, EMPTY_ROW, Layout, Lookup, MOST_MEN, Material, OutcomeRow, SideRows, SideTable, SliceView};
use crate::outcome::Outcome;
use crate::solve::{Lanes, Subtables};
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;

/// The outcomes of positions with some men, in their order, and one side to move.
pub struct Source {
    men: Vec<Man>,
    pawn: Role,
    /// For each placement of the pawns, how to look at their slice.
    views: HashMap<[CellSet; 2], SliceView>,
    /// The places of the men that are not pawns.
    pieces: Vec<usize>,
}

/// What will be asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// Some rows.
    Seldom,
    /// Many in which this man varies, or some of any kind.
    Often(Option<Man>),
    /// All rows in which this man varies.
    Along(Man),
}

/// Tables of one slice of at most so many bytes are copied to be asked often.
const MOST_COPIED: usize = 32 << 20;

impl Source {
    /// Takes all slices of the men's table with `turn` to move, ready for what will be asked for.
    ///
    /// # Errors
    /// Those of `tables`.
    pub fn new(tables: &dyn Subtables, men: &[Man], turn: Color, asked: Asked) -> Result<Source, TableError> {
        let roles =
            |color: Color| -> Vec<Role> { men.iter().filter(|man| man.color == color).map(|man| man.role).collect() };
        let (material, white_is_second) = Material::of_sides(&roles(Color::White), &roles(Color::Black));
        let layout: Arc<Layout> = tables.layout(&material)?;
        let variant = layout.variant().clone();
        let pawn = variant.pawn();
        let pieces: Vec<usize> = (0..men.len()).filter(|&at| men[at].role != pawn).collect();
        let piece_men: Vec<Man> = pieces.iter().map(|&at| men[at]).collect();
        let swapped = if material.is_symmetric() { turn == Color::Black } else { white_is_second };
        let of_layout = |man: Man| if swapped { Man { color: man.color.other(), ..man } } else { man };
        // Where the layout has him: its row man or column man, or another.
        let place = |man: Man| (0..layout.men().len()).rfind(|&at| layout.men()[at] == of_layout(man));
        let from_last = match asked {
            Asked::Along(man) | Asked::Often(Some(man)) if man.role != pawn => {
                place(man).map(|place| layout.men().len() - 1 - place)
            }
            _ => None,
        };
        let n = layout.cell_count();
        let of_slices = (0..layout.slices().len()).into_par_iter().map(|slice| {
            let mut views: Vec<([CellSet; 2], SliceView)> = vec![];
            let mut side: Option<Arc<SideTable>> = None;
            for &g in variant.pawn_symmetries() {
                let image = layout.slices()[slice].pawns.map(|set| variant.symmetries()[g].apply_set(set));
                let pawns = match swapped {
                    false => image,
                    true => [image[1], image[0]].map(|set| variant.colour_swap().apply_set(set)),
                };
                if views.iter().any(|(known, _)| *known == pawns) {
                    continue;
                }
                let Some(lookup) = Lookup::new(&layout, &piece_men, pawns, turn, white_is_second) else { continue };
                let table = match &side {
                    Some(table) => table.clone(),
                    None => {
                        let table = tables.side(&material, lookup.slice, lookup.turn)?;
                        let is_small = layout.slices().len() == 1 && table.bytes() <= MOST_COPIED;
                        let copied = matches!(asked, Asked::Along(_)) || is_small;
                        match (from_last, &*table) {
                            _ if asked == Asked::Seldom || !copied => table,
                            (Some(0), _) => table,
                            (Some(1), SideTable::Planes(planes)) => {
                                let rows = SideRows::new(planes, n, exchange);
                                Arc::new(SideTable::Exchanged { columns: n, rows })
                            }
                            (Some(2..), _) => Arc::new(codes_of(&table, n)),
                            (None, SideTable::Planes(planes)) => {
                                Arc::new(SideTable::Rows(SideRows::new(planes, n, |_| {})))
                            }
                            _ => table,
                        }
                    }
                };
                side = Some(table.clone());
                views.push((pawns, SliceView::new(lookup, layout.clone(), table)));
            }
            Ok(views)
        });
        let of_slices: Vec<_> = of_slices.collect::<Result<_, TableError>>()?;
        Ok(Source { men: men.to_vec(), pawn, views: of_slices.into_iter().flatten().collect(), pieces })
    }

    /// The outcomes of the positions with the men on `cells`, except that man number `varying` stands on each of
    /// `columns` in turn. Those that are not legal have none.
    pub fn row(&self, cells: &[Cell; MOST_MEN], varying: usize, columns: CellSet) -> OutcomeRow {
        let mut pawns = [CellSet::EMPTY; 2];
        for (at, man) in self.men.iter().enumerate().filter(|(at, man)| man.role == self.pawn && *at != varying) {
            pawns[man.color.index()].insert(cells[at]);
        }
        let mut pieces = [Cell(0); MOST_MEN];
        for (cell, &at) in pieces.iter_mut().zip(&self.pieces) {
            *cell = cells[at];
        }
        let pieces = &mut pieces[..self.pieces.len()];
        if let Some(varying) = self.pieces.iter().position(|&at| at == varying) {
            return self.views.get(&pawns).map_or(EMPTY_ROW, |view| view.row(pieces, varying, columns));
        }
        // Each cell of the pawn is in another slice.
        let color = self.men[varying].color.index();
        let mut outcomes = EMPTY_ROW;
        for cell in columns {
            let mut pawns = pawns;
            pawns[color].insert(cell);
            if let Some(outcome) = self.views.get(&pawns).and_then(|view| view.code(pieces).outcome()) {
                outcomes.add(outcome, cell.set().0);
            }
        }
        outcomes
    }
}

/// Exchanges the rows and columns of a block.
fn exchange(rows: &mut [u128]) {
    let mut block = [0; MAX_CELLS];
    block[..rows.len()].copy_from_slice(rows);
    Lanes::fastest().transpose(&mut block);
    rows.copy_from_slice(&block[..rows.len()]);
}

/// The same outcomes as codes, which single positions are looked up in faster.
fn codes_of(side: &SideTable, columns: usize) -> SideTable {
    let mut codes = vec![Code::ILLEGAL; side.rows() * columns];
    codes.par_chunks_mut(columns).enumerate().for_each(|(row, codes)| {
        side.row(row).each_outcome(|outcome: Outcome, columns| {
            CellSet(columns).iter().for_each(|cell| codes[cell.index()] = Code::of(outcome));
        });
    });
    SideTable::Codes { columns, codes }
}
