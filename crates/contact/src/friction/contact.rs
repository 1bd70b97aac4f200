//! Lagged friction of one contact: its potential, and the derivative that Newton's method uses.

use super::law::SlipLaw;
use ipcsim_energy::{AddProduct, Batched, Curvature, LocalEnergy};
use ipcsim_math::{Mat2, Vec2, outer};

/// Lagged friction potential of one contact between `N` vertices.
///
/// Source: Li et al. 2020, "Incremental Potential Contact", equations 14 to 17; the free
/// physics-based simulation book, chapter on friction. The energy (J) is
///
/// `D(y) = mu lambda f_0(|u|)` with `u = u_0 + u_belt + sum_i c_i . (y_i - x_i)`,
///
/// - `mu lambda`: [`load`](Self::load), coefficient of static friction times lagged normal force
///   (N);
/// - `c_i`: [`weights`](Self::weights), contribution of vertex `i` to the sliding velocity along
///   the lagged tangent;
/// - `x_i`: [`start`](Self::start), position of vertex `i` from which displacements count (m): in Li
///   et al. that of the start of the step, `x_i^n`;
/// - `u_0`: [`slid`](Self::slid), distance slid at these positions (m): elastic slip that earlier
///   steps have left, and slip of this step up to there;
/// - `u_belt`: [`belts`](Self::belts), displacement by belts in the step (m);
/// - `u`: distance by which the contact has slid in the step (m);
/// - `f_0`: [`law`](Self::law), the integral of the force `f_1` (m). Without weaker kinetic
///   friction and beyond the distance `eps` at which friction is fully developed it is
///   `f_0(u) = u`.
///
/// The friction force on vertex `i` is `-dD/dy_i = -mu lambda f_1(|u|) sign(u) c_i` (N).
///
/// `y_i` is the position of vertex `i` if it keeps its direction at `x_i`. On straight paths this is
/// the vertex itself; on a rigid body it is a point on the tangent of the vertex' arc. A wheel that
/// turns once in a step thus slides by its circumference.
///
/// Rolling resistance has the same form. There `u` is the angle (rad) by which the two sides have
/// turned against each other, `c_i` are in 1/m, and the load is a torque (N m).
#[derive(Clone, Copy, Debug)]
pub struct FrictionContact<const N: usize> {
    /// Coefficient of static friction times lagged normal force, `mu lambda` (N; of rolling N m).
    pub load: f64,
    /// Contribution of each vertex to the sliding distance, `c_i` (1; of rolling 1/m). The sum of
    /// all is 0.
    pub weights: [Vec2; N],
    /// Positions from which displacements count, `x_i` (m).
    pub start: [Vec2; N],
    /// Distance slid at these positions, `u_0` (m; of rolling rad).
    pub slid: f64,
    /// Distance by which the belts of both sides slide along each other in the step, `u_belt` (m).
    pub belts: f64,
    /// Force against the sliding distance, relative to `load`.
    pub law: SlipLaw,
    /// Force along the tangent relative to `load`, in `[-1, 1]`, as the last Newton direction
    /// predicts it.
    pub dual: f64,
}

/// Newton's method on friction force and motion together.
///
/// Source: Chan, Golub and Mulet 1999, "A nonlinear primal-dual method for total variation-based
/// image restoration", section 3. Beyond `eps` the second derivative of `f_0` vanishes. A contact
/// that should stick is then sent far to the other side and back again. The remedy is to take the
/// relative force `w` as a further unknown, bound to the motion by
///
/// `w m(|u|) = u` with `m(r) = r / f_1(r)`,
///
/// whose linearisation is `dw = ((1 - w m' sign u) du + u - w m) / m`. The gradient of the
/// potential is unchanged. Its second derivative becomes `(1 - w m' sign u) / m`, which equals
/// `f_0''` where `w` and `u` agree. [`dual`](Self::dual) is `w`.
///
/// Where friction falls from static to kinetic `f_0''` is negative. The force then counts as
/// constant, `m' = 1 / f_1`, so that a sliding contact has the second derivative 0, and a contact
/// about to stick is held as with a single coefficient. A `w` above the force, from before it fell,
/// counts as equal to it.
impl<const N: usize> FrictionContact<N> {
    /// Distance `u` by which the contact has slid at `y` (m).
    pub(super) fn slide(&self, y: &[Vec2; N]) -> f64 {
        let moved: f64 = (0..N)
            .map(|i| self.weights[i].dot(&(y[i] - self.start[i])))
            .sum();

        // Without them the sign of a zero stays.
        let before = self.slid + self.belts;
        if before == 0.0 { moved } else { moved + before }
    }

    /// Derivative of the energy with respect to `u` (N), `mu lambda f_1(|u|) sign(u)`: minus the
    /// friction force along the tangent.
    pub(super) fn slope(&self, y: &[Vec2; N]) -> f64 {
        self.load * self.law.signed_force(self.slide(y))
    }

    /// Second derivative with respect to `u` relative to `load` (1/m), at least 0.
    pub(super) fn stiffness(&self, u: f64) -> f64 {
        self.law.stiffness(u, self.dual)
    }

    /// Updates the relative force `w` to its prediction `w + dw` after the motion `p` from `y`,
    /// limited to `[-1, 1]`.
    pub(super) fn update_dual(&mut self, y: &[Vec2; N], p: &[Vec2; N]) {
        let u = self.slide(y);

        let du: f64 = self.weights.iter().zip(p).map(|(c, p)| c.dot(p)).sum();
        self.dual = self.law.expected(u, self.dual, du);
    }
}

impl<const N: usize> LocalEnergy<N> for FrictionContact<N> {
    const NAME: &'static str = "friction";

    /// Energy `D = mu lambda f_0(|u|)` (J).
    fn value(&self, y: &[Vec2; N]) -> f64 {
        self.load * self.law.value(self.slide(y).abs())
    }

    /// Gradient `dD/dy_i = mu lambda f_1(|u|) sign(u) c_i` (N).
    fn gradient(&self, y: &[Vec2; N]) -> [Vec2; N] {
        let slope = self.slope(y);
        self.weights.map(|c| c * slope)
    }

    /// Blocks `mu lambda (1 - w m' sign u) / m c_i c_j^T` (N/m), positive semidefinite.
    fn hessian(&self, y: &[Vec2; N]) -> [[Mat2; N]; N] {
        let stiffness = self.load * self.stiffness(self.slide(y));
        self.weights
            .map(|a| self.weights.map(|b| outer(a, b) * stiffness))
    }

    /// The Hessian as one product.
    fn products(&self, y: &[Vec2; N], _curvature: Curvature, add: &mut AddProduct) -> bool {
        let stiffness = self.load * self.stiffness(self.slide(y));
        add(stiffness, &self.weights, &self.weights);
        true
    }
}

impl<const N: usize> Batched<N> for FrictionContact<N> {}

#[cfg(test)]
mod tests {
    use super::*;
    use ipcsim_energy::testing;

    /// A contact of two vertices along a tangent.
    fn two(load: f64, tangent: Vec2, start: [Vec2; 2], slip: f64) -> FrictionContact<2> {
        FrictionContact {
            load,
            weights: [tangent, -tangent],
            start,
            slid: 0.0,
            belts: 0.0,
            law: SlipLaw::steady(slip),
            dual: 0.0,
        }
    }

    #[test]
    fn derivatives_match_finite_differences() {
        let start = [
            Vec2::new(0.3, 0.1),
            Vec2::new(0.0, 0.0),
            Vec2::new(1.0, 0.2),
        ];
        let tangent = Vec2::new(1.0, 0.2).normalize();
        for slide in [-3.0, -0.6, 0.2, 0.9, 1.5] {
            let weights = [1.0, -0.7, -0.3].map(|c| tangent * c);
            let mut contact = FrictionContact {
                load: 2.0,
                weights,
                start,
                slid: 0.0,
                belts: 0.002,
                law: SlipLaw::steady(0.01),
                dual: 0.0,
            };
            let along = slide * 0.01 - contact.belts;
            let x = [start[0] + tangent * along, start[1], start[2]];
            contact.update_dual(&x, &[Vec2::zeros(); 3]);
            testing::check(&contact, x, 1e-7, false);
        }
    }

    /// One contact on a spring whose rest position is at a slide of `to`.
    ///
    /// Full primal-dual directions reach the equilibrium, which bisection gives. Newton's own
    /// method never stops oscillating where the contact sticks.
    #[test]
    fn a_contact_that_sticks_or_slides_is_found_in_few_directions() {
        let load = 3.0;
        let slip = 1e-5;
        let stiffness = 10.0;
        let axis = Vec2::new(1.0, 0.0);
        for to in [-0.4, -0.29, 1e-6, 0.2, 0.299, 0.301, 0.5, 4.0] {
            let mut contact = two(load, axis, [Vec2::zeros(); 2], slip);
            let force = |contact: &FrictionContact<2>, u: f64| {
                stiffness * (u - to) + contact.gradient(&[axis * u, Vec2::zeros()])[0].x
            };

            // The equilibrium by bisection.
            let mut low = -5.0;
            let mut high = 5.0;
            while high - low > 1e-12 {
                let middle = 0.5 * (low + high);
                if force(&contact, middle) > 0.0 {
                    high = middle;
                } else {
                    low = middle;
                }
            }

            // Full directions.
            let mut u = to;
            let mut count = 0;
            while (u - low).abs() > 1e-3 * slip {
                let du = -force(&contact, u)
                    / (stiffness + contact.hessian(&[axis * u, Vec2::zeros()])[0][0].m11);
                contact.update_dual(&[axis * u, Vec2::zeros()], &[axis * du, Vec2::zeros()]);
                u += du;
                count += 1;
                assert!(count <= 20, "to {to}: at {u}, not at {low}");
            }
        }
    }

    /// A contact with weaker kinetic friction is pulled by a constant force on a mass that resists
    /// by `mass u`. Where the force exceeds static friction full directions end at the balance with
    /// kinetic friction, and the second derivative that they use is never negative.
    #[test]
    fn a_contact_that_breaks_away_ends_at_kinetic_friction() {
        let axis = Vec2::new(1.0, 0.0);
        let load = 3.0;
        let mass = 10.0;
        for (pull, ratio) in [(3.3, 0.5), (-4.0, 0.0), (8.0, 0.9)] {
            let mut contact = two(load, axis, [Vec2::zeros(); 2], 1e-4);
            contact.law = SlipLaw {
                kinetic: 1e-3,
                ratio,
                ..contact.law
            };
            let expected = (f64::abs(pull) - ratio * load).copysign(pull) / mass;

            let mut u = 0.0;
            for _ in 0..30 {
                let y = [axis * u, Vec2::zeros()];
                let stiffness = contact.hessian(&y)[0][0].m11;
                assert!(stiffness >= 0.0, "{stiffness} at {u}");
                let du = (pull - mass * u - contact.gradient(&y)[0].x) / (mass + stiffness);
                contact.update_dual(&y, &[axis * du, Vec2::zeros()]);
                u += du;
            }
            assert!((u - expected).abs() < 1e-12, "{u} {expected}");
        }
    }

    #[test]
    fn the_force_is_mu_lambda_when_sliding_and_opposes_the_motion() {
        let contact = two(3.0, Vec2::new(1.0, 0.0), [Vec2::zeros(); 2], 1e-5);
        for slide in [-1.0, 1.0] {
            let gradient = contact.gradient(&[Vec2::new(slide, 0.0), Vec2::zeros()]);
            assert!(
                (gradient[0].x - 3.0 * slide).abs() < 1e-15
                    && (gradient[1].x + 3.0 * slide).abs() < 1e-15
            );
        }

        let at_rest = contact.gradient(&[Vec2::zeros(); 2]);
        assert_eq!(at_rest[0].norm(), 0.0);
    }
}
