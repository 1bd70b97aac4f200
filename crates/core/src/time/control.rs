//! What a scene says of the lengths of substeps, of increments along a path, and of sleep.

use ipcsim_energy::Energy;

/// Control of the lengths of substeps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adaptive {
    /// Largest local error of a substep, as a displacement of a vertex (m).
    pub tolerance: f64,
    /// Length below which substeps are not divided further (s).
    pub smallest: f64,
}

/// Control of increments along a path of equilibria, whose load time is an unknown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArcLength {
    /// Mean square way of all that can move (m), in an increment that changes no load.
    pub length: f64,
}

/// When groups of bodies sleep.
#[derive(Clone, Debug, PartialEq)]
pub struct Sleep {
    /// Speed of a vertex (m/s) up to which each body is quiet, `[bodies]`.
    pub speeds: Vec<f64>,
    /// Number of quiet steps in a row after which a body may sleep.
    pub steps: u32,
    /// Pairs of bodies that joints or energies connect: they sleep together or not at all.
    pub links: Vec<[usize; 2]>,
}

impl Sleep {
    /// Connects the bodies between which an energy acts, from the body of each vertex.
    pub fn link(&mut self, energy: &dyn Energy, body: &[usize]) {
        for k in 0..energy.element_count() {
            let bodies = energy.stencil(k).iter().map(|&vertex| body[vertex]);
            let mut bodies: Vec<usize> = bodies.collect();
            bodies.dedup();
            self.links
                .extend(bodies.windows(2).map(|pair| [pair[0], pair[1]]));
        }
    }

    /// Least speed up to which a body is quiet (m/s).
    pub(super) fn slowest(&self) -> f64 {
        self.speeds.iter().copied().fold(f64::INFINITY, f64::min)
    }
}
