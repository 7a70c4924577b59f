//! What can be seen of a row before its outcomes are known: sets of columns that the geometry of the men gives.
//!
//! All men of a row but the column man stand still. Each [`Feature`] is a question about them and a cell for the column
//! man, asked of all cells at once. Trees of such questions sort the positions into kinds that are alike in outcome.
//! Where the other side's values in the row are known already, they can be seen, too: the column man's moves lead
//! there. Knows nothing of how a tree is found.

mod moves;

use super::fastest::fastest;
use super::feature::{Feature, LEADS, MOST_FEATURES, OF_OTHER, features};
use super::terrain::Terrain;
use super::tree::{Leaves, Waiting};
use crate::geometry::{Cell, CellSet, Color, Man, PawnRules, Role, Variant};
use crate::index::MAX_MEN;
use crate::outcome::Value;
use std::sync::Arc;

/// The values of a row: for each the columns that have it.
pub type ValueRow = [CellSet; Value::ALL.len()];

/// What features need to know of a table's men, found once for each.
pub struct Ground {
    terrain: Arc<Terrain>,
    /// The lines along which the column man slides.
    lines: Vec<CellSet>,
    /// Whether he steps or leaps, too.
    steps: bool,
    features: Vec<Feature>,
    men: Vec<Man>,
    column_man: Man,
}

impl Ground {
    /// The ground of rows in which `column_man`, who is no pawn, goes over the board while `men` stand still.
    pub fn new(terrain: &Arc<Terrain>, men: Vec<Man>, column_man: Man) -> Ground {
        let variant = terrain.variant();
        let mut features = features(variant, &men, column_man, terrain.rings().len() as u8);
        features.truncate(MOST_FEATURES);
        let slides = &variant.movement(column_man.role).slides;
        let mut lines: Vec<CellSet> = slides
            .iter()
            .flat_map(|&d| &variant.directions()[d].lines)
            .map(|line| line.iter().copied().collect())
            .collect();
        lines.retain(|line| line.len() > 1);
        lines.sort_by_key(|line| line.0);
        lines.dedup();
        let steps = variant.movement(column_man.role).steps_to.iter().any(|from| !from.is_empty());
        Ground { terrain: terrain.clone(), lines, steps, features, men, column_man }
    }

    /// All features that make sense for the layout; a tree names them by their place here.
    pub fn features(&self) -> &[Feature] {
        &self.features
    }
}

/// The men of one row, and what has been found out about them since they stand there: most rows need few features.
pub struct Scene<'a> {
    ground: &'a Ground,
    terrain: &'a Terrain,
    variant: &'a Variant,
    cells: [Cell; MAX_MEN],
    /// How many of the men stand somewhere: none or all.
    standing: usize,
    occupied: CellSet,
    /// For each feature that has been looked at, where it holds. Of others, anything.
    holds: Vec<CellSet>,
    looked_at: FeatureSet,
    waiting: Waiting,
    leaves: Leaves,
    /// The stretches of lines between the men, along which the column man slides; none until they are asked for.
    stretches: Vec<CellSet>,
    /// Columns by distance, empty between uses.
    classes: Vec<CellSet>,
    /// What each man attacks, for those that have been looked at.
    attacked: [CellSet; MAX_MEN],
    attackers: u16,
    /// The flights of the kings that have been looked at.
    flights: [Option<CellSet>; MAX_MEN],
    /// The other side's values, if they are known, and from where the column man goes to at most each of them.
    other: Option<(ValueRow, [Option<CellSet>; Value::ALL.len()])>,
    /// Of the king looked at last, from where the column man takes all of his flights, at least one, at least two.
    taken: Option<(u8, [CellSet; 3])>,
}

/// The room that a scene takes.
struct Spare {
    holds: Vec<CellSet>,
    waiting: Waiting,
    leaves: Leaves,
    stretches: Vec<CellSet>,
    classes: Vec<CellSet>,
}

impl Spare {
    const NOTHING: Spare = Spare { holds: vec![], waiting: vec![], leaves: vec![], stretches: vec![], classes: vec![] };
}

impl Default for Spare {
    fn default() -> Spare {
        Spare::NOTHING
    }
}

thread_local! {
    /// What a scene of this thread has left behind: questions come by the million, each with a scene of its own.
    static SPARE: std::cell::Cell<Spare> = const { std::cell::Cell::new(Spare::NOTHING) };
}

impl Drop for Scene<'_> {
    fn drop(&mut self) {
        SPARE.set(Spare {
            holds: std::mem::take(&mut self.holds),
            waiting: std::mem::take(&mut self.waiting),
            leaves: std::mem::take(&mut self.leaves),
            stretches: std::mem::take(&mut self.stretches),
            classes: std::mem::take(&mut self.classes),
        });
    }
}

/// Which features have been looked at.
type FeatureSet = [u64; MOST_FEATURES / 64];

impl<'a> Scene<'a> {
    /// A scene for the men of the ground; they stand nowhere yet.
    pub fn new(ground: &'a Ground) -> Scene<'a> {
        let Spare { mut holds, waiting, leaves, mut stretches, classes } = SPARE.take();
        holds.resize(ground.features.len(), CellSet::EMPTY);
        stretches.clear();
        Scene {
            ground,
            terrain: &ground.terrain,
            variant: ground.terrain.variant(),
            cells: [Cell(0); MAX_MEN],
            standing: 0,
            occupied: CellSet::EMPTY,
            holds,
            waiting,
            leaves,
            stretches,
            classes,
            looked_at: Default::default(),
            attacked: [CellSet::EMPTY; MAX_MEN],
            attackers: 0,
            flights: [None; MAX_MEN],
            other: None,
            taken: None,
        }
    }

    /// Puts the men, in the order of the ground, on `cells`.
    #[inline]
    pub fn put(&mut self, cells: &[Cell]) {
        if self.standing == cells.len() && self.cells[..cells.len()] == *cells {
            // What has been found out about them still holds.
            return self.show(None);
        }
        self.standing = cells.len();
        self.cells[..cells.len()].copy_from_slice(cells);
        self.occupied = cells.iter().copied().collect();
        self.looked_at = Default::default();
        self.attackers = 0;
        self.flights = [None; MAX_MEN];
        self.other = None;
        self.taken = None;
        self.stretches.clear();
    }

    /// Shows the other side's values in this row, or hides them.
    #[inline]
    pub fn show(&mut self, other: Option<&ValueRow>) {
        self.other = other.map(|other| (*other, Default::default()));
        // Features that need them come first.
        self.looked_at[0] &= !0 << OF_OTHER;
    }

    /// Whether a feature asks about the other side's values, and they have not been shown.
    #[inline]
    pub fn lacks(&self, feature: u16) -> bool {
        self.other.is_none() && (feature as usize) < OF_OTHER
    }

    /// The number of features that it knows of.
    pub fn features(&self) -> usize {
        self.holds.len()
    }

    /// Room for a tree's nodes, to be given back: it is not made anew for each row.
    pub(super) fn take_waiting(&mut self) -> Waiting {
        std::mem::take(&mut self.waiting)
    }

    pub(super) fn put_waiting(&mut self, waiting: Waiting) {
        self.waiting = waiting;
    }

    /// The same for leaves.
    pub(super) fn take_leaves(&mut self) -> Leaves {
        std::mem::take(&mut self.leaves)
    }

    pub(super) fn put_leaves(&mut self, leaves: Leaves) {
        self.leaves = leaves;
    }

    /// Where the men stand, the column man left out.
    pub fn occupied(&self) -> CellSet {
        self.occupied
    }

    /// The column man's cells for which a feature, given by its number, holds.
    #[inline]
    pub fn holds(&mut self, feature: u16) -> CellSet {
        let (word, bit) = (feature as usize / 64, 1 << (feature % 64));
        if self.looked_at[word] & bit == 0 {
            self.looked_at[word] |= bit;
            self.holds[feature as usize] = self.look_at(self.ground.features[feature as usize]);
        }
        self.holds[feature as usize]
    }

    /// The same for all features; `known` is what holds while the other side's values are not shown.
    pub fn all_holding(&mut self, known: &[CellSet]) -> Vec<CellSet> {
        (0..OF_OTHER as u16).map(|feature| self.holds(feature)).chain(known[OF_OTHER..].iter().copied()).collect()
    }

    fastest! {
        fn look_at, look_newer = look_now(self: &mut Self, feature: Feature) -> CellSet;
    }

    #[inline(always)]
    fn look_now(&mut self, feature: Feature) -> CellSet {
        let all = self.variant.board().all();
        let if_so = |holds: bool| if holds { all } else { CellSet::EMPTY };
        let (ground, terrain) = (self.ground, self.terrain);
        let cell = |man: u8| self.cells[man as usize];
        match feature {
            Feature::LeadsTo(value) => self.leading_to(value as usize),
            Feature::OtherHas(value) => self.other_at_most(value as usize),
            Feature::Attacks(man) => self.variant.attackers_of(ground.column_man, cell(man), self.occupied),
            Feature::AttackedBy(man) => self.attacked_by(man as usize),
            Feature::AttackedBySide(side) => self.attacked_by_side(Color::BOTH[side as usize]),
            Feature::Near(man, steps) => terrain.ball(cell(man), steps as usize),
            Feature::Ring(rings) => terrain.rings()[rings as usize - 1],
            Feature::RingOf(man, rings) => if_so(terrain.rings()[rings as usize - 1].contains(cell(man))),
            Feature::Apart(one, other, steps) => if_so(terrain.ball(cell(one), steps as usize).contains(cell(other))),
            Feature::Flights(king, count) => if_so(self.flights(king as usize).len() >= count as usize),
            Feature::Flight(king) => self.flights(king as usize),
            Feature::TakesAllFlights(king) => self.taken_flights(king)[0],
            Feature::TakesAFlight(king) => self.taken_flights(king)[1],
            Feature::TakesTwoFlights(king) => self.taken_flights(king)[2],
            Feature::Check(king) => {
                let (enemy, king) = (ground.men[king as usize].color.other(), cell(king));
                if_so(self.attacked_by_side(enemy).contains(king))
            }
            Feature::StepsLeft(pawn, steps) => if_so(self.rules_of(pawn).steps_left[cell(pawn).index()] <= steps),
            Feature::OnTheWay(pawn) => {
                self.rules_of(pawn).paths[cell(pawn).index()].iter().flatten().copied().collect()
            }
            Feature::Ahead(pawn) => terrain.ahead(self.color_of(pawn), cell(pawn)),
            Feature::StandsAhead(man, pawn) => {
                if_so(terrain.ahead(self.color_of(pawn), cell(pawn)).contains(cell(man)))
            }
            Feature::NearGoal(pawn, steps) => terrain.near_goal(self.color_of(pawn), cell(pawn), steps as usize),
            Feature::KingNearGoal(king, pawn, steps) => {
                let near = terrain.near_goal(self.color_of(pawn), cell(pawn), steps as usize);
                if_so(near.contains(cell(king)))
            }
            Feature::InSquare(pawn, lead) => terrain.square(self.color_of(pawn), cell(pawn), LEADS[lead as usize]),
            Feature::KingInSquare(king, pawn, lead) => {
                let square = terrain.square(self.color_of(pawn), cell(pawn), LEADS[lead as usize]);
                if_so(square.contains(cell(king)))
            }
            Feature::ManAttacked(man, side) => {
                let cell = cell(man);
                if_so(self.attacked_by_side(Color::BOTH[side as usize]).contains(cell))
            }
        }
    }

    fn attacked_by(&mut self, man: usize) -> CellSet {
        if self.attackers >> man & 1 == 0 {
            self.attackers |= 1 << man;
            self.attacked[man] = self.variant.attacked_by(self.ground.men[man], self.cells[man], self.occupied);
        }
        self.attacked[man]
    }

    fn attacked_by_side(&mut self, side: Color) -> CellSet {
        let men = &self.ground.men;
        let of_side = (0..men.len()).filter(|&man| men[man].color == side);
        of_side.fold(CellSet::EMPTY, |attacked, man| attacked | self.attacked_by(man))
    }

    /// Where a king may step, the column man left out: to cells without his own men that no enemy attacks once he
    /// has left his own.
    fn flights(&mut self, king: usize) -> CellSet {
        if let Some(flights) = self.flights[king] {
            return flights;
        }
        let men = &self.ground.men;
        let from = self.cells[king];
        let without = self.occupied - from.set();
        let mut flights = self.variant.movement(Role::KING).steps[from.index()];
        for (man, &of) in men.iter().enumerate() {
            if of.color == men[king].color {
                flights.remove(self.cells[man]);
                continue;
            }
            let mut attacked = self.attacked_by(man);
            if attacked.contains(from) {
                // He may look through the king.
                attacked = self.variant.attacked_by(of, self.cells[man], without);
            }
            flights = flights - attacked;
        }
        self.flights[king] = Some(flights);
        flights
    }

    /// From where the column man takes all of an enemy king's flights, at least one, at least two.
    fn taken_flights(&mut self, king: u8) -> [CellSet; 3] {
        if let Some((_, taken)) = self.taken.filter(|(of, _)| *of == king) {
            return taken;
        }
        let without = self.occupied - self.cells[king as usize].set();
        let mut taken = [self.variant.board().all(), CellSet::EMPTY, CellSet::EMPTY];
        for flight in self.flights(king as usize) {
            let from = self.variant.attackers_of(self.ground.column_man, flight, without) | flight.set();
            taken = [taken[0] & from, taken[1] | from, taken[2] | taken[1] & from];
        }
        self.taken = Some((king, taken));
        taken
    }

    fn color_of(&self, man: u8) -> Color {
        self.ground.men[man as usize].color
    }

    fn rules_of(&self, pawn: u8) -> &'a PawnRules {
        self.variant.pawn_rules(self.color_of(pawn))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::index::{Layout, Material, Place};
    use std::sync::Arc;

    /// The ground of a layout's own rows.
    pub fn ground_of(layout: &Layout) -> Ground {
        let variant = layout.variant();
        let mut men = layout.men().to_vec();
        let column_man = men.pop().expect("a layout has two kings");
        for color in Color::BOTH {
            let pawns = layout.slices()[0].pawns[color.index()].len();
            men.extend(std::iter::repeat_n(Man { color, role: variant.pawn() }, pawns));
        }
        Ground::new(&Arc::new(Terrain::new(variant)), men, column_man)
    }

    /// Calls back with scenes of a material all over its table.
    fn each_scene(variant: &str, material: &str, mut visit: impl FnMut(&Ground, &mut Scene, &Variant)) {
        let variant = Arc::new(Variant::named(variant).unwrap());
        let layout = Layout::new(variant.clone(), &Material::parse(&variant, material).unwrap());
        let ground = ground_of(&layout);
        let mut scene = Scene::new(&ground);
        let rows = layout.len() / layout.cell_count();
        for number in (0..rows).step_by((rows / 200).max(1)) {
            let (slice, index) = layout.slice_at(number * layout.cell_count());
            let known = layout.men().len() - 1;
            let mut cells = layout.cells_at(Place { slice, index })[..known].to_vec();
            let pawns = layout.slices()[slice].pawns;
            cells.extend(pawns.iter().flat_map(|pawns| pawns.iter()));
            if cells.iter().copied().collect::<CellSet>().len() == cells.len() {
                scene.put(&cells);
                visit(&ground, &mut scene, &variant);
            }
        }
    }

    #[test]
    fn attacks_are_those_of_a_man_put_on_each_cell() {
        for (variant, material) in [("glinski", "KQKR"), ("glinski", "KRPK"), ("mccooey", "KNKB"), ("orthodox", "KPKQ")]
        {
            let mut scenes = 0;
            each_scene(variant, material, |ground, scene, variant| {
                scenes += 1;
                for man in 0..ground.men.len() as u8 {
                    let own = scene.cells[man as usize];
                    for cell in variant.board().all() - scene.occupied {
                        let attacks = variant.attacks(ground.column_man.role, cell, scene.occupied).contains(own);
                        assert_eq!(scene.look_at(Feature::Attacks(man)).contains(cell), attacks);
                        let attacked = variant.attacked_by(ground.men[man as usize], own, scene.occupied);
                        assert_eq!(scene.look_at(Feature::AttackedBy(man)).contains(cell), attacked.contains(cell));
                    }
                }
            });
            assert!(scenes > 50);
        }
    }

    #[test]
    fn a_king_without_flights_can_only_take_or_let_the_column_man_be() {
        // Put the column man on a cell: the king's legal steps other than onto him are the flights he does not attack.
        each_scene("glinski", "KQKR", |ground, scene, variant| {
            let king = 0;
            assert_ne!(ground.column_man.color, ground.men[king].color);
            for cell in variant.board().all() - scene.occupied {
                let without = (scene.occupied - scene.cells[king].set()) | cell.set();
                let attacked = variant.attacks(ground.column_man.role, cell, without);
                let left = scene.flights(king) - attacked - cell.set();
                let all = scene.look_at(Feature::TakesAllFlights(0)).contains(cell);
                // Where the column man stands on a flight he may hide others from himself only by being there.
                assert_eq!(all, left.is_empty(), "{} flights", scene.flights(king).len());
                let taken = scene.flights(king).len() - left.len();
                assert_eq!(scene.look_at(Feature::TakesAFlight(0)).contains(cell), taken >= 1);
                assert_eq!(scene.look_at(Feature::TakesTwoFlights(0)).contains(cell), taken >= 2);
            }
        });
    }

    #[test]
    fn features_of_a_row_alone_hold_everywhere_or_nowhere() {
        each_scene("glinski", "KRPK", |ground, scene, variant| {
            for &feature in ground.features() {
                let holds = scene.look_at(feature);
                let of_row = matches!(
                    feature,
                    Feature::RingOf(..)
                        | Feature::Apart(..)
                        | Feature::Flights(..)
                        | Feature::Check(_)
                        | Feature::StepsLeft(..)
                        | Feature::StandsAhead(..)
                        | Feature::KingNearGoal(..)
                        | Feature::KingInSquare(..)
                        | Feature::ManAttacked(..)
                );
                assert!(!of_row || holds.is_empty() || holds == variant.board().all(), "{feature:?}");
                assert!((holds - variant.board().all()).is_empty(), "{feature:?}");
            }
        });
    }
}
