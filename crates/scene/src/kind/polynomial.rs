//! Bodies whose displacements are polynomials of the rest position.
//!
//! Polynomials in x and y up to order `n` have `(n + 1)(n + 2) / 2` terms along each axis, hence
//! `(n + 1)(n + 2)` displacement fields, which are made orthonormal with respect to mass. Order 1
//! spans the affine displacements (the free physics-based simulation book, chapter on reduced-order
//! models).

use super::rules::{Freedom, Rules, ShapeClass};
use crate::schema::Polynomial;

impl Rules for Polynomial {
    fn name(&self) -> &'static str {
        "polynomial"
    }

    fn keys(&self) -> &'static [&'static str] {
        &["regions", "temperature"]
    }

    fn shapes(&self) -> ShapeClass {
        ShapeClass::Meshed
    }

    fn freedom(&self) -> Freedom {
        let order = self.order as f64 + 1.0;
        Freedom::Fields(order * (order + 1.0))
    }

    fn allows_springs(&self) -> bool {
        false
    }
}
