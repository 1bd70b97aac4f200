//! Prescribed positions: coordinates that a step must bring to a target.
//!
//! A coordinate that is at its target is eliminated from the Newton system. If the path to the
//! targets is free they are taken at once. If contact or elements block it, a penalty
//!
//! `1/2 k |q - target|^2`
//!
//! pulls the coordinate. Its stiffness `k` grows whenever Newton's method has converged without
//! meeting the targets, and starts anew with the next step (the free physics-based simulation book,
//! chapter on moving boundary conditions).
//!
//! If contact cuts directions short repeatedly, the coordinate moves in smaller pieces: it aims at
//! a fraction of the displacement to its goal. Vertices that turn leave the tangent of a contact by
//! the square of a direction's length, and a gap shrinks with every step that is cut short.

use crate::tuning::{
    PENALTY_DOMINANCE, PENALTY_FIRST_STIFFNESS, PENALTY_FIRST_STIFFNESS_STATIC, PENALTY_GROWTH,
    PENALTY_MOST_GROWTHS, TARGET_APPROACH, TARGET_CLEARANCE, TARGET_LEAST_SHARE, TARGET_REACHED,
    TARGET_SHORTENING,
};
use ipcsim_contact::ContactPair;
use ipcsim_math::Vec2;
use ipcsim_math::number::short;
use thiserror::Error;

/// Prescribed position of a node at the end of a stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// Index of the prescribed node.
    pub node: usize,
    /// Position of the node at the end of the stage (m; of an angle rad).
    pub position: Vec2,
    /// Components of the node that are prescribed.
    pub axes: [bool; 2],
}

/// The penalty reached its largest stiffness without meeting the targets.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[error("{}", shortfall(self))]
pub struct Blocked {
    /// A vertex of the coordinate farthest from its target.
    pub vertex: usize,
    /// Distance to the goal (m; of an angle rad).
    pub distance: f64,
    /// True if the coordinate is an angle.
    pub is_angle: bool,
    /// Nearest pair in contact with the same body.
    pub pair: Option<ContactPair>,
}

/// Sentence about a vertex that stops short of its prescribed position.
fn shortfall(blocked: &Blocked) -> String {
    let Blocked {
        vertex,
        distance,
        is_angle,
        pair,
    } = blocked;
    let by = pair.map_or_else(String::new, |pair| format!(", by contact of {pair}"));
    let stops = if *distance < TARGET_REACHED {
        "is pressed away from its prescribed position".to_owned()
    } else if *is_angle {
        let degrees = short(distance.to_degrees());
        format!("stops {degrees} degrees short of its prescribed angle")
    } else {
        format!(
            "stops {} m short of its prescribed position",
            short(*distance)
        )
    };
    format!("vertex {vertex} {stops}{by}; prescribe a motion that leaves room")
}

/// The targets of a step and the penalty `1/2 k_i |q_i - target_i|^2` (J s^2) of those not met yet.
#[derive(Clone, Debug)]
pub(super) struct Dirichlet {
    /// Prescribed nodes, in the order of the targets.
    nodes: Vec<Pin>,
    /// Fraction of the displacement to the goals that is aimed at, from 0 to 1.
    share: f64,
    /// Largest stiffness so far of the matrix that resists the penalties (kg).
    resistance: f64,
    /// Number of times that penalties have become stiffer.
    growths: usize,
}

/// One prescribed node, with its penalty.
#[derive(Clone, Copy, Debug)]
struct Pin {
    /// Position at the end of the stage.
    goal: Target,
    /// Position that is aimed at next: the goal, or a fraction of the displacement to it.
    target: Target,
    /// True if the node is at its target.
    is_met: bool,
    /// Stiffness `k` of the penalty (kg); 0 until it is chosen.
    stiffness: f64,
}

impl Target {
    /// True if its node is there among all coordinates `q` (m; of angles rad), `[nodes]`.
    pub fn is_met(&self, q: &[Vec2]) -> bool {
        self.missing(q[self.node]) == Vec2::zeros()
    }

    /// Difference of the target and the coordinates `q` of its node (m; of an angle rad); 0 in
    /// components that are not prescribed.
    fn missing(&self, q: Vec2) -> Vec2 {
        let d = self.position - q;
        Vec2::new(
            if self.axes[0] { d.x } else { 0.0 },
            if self.axes[1] { d.y } else { 0.0 },
        )
    }
}

impl Pin {
    /// Index of the prescribed node.
    fn node(&self) -> usize {
        self.goal.node
    }

    /// Difference of the target and the node among all coordinates `q` (m; of an angle rad).
    fn missing(&self, q: &[Vec2]) -> Vec2 {
        self.target.missing(q[self.node()])
    }
}

impl Dirichlet {
    /// Dirichlet of coordinates `q` to `targets`, without penalties yet.
    pub(super) fn new(targets: &[Target], q: &[Vec2]) -> Self {
        let nodes = targets.iter().map(|target| Pin {
            goal: *target,
            target: *target,
            is_met: target.is_met(q),
            stiffness: 0.0,
        });
        Self {
            nodes: nodes.collect(),
            share: 1.0,
            resistance: 0.0,
            growths: 0,
        }
    }

    /// Positions of prescribed coordinates at the end of the stage.
    pub(super) fn goals(&self) -> impl Iterator<Item = Target> {
        self.nodes.iter().map(|pin| pin.goal)
    }

    /// True if every prescribed coordinate is at its target.
    pub(super) fn all_met(&self) -> bool {
        self.nodes.iter().all(|pin| pin.is_met)
    }

    /// Dirichlet of nodes that are short of their targets.
    fn unmet(&self) -> impl Iterator<Item = &Pin> {
        self.nodes.iter().filter(|pin| !pin.is_met)
    }

    /// Marks the components that are at their target, `[nodes]`, and unmarks all others.
    pub(super) fn mark_met(&self, prescribed: &mut [[bool; 2]]) {
        prescribed.fill([false; 2]);
        for pin in self.nodes.iter().filter(|pin| pin.is_met) {
            for (marked, axis) in prescribed[pin.node()].iter_mut().zip(pin.target.axes) {
                *marked |= axis;
            }
        }
    }

    /// Node that is farthest from its goal, and its distance (m; of an angle rad); node 0 and 0 if
    /// all are there.
    pub(super) fn farthest(&self, q: &[Vec2]) -> (usize, f64) {
        let mut farthest = (0, 0.0);
        for pin in &self.nodes {
            let distance = pin.goal.missing(q[pin.node()]).amax();
            if distance > farthest.1 {
                farthest = (pin.node(), distance);
            }
        }
        farthest
    }

    /// Writes the displacement `p` to all targets, longer by the factor [`TARGET_CLEARANCE`], and
    /// the coordinates `end` at the targets themselves.
    pub(super) fn way(&self, q: &[Vec2], p: &mut [Vec2], end: &mut [Vec2]) {
        p.fill(Vec2::zeros());
        end.copy_from_slice(q);
        for pin in self.unmet() {
            let node = pin.node();
            p[node] = pin.missing(q) * TARGET_CLEARANCE;

            for axis in (0..2).filter(|&axis| pin.target.axes[axis]) {
                end[node][axis] = pin.target.position[axis];
            }
        }
    }

    /// Components of `count` nodes that are on their way to a target, `[nodes]`.
    pub(super) fn on_way(&self, count: usize) -> Vec<[bool; 2]> {
        let mut on_way = vec![[false; 2]; count];
        for pin in self.unmet() {
            for (marked, axis) in on_way[pin.node()].iter_mut().zip(pin.target.axes) {
                *marked |= axis;
            }
        }
        on_way
    }

    /// Notes that all coordinates are at their targets now; then the rest of the displacement, or a
    /// part of it, is the next target.
    pub(super) fn meet(&mut self, q: &[Vec2]) {
        self.nodes.iter_mut().for_each(|pin| pin.is_met = true);
        if self.share < 1.0 {
            self.aim(q, TARGET_SHORTENING.recip() * self.share);
        }
    }

    /// Aims at a smaller fraction of the displacement to the goals; false, and without effect, if
    /// that would be too small.
    pub(super) fn shorten(&mut self, q: &[Vec2]) -> bool {
        let share = TARGET_SHORTENING * self.share;
        if share >= TARGET_LEAST_SHARE {
            self.aim(q, share);
        }
        share >= TARGET_LEAST_SHARE
    }

    /// Aims at a fraction of the displacement from `q` to the goals; at the goals themselves from 1
    /// on.
    fn aim(&mut self, q: &[Vec2], share: f64) {
        self.share = share.min(1.0);
        for pin in &mut self.nodes {
            let start = q[pin.node()];
            let missing = pin.goal.missing(start);
            pin.is_met = missing == Vec2::zeros();

            // The whole displacement leads to the goal itself, without rounding.
            pin.target.position = if self.share < 1.0 {
                start + missing * self.share
            } else {
                pin.goal.position
            };
        }
    }

    /// Gives penalties that have none yet a stiffness, relative to the inertia (kg) of each node, and more in
    /// statics.
    pub(super) fn choose_stiffness(&mut self, is_static: bool, of_node: impl Fn(usize) -> f64) {
        let times = if is_static {
            PENALTY_FIRST_STIFFNESS_STATIC
        } else {
            PENALTY_FIRST_STIFFNESS
        };
        for pin in &mut self.nodes {
            if !pin.is_met && pin.stiffness <= 0.0 {
                pin.stiffness = times * of_node(pin.node());
            }
        }
    }

    /// True if a direction `p` from `q` covers a good part of the missing displacement of some
    /// coordinate.
    pub(super) fn approached_by(&self, p: &[Vec2], q: &[Vec2]) -> bool {
        self.unmet().any(|pin| {
            let missing = pin.missing(q);
            p[pin.node()].dot(&missing) > TARGET_APPROACH * missing.norm_squared()
        })
    }

    /// Notes the stiffness (kg) of the matrix that resists the penalties.
    pub(super) fn note_resistance(&mut self, stiffness: f64) {
        self.resistance = self.resistance.max(stiffness);
    }

    /// Makes all penalties stiffer; false if that has been done too often.
    pub(super) fn stiffen(&mut self) -> bool {
        self.growths += 1;
        self.nodes
            .iter_mut()
            .for_each(|pin| pin.stiffness *= PENALTY_GROWTH);
        let stiffest = self.unmet().map(|pin| pin.stiffness).fold(0.0, f64::max);
        self.growths <= PENALTY_MOST_GROWTHS || stiffest <= PENALTY_DOMINANCE * self.resistance
    }

    /// Sum of the penalties at `q` (J s^2).
    pub(super) fn value(&self, q: &[Vec2]) -> f64 {
        self.unmet()
            .map(|pin| 0.5 * pin.stiffness * pin.missing(q).norm_squared())
            .sum()
    }

    /// Adds the derivatives of the penalties at `q` (N s^2), `[nodes]`.
    pub(super) fn add_gradient(&self, q: &[Vec2], gradient: &mut [Vec2]) {
        for pin in self.unmet() {
            gradient[pin.node()] -= pin.missing(q) * pin.stiffness;
        }
    }

    /// Second derivatives of the penalties: nodes and the diagonals of their blocks (kg).
    pub(super) fn diagonal(&self) -> impl Iterator<Item = (usize, Vec2)> {
        self.unmet().map(|pin| {
            let axes = pin.target.axes;
            let diagonal = axes.map(|axis| if axis { pin.stiffness } else { 0.0 });
            (pin.node(), Vec2::from(diagonal))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two nodes, and targets that are 4 m to the right of the first one and 2 m below the second.
    fn two() -> (Vec<Vec2>, Dirichlet) {
        let q = vec![Vec2::new(1.0, 2.0), Vec2::new(5.0, 5.0)];
        let target = |node: usize, position: [f64; 2], axes: [bool; 2]| Target {
            node,
            position: position.into(),
            axes,
        };
        let targets = [
            target(0, [5.0, 9.0], [true, false]),
            target(1, [7.0, 3.0], [false, true]),
        ];
        let pins = Dirichlet::new(&targets, &q);
        (q, pins)
    }

    #[test]
    fn penalties_have_the_derivatives_of_their_values_by_differences() {
        let (q, mut pins) = two();
        pins.choose_stiffness(false, |node| 1.0 + node as f64);
        let mut gradient = vec![Vec2::zeros(); 2];
        pins.add_gradient(&q, &mut gradient);
        let diagonal: Vec<(usize, Vec2)> = pins.diagonal().collect();
        for node in 0..2 {
            for axis in 0..2 {
                let [after, here, before] = [1e-3, 0.0, -1e-3].map(|step| {
                    let mut q = q.clone();
                    q[node][axis] += step;
                    pins.value(&q)
                });
                let slope = (after - before) / 2e-3;
                let bend = (after - 2.0 * here + before) / 1e-6;
                assert!((slope - gradient[node][axis]).abs() < 1e-6, "{slope}");
                assert!((bend - diagonal[node].1[axis]).abs() < 1e-2, "{bend}");
            }
        }
        assert_eq!(diagonal[1].1, Vec2::new(0.0, 2.0 * PENALTY_FIRST_STIFFNESS));
    }

    #[test]
    fn pieces_are_quarters_of_the_distance_and_grow_back_to_the_goals_themselves() {
        let (mut q, mut pins) = two();
        assert_eq!(pins.farthest(&q), (0, 4.0));
        assert!(pins.shorten(&q));
        let mut end = q.clone();
        let mut p = q.clone();
        pins.way(&q, &mut p, &mut end);
        assert_eq!(end, [Vec2::new(2.0, 2.0), Vec2::new(5.0, 4.5)]);
        assert_eq!(p[0], Vec2::new(TARGET_CLEARANCE, 0.0));

        // After the piece the whole rest is next.
        q.clone_from(&end);
        pins.meet(&q);
        assert!(!pins.all_met());
        pins.way(&q, &mut p, &mut end);
        assert_eq!(end, [Vec2::new(5.0, 2.0), Vec2::new(5.0, 3.0)]);
        pins.meet(&end);
        assert!(pins.all_met());
        assert_eq!((pins.value(&end), pins.farthest(&end)), (0.0, (0, 0.0)));

        // Components at their targets are eliminated, all others are not.
        let mut marked = [[true; 2]; 3];
        pins.mark_met(&mut marked);
        assert_eq!(marked, [[true, false], [false, true], [false; 2]]);
    }

    #[test]
    fn pieces_end_above_a_millionth_and_penalties_once_they_outweigh_what_resists() {
        let (q, mut pins) = two();
        let pieces = (0..99).take_while(|_| pins.shorten(&q)).count();
        assert_eq!(pieces, 9, "4^-9 is above 1e-6 and 4^-10 is not");

        // Eight growths are free; then up to a thousandfold of the resistance.
        let (_, mut pins) = two();
        pins.choose_stiffness(false, |_| 1.0);
        pins.note_resistance(1e10);
        pins.note_resistance(1e3);
        let growths = (0..99).take_while(|_| pins.stiffen()).count();
        assert_eq!(growths, 10, "from 1e3 to 1e13");
    }

    #[test]
    fn a_direction_approaches_a_target_if_it_covers_half_of_what_is_missing() {
        let (q, pins) = two();
        let along = |first: f64, second: f64| [Vec2::new(first, 9.0), Vec2::new(9.0, second)];
        assert!(!pins.approached_by(&along(1.9, -0.9), &q));
        assert!(pins.approached_by(&along(2.1, 0.0), &q));
        assert!(pins.approached_by(&along(-4.0, -1.1), &q));
    }
}
