//! Rods: lines whose vertices are free, with stretch and bending.
//!
//! A rod is a polyline, open or closed. Its material gives the density alone; stiffnesses are
//! parameters of the rod, since a section is no part of a material. Contact sees a line with a
//! radius.

use super::rules::{Freedom, Rules, ShapeClass};
use crate::schema::{ElasticRod, Law};

impl Rules for ElasticRod {
    fn name(&self) -> &'static str {
        "rod"
    }

    fn keys(&self) -> &'static [&'static str] {
        &["stretch", "prescribed"]
    }

    fn shapes(&self) -> ShapeClass {
        ShapeClass::Line
    }

    fn freedom(&self) -> Freedom {
        Freedom::Vertices
    }

    fn allows_strain_damping(&self) -> bool {
        false
    }

    fn needs_law(&self) -> bool {
        false
    }

    fn stiffness(&self, _law: Option<&Law>) -> Option<f64> {
        None
    }
}
