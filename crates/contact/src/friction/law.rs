//! Law of smoothed friction: force against the distance that a contact has slid.
//!
//! The force grows to static friction, falls to kinetic friction, and stays. All three parts are
//! polynomials that meet with equal values and slopes, so the force is continuously differentiable.

/// Friction force relative to static friction, as a function of the distance `u` (m) that a contact
/// has slid in a step; for rolling resistance of the angle (rad).
///
/// With `k` the kinetic over the static coefficient, `w = eps_k - eps` and `z = (u - eps) / w`
///
/// | distance | force `f_1(u)` (1) | its integral `f_0(u)` (m) |
/// |---|---|---|
/// | `u < eps` | `2 u/eps - (u/eps)^2` | `u^2/eps - u^3/(3 eps^2) + eps/3` |
/// | `eps <= u < eps_k` | `1 - (1 - k) (3 z^2 - 2 z^3)` | `u - (1 - k) w (z^3 - z^4/2)` |
/// | `eps_k <= u` | `k` | `eps_k - (1 - k) w/2 + k (u - eps_k)` |
///
/// The first row is from Li et al. 2020, "Incremental Potential Contact", equation 17. The second
/// is the cubic that leaves 1 and arrives at `k` with a slope of 0. With `k = 1` the force is 1
/// from `eps` on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlipLaw {
    /// Distance at which static friction is fully developed, `eps = eps_v h` (m; or rad).
    pub full: f64,
    /// Distance from which on friction is kinetic, `eps_k` (m; or rad), above `full`. Without use
    /// where both coefficients are equal.
    pub kinetic: f64,
    /// Kinetic over static coefficient of friction, `k` (1), in `[0, 1]`.
    pub ratio: f64,
}

impl SlipLaw {
    /// Law of equal coefficients, whose force is full from the distance `full` on (m; or rad).
    pub fn steady(full: f64) -> Self {
        Self {
            full,
            kinetic: full,
            ratio: 1.0,
        }
    }

    /// This law, with static friction fully developed at another distance (m) and kinetic friction
    /// as far beyond it as before.
    pub(super) fn developed_at(self, full: f64) -> Self {
        Self {
            full,
            kinetic: full + (self.kinetic - self.full),
            ratio: self.ratio,
        }
    }

    /// True if kinetic friction is weaker than static friction.
    pub(super) fn weakens(&self) -> bool {
        self.ratio < 1.0
    }

    /// Fraction `z` of the transition from static to kinetic friction (1), in `[0, 1]`, and the
    /// length `w` of the transition (m).
    fn fall(&self, u: f64) -> (f64, f64) {
        let width = self.kinetic - self.full;
        (((u - self.full) / width).min(1.0), width)
    }

    /// Integral `f_0` of the force (m) at a distance `u >= 0` (m).
    pub(super) fn value(&self, u: f64) -> f64 {
        let slip = self.full;
        if u < slip {
            return u * u / slip * (1.0 - u / (3.0 * slip)) + slip / 3.0;
        }
        if !self.weakens() {
            return u;
        }

        // The integral loses the part by which the force falls.
        let (z, width) = self.fall(u);
        let lost = width * z * z * z * (1.0 - 0.5 * z) + (u - self.kinetic).max(0.0);
        u - (1.0 - self.ratio) * lost
    }

    /// Force `f_1` (1) at a distance `u >= 0` (m), in `[0, 1]`.
    pub fn force(&self, u: f64) -> f64 {
        let ratio = u / self.full;
        if ratio >= 1.0 {
            self.most(u)
        } else {
            ratio * (2.0 - ratio)
        }
    }

    /// Force (1) along the direction of slip, at a slip `u` (m) of any sign: in `[-1, 1]`.
    pub(super) fn signed_force(&self, u: f64) -> f64 {
        self.force(u.abs()).copysign(u)
    }

    /// Derivative of the force (1/m) at a distance `u >= 0` (m).
    pub fn slope(&self, u: f64) -> f64 {
        if u < self.full {
            return 2.0 / self.full * (1.0 - u / self.full);
        }
        if !self.weakens() || u >= self.kinetic {
            return 0.0;
        }
        let (z, width) = self.fall(u);
        -(1.0 - self.ratio) * 6.0 * z * (1.0 - z) / width
    }

    /// Largest force (1) of a contact that has slid by `u >= 0` (m): 1 where friction is static,
    /// and `f_1` beyond.
    pub(super) fn most(&self, u: f64) -> f64 {
        if !self.weakens() || u <= self.full {
            return 1.0;
        }
        let (z, _) = self.fall(u);
        1.0 - (1.0 - self.ratio) * (z * z * (3.0 - 2.0 * z))
    }

    /// Second derivative relative to the load, `(1 - w m' sign u) / m` (1/m), at a slip `u` (m) of any sign where
    /// the force `w` is expected; 0 if that is negative. See [`FrictionContact`](super::FrictionContact).
    pub(super) fn stiffness(&self, u: f64, expected: f64) -> f64 {
        let (m, slope) = self.secant(u.abs());
        let stiffness = (1.0 - slope * expected * 1.0_f64.copysign(u)) / m;
        if self.weakens() {
            stiffness.max(0.0)
        } else {
            stiffness
        }
    }

    /// Force relative to the load after the slip changes by `du` (m) from `u`, to first order and within
    /// `[-1, 1]`, where the force `w` was expected before.
    pub(super) fn expected(&self, u: f64, expected: f64, du: f64) -> f64 {
        let (secant, _) = self.secant(u.abs());
        (u / secant + self.stiffness(u, expected) * du).clamp(-1.0, 1.0)
    }

    /// The secant `m(u) = u / f_1(u)` (m) and its derivative `m'` (1) at a distance `u >= 0`.
    ///
    /// Below `eps` it is `eps / (2 - u/eps)`, with the derivative `1 / (2 - u/eps)^2`. Beyond,
    /// without weakening, it is `u` itself. With weakening the derivative assumes that the force
    /// stays as it is at `u`, `1 / f_1`: a force that falls would make the second derivative of the
    /// potential negative. Where the force is 0 the secant is infinite and counts as level.
    pub(super) fn secant(&self, u: f64) -> (f64, f64) {
        let ratio = u / self.full;
        if ratio < 1.0 {
            let rest = 2.0 - ratio;
            return (self.full / rest, 1.0 / (rest * rest));
        }
        if !self.weakens() {
            return (u, 1.0);
        }

        let force = self.most(u);
        if force > 0.0 {
            (u / force, force.recip())
        } else {
            (f64::INFINITY, 0.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Laws without and with weakening, also down to no friction at all.
    fn laws() -> [SlipLaw; 4] {
        [1.0, 0.7, 0.2, 0.0].map(|ratio| SlipLaw {
            full: 0.01,
            kinetic: 0.05,
            ratio,
        })
    }

    #[test]
    fn the_force_goes_from_zero_to_static_to_kinetic() {
        for law in laws() {
            assert_eq!(law.force(0.0), 0.0);
            assert!((law.force(0.01) - 1.0).abs() < 1e-15);

            // Halfway down, by the symmetry of the cubic.
            assert!((law.force(0.03) - 0.5 * (1.0 + law.ratio)).abs() < 1e-15);
            for u in [0.05, 0.07, 3.0] {
                assert!((law.force(u) - law.ratio).abs() < 1e-15, "{law:?}");
            }
        }
    }

    #[test]
    fn the_integral_of_the_force_is_that_of_simpson_s_rule() {
        // The rule is exact for cubics, piece by piece.
        for law in laws() {
            let mut sum = law.value(0.0);
            assert!((sum - 0.01 / 3.0).abs() < 1e-16);
            for [a, b] in [
                [0.0, 0.004],
                [0.004, 0.01],
                [0.01, 0.02],
                [0.02, 0.05],
                [0.05, 0.4],
            ] {
                let middle = law.force(0.5 * (a + b));
                sum += (law.force(a) + 4.0 * middle + law.force(b)) * (b - a) / 6.0;
                assert!((law.value(b) - sum).abs() < 1e-15, "{law:?} at {b}");
            }
        }
    }

    #[test]
    fn the_secant_is_distance_over_force_with_its_derivative_where_the_force_does_not_fall() {
        for law in laws() {
            for u in [0.002, 0.009, 0.012, 0.03, 0.045, 0.06, 1.0] {
                let force = law.force(u);
                let (m, slope) = law.secant(u);
                if force == 0.0 {
                    assert_eq!((m, slope), (f64::INFINITY, 0.0));
                    continue;
                }

                // While the force falls it counts as constant.
                let falls = law.weakens() && (0.01..0.05).contains(&u);
                let step = 1e-6 * u;
                let difference =
                    (u + step) / law.force(u + step) - (u - step) / law.force(u - step);
                let expected = if falls {
                    1.0 / force
                } else {
                    0.5 * difference / step
                };
                assert!((m * force - u).abs() < 1e-15);
                assert!((slope - expected).abs() < 1e-6 * slope, "{law:?} at {u}");
            }
        }
    }
}
