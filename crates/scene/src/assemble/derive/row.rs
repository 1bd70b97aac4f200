//! Numbers with their reasons, as runs print and store them.

use super::reach::Fitted;
use super::reasoned::Reasoned;
use crate::assemble::resizing::Resizing;
use crate::schema::{Scene, Scheme};
use ipcsim_contact::ContactModel;
use ipcsim_contact::tuning::REACH_OF_PLAY;
use ipcsim_contact::{PairScale, Play, Surface};
use ipcsim_math::number::short;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A number that a run uses, and the reason for its value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Derived {
    /// Name of the number.
    pub name: String,
    /// Value in SI units.
    pub value: f64,
    /// Unit of the value.
    pub unit: String,
    /// Reason for the value, as a phrase without a full stop.
    pub reason: String,
    /// Names of the bodies that have the value; empty if all have.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub of: Vec<String>,
    /// True if the scene gives the value.
    pub given: bool,
}

/// Reason of numbers that the model of the book sets.
const BY_BOOK: &str = "set by contact.model \"book\"";
/// Reason of the imbalance of the book, which no force reaches.
const NO_LIMIT: &str = "no limit, as contact.model \"book\" sets it";

impl Derived {
    /// True if the scene leaves the value to the program, neither giving it nor asking for the book's.
    pub fn is_own(&self) -> bool {
        !self.given && ![BY_BOOK, NO_LIMIT].contains(&&*self.reason)
    }
}

/// Rows in the order in which a run prints them.
pub(in crate::assemble) struct Rows {
    /// Names of the bodies, `[bodies]`.
    names: Vec<String>,
    /// Names of the numbers that the model of the book sets, not the scene.
    of_book: Vec<&'static str>,
    /// The rows so far.
    numbers: Vec<Derived>,
}

impl Rows {
    /// No rows yet of bodies of a scene with these names.
    pub(super) fn of(names: Vec<String>, scene: &Scene) -> Self {
        Self {
            names,
            of_book: scene.set_by_book(),
            numbers: Vec::new(),
        }
    }

    /// Adds a number that the scene gives, or the model that it asks for.
    pub(super) fn given(&mut self, name: &str, value: f64, unit: &str) {
        let given = !self.of_book.contains(&name);
        let reason = if given {
            "given by the scene"
        } else if name == "imbalance" {
            NO_LIMIT
        } else {
            BY_BOOK
        };
        self.numbers.push(Derived {
            name: name.to_owned(),
            value,
            unit: unit.to_owned(),
            reason: reason.to_owned(),
            of: Vec::new(),
            given,
        });
    }

    /// Adds a scale that the scene gives for all pairs, or else those of its bodies, `[bodies]`,
    /// and returns it.
    pub(super) fn scale(
        &mut self,
        name: &str,
        unit: &str,
        given: Option<f64>,
        own: impl FnOnce() -> Vec<Reasoned>,
    ) -> PairScale {
        if let Some(scale) = given {
            self.given(name, scale, unit);
            PairScale::uniform(scale)
        } else {
            PairScale::of_bodies(self.add(name, unit, own()))
        }
    }

    /// Adds a speed (m/s) that the scene gives for all bodies, or else those of its bodies, and
    /// returns the speed of each one, `[bodies]`.
    pub(super) fn speeds(
        &mut self,
        name: &str,
        given: Option<f64>,
        own: impl FnOnce() -> Vec<Reasoned>,
    ) -> Vec<f64> {
        if let Some(speed) = given {
            self.given(name, speed, "m/s");
            vec![speed; self.names.len()]
        } else {
            self.add(name, "m/s", own())
        }
    }

    /// Adds the numbers of all bodies, `[bodies]`, and returns their values. Bodies with the same
    /// value for the same reason share a row.
    pub(super) fn add(&mut self, name: &str, unit: &str, numbers: Vec<Reasoned>) -> Vec<f64> {
        let values = numbers.iter().map(|number| number.value).collect();
        let first = self.numbers.len();
        let mut count = 0;
        for (body, Reasoned { value, reason }) in self.names.iter().zip(numbers) {
            if value <= 0.0 || !value.is_finite() {
                continue;
            }

            count += 1;
            let mut own = self.numbers[first..].iter_mut();
            if let Some(row) =
                own.find(|row| row.value.to_bits() == value.to_bits() && row.reason == reason)
            {
                row.of.push(body.clone());
            } else {
                self.numbers.push(Derived {
                    name: name.to_owned(),
                    value,
                    unit: unit.to_owned(),
                    reason,
                    of: vec![body.clone()],
                    given: false,
                });
            }
        }

        // A value of all is nobody's in particular.
        for row in &mut self.numbers[first..] {
            if row.of.len() == count {
                row.of.clear();
            }
        }
        values
    }

    /// Adds the largest speed after an impact of bodies that move as a whole, where no coefficient decides
    /// it.
    pub(in crate::assemble) fn push_rebound(&mut self, scene: &Scene) {
        let contact = &scene.contact;
        let most = match scene.time.integrator {
            Scheme::Static => return,
            Scheme::ImplicitEuler | Scheme::Bdf2 => 0.3,
            Scheme::TrBdf2 => 0.45,
            Scheme::Trapezoid => 0.95,
        };
        let is_decided = contact.restitution.acts() || contact.model == ContactModel::Book;
        if is_decided || self.names.len() < 2 {
            return;
        }
        self.numbers.push(Derived {
            name: "rebound".to_owned(),
            value: most,
            unit: "1".to_owned(),
            reason: format!(
                "largest speed after an impact by {}, relative to that before; how much depends on the step, \
                 unless contact.restitution gives it",
                scene.time.integrator.words()
            ),
            of: Vec::new(),
            given: false,
        });
    }

    /// Adds the sizes of bodies, by name, that overlap others as drawn and start with another size.
    pub(in crate::assemble) fn push_sizes(&mut self, sizes: &BTreeMap<String, Resizing>) {
        for (body, Resizing { size, about }) in sizes {
            self.numbers.push(Derived {
                name: "start_change".to_owned(),
                value: size.from - 1.0,
                unit: "1".to_owned(),
                reason: format!(
                    "of its size at the start, about ({}, {}) m: the least by which it overlaps nothing, and a \
                     gap; it has its drawn size from {} s on",
                    short(about.x),
                    short(about.y),
                    short(size.until)
                ),
                of: vec![body.clone()],
                given: false,
            });
        }
    }

    /// Adds the distance of the body that fits most tightly into a slot, one of a number of fits.
    pub(super) fn push_play(&mut self, found: Option<(Play, usize)>) {
        let Some((tightest, count)) = found else {
            return;
        };
        let others = match count {
            1 => String::new(),
            _ => format!("; {count} bodies fit into slots"),
        };
        let Play {
            body,
            sides,
            play,
            place,
        } = tightest;
        let reason = format!(
            "as it fits into the slot at [{}, {}] with {} m of play a side{others}",
            short(place.x),
            short(place.y),
            short(play)
        );
        let mut of: Vec<String> = [body, sides[0], sides[1]]
            .map(|body| self.names[body].clone())
            .into();
        of.dedup();
        self.numbers.push(Derived {
            name: "d_hat_pair".to_owned(),
            value: REACH_OF_PLAY * play,
            unit: "m".to_owned(),
            reason,
            of,
            given: false,
        });
    }

    /// Adds the distance of the pair whose gap at the start limits it most, after those of bodies.
    pub(super) fn push_nearest(&mut self, fitted: Option<&Fitted>) {
        let Some(&Fitted {
            bodies,
            d_hat,
            gap,
            count,
        }) = fitted
        else {
            return;
        };
        let others = match count {
            1 => String::new(),
            _ => format!("; {count} pairs start nearer than their bodies' reach"),
        };
        let of = bodies.map(|body| self.names[body].clone());
        let row = Derived {
            name: "d_hat_pair".to_owned(),
            value: d_hat,
            unit: "m".to_owned(),
            reason: format!("as they start {} m apart{others}", short(gap)),
            of: of.into(),
            given: false,
        };
        self.insert_after("d_hat", row);
    }

    /// Adds the smallest distance of a vertex within its own body, if that is less than the body's.
    pub(in crate::assemble) fn push_within(&mut self, surface: &Surface) {
        let shorter = surface.points.iter().copied().filter(|&point| {
            let body = surface.body[point];
            surface.self_d_hat[point] < surface.reach.between(body, body)
        });
        let least =
            shorter.min_by(|&a, &b| surface.self_d_hat[a].total_cmp(&surface.self_d_hat[b]));

        if let Some(point) = least {
            let row = Derived {
                name: "d_hat_self".to_owned(),
                value: surface.self_d_hat[point],
                unit: "m".to_owned(),
                reason: "half of the smallest gap within a body at rest, for the vertex there"
                    .to_owned(),
                of: vec![self.names[surface.body[point]].clone()],
                given: false,
            };
            self.insert_after("d_hat", row);
        }
    }

    /// Inserts a row after the last one of a name, and of those beginning with it.
    fn insert_after(&mut self, name: &str, row: Derived) {
        let last = self
            .numbers
            .iter()
            .rposition(|row| row.name.starts_with(name));
        self.numbers.insert(last.map_or(0, |last| last + 1), row);
    }

    /// The rows.
    pub(in crate::assemble) fn list(self) -> Vec<Derived> {
        self.numbers
    }
}
