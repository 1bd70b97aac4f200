//! How a solver goes about a minimisation, for those on which Newton's method fails.

/// What is changed of the usual method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Manner {
    /// Share, of what is usual, of the way to contact that one direction may take.
    pub reach: f64,
    /// Where directions come from.
    pub direction: Direction,
}

/// Where directions come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The Newton system, projected where it is not positive definite.
    Newton,
    /// The Newton system with a multiple of the mass on top, `H + c M`: the exact Hessian of contacts and arcs, with the
    /// smallest `c` of a sequence that makes it positive definite. Where a potential bends down, as that of a body that is
    /// about to topple does, projection takes away what tells in which direction, and this does not.
    Regularized,
    /// The gradient, each node's part scaled by the inverse of its own block of the Hessian, for as many directions; then
    /// the Newton system, since only its directions tell how far the minimum is.
    Gradient(usize),
}

impl Manner {
    /// Newton's method as it is.
    pub const USUAL: Self = Self { reach: 1.0, direction: Direction::Newton };
}

impl Direction {
    /// Where the direction of an iteration, counted from 1, comes from.
    pub(super) fn at(self, iteration: usize) -> Self {
        match self {
            Self::Gradient(count) if iteration > count => Self::Newton,
            same => same,
        }
    }
}
