//! Quantities: the numbers of a state, each entered once.
//!
//! A [`Quantity`] has a name, a unit and a meaning. [`Of`] names its owner and how it follows from
//! a [`Moment`]: of the whole scene, of a body, or of the points of bodies. Conditions of runs
//! ([`Until`]), the table of energies, sweeps, probes and pictures read quantities by their names.
//!
//! A quantity of the scene or of bodies is an entry of [`SCENE`] or [`BODY`]. One of points is an
//! entry of [`FIELDS`].

mod list;
mod moment;
mod motion;
mod quantity;
mod until;

pub use list::{BODY, SCENE};
pub(crate) use moment::Before;
pub use moment::Moment;
pub use quantity::{Of, Quantity};
pub use until::Until;

use crate::fields::FIELDS;

/// All quantities: of the scene, of bodies, then of points.
pub fn all() -> impl Iterator<Item = Quantity> {
    let of_points = FIELDS.iter().map(Quantity::of_points);
    SCENE.iter().chain(&BODY).copied().chain(of_points)
}

/// The quantity of the scene that is called `name`.
pub fn of_scene(name: &str) -> Option<&'static Quantity> {
    SCENE.iter().find(|quantity| quantity.is_called(name))
}

/// The quantity of bodies that is called `name`.
pub fn of_body(name: &str) -> Option<&'static Quantity> {
    BODY.iter().find(|quantity| quantity.is_called(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_name_is_taken_twice_and_every_quantity_has_a_unit_and_a_meaning() {
        for kind in [&SCENE[..], &BODY[..]] {
            let names: Vec<&str> = kind.iter().flat_map(Quantity::names).collect();
            let different: BTreeSet<&str> = names.iter().copied().collect();
            assert_eq!(names.len(), different.len(), "{names:?}");
        }
        assert_eq!(all().count(), SCENE.len() + BODY.len() + FIELDS.len());
        for quantity in all() {
            assert!(!quantity.unit.is_empty(), "{}", quantity.name);
            assert!(!quantity.meaning.is_empty(), "{}", quantity.name);
        }
    }

    #[test]
    fn quantities_are_found_by_both_of_their_names() {
        assert_eq!(of_scene("min_gap").unwrap().name, "min_gap");
        assert_eq!(of_scene("gap").unwrap().name, "min_gap");
        assert_eq!(of_body("vx").unwrap().name, "velocity_x");
        assert!(of_body("min_gap").is_none() && of_scene("x").is_none());
    }
}
