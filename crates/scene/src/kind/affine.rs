//! Affine bodies: a centre of mass and a linear map that a stiff energy keeps close to a rotation.
//!
//! An affine body has three nodes: its centre of mass `c` and the columns of a map `A`, with
//! `x_i = c + A (X_i - c)`. Vertices move on straight lines in a Newton direction, which makes
//! collision detection simpler than for a rigid body (Lan et al. 2022, "Affine Body Dynamics").
//!
//! The columns are taken along the principal axes of inertia, so that the three nodes do not share
//! mass: their masses are `m` and the two second moments. Rotation by an angular velocity `omega`
//! starts with `A_dot = omega perp(A)`. The energy [`Orthogonality`] holds `A` close to a rotation.

use super::rules::{Freedom, NewBody, Rules, ShapeClass};
use crate::assemble::builder::{Builder, Node, WithoutStiffness};
use crate::assemble::rigid::PlacedOutline;
use crate::check::report::Report;
use crate::schema::{Affine, Law, Shape};
use ipcsim_core::body::{BodyKind, LinearMap, inertia};
use ipcsim_energy::Orthogonality;
use ipcsim_math::definite::symmetric_eigen2;
use ipcsim_math::{Mat2, Vec2, perp};
use ipcsim_mesh::Outline;

/// Ratio of the determinant of second moments to their squared trace (1) below which a shape is a
/// line.
///
/// Rounding is near 1e-16; a shape 1e-5 times as thick as long is at 1e-10.
const NEGLIGIBLE: f64 = 1e-12;

impl Rules for Affine {
    fn name(&self) -> &'static str {
        "affine"
    }

    fn keys(&self) -> &'static [&'static str] {
        &["mass_from"]
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

    fn check(&self, report: &mut Report, path: &str) {
        if let Some(stiffness) = self.stiffness {
            report.positive(&format!("{path}.affine.stiffness"), stiffness, " Pa");
        }
    }

    fn check_shape(&self, report: &mut Report, path: &str, shape: &Shape) {
        if lies_on_a_line(shape) {
            report.add(
                path,
                "lies on a line, across which an affine body would have no inertia; make the body rigid",
            );
        }
    }

    fn add(&self, builder: &mut Builder, body: &NewBody) {
        let spec = body.spec;
        let placed = PlacedOutline::of_body(body);
        let properties = placed.mass_properties(body);
        let center = properties.center;
        let second = properties.second;
        let [(first_moment, a), (second_moment, b)] =
            symmetric_eigen2(second.m11, second.m12, second.m22);

        // Columns of the linear map are the nodes after the centre.
        let map = linear_map(&placed.outline.vertices, center, [a, b]);
        let name = spec.name.clone();
        let first = builder.add_outline(name, BodyKind::Affine, &placed, Box::new(map));

        let spin = spec.spin_deg.to_radians();
        for (q, q_dot, mass) in [
            (center, spec.velocity.into(), properties.mass),
            (a, perp(a) * spin, first_moment),
            (b, perp(b) * spin, second_moment),
        ] {
            let mass = Vec2::repeat(mass);
            builder.nodes.push(Node { q, q_dot, mass });
        }
        builder.add_load(first, spec.force.into());

        // Stiffness times volume. A stiffness that the scene leaves out is derived in the end.
        let volume = properties.mass / body.material.density;
        let stiffness = self.stiffness.unwrap_or(1.0) * volume;
        let energy = Orthogonality { stiffness };
        if self.lacks_stiffness() {
            let of_body = builder.bodies.len() - 1;
            builder.without_stiffness.push(WithoutStiffness {
                body: of_body,
                element: builder.orthogonality.elements.len(),
            });
        }
        builder.orthogonality.push([first + 1, first + 2], energy);
    }
}

/// Map from the three nodes of an affine body to its vertices at `x` (m).
///
/// For the centre `c` and the unit axes `a` and `b`, a vertex is
/// `q_0 + (a . (x - c)) q_1 + (b . (x - c)) q_2`. Gravity accelerates the first node alone.
fn linear_map(x: &[Vec2], center: Vec2, axes: [Vec2; 2]) -> LinearMap {
    let basis = x.iter().flat_map(|x| {
        let [along_a, along_b] =
            axes.map(|axis| Mat2::from_diagonal_element(axis.dot(&(x - center))));
        [Mat2::identity(), along_a, along_b]
    });

    LinearMap {
        origin: vec![Vec2::zeros(); x.len()],
        basis: basis.collect(),
        lift: vec![Mat2::identity(), Mat2::zeros(), Mat2::zeros()],
        shares: Vec::new(),
    }
}

/// True if a shape without an inside has all its edges, hence its mass, on one line.
///
/// A line has a second moment of 0 across, so that the determinant of its second moments vanishes.
fn lies_on_a_line(shape: &Shape) -> bool {
    let points = |list: &[[f64; 2]]| list.iter().map(|&point| point.into()).collect();
    let outline = match shape {
        Shape::Polyline(line) => Outline::polyline(points(&line.points), line.closed),
        Shape::Wire(wire) => Outline::wire(points(&wire.vertices), wire.edges.clone()),
        _ => return false,
    };

    // Mass on the edges, with any density.
    let second = inertia::edges(&outline, 1.0).second;
    second.determinant() <= NEGLIGIBLE * second.trace() * second.trace()
}
