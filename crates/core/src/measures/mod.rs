//! Measures: numbers that a scene asks for by name, taken at the end of every step.
//!
//! A [`Measure`] is an entry of the [quantities](crate::quantities), a field, or a force, with its
//! target ([`What`]), a reduction in space ([`InSpace`]) and one in time ([`Over`]). They are read in
//! one place, [`step_measured`], and everything else takes these readings: conditions of runs,
//! `run.json`, `measures.csv`, rows of sweeps, and Python. A [`Tally`] reduces them in time.
//!
//! | what | entries |
//! |---|---|
//! | the scene | [`SCENE`](crate::quantities::SCENE), energies by their columns, `coordination` |
//! | bodies | [`BODY`](crate::quantities::BODY), [`OF_BODIES`] |
//! | points of bodies | [`FIELDS`](crate::fields::FIELDS), also by component |
//! | a pair of bodies | [`OF_PAIRS`], `gap` |
//! | a place | [`OF_PLACES`] |
//! | a joint, a load, a chamber | [`OF_JOINTS`], [`OF_LOADS`], [`OF_CHAMBERS`] |
//! | a line | `flow` |

mod coarse;
mod forces;
mod look;
mod measure;
mod part;
mod reduce;
mod step;
mod tally;

pub use coarse::OF_PLACES;
pub use forces::{
    BodyForces, OF_BODIES, OF_CHAMBERS, OF_JOINTS, OF_LOADS, OF_PAIRS, PairOf, Resultant,
};
pub use measure::{BodyValue, Component, Measure, Measures, Place, Points, What};
pub use part::Part;
pub use reduce::{InSpace, Over};
pub use step::{begin_again, begin_measured, step_measured};
pub use tally::{Extreme, Tally};
