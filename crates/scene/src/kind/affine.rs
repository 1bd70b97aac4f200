//! Affine bodies: a centre of mass and a linear map that a stiff energy keeps close to a rotation.
//!
//! An affine body has three nodes: its centre of mass `c` and the columns of a map `A`, with
//! `x_i = c + A (X_i - c)`. Vertices move on straight lines in a Newton direction, which makes
//! collision detection simpler than for a rigid body (Lan et al. 2022, "Affine Body Dynamics").
//!
//! An energy holds `A` close to a rotation ([`Orthogonality`](ipcsim_energy::Orthogonality)), with a
//! stiffness that is a parameter of the kind.

use super::rules::{Freedom, Rules, ShapeClass};
use crate::schema::{Affine, Law};

impl Rules for Affine {
    fn name(&self) -> &'static str {
        "affine"
    }

    fn keys(&self) -> &'static [&'static str] {
        &["mass_from", "mass", "centre", "moment"]
    }

    fn shapes(&self) -> ShapeClass {
        ShapeClass::Outlined
    }

    fn freedom(&self) -> Freedom {
        Freedom::Whole
    }

    fn stiffness(&self, _law: Option<&Law>) -> Option<f64> {
        self.stiffness
    }

    fn lacks_stiffness(&self) -> bool {
        self.stiffness.is_none()
    }
}
