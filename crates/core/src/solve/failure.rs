//! Why a minimiser was not found.
//!
//! Every failure names a vertex or a pair at fault and, where there is one, the limit that was
//! exceeded and the setting to change. The time stepper tries fallbacks before a failure ends a
//! run.

use super::dirichlet::Blocked;
use ipcsim_contact::tuning::MOST_TURNS;
use ipcsim_contact::{ContactPair, SweptPenetration};
use thiserror::Error;

/// Reason why a minimiser was not found. Vertices are indices into the scene's vertices.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum Failure {
    /// Two things touch in a state that should be free of contact.
    #[error("{}", touching(.0))]
    Touching(ContactPair),
    /// An energy or a direction is not a finite number.
    #[error(
        "the {energy} is not finite at vertex {vertex}; look for extreme stiffness, speed or time step"
    )]
    NotFinite {
        /// Name of the energy, or "direction".
        energy: &'static str,
        /// Vertex at which it is not finite.
        vertex: usize,
    },
    /// A body turns too often for its motion to be searched for collisions.
    #[error(
        "the body of vertex {vertex} would turn {turns:.3e} times in a step, more than the {MOST_TURNS} whose motion can be \
         searched for collisions; lower its speed, its torque or time.step"
    )]
    Spinning {
        /// One vertex of the body.
        vertex: usize,
        /// Turns that inertia and loads make in the step.
        turns: f64,
    },
    /// A scene that repeats: surfaces come near images that are not there.
    #[error(
        "the surfaces of the cell reach over {extent:.3} periods at vertex {vertex}, and could meet images beyond the neighbouring \
         cells, which are not there; draw a cell of more periods, or hold the bodies"
    )]
    Drifted {
        /// Vertex at the far end.
        vertex: usize,
        /// Extent of all surfaces in periods (1).
        extent: f64,
    },
    /// The Newton matrix is not positive definite.
    #[error(
        "the Newton matrix is singular to rounding at vertex {vertex}; look for extreme ratios of stiffness or mass"
    )]
    Indefinite {
        /// The vertex at which factorisation stopped.
        vertex: usize,
    },
    /// No step along the direction lowers the potential.
    #[error("no step along the Newton direction lowers the potential{}", limited(*.fraction, .pair.as_ref()))]
    NoProgress {
        /// Largest safe fraction of the direction.
        fraction: f64,
        /// Pair that limits the fraction, if contact does.
        pair: Option<ContactPair>,
    },
    /// Over many directions neither the imbalance nor the potential falls.
    #[error(
        "over {count} directions neither the forces left over nor the potential fell by a tenth: they would still speed a body up by {:.3e} \
         m/s in a step, more than solver.imbalance, {:.3e} m/s; look near vertex {vertex} for something that is squeezed, or for \
         extreme ratios of stiffness or mass, or lower time.step", .imbalance[0], .imbalance[1]
    )]
    Stagnant {
        /// Vertex with the largest force that is left over.
        vertex: usize,
        /// Number of directions.
        count: usize,
        /// Imbalance of forces (m/s), and the one that would have been accepted.
        imbalance: [f64; 2],
    },
    /// Rounding ends a solve before forces balance.
    #[error(
        "rounding of positions keeps forces from a balance near vertex {vertex}: they would still speed a body up by {:.3e} m/s in a step, \
         more than solver.imbalance, {:.3e} m/s, at a least gap of {gap:.3e} m; lower time.step or contact.kappa, or look for \
         something that is squeezed", .imbalance[0], .imbalance[1]
    )]
    Unbalanced {
        /// Vertex with the largest force that is left over.
        vertex: usize,
        /// Imbalance of forces (m/s), and the one that would have been accepted.
        imbalance: [f64; 2],
        /// Smallest distance of a contact (m).
        gap: f64,
    },
    /// The iteration limit was reached.
    #[error(
        "after {count} iterations {}; raise solver.max_iterations, or lower time.step",
        left_over(*.residual, *.tolerance, *.imbalance, *.vertex)
    )]
    Iterations {
        /// Largest number of iterations.
        count: usize,
        /// Residual of the last direction (m/s).
        residual: f64,
        /// Residual below which the direction would have been accepted (m/s).
        tolerance: f64,
        /// Imbalance of forces (m/s), and the one that would have been accepted.
        imbalance: [f64; 2],
        /// Vertex that the direction moves most.
        vertex: usize,
    },
    /// A joint cannot be closed.
    #[error(
        "joints[{joint}] at vertex {vertex} is still open by {distance:.3e} m after its force was renewed many times; look for joints or \
         prescribed motions that contradict each other, or for something in the way"
    )]
    Open {
        /// One vertex of the joint.
        vertex: usize,
        /// Number of the joint.
        joint: usize,
        /// Residual of the joint (m).
        distance: f64,
    },
    /// The direct motion from the start of a step to its end leads through a body.
    #[error(
        "on the direct way of the step vertex {} cuts {:.3e} m deep through the body of vertex {}, more than the {:.3e} m that a \
         slide round a corner explains; lower its speed or time.step",
        .0.vertex, .0.depth, .0.through, .0.allowed
    )]
    CutsThrough(SweptPenetration),
    /// Statics: nothing carries a load.
    #[error(
        "nothing holds the body of vertex {vertex}: {force:.3e} N are left over, however far it moves; hold it \
         (\"fixed\", \"prescribed\", a joint), or put something in its way"
    )]
    Unheld {
        /// One vertex of the body.
        vertex: usize,
        /// Force that is left over (N).
        force: f64,
    },
    /// Statics: no equilibrium is near, and a body grows beyond measure.
    #[error(
        "under its loads the body of vertex {vertex} grows to {ratio:.1} times its size and finds no equilibrium: they are beyond \
         all that it can carry; lower them, or let motion show what follows"
    )]
    Overloaded {
        /// First vertex of the body.
        vertex: usize,
        /// Ratio of its size to that at the start of the increment (1).
        ratio: f64,
    },
    /// Statics: a body or a mechanism can move without any force.
    #[error("{}", loose(*.vertex, *.touches, *.rubs))]
    Loose {
        /// Vertex that moves most.
        vertex: usize,
        /// True if its body touches another one.
        touches: bool,
        /// True if contacts have friction.
        rubs: bool,
    },
    /// Statics: a body leaves its branch of equilibria.
    #[error(
        "the equilibrium near vertex {vertex} becomes unstable: on the way to the next one {ratio:.3e} times the energy is \
         released that the missing forces explain; lower time.step to see the limit point"
    )]
    Snaps {
        /// Vertex that has moved most.
        vertex: usize,
        /// Ratio of the energy that was released to `1/2 |f . dq|` of the missing forces (1).
        ratio: f64,
    },
    /// Statics with arc length: the next equilibrium on the path is not found.
    #[error(
        "the path of equilibria is lost near vertex {vertex}: no state in balance was found at the length of an increment, nor \
         of its parts, in the direction of the path; lower time.arc_length.length, or look for contacts that open or close at once"
    )]
    OffPath {
        /// Vertex that the last direction moves most.
        vertex: usize,
    },
    /// A body cannot be tightened to a force.
    #[error(
        "the body of vertex {vertex} cannot be tightened to {:.6e} N: at the length that was tried last, shorter by \
         {shortening:.3e} m, the force across its section is {:.6e} N; look whether its ends clamp something, and whether that can carry \
         the force", .forces[1], .forces[0]
    )]
    Untightened {
        /// One vertex of the body.
        vertex: usize,
        /// Force across the section, and the one that is wanted (N).
        forces: [f64; 2],
        /// Length by which the section was shorter (m).
        shortening: f64,
    },
    /// A prescribed position cannot be reached.
    #[error(transparent)]
    Blocked(#[from] Blocked),
    /// The caller has stopped the solve, see [`Interrupt`](super::Interrupt).
    #[error("the step was interrupted")]
    Interrupted,
    /// The Newton matrix does not fit into memory.
    #[error("the Newton matrix of {vertices} vertices does not fit into memory")]
    OutOfMemory {
        /// Number of vertices of the model.
        vertices: usize,
    },
}

impl Failure {
    /// Short name of the failure for programs, in `snake_case`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Touching(_) => "touching",
            Self::NotFinite { .. } => "not_finite",
            Self::Spinning { .. } => "spinning",
            Self::Drifted { .. } => "drifted",
            Self::Indefinite { .. } => "indefinite",
            Self::NoProgress { .. } | Self::Stagnant { .. } => "no_progress",
            Self::Unbalanced { .. } => "unbalanced",
            Self::Iterations { .. } => "iterations",
            Self::Open { .. } => "open",
            Self::CutsThrough(_) => "cuts_through",
            Self::Unheld { .. } => "unheld",
            Self::Overloaded { .. } => "overloaded",
            Self::Loose { .. } => "loose",
            Self::Snaps { .. } => "snaps",
            Self::OffPath { .. } => "off_path",
            Self::Untightened { .. } => "untightened",
            Self::Blocked(_) => "blocked",
            Self::Interrupted => "interrupted",
            Self::OutOfMemory { .. } => "out_of_memory",
        }
    }

    /// True if no other method, and no other length of what may have any, solves the step: bodies touch at
    /// its start, nothing holds them, memory does not suffice, or the caller has stopped.
    pub(crate) fn is_final(&self) -> bool {
        matches!(
            self,
            Self::Touching(_)
                | Self::OutOfMemory { .. }
                | Self::Interrupted
                | Self::Unheld { .. }
                | Self::Loose { .. }
        )
    }

    /// Number of the joint at fault, if one is.
    pub fn joint(&self) -> Option<usize> {
        match self {
            Self::Open { joint, .. } => Some(*joint),
            _ => None,
        }
    }

    /// Vertices at fault, without repetition; empty if no vertex is.
    pub fn vertices(&self) -> Vec<usize> {
        match *self {
            Self::Touching(touch) => touch.vertices(),
            Self::CutsThrough(cut) => vec![cut.vertex, cut.through],
            Self::NoProgress { pair, .. } => pair.map_or(Vec::new(), |touch| touch.vertices()),
            Self::NotFinite { vertex, .. }
            | Self::Spinning { vertex, .. }
            | Self::Drifted { vertex, .. }
            | Self::Open { vertex, .. }
            | Self::Indefinite { vertex }
            | Self::Unheld { vertex, .. }
            | Self::Overloaded { vertex, .. }
            | Self::Loose { vertex, .. }
            | Self::Snaps { vertex, .. }
            | Self::OffPath { vertex }
            | Self::Untightened { vertex, .. }
            | Self::Stagnant { vertex, .. }
            | Self::Unbalanced { vertex, .. }
            | Self::Iterations { vertex, .. } => vec![vertex],
            Self::Blocked(Blocked { vertex, pair, .. }) => {
                let mut all = pair.map_or(Vec::new(), |touch| touch.vertices());

                // The blocked vertex first, and once.
                all.retain(|&other| other != vertex);
                all.insert(0, vertex);
                all
            }
            Self::Interrupted | Self::OutOfMemory { .. } => Vec::new(),
        }
    }
}

/// Sentence about the pair that touches.
fn touching(touch: &ContactPair) -> String {
    match touch {
        ContactPair::Edge { point, edge } => format!(
            "vertex {point} is at distance 0 from edge {}-{}",
            edge[0], edge[1]
        ),
        ContactPair::Plane { point, plane } => {
            format!("vertex {point} is on or behind half-plane {plane}")
        }
        ContactPair::Strip { edge, other } => format!(
            "edge {}-{} is at distance 0 from edge {}-{}",
            edge[0], edge[1], other[0], other[1]
        ),
        ContactPair::Floor { edge, plane } => format!(
            "edge {}-{} is on or behind half-plane {plane}",
            edge[0], edge[1]
        ),
    }
}

/// Sentence about a body of a `vertex` that nothing holds in equilibrium.
fn loose(vertex: usize, touches: bool, rubs: bool) -> String {
    let what =
        format!("in equilibrium the body of vertex {vertex} can still move without any force");
    let hold = "hold it (\"fixed\", \"prescribed\", a joint)";
    match (touches, rubs) {
        (false, _) => format!(
            "{what}: it touches nothing yet, so that its place is not determined; {hold}, or let it begin where it \
             touches what is to carry it"
        ),
        (true, true) => format!(
            "{what}, as a mechanism does, although contacts have friction: it can roll or tilt, or slides where it is \
             not pressed; {hold}, or give its contacts rolling resistance"
        ),
        (true, false) => format!(
            "{what}, as a mechanism does, so that its place is not determined; {hold}, or give its contacts friction \
             or rolling resistance"
        ),
    }
}

/// Appendix that names the pair that limits a step, and the fraction that it allows; empty without
/// a pair.
fn limited(fraction: f64, pair: Option<&ContactPair>) -> String {
    let Some(pair) = pair else {
        return String::new();
    };
    format!("; contact of {pair} allows a fraction of {fraction:.3e}")
}

/// Sentence about what a solve lacked at its last iteration: a short direction at the `vertex` that
/// it moves most, or forces that balance.
fn left_over(
    residual: f64,
    tolerance: f64,
    [imbalance, accepted]: [f64; 2],
    vertex: usize,
) -> String {
    if residual > tolerance {
        return format!(
            "the direction still has {residual:.3e} m/s at vertex {vertex}, more than \
             solver.tolerance, {tolerance:.3e} m/s"
        );
    }
    format!(
        "the forces left over would still speed a body up by {imbalance:.3e} m/s in a step, more than \
         solver.imbalance, {accepted:.3e} m/s; most is left near vertex {vertex}"
    )
}
