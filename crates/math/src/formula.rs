//! Formulas that a scene writes as text: numbers as functions of `x`, `y` and `t`.
//!
//! | what | how |
//! |---|---|
//! | numbers | `2`, `0.5`, `1e-3`; in SI by a unit after them: `5 mm`, `3 N/mm` |
//! | variables and constants | `x`, `y` (m), `t` (s); `pi`, `e` |
//! | operations | `+ - * / ^`, by the rules of a blackboard: `-t^2` is `-(t^2)`, `2^3^2` is `2^(3^2)` |
//! | functions of one number | `sin cos tan asin acos atan sinh cosh tanh exp ln log10 sqrt abs sign step floor ceil` |
//! | functions of two numbers | `min max atan2` |
//!
//! `sign(0)` is 0; `step(a)` is 0 below 0 and 1 from there on. Angles are in radians. A text is
//! read once, into a tree; its evaluation allocates nothing. Functions come from the standard
//! library. Their last bit may differ between machines, as it may for rotations.

mod reader;

use super::Vec2;
use std::fmt;
use thiserror::Error;

/// A number as a function of a place and of time, read from text.
#[derive(Clone)]
pub struct Formula {
    /// The text.
    text: String,
    /// Its meaning.
    root: Node,
}

/// A text that cannot be read as a formula.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("at character {at}: {message}")]
pub struct FormulaError {
    /// Number of the character, from 1.
    pub at: usize,
    /// Description of the error.
    pub message: String,
}

/// A variable of formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variable {
    /// First coordinate of the place (m).
    X,
    /// Second coordinate of the place (m).
    Y,
    /// Time (s).
    T,
    /// A quantity that has a name where the formula is read, by its number.
    Named(usize),
}

/// Part of a formula.
#[derive(Clone)]
enum Node {
    /// A number.
    Number(f64),
    /// A variable.
    Variable(Variable),
    /// A function of one number.
    One(fn(f64) -> f64, Box<Node>),
    /// A function of two numbers.
    Two(fn(f64, f64) -> f64, Box<[Node; 2]>),
}

impl Formula {
    /// Reads a formula.
    ///
    /// # Errors
    /// [`FormulaError`] with the first character that does not belong to a formula.
    pub fn read(text: &str) -> Result<Self, FormulaError> {
        Ok(Self {
            text: text.to_owned(),
            root: reader::read(text, &[])?,
        })
    }

    /// Reads a formula that may also hold quantities of these `names`: words of letters, digits, `_`
    /// and dots. Their values are given to [`Formula::with`].
    ///
    /// # Errors
    /// [`FormulaError`] with the first character that does not belong to a formula.
    pub fn read_with(text: &str, names: &[String]) -> Result<Self, FormulaError> {
        Ok(Self {
            text: text.to_owned(),
            root: reader::read(text, names)?,
        })
    }

    /// The formula times a factor.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        let both = [Node::Number(factor), self.root];
        Self {
            text: format!("{factor:?} * ({})", self.text),
            root: Node::Two(|a, b| a * b, Box::new(both)),
        }
    }

    /// The text that the formula was read from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Value at a place (m) and a time `t` (s); not finite where an operation is not defined, as
    /// `1/t` is at 0.
    pub fn at(&self, place: Vec2, t: f64) -> f64 {
        self.root.at(&Given {
            place,
            t,
            values: &[],
        })
    }

    /// Value at a time `t` (s) with these values of the names that it was read with. A name without
    /// a value is not a number.
    pub fn with(&self, t: f64, values: &[f64]) -> f64 {
        let place = Vec2::zeros();
        self.root.at(&Given { place, t, values })
    }

    /// True if the value depends on the place, by `x` or `y`.
    pub fn has_place(&self) -> bool {
        self.root.has(Variable::X) || self.root.has(Variable::Y)
    }

    /// True if the value depends on time.
    pub fn has_time(&self) -> bool {
        self.root.has(Variable::T)
    }
}

/// Values of all variables.
struct Given<'a> {
    /// Place (m).
    place: Vec2,
    /// Time (s).
    t: f64,
    /// Values of the names, in their order.
    values: &'a [f64],
}

impl Node {
    /// Value with these variables.
    fn at(&self, given: &Given) -> f64 {
        match self {
            Self::Number(number) => *number,
            Self::Variable(Variable::X) => given.place.x,
            Self::Variable(Variable::Y) => given.place.y,
            Self::Variable(Variable::T) => given.t,
            Self::Variable(Variable::Named(k)) => given.values.get(*k).copied().unwrap_or(f64::NAN),
            Self::One(function, of) => function(of.at(given)),
            Self::Two(function, of) => function(of[0].at(given), of[1].at(given)),
        }
    }

    /// True if a variable is part of it.
    fn has(&self, variable: Variable) -> bool {
        match self {
            Self::Number(_) => false,
            Self::Variable(own) => *own == variable,
            Self::One(_, of) => of.has(variable),
            Self::Two(_, of) => of.iter().any(|part| part.has(variable)),
        }
    }
}

impl PartialEq for Formula {
    /// True if the texts are equal, from which all else follows.
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl fmt::Debug for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Formula").field(&self.text).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{E, PI};

    /// Value at the place (2, 3) and the time 0.5 s.
    fn value(text: &str) -> f64 {
        Formula::read(text).unwrap().at(Vec2::new(2.0, 3.0), 0.5)
    }

    #[test]
    fn formulas_mean_what_they_mean_on_a_blackboard() {
        for (text, expected) in [
            ("2", 2.0),
            ("1e-3", 1e-3),
            ("1.5E+2*t", 75.0),
            (".5 + 2.", 2.5),
            ("2 - 3 - 4", -5.0),
            ("8/2/2", 2.0),
            ("2+3*4", 14.0),
            ("(2+3)*4", 20.0),
            ("-t^2", -0.25),
            ("2^3^2", 512.0),
            ("2^-1", 0.5),
            ("-2^-2", -0.25),
            ("2*-t", -1.0),
            ("--t", 0.5),
            ("x*y - t", 5.5),
            ("sin(t)^2 + cos(t)^2", 1.0),
            ("max(0, min(1, t))", 0.5),
            ("min(max(x, y), 2*max(t, 1))", 2.0),
            ("atan2(1, 0)", PI / 2.0),
            ("-100*sin(2*pi*t/2)", -100.0),
            ("ln(e^2)", 2.0),
            ("exp(1)", E),
            ("sign(0) + sign(-3)", -1.0),
            ("step(t - 0.5) + step(t - 0.6)", 1.0),
            ("floor(2.7) + ceil(2.2) + abs(-1)", 6.0),
            ("sqrt(x^2 + y^2)", 13.0_f64.sqrt()),
            // Units end where a name of formulas begins.
            ("5 mm", 0.005),
            ("20 N/mm * x", 40_000.0),
            ("3 mm/t", 0.006),
            ("2 kN*sin(t)/sin(t)", 2000.0),
            ("1 g/cm^3 + 1", 1001.0),
            ("6 m^2/2", 3.0),
        ] {
            let found = value(text);
            assert!(
                (found - expected).abs() <= 1e-15 * expected.abs().max(1.0),
                "{text}: {found}"
            );
        }
    }

    #[test]
    fn a_formula_tells_what_it_depends_on() {
        let depends = |text: &str| {
            let formula = Formula::read(text).unwrap();
            [formula.has_place(), formula.has_time()]
        };
        assert_eq!(depends("2*pi"), [false, false]);
        assert_eq!(depends("max(1, x)"), [true, false]);
        assert_eq!(depends("-sin(t)"), [false, true]);
        assert_eq!(depends("y/t"), [true, true]);
    }

    #[test]
    fn an_error_names_the_character_and_what_is_known() {
        for (text, expected) in [
            (
                "",
                "at character 1: the formula ends where a number, a variable or a function should be",
            ),
            (
                "2 +",
                "at character 4: the formula ends where a number, a variable or a function should be",
            ),
            (
                "2 * * 3",
                "at character 5: found \"*\" where a number, a variable or a function should be",
            ),
            (
                "(2 + t",
                "at character 7: the formula ends where \")\" should be; it closes the one at character 1",
            ),
            (
                "2)",
                "at character 2: found \")\" after the end of the formula",
            ),
            (
                "2 t",
                "at character 3: found \"t\" after the end of the formula; put an operation such as * before it",
            ),
            (
                "3*w",
                "at character 3: unknown name \"w\"; variables are x, y and t, constants pi and e",
            ),
            ("sin t", "at character 5: found \"t\" where \"(\" should be"),
            (
                "sine(t)",
                "at character 1: unknown function \"sine\"; functions are sin, cos, tan, asin, acos, atan, sinh, \
              cosh, tanh, exp, ln, log10, sqrt, abs, sign, step, floor, ceil, min, max, atan2",
            ),
            (
                "max(1)",
                "at character 6: found \")\" where \",\" should be; max takes two numbers",
            ),
            (
                "sin(1, 2)",
                "at character 6: found \",\" where \")\" should be; it closes the one at character 4",
            ),
            (
                "2 & 3",
                "at character 3: found \"&\" after the end of the formula",
            ),
            ("1e", "at character 1: \"1e\" is no number"),
            ("1.2.3", "at character 1: \"1.2.3\" is no number"),
            ("1e999", "at character 1: \"1e999\" is too large"),
            (
                "ü",
                "at character 1: found \"ü\" where a number, a variable or a function should be",
            ),
        ] {
            let error = Formula::read(text).unwrap_err();
            assert_eq!(error.to_string(), expected, "{text}");
        }
    }

    #[test]
    fn no_text_takes_the_stack() {
        let deep = "(".repeat(100_000);
        let message = Formula::read(&deep).unwrap_err().to_string();
        assert!(message.contains("within each other"), "{message}");
        assert!(Formula::read(&"-".repeat(100_000)).is_err());
        assert!(Formula::read(&"2^".repeat(100_000)).is_err());
    }
}
