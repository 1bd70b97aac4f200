//! Ties: linear equations between displacements of vertices.
//!
//! Displacements count from the start, whatever state a body is drawn in, so that equations hold there with
//! the sum 0. Axes are those of the scene: they do not turn with a body.

use super::motion::Axis;
use super::{Selection, Varying, examples};
use ipcsim_keys::Keys;
use serde::{Deserialize, Serialize};

/// A sum of displacements of vertices, each times a factor, that keeps a value. Where a term selects several
/// vertices there is an equation for each of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
#[key(example = examples::tie())]
pub struct Tie {
    /// Name in messages, tables and measures; the bodies if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Terms of the sum, up to six.
    pub terms: Vec<TieTerm>,
    /// Value of the sum (m), which begins at 0: a number, a table in time, or a formula of t. 0 if absent.
    #[serde(default = "nothing", skip_serializing_if = "is_nothing")]
    #[key(unit = "m")]
    pub equals: Varying,
}

/// Displacements of vertices along an axis, in the sum of a tie.
///
/// Terms with several vertices have equally many, which are taken in their order along x or y, whichever they
/// extend over farther; a term with one vertex has the same in all equations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct TieTerm {
    /// Name of the body; a copy has its number, such as "disk 3".
    pub body: String,
    /// Selection of vertices.
    pub vertices: Selection,
    /// Direction of the displacement, `x` or `y`.
    pub axis: Axis,
    /// Factor (1) of the displacement.
    #[serde(default = "once", skip_serializing_if = "is_once")]
    pub factor: f64,
    /// True if the vertices are taken in the opposite order, as for motions that mirror each other.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reversed: bool,
}

/// The sum is 0.
fn nothing() -> Varying {
    Varying::Constant(0.0)
}

/// True for a sum of 0, which a stored scene leaves out.
fn is_nothing(number: &Varying) -> bool {
    *number == nothing()
}

/// The displacement itself.
fn once() -> f64 {
    1.0
}

/// True for a factor of 1, which a stored scene leaves out.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_once(factor: &f64) -> bool {
    factor.to_bits() == once().to_bits()
}

impl TieTerm {
    /// Displacements along an axis of the vertices that are selected in a body.
    pub fn new(body: impl Into<String>, vertices: Selection, axis: Axis) -> Self {
        Self {
            body: body.into(),
            vertices,
            axis,
            factor: once(),
            reversed: false,
        }
    }

    /// The term times another factor (1).
    #[must_use]
    pub fn times(mut self, factor: f64) -> Self {
        self.factor = factor;
        self
    }

    /// The term with its vertices in the opposite order.
    #[must_use]
    pub fn reversed(mut self) -> Self {
        self.reversed = true;
        self
    }
}

impl Tie {
    /// A tie of this name, whose terms have the sum 0.
    pub fn new(name: impl Into<String>, terms: Vec<TieTerm>) -> Self {
        Self {
            name: Some(name.into()),
            terms,
            equals: nothing(),
        }
    }

    /// The tie with a sum (m) that begins at 0.
    #[must_use]
    pub fn equal_to(mut self, sum: impl Into<Varying>) -> Self {
        self.equals = sum.into();
        self
    }

    /// Names of the bodies of the terms, each once, in their order.
    ///
    /// Tables have the force on the first of them.
    pub fn bodies(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for term in &self.terms {
            if !names.contains(&term.body.as_str()) {
                names.push(&term.body);
            }
        }
        names
    }

    /// How messages name the tie.
    ///
    /// The form is that of joints, which ties become.
    pub fn label(&self) -> String {
        if let Some(name) = &self.name {
            return format!("tie \"{name}\"");
        }
        let names = self.bodies();
        let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
        format!("tie of {}", quoted.join(" and "))
    }
}
