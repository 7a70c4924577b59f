//! Where the column man can go within a row, for many of his cells at once.

use super::Scene;
use crate::geometry::{CellSet, MAX_CELLS};

impl Scene<'_> {
    /// The positions that are stored for the other side and have at most a value there.
    pub(super) fn other_at_most(&self, value: usize) -> CellSet {
        let of_value = self.other.iter().flat_map(|(values, _)| &values[..=value]);
        of_value.fold(CellSet::EMPTY, |all, &some| all | some)
    }

    /// From where the column man can go to such positions.
    #[inline(always)]
    pub(super) fn leading_to(&mut self, value: usize) -> CellSet {
        let Some((values, known)) = &self.other else { return CellSet::EMPTY };
        if let Some(from) = known[value] {
            return from;
        }
        // Often no position has just this value.
        let same = (0..=value).rev().find(|&value| !values[value].is_empty()).unwrap_or(0);
        let from = match known[same] {
            Some(from) => from,
            None => self.moves_to(self.other_at_most(same)),
        };
        if let Some((_, known)) = &mut self.other {
            (known[same], known[value]) = (Some(from), Some(from));
        }
        from
    }

    /// From where the column man can go to any of some cells, none of them taken.
    #[inline(always)]
    pub(in crate::coding) fn moves_to(&mut self, to: CellSet) -> CellSet {
        if to.is_empty() {
            return to;
        }
        if self.stretches.is_empty() {
            self.stretch();
        }
        let mut from = CellSet::EMPTY;
        for &stretch in &self.stretches {
            let ends = stretch & to;
            // From the one cell that a man goes to he does not go there.
            from |= match ends.0 & ends.0.wrapping_sub(1) {
                _ if ends.is_empty() => ends,
                0 => stretch - ends,
                _ => stretch,
            };
        }
        if self.ground.steps {
            let steps_to = &self.variant.movement(self.ground.column_man.role).steps_to;
            for to in to {
                from |= steps_to[to.index()];
            }
        }
        from
    }

    /// Finds the stretches between the men on each line, those of one cell left out.
    #[inline(always)]
    fn stretch(&mut self) {
        for &line in &self.ground.lines {
            let men = line & self.occupied;
            if men.is_empty() {
                self.stretches.push(line);
                continue;
            }
            let mut left = line;
            for man in men {
                let stretch = left & CellSet::first(man.index());
                if stretch.len() > 1 {
                    self.stretches.push(stretch);
                }
                left = left - CellSet::first(man.index() + 1);
            }
            if left.len() > 1 {
                self.stretches.push(left);
            }
        }
    }

    /// Calls back with the columns of each distance among some columns, the shortest first or the longest, until that
    /// says no.
    #[inline(always)]
    pub(in crate::coding) fn each_class(
        &mut self,
        distances: &[u16; MAX_CELLS],
        columns: CellSet,
        longest_first: bool,
        mut visit: impl FnMut(&mut Self, u16, CellSet) -> bool,
    ) {
        let mut classes = std::mem::take(&mut self.classes);
        let (mut least, mut most) = (u16::MAX, 0);
        for cell in columns {
            let distance = distances[cell.index()];
            (least, most) = (least.min(distance), most.max(distance));
        }
        if classes.len() <= most as usize {
            classes.resize(most as usize + 1, CellSet::EMPTY);
        }
        for cell in columns {
            classes[distances[cell.index()] as usize].insert(cell);
        }
        let mut left = columns;
        let mut more = true;
        let mut at = if longest_first { most } else { least };
        while !left.is_empty() {
            let class = std::mem::take(&mut classes[at as usize]);
            left = left - class;
            if more && !class.is_empty() {
                more = visit(self, at, class);
            }
            at = if longest_first { at.wrapping_sub(1) } else { at.wrapping_add(1) };
        }
        self.classes = classes;
    }
}
