//! Variants of Newton's method, for steps on which the usual one fails.
//!
//! All variants minimise the same potential to the same tolerance and keep every state free of
//! contact. They differ in where search directions come from, and in how close to contact one
//! direction may lead. The time stepper chooses one of them for a whole solve.

/// Variant of Newton's method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strategy {
    /// Share of the safe displacement to contact that one direction may take, relative to the usual
    /// one (1).
    pub reach: f64,
    /// Source of the search directions.
    pub search: Search,
    /// True if a search for equilibrium may leave a branch of equilibria, by damped motion; along a path
    /// of them, if the load time turns round.
    pub jumps: bool,
}

/// Source of the search directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// The Newton system, projected where it is not positive definite.
    Newton,
    /// The exact Newton system if it is positive definite, which it is near every minimum,
    /// otherwise the projected one. Directions of the exact system converge quadratically;
    /// directions of the projected one are too short where material is compressed, far from a
    /// minimum too (Longva, Löschner, Fernández-Fernández, Larionov, Ascher and Bender 2023,
    /// "Pitfalls of Projection").
    Exact,
    /// The exact Newton system if it is positive definite, otherwise with a multiple of the mass added as in
    /// [`Search::Regularized`]: for directions that creep away from a saddle.
    Escaping,
    /// The Newton system with a multiple of the mass added, `H + c M`: the exact Hessian of
    /// contacts and arcs, with the smallest `c` of a sequence that makes it positive definite. A
    /// body that is about to topple has a direction of negative curvature. Projection discards it
    /// and with it the direction of the fall; adding mass keeps it.
    Regularized,
    /// The gradient, scaled at each node by the inverse of its diagonal block of the Hessian, for
    /// this number of directions; then the Newton system, since only its directions tell how far
    /// the minimum is.
    ScaledGradient(usize),
}

impl Strategy {
    /// Newton's method as in algorithm 1 of Li et al. 2020, without changes.
    pub const USUAL: Self = Self {
        reach: 1.0,
        search: Search::Newton,
        jumps: false,
    };

    /// The usual method, by which bodies may snap from one equilibrium to another.
    pub const JUMPING: Self = Self {
        jumps: true,
        ..Self::USUAL
    };
}

impl Search {
    /// Source of the direction of an iteration, counted from 1, in a solve that projects Hessians only
    /// where it has to, or always as the book does.
    pub(super) fn at(self, iteration: usize, on_demand: bool) -> Self {
        match self {
            Self::ScaledGradient(count) if iteration > count => Self::Newton,
            Self::Newton if on_demand => Self::Exact,
            same => same,
        }
    }

    /// True if the length of a direction estimates how far the minimum is; scaled gradients do not.
    pub(super) fn measures_distance(self) -> bool {
        !matches!(self, Self::ScaledGradient(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hessians_are_projected_on_demand_and_scaled_gradients_end_after_their_number() {
        let scaled = Search::ScaledGradient(3);
        assert_eq!(scaled.at(3, true), scaled);
        assert_eq!(scaled.at(4, true), Search::Newton);
        assert_eq!(Search::Newton.at(1, true), Search::Exact);
        assert_eq!(Search::Newton.at(1, false), Search::Newton);
        for same in [Search::Exact, Search::Regularized] {
            assert_eq!([same.at(1, true), same.at(9, false)], [same; 2]);
        }
        let measures = [Search::Newton, Search::Exact, Search::Regularized, scaled];
        assert_eq!(
            measures.map(Search::measures_distance),
            [true, true, true, false]
        );
    }
}
