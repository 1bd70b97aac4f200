//! Conditions that end a run before its last step.
//!
//! A condition is text: comparisons and `rest`, joined by `and`, as in `rest` or
//! `t > 1 and ball.x > 2.5`. The sides of a comparison are formulas of `t` (s), of the
//! quantities of the scene ([`SCENE`]), of bodies ([`BODY`]) after the name of the body and a dot, and of
//! the measures of the scene.
//!
//! A condition reads only what a step leaves behind, never a clock, so that runs end at the same
//! step on every machine, on any number of threads and after a resumption.

use super::{BODY, Moment, Quantity, SCENE};
use ipcsim_math::formula::{Formula, FormulaError};

/// A condition at which a run ends.
#[derive(Clone, Debug)]
pub struct Until {
    /// Text of the condition.
    text: String,
    /// Parts; all must hold.
    parts: Vec<Part>,
    /// Bodies whose quantities the formulas may name, by their numbers in the world.
    bodies: Vec<usize>,
    /// Number of measures that the formulas may name.
    measures: usize,
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
    /// Reads a condition about bodies of these names, `[bodies]`, and these measures, which it names
    /// as they are or behind `measure.`. Only names of letters, digits and `_` can be used in it.
    ///
    /// # Errors
    /// [`FormulaError`] with the first character that does not belong to a condition.
    pub fn read(text: &str, names: &[&str], measures: &[&str]) -> Result<Self, FormulaError> {
        let named = |name: &str| {
            let mut letters = name.chars();
            let starts = letters.next().is_some_and(|c| c.is_ascii_alphabetic());
            starts && letters.all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        let bodies: Vec<usize> = (0..names.len()).filter(|&k| named(names[k])).collect();

        // All names in the order of their values.
        let of_scene = SCENE.iter().flat_map(Quantity::names);
        let mut known: Vec<String> = of_scene.map(str::to_owned).collect();
        for &k in &bodies {
            let of_body = BODY.iter().flat_map(Quantity::names);
            known.extend(of_body.map(|of| format!("{}.{of}", names[k])));
        }
        for name in measures {
            known.extend([format!("measure.{name}"), (*name).to_owned()]);
        }

        let parts = pieces(text)
            .into_iter()
            .map(|(start, piece)| Part::read(piece, start, &known))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            text: text.to_owned(),
            parts,
            bodies,
            measures: measures.len(),
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

    /// True if a run is over after a step that led to a moment with these values of the measures.
    pub(crate) fn is_over(&self, at: &Moment, measures: &[f64]) -> bool {
        let rests = || at.motion.is_some_and(|motion| motion.is_rest(at.world));
        let is_rest = self.asks_for_rest() && rests();
        self.holds(at.state.time, &self.values(at, measures), is_rest)
    }

    /// Values of all names: of the scene, then of its bodies, then of its measures.
    fn values(&self, at: &Moment, measures: &[f64]) -> Vec<f64> {
        // A quantity has its value under each of its names.
        let named = |quantity: &Quantity, value: Option<f64>| {
            let value = value.unwrap_or(quantity.undefined);
            quantity.names().map(move |_| value)
        };
        let mut values: Vec<f64> = SCENE.iter().flat_map(|of| named(of, of.at(at))).collect();
        for &k in &self.bodies {
            let body = &at.world.bodies[k];
            values.extend(BODY.iter().flat_map(|of| named(of, of.at_body(at, body))));
        }
        let of_measures = measures.iter().take(self.measures);
        values.extend(of_measures.flat_map(|value| [*value; 2]));
        values
    }

    /// True if the condition holds at a time `t` (s) with these `values` of all names. A comparison
    /// with NaN does not hold.
    fn holds(&self, t: f64, values: &[f64], is_rest: bool) -> bool {
        self.parts.iter().all(|part| match part {
            Part::Rest => is_rest,
            Part::Less([small, large]) => small.with(t, values) < large.with(t, values),
        })
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
                let message = "x and y mean nothing without a body; write the name of a body before \
                               them, as in ball.x";
                return Err(FormulaError {
                    at: start + 1,
                    message: message.to_owned(),
                });
            }
            Ok(formula)
        };

        // Places of errors count in the whole text.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The error of a condition about a body called `ball`.
    fn error(text: &str) -> String {
        Until::read(text, &["ball", "disk 1"], &["peak"])
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn conditions_are_comparisons_joined_by_and() {
        let until = Until::read("t > 1 and ball.x*2 < speed and rest", &["ball"], &[]).unwrap();
        assert_eq!(until.parts.len(), 3);
        assert!(until.asks_for_rest());
        assert!(
            !Until::read("kinetic < 1e-3", &[], &[])
                .unwrap()
                .asks_for_rest()
        );
    }

    #[test]
    fn errors_have_their_place_in_the_whole_text() {
        assert!(error("t > 1 and ball").starts_with("at character 11: \"ball\" is no condition"));
        assert!(
            error("t > 1 and bal.x > 2").starts_with("at character 11: unknown name \"bal.x\"")
        );
        assert!(error("t > 1 and 2 < x").starts_with("at character 14: x and y mean"));
        assert!(error("").contains("is no condition"));
        assert!(error("disk 1.x > 0").starts_with("at character 1: unknown name \"disk\""));
    }

    #[test]
    fn conditions_hold_where_all_their_comparisons_do_and_never_by_what_is_no_number() {
        // Values by their names: of the scene, then of the ball.
        let known = [
            ("speed", 0.5),
            ("acceleration", 2.0),
            ("kinetic", 3.0),
            ("total", 4.0),
            ("min_gap", f64::INFINITY),
            ("contacts", 0.0),
            ("min_area_ratio", 1.0),
            ("x", 2.5),
            ("y", -1.0),
            ("velocity_x", 0.25),
            ("velocity_y", 0.0),
        ];
        let value = |name| known.iter().find(|(known, _)| *known == name);
        let mut values = Vec::new();
        for quantity in SCENE.iter().chain(&BODY) {
            let value = value(quantity.name).map_or(f64::NAN, |(_, value)| *value);
            values.extend(quantity.names().map(|_| value));
        }
        values.extend([8.0; 2]);

        let holds = |text: &str, is_rest: bool| {
            let until = Until::read(text, &["ball"], &["peak"]).unwrap();
            until.holds(7.0, &values, is_rest)
        };
        assert!(holds("t > 6", false) && !holds("t > 7", false) && !holds("t < 7", false));
        assert!(holds("speed < acceleration and kinetic < total", false));
        assert!(!holds("speed < acceleration and total < kinetic", false));
        assert!(holds(
            "gap > 1e300 and contacts < 1 and min_j > 0.999",
            false
        ));
        assert!(holds(
            "ball.x > 2.4 and ball.y < 0 and ball.vx - ball.vy > 0.2",
            false
        ));
        assert!(holds("peak > 7 and measure.peak < 9", false));
        assert!(holds("rest and t > 6", true) && !holds("rest and t > 6", false));

        // The root of -1 is not a number.
        assert!(!holds("sqrt(ball.y) < 1", false) && !holds("sqrt(ball.y) > -1", false));
    }
}
