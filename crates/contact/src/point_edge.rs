//! Contact of a point with the inside of an edge, and of two points.
//!
//! Values and gradients of points and edges are computed in the lanes of vector registers where the
//! processor has them (`lanes`), by the same generic formulas. Hessians are in closed form and are
//! projected to positive semidefinite matrices in the small space where they act, which is exact
//! and cheaper than an eigen-decomposition of the 6x6 matrix.

mod lanes;

use super::barrier::{Barrier, Jet};
use super::segments::round;
use ipcsim_energy::{AddProduct, Batch, Batched, Curvature, LocalEnergy, simd};
use ipcsim_math::definite::Saddle;
use ipcsim_math::lanes::Real;
use ipcsim_math::{Mat2, Vec2, outer, perp};
use nalgebra::Matrix3;

/// Barrier energy between a point and the line through an edge, for the vertices `[x_0, x_1, x_2]`:
/// point, edge start and edge end.
///
/// Source: Li et al. 2020, "Incremental Potential Contact", section 4; the free physics-based
/// simulation book, chapter on self-contact. The energy (J) is `w b(g)` with `g = d - s`,
///
/// - `w`: [`weight`](Self::weight), contact length times thickness (m^2);
/// - `b`: [`barrier`](Self::barrier) with the activation distance [`d_hat`](Self::d_hat) (Pa m);
/// - `d`: distance of `x_0` from the line through `x_1` and `x_2` (m);
/// - `s`: [`separation`](Self::separation), distance at which the two touch (m).
///
/// With the unit normal `n` towards the point and the place `c` in `[0, 1]` of the nearest point on
/// the edge, the gradient is `w b'(g) n` times 1, `c - 1` and `-c` for the three vertices.
#[derive(Clone, Copy, Debug)]
pub struct LineContact {
    /// Contact length times thickness `w` (m^2).
    pub weight: f64,
    /// Barrier `b` as a function of the gap.
    pub barrier: Barrier,
    /// Activation distance of the barrier (m).
    pub d_hat: f64,
    /// Distance `s` at which point and edge touch (m): radii of circles, and the separation that
    /// bodies keep.
    pub separation: f64,
    /// True if the line is the boundary of a half-plane that turns, which has one side.
    pub one_sided: bool,
}

impl LineContact {
    /// Value and derivatives of the barrier at the distance `d` (m).
    #[inline]
    pub fn jet(&self, d: f64) -> Jet {
        let gap = d - self.separation;
        if self.one_sided {
            self.barrier.plane(gap, self.d_hat)
        } else {
            self.barrier.pair(gap, self.d_hat)
        }
    }
}

/// Barrier energy between two points, for the vertices `[x_0, x_1]`.
///
/// The energy (J) is `w b(g)` with `g = |x_0 - x_1| - s`,
///
/// - `w`: [`weight`](Self::weight), contact length times thickness (m^2);
/// - `b`: [`barrier`](Self::barrier) with the activation distance [`d_hat`](Self::d_hat) (Pa m);
/// - `s`: [`separation`](Self::separation), distance at which the two touch (m).
#[derive(Clone, Copy, Debug)]
pub struct PointContact {
    /// Contact length times thickness `w` (m^2). Negative where two edges count the same vertex,
    /// see [`super::SharedVertices`].
    pub weight: f64,
    /// Barrier `b` as a function of the gap.
    pub barrier: Barrier,
    /// Activation distance of the barrier (m).
    pub d_hat: f64,
    /// Distance `s` at which the points touch (m): radii of circles, and the separation that bodies
    /// keep.
    pub separation: f64,
    /// Sum of the curvatures of two circles whose barrier is integrated along them (1/m), with the
    /// thickness as the weight (m); 0 where it is not.
    pub curvature: f64,
    /// Vertex at the other end of an edge that the second point belongs to, with which friction
    /// turns; the second point itself if it is isolated.
    pub beside: usize,
}

/// Frame of a point and an edge, with the normal on the point's side.
struct Frame {
    /// Unit tangent of the edge.
    tangent: Vec2,
    /// Unit normal towards the point.
    normal: Vec2,
    /// Inverse length of the edge (1/m).
    inverse: f64,
    /// Distance of the point from the line (m).
    d: f64,
    /// Place of the nearest point along the edge, in `[0, 1]`.
    s: f64,
}

/// Frame of a point and an edge, as numbers of one contact or of several in lanes.
struct EdgeFrame<T> {
    /// Unit tangent of the edge.
    tangent: [T; 2],
    /// Inverse length of the edge (1/m).
    inverse: T,
    /// Distance of the point from the line (m), positive on the left of the edge.
    signed: T,
    /// Place of the nearest point along the edge, in `[0, 1]`.
    s: T,
}

/// Frame of a point and an edge from their coordinates (m): point, edge start and edge end.
#[inline(always)]
fn frame<T: Real>(&[px, py, ax, ay, bx, by]: &[T; 6]) -> EdgeFrame<T> {
    let [ex, ey] = [bx - ax, by - ay];
    let [rx, ry] = [px - ax, py - ay];
    let inverse = (ex * ex + ey * ey).root().inverse();
    let tx = ex * inverse;
    let ty = ey * inverse;

    // The offset of the point across and along the edge.
    EdgeFrame {
        tangent: [tx, ty],
        inverse,
        signed: tx * ry - ty * rx,
        s: (tx * rx + ty * ry) * inverse,
    }
}

impl Frame {
    /// Frame of a point `p` and an edge from `a` to `b` (m).
    #[inline]
    fn new([p, a, b]: &[Vec2; 3]) -> Self {
        let frame = frame(&[p.x, p.y, a.x, a.y, b.x, b.y]);
        let [x, y] = frame.tangent;
        let tangent = Vec2::new(x, y);
        Self {
            tangent,
            normal: perp(tangent) * 1.0_f64.copysign(frame.signed),
            inverse: frame.inverse,
            d: frame.signed.abs(),
            s: frame.s,
        }
    }

    /// Weights `[1, s - 1, -s]` of the vertices in the displacement of the point relative to its
    /// nearest point on the edge.
    fn relative(&self) -> [f64; 3] {
        [1.0, self.s - 1.0, -self.s]
    }
}

impl LocalEnergy<3> for LineContact {
    const NAME: &'static str = "barrier";

    /// Energy `w b(d - s)` (J).
    #[inline]
    fn value(&self, x: &[Vec2; 3]) -> f64 {
        self.weight * self.jet(Frame::new(x).d).value
    }

    /// Gradient `w b' n` times 1, `c - 1` and `-c` (N).
    #[inline]
    fn gradient(&self, x: &[Vec2; 3]) -> [Vec2; 3] {
        let frame = Frame::new(x);
        let force = frame.normal * (self.weight * self.jet(frame.d).first);
        frame.relative().map(|c| force * c)
    }

    /// Hessian (N/m), projected to a positive semidefinite matrix.
    #[inline]
    fn hessian(&self, x: &[Vec2; 3]) -> [[Mat2; 3]; 3] {
        self.second_derivative(x, |saddle| saddle.projected())
    }

    /// Hessian (N/m), without a projection.
    fn exact_hessian(&self, x: &[Vec2; 3]) -> [[Mat2; 3]; 3] {
        self.second_derivative(x, |saddle| saddle.matrix())
    }

    /// The exact Hessian, `w (b'' nu nu^T - b' (omega tau^T + tau omega^T + d omega omega^T))`.
    fn products(&self, x: &[Vec2; 3], curvature: Curvature, add: &mut AddProduct) -> bool {
        if curvature == Curvature::Projected {
            return false;
        }
        let frame = Frame::new(x);
        let Jet { first, second, .. } = self.jet(frame.d);
        let bend = -self.weight * first;

        // Both terms of omega as one product, with tau + d/2 omega.
        let Frame {
            normal,
            tangent,
            inverse,
            d,
            ..
        } = frame;
        let relative = frame.relative();
        let along = spread(normal, relative);
        let turning = spread(normal, [0.0, -inverse, inverse]);
        let across: [Vec2; 3] =
            std::array::from_fn(|i| tangent * relative[i] + turning[i] * (0.5 * d));
        add(self.weight * second, &along, &along);
        add(2.0 * bend, &turning, &across);
        true
    }
}

impl Batched<3> for LineContact {
    fn values(batch: Batch<Self, 3>, out: &mut [f64]) {
        simd::values(batch, out);
    }

    fn gradients(batch: Batch<Self, 3>, out: &mut [[Vec2; 3]]) {
        simd::gradients(batch, out);
    }
}

impl LineContact {
    /// Hessian in closed form (N/m), with the 3x3 form that it reduces to projected by `project`.
    ///
    /// Along a displacement let
    ///
    /// - `nu`, `tau`: normal and tangential motion of the point relative to its nearest point on
    ///   the edge;
    /// - `omega`: turning of the edge.
    ///
    /// Then `d' = nu` and `d'' = -2 omega tau - d omega^2`, and the Hessian is
    ///
    /// `w (b'' nu nu^T - b' (omega tau^T + tau omega^T + d omega omega^T))`,
    ///
    /// a form of rank three. It is projected in an orthonormal basis of the span of `nu`, `omega`
    /// and `tau`.
    #[inline]
    fn second_derivative(
        &self,
        x: &[Vec2; 3],
        project: impl Fn(Saddle) -> Matrix3<f64>,
    ) -> [[Mat2; 3]; 3] {
        let frame = Frame::new(x);
        let Jet { first, second, .. } = self.jet(frame.d);
        let bend = -self.weight * first;
        let stretch = self.weight * second;

        // nu = normal (x) relative and omega = normal (x) turning; tau = tangent (x) relative is
        // orthogonal to both. On the edge's other side omega and tau both change sign, and their
        // product does not.
        let relative = frame.relative();
        let turning = [0.0, -frame.inverse, frame.inverse];

        // Orthonormal weights: along the relative motion, and the rest of the turning.
        let norm = dot3(relative, relative).sqrt();
        let unit = relative.map(|c| c / norm);
        let along = dot3(turning, unit);
        let rest: [f64; 3] = std::array::from_fn(|i| turning[i] - along * unit[i]);
        let rest_norm = dot3(rest, rest).sqrt();

        // The form in that basis, projected.
        let arm = bend * frame.d;
        let form = project(Saddle {
            a: [
                stretch * norm * norm + arm * along * along,
                arm * along * rest_norm,
                arm * rest_norm * rest_norm,
            ],
            u: Vec2::new(along, rest_norm) * (bend * norm),
        });

        // Back to the vertices.
        let rest = rest.map(|c| c / rest_norm);
        let basis = [
            spread(frame.normal, unit),
            spread(frame.normal, rest),
            spread(frame.tangent, unit),
        ];
        blocks(&basis, &form)
    }
}

/// Blocks `sum_ab B_a,i F_ab B_b,j^T` of a form `F` given in a basis `B` of three displacements.
#[inline]
fn blocks(basis: &[[Vec2; 3]; 3], form: &Matrix3<f64>) -> [[Mat2; 3]; 3] {
    let image: [[Vec2; 3]; 3] = std::array::from_fn(|a| {
        std::array::from_fn(|j| {
            basis[0][j] * form[(a, 0)] + basis[1][j] * form[(a, 1)] + basis[2][j] * form[(a, 2)]
        })
    });

    let block = |i: usize, j: usize| {
        outer(basis[0][i], image[0][j])
            + outer(basis[1][i], image[1][j])
            + outer(basis[2][i], image[2][j])
    };

    // The matrix is symmetric, so blocks above the diagonal are transposes.
    let h10 = block(1, 0);
    let h20 = block(2, 0);
    let h21 = block(2, 1);
    [
        [block(0, 0), h10.transpose(), h20.transpose()],
        [h10, block(1, 1), h21.transpose()],
        [h20, h21, block(2, 2)],
    ]
}

/// A direction times the weight of each vertex.
fn spread(direction: Vec2, weights: [f64; 3]) -> [Vec2; 3] {
    weights.map(|c| direction * c)
}

/// Scalar product of three weights each.
fn dot3(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

impl LocalEnergy<2> for PointContact {
    const NAME: &'static str = "barrier";

    /// Energy `w b(|x_0 - x_1| - s)` (J).
    fn value(&self, x: &[Vec2; 2]) -> f64 {
        self.weight * self.jet((x[0] - x[1]).norm() - self.separation).value
    }

    /// Gradient `w b' n` and `-w b' n` with the unit vector `n` from `x_1` to `x_0` (N).
    fn gradient(&self, x: &[Vec2; 2]) -> [Vec2; 2] {
        let r = x[0] - x[1];
        let d = r.norm();
        let g = r * (self.weight * self.jet(d - self.separation).first / d);
        [g, -g]
    }

    /// Hessian (N/m), projected to a positive semidefinite matrix.
    fn hessian(&self, x: &[Vec2; 2]) -> [[Mat2; 2]; 2] {
        self.second_derivative(x, least(Curvature::Projected))
    }

    /// Hessian (N/m), without a projection.
    fn exact_hessian(&self, x: &[Vec2; 2]) -> [[Mat2; 2]; 2] {
        self.second_derivative(x, least(Curvature::Exact))
    }

    /// The Hessian from its eigenvalues along and across the connection.
    fn products(&self, x: &[Vec2; 2], curvature: Curvature, add: &mut AddProduct) -> bool {
        let (normal, [along, across]) = self.stiffness(x, least(curvature));
        let tangent = perp(normal);
        let [normal, tangent] = [[normal, -normal], [tangent, -tangent]];
        add(along, &normal, &normal);
        add(across, &tangent, &tangent);
        true
    }
}

/// Least eigenvalue of a Hessian of a kind (N/m).
fn least(curvature: Curvature) -> f64 {
    match curvature {
        Curvature::Projected => 0.0,
        Curvature::Exact => f64::NEG_INFINITY,
    }
}

impl Batched<2> for PointContact {}

impl PointContact {
    /// Value and derivatives of the barrier at the gap `g` (m).
    #[inline]
    pub fn jet(&self, g: f64) -> Jet {
        if self.curvature > 0.0 {
            round(self.barrier, g, self.d_hat, self.curvature)
        } else {
            self.barrier.pair(g, self.d_hat)
        }
    }

    /// Unit vector from the second point to the first, and the eigenvalues of the Hessian (N/m): `w b''`
    /// along it and `w b'/d` across it, both raised to `least`.
    fn stiffness(&self, x: &[Vec2; 2], least: f64) -> (Vec2, [f64; 2]) {
        let r = x[0] - x[1];
        let d = r.norm();
        let jet = self.jet(d - self.separation);
        let along = self.weight * jet.second;
        let across = self.weight * jet.first / d;
        (r / d, [along, across].map(|value| value.max(least)))
    }

    /// Hessian in closed form (N/m), from its eigenvalues raised to `least`.
    fn second_derivative(&self, x: &[Vec2; 2], least: f64) -> [[Mat2; 2]; 2] {
        let (normal, [along, across]) = self.stiffness(x, least);
        let h = Mat2::identity() * across + outer(normal, normal) * (along - across);
        [[h, -h], [-h, h]]
    }
}

#[cfg(test)]
mod tests;
