//! Bodies whose displacements are polynomials of the rest position.
//!
//! Polynomials in x and y up to order `n` have `(n + 1)(n + 2) / 2` terms along each axis, hence
//! `(n + 1)(n + 2)` displacement fields, which are made orthonormal with respect to mass. Order 1
//! spans the affine displacements (the free physics-based simulation book, chapter on reduced-order
//! models).

use super::rules::{Freedom, NewBody, Rules, ShapeClass};
use crate::assemble::builder::Builder;
use crate::check::report::Report;
use crate::schema::Polynomial;
use ipcsim_core::body::basis;

/// Highest order of polynomials, with 90 fields.
///
/// Usual orders are 1 to 3. A body that needs a higher order is better made deformable.
const HIGHEST_ORDER: usize = 8;

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

    fn add(&self, builder: &mut Builder, body: &NewBody) {
        builder.add_reduced_mesh(body, |mesh, mass| {
            basis::polynomial(&mesh.vertices, mass, self.order)
        });
    }

    fn check(&self, report: &mut Report, path: &str) {
        let order = self.order;
        if !(1..=HIGHEST_ORDER).contains(&order) {
            let message = format!("is {order}, but must be from 1 to {HIGHEST_ORDER}");
            report.add(&format!("{path}.polynomial.order"), message);
        }
    }

    fn allows_springs(&self) -> bool {
        false
    }
}
