//! Measures: numbers that a scene asks for by name at the end of every step.

use super::{Over, Selection, examples, is_default};
use ipcsim_keys::Keys;
use serde::{Deserialize, Serialize};

/// A number that is taken at the end of every step, printed at the end of a run, and stored in
/// `run.json` and `measures.csv`. It has one of the keys `max`, `min`, `mean`, `norm` and `value`, each
/// with the name of a quantity, and says what the quantity is of.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
#[key(example = examples::measure())]
pub struct Measure {
    /// Name in tables, conditions and results: letters, digits and `_`, first a letter.
    pub name: String,
    /// Quantity whose largest value counts, with its place, as `von_mises`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<String>,
    /// Quantity whose smallest value counts, with its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<String>,
    /// Quantity whose mean counts: of a field by area, of bodies each alike.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean: Option<String>,
    /// Quantity whose mean of powers counts, `(mean |v|^p)^(1/p)`: a smooth largest size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub norm: Option<String>,
    /// Power `p` of `norm` (1).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(at_least = 1, at_most = 1000)]
    pub power: Option<f64>,
    /// Quantity that has one value: of the scene, a joint, a load, a pair, one body or one point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Name of the body or obstacle, of a joint, a load, or a section of `output.sections`; the name of
    /// a body with copies means all of them. If absent all bodies count, or the scene.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// Names of two bodies or obstacles: forces act on the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub between: Option<[String; 2]>,
    /// Place of a point of the body (m), as for a probe; it moves with the material.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<[f64; 2]>,
    /// Radius (m) of the circle around `at` over which coarse-grained quantities are means; `at` is then
    /// a place in the world, which does not move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub within: Option<f64>,
    /// Vertices of the body at which a field is taken; if absent all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on: Option<Selection>,
    /// Ends of the line (m) that `flow` counts crossings of, from its left to its right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<[[f64; 2]; 2]>,
    /// Reduction over all steps, for the result of a run; if absent `max` for `max`, `min` for `min`, `sum`
    /// for `flow`, else `last`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub over: Option<Over>,
}
