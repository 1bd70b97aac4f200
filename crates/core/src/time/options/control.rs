//! Options of a step as a scene asks for them.

use crate::solve::Settings;
use ipcsim_contact::{Restitution, SweptPenetrations};
use ipcsim_energy::{Energy, TightenedSection};
use ipcsim_math::varying::Varying;
use std::sync::Arc;

/// Options of a step, each with its numbers in the scene.
#[derive(Debug)]
pub struct StepOptions {
    /// Shape of all outlines at rest, by which the check against tunnelling judges the motion of a step.
    pub tunnelling: SweptPenetrations,
    /// Coefficients of restitution of pairs of bodies that have one.
    pub restitution: Restitution,
    /// True if bodies that deform rest in motion as close to others as in statics.
    pub rests_closely: bool,
    /// Control of the lengths of substeps; `None` if each step is solved as one.
    pub adaptive: Option<Adaptive>,
    /// Control of increments along a path of equilibria; `None` if the load time is not an unknown.
    pub arc_length: Option<ArcLength>,
    /// Tolerances of the search for equilibrium at the start of a run; `None` if it begins as the
    /// scene says.
    pub settling: Option<Settings>,
    /// Sections of bodies that are tightened to a force.
    pub preloads: Vec<Preload>,
    /// Time up to which a body changes its size at rest (s); 0 if none does.
    pub resized_until: f64,
    /// When groups of bodies at rest sleep, in steps of one length by implicit Euler; `None` if they
    /// never do.
    pub sleep: Option<Sleep>,
    /// True if the energy that the integrator takes is returned to the velocities.
    pub keeps_energy: bool,
    /// True if every step keeps a [`Ledger`](super::ledger::Ledger) of its energy and momentum.
    pub ledger: bool,
}

/// Section of a body that is tightened to a force.
#[derive(Clone, Debug, PartialEq)]
pub struct Preload {
    /// Number of the body.
    pub body: usize,
    /// Force (N) across the section, positive as tension, as a function of time.
    pub force: Varying,
    /// Time (s) from which on the section keeps its length; `None` if it always follows the force.
    pub lock: Option<f64>,
    /// The section.
    pub section: Arc<TightenedSection>,
}

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
    /// Mean square displacement of all that can move (m), in an increment that changes no load.
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
    pub(in crate::time) fn slowest(&self) -> f64 {
        self.speeds.iter().copied().fold(f64::INFINITY, f64::min)
    }
}
