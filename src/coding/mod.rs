//! Coding outcomes in few bits, row by row: what a table's files hold.
//!
//! `terrain` (with `race` for pawns and `order` for predictions) is found once for each board, `feature` and `scene` say
//! what can be seen of a row without knowing its outcomes, `tree` sorts positions by it into kinds alike in outcome,
//! `arithmetic` writes which of them are not as expected. `values` puts these together for the values of a row,
//! `distances` for its distances, whose errors against a `prediction` are written. Knows nothing of files, and nothing
//! of how outcomes were found.

pub mod arithmetic;
pub mod distances;
mod fastest;
pub mod feature;
mod order;
mod prediction;
mod race;
pub mod scene;
pub mod terrain;
pub mod tree;
pub mod values;
