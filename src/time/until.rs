//! When a run has reached what it was made for, before its last step.
//!
//! A condition is text: comparisons and `rest`, joined by `and`, as in `rest` or
//! `t > 1 and ball.x > 2.5`. The sides of a comparison are formulas of `t` (s) and of
//!
//! | name | meaning |
//! |---|---|
//! | `speed`, `acceleration` | the largest of a vertex at the end of the step (m/s, m/s^2) |
//! | `kinetic`, `total` | energies as in `energies.csv` (J) |
//! | `gap` | the smallest distance among contacts (m); infinite without contacts |
//! | `contacts` | number of contacts |
//! | `min_j` | the smallest ratio of a triangle's area to that at rest; 1 without triangles |
//! | `ball.x`, `ball.y`, `ball.vx`, `ball.vy` | centre (m) and velocity (m/s) of the body `ball` |
//!
//! A condition reads only what a step leaves behind, never a clock, so that runs end at the same
//! step on every machine, on any number of threads and after a resumption.

use super::record::Record;
use super::state::State;
use super::world::World;
use crate::math::formula::{Formula, FormulaError};
use crate::math::{Vec2, parallel};

/// Speed at rest, relative to that which the loads give a body on the way of its own size (1); of
/// the acceleration likewise.
///
/// Unit 1, 1e-4 to 1e-2; usually 1e-3. Higher: what creeps counts as at rest. Lower: the tolerance
/// of Newton's method hides that something rests.
const REST: f64 = 1e-3;

/// Names of quantities of the whole scene.
const QUANTITIES: [&str; 7] = [
    "speed",
    "acceleration",
    "kinetic",
    "total",
    "gap",
    "contacts",
    "min_j",
];

/// Names of quantities of a body, after its name and a dot.
const OF_BODY: [&str; 4] = ["x", "y", "vx", "vy"];

/// A condition at which a run ends.
#[derive(Clone, Debug)]
pub struct Until {
    /// Text of the condition.
    text: String,
    /// Parts, all of which must hold.
    parts: Vec<Part>,
    /// Bodies whose quantities the formulas may name, by their numbers in the world.
    bodies: Vec<usize>,
}

/// Part of a condition.
#[derive(Clone, Debug)]
enum Part {
    /// Nothing moves, and nothing is about to.
    Rest,
    /// The first formula is less than the second.
    Less([Formula; 2]),
}

impl Until {
    /// Reads a condition about bodies of these names, `[bodies]`. Names that are no words of
    /// letters, digits and `_` cannot be used in it.
    ///
    /// # Errors
    /// [`FormulaError`] with the first character that does not belong to a condition.
    pub fn read(text: &str, names: &[&str]) -> Result<Self, FormulaError> {
        let named = |name: &str| {
            let mut letters = name.chars();
            let starts = letters.next().is_some_and(|c| c.is_ascii_alphabetic());
            starts && letters.all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        let bodies: Vec<usize> = (0..names.len()).filter(|&k| named(names[k])).collect();

        // All names in the order of their values, see `values`.
        let mut known: Vec<String> = QUANTITIES.map(str::to_owned).into();
        for &k in &bodies {
            known.extend(OF_BODY.iter().map(|of| format!("{}.{of}", names[k])));
        }

        let parts = pieces(text)
            .into_iter()
            .map(|(start, piece)| Part::read(piece, start, &known))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            text: text.to_owned(),
            parts,
            bodies,
        })
    }

    /// The text of the condition.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// True if the condition asks for rest.
    pub fn asks_for_rest(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, Part::Rest))
    }

    /// True if the condition holds after a step `from` one state `to` another, which `record`
    /// describes. A comparison with what is not a number does not hold.
    pub(super) fn holds(&self, world: &World, [from, to]: [&State; 2], record: &Record) -> bool {
        let motion = Motion::of(world, from, to);
        let values = self.values(world, to, record, motion);
        self.parts.iter().all(|part| match part {
            Part::Rest => motion.is_rest(world),
            Part::Less([small, large]) => {
                let [small, large] = [small, large].map(|side| side.with(to.time, &values));
                small < large
            }
        })
    }

    /// Values of all names: those of the scene, then those of bodies.
    fn values(&self, world: &World, at: &State, record: &Record, motion: Motion) -> Vec<f64> {
        let mut values = vec![
            motion.speed,
            motion.acceleration,
            record.kinetic,
            record.total,
            record.min_gap.unwrap_or(f64::INFINITY),
            record.contacts as f64,
            record.min_area_ratio.unwrap_or(1.0),
        ];

        let velocities = velocities(world, at);
        for &k in &self.bodies {
            let body = &world.bodies[k];
            let centre = world.at_centre(body, &at.q, &at.x);
            let velocity = world.at_centre(body, &at.q_dot, &velocities);
            values.extend([centre.x, centre.y, velocity.x, velocity.y]);
        }
        values
    }
}

impl Part {
    /// Reads a part that begins at the character `start` of the whole text, from 0.
    ///
    /// # Errors
    /// [`FormulaError`], with the character in the whole text.
    fn read(piece: &str, start: usize, known: &[String]) -> Result<Self, FormulaError> {
        if piece.trim() == "rest" {
            return Ok(Self::Rest);
        }
        let Some(place) = piece.find(['<', '>']) else {
            return Err(FormulaError {
                at: start + 1,
                message: format!(
                    "\"{}\" is no condition; write rest, or two formulas with < or > between \
                     them",
                    piece.trim()
                ),
            });
        };

        let side = |text: &str, start: usize| {
            let formula = Formula::read_with(text, known).map_err(|error| FormulaError {
                at: error.at + start,
                ..error
            })?;
            if formula.has_place() {
                let message = "x and y alone mean nothing here; write the name of a body before \
                               them, as in ball.x";
                return Err(FormulaError {
                    at: start + 1,
                    message: message.to_owned(),
                });
            }
            Ok(formula)
        };
        let [left, right] = [&piece[..place], &piece[place + 1..]];
        let before = start + left.chars().count();
        let [left, right] = [side(left, start)?, side(right, before + 1)?];
        Ok(Self::Less(if piece[place..].starts_with('<') {
            [left, right]
        } else {
            [right, left]
        }))
    }
}

/// Parts of a text between the words `and`, each with the number of its first character, from 0.
fn pieces(text: &str) -> Vec<(usize, &str)> {
    let mut pieces = Vec::new();
    let mut rest = text;
    let mut start = 0;
    while let Some(place) = rest.find(" and ") {
        pieces.push((start, &rest[..place]));
        start += rest[..place].chars().count() + " and ".len();
        rest = &rest[place + " and ".len()..];
    }
    pieces.push((start, rest));
    pieces
}

/// Velocities of all vertices (m/s).
fn velocities(world: &World, state: &State) -> Vec<Vec2> {
    let mut velocities = vec![Vec2::zeros(); state.x.len()];
    let coordinates = &world.model.coordinates;
    coordinates.displacements(&state.configuration(), &state.q_dot, &mut velocities);
    velocities
}

/// The fastest motion of a step.
#[derive(Clone, Copy, Debug)]
struct Motion {
    /// Largest speed of a vertex at the end (m/s).
    speed: f64,
    /// Largest change of a vertex's velocity over the step, by the time between (m/s^2).
    acceleration: f64,
}

impl Motion {
    /// The motion at the end of a step `from` one state `to` another.
    fn of(world: &World, from: &State, to: &State) -> Self {
        let [before, after] = [from, to].map(|state| velocities(world, state));
        let time = to.time - from.time;
        let largest =
            |of: &(dyn Fn(usize) -> Vec2 + Sync)| parallel::max(after.len(), 0.0, |i| of(i).norm());
        Self {
            speed: largest(&|i| after[i]),
            acceleration: largest(&|i| after[i] - before[i]) / time,
        }
    }

    /// True if both are as good as nothing, beside what the loads do to the smallest body: those
    /// carry it by its own size `L` in the time `T`, [`World::clock`], with a speed like `L / T` and an
    /// acceleration like `L / T^2`.
    ///
    /// The speed alone is not enough: it is 0 where a pendulum turns round.
    fn is_rest(self, world: &World) -> bool {
        let size = smallest(world);
        let speed = REST * size / world.clock;
        self.speed <= speed && self.acceleration <= speed / world.clock
    }
}

/// Size of the smallest body that moves (m): the diagonal of the box around it at rest.
fn smallest(world: &World) -> f64 {
    let sizes = world.bodies.iter().filter_map(|body| {
        let places = &world.rest[body.vertices.clone()];
        let first = *places.first()?;
        let low = places.iter().fold(first, |low, place| low.inf(place));
        let high = places.iter().fold(first, |high, place| high.sup(place));
        let size = (high - low).norm();
        (!body.kind.is_obstacle() && size > 0.0).then_some(size)
    });
    sizes.fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The error of a condition about a body called `ball`.
    fn error(text: &str) -> String {
        Until::read(text, &["ball", "disk 1"])
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn conditions_are_comparisons_joined_by_and() {
        let until = Until::read("t > 1 and ball.x*2 < speed and rest", &["ball"]).unwrap();
        assert_eq!(until.parts.len(), 3);
        assert!(until.asks_for_rest());
        assert!(!Until::read("kinetic < 1e-3", &[]).unwrap().asks_for_rest());
    }

    #[test]
    fn errors_have_their_place_in_the_whole_text() {
        assert!(error("t > 1 and ball").starts_with("at character 11: \"ball\" is no condition"));
        assert!(
            error("t > 1 and bal.x > 2").starts_with("at character 11: unknown name \"bal.x\"")
        );
        assert!(error("t > 1 and 2 < x").starts_with("at character 14: x and y alone mean"));
        assert!(error("").contains("is no condition"));
        assert!(error("disk 1.x > 0").starts_with("at character 1: unknown name \"disk\""));
    }
}
