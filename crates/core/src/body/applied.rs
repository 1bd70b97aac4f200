//! Loads of a scene on bodies: what they push, and with which force at which time.
//!
//! A load is kept apart from the nodes that it acts on, so that tables and pictures can name it.
//! Three kinds act differently:
//!
//! - [`Spread`]: forces on points of the body, whose directions stay. On components with a constant
//!   Jacobian they depend only on time. A rigid body turns its points, so its angle feels a torque
//!   that depends on the angle ([`Spread::lever`]).
//! - [`Pressing`]: pressure that follows edges.
//! - [`Turning`]: a torque, on an angle or on vertices.
//!
//! Loads are functions of the scene and of time, so that a resumed run needs nothing of them.

use ipcsim_math::varying::Varying;
use ipcsim_math::{Mat2, Vec2, cross, perp};

/// A load of the scene on one body.
#[derive(Clone, Debug, PartialEq)]
pub struct Applied {
    /// Name in tables and pictures.
    pub name: String,
    /// Number of its entry in the scene's list of loads.
    pub entry: usize,
    /// Number of the body or obstacle.
    pub body: usize,
    /// Action of the load.
    pub action: Action,
}

/// What a load does.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Forces whose directions stay.
    Spread(Spread),
    /// Pressure that follows edges.
    Pressing(Pressing),
    /// A torque.
    Turning(Turning),
}

/// Forces on points of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    /// Force per measure as a function of place and time.
    pub strength: Strength,
    /// Points at which it acts.
    pub samples: Vec<Sample>,
    /// The body's own frame, if it has an angle.
    pub frame: Option<Frame>,
    /// How pictures show it.
    pub shown: Shown,
}

/// How pictures show forces on points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// One arrow of the resultant.
    Arrow,
    /// A comb of arrows, one at each point.
    Comb,
}

/// Force per measure: N where a measure has no unit, Pa for areas, N/m^3 for volumes.
#[derive(Clone, Debug, PartialEq)]
pub enum Strength {
    /// Along x and y.
    Vector([Varying; 2]),
    /// Along the normal of each point.
    Normal(Varying),
}

/// A point of a body at which forces act.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Place at the start (m).
    pub place: Vec2,
    /// Share of the force, area (m^2) or volume (m^3) that the point stands for.
    pub measure: f64,
    /// Direction towards the inside at the start (1); zero where nothing acts along it.
    pub normal: Vec2,
    /// What moves the point.
    pub hold: Hold,
    /// Nodes that feel the force, with the matrices from the force to that on the node.
    pub nodes: Vec<(usize, Mat2)>,
}

/// What moves a point of a body.
#[derive(Clone, Debug, PartialEq)]
pub enum Hold {
    /// Vertices with shares that add up to 1.
    Vertices(Vec<(usize, f64)>),
    /// The frame of a body with an angle: the arm from its centre at the start (m).
    Arm(Vec2),
}

/// The frame of a body with an angle.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Node of the centre.
    pub center: usize,
    /// Two vertices that tell the angle.
    pub ends: [usize; 2],
    /// Vector between them at the start (m).
    pub start: Vec2,
}

/// Pressure that follows edges.
#[derive(Clone, Debug, PartialEq)]
pub struct Pressing {
    /// Pressure (Pa) as a function of place and time.
    pub pressure: Varying,
    /// Thickness of the body across the plane (m).
    pub thickness: f64,
    /// Edges, with the inside of the body on the left.
    pub edges: Vec<PressedEdge>,
    /// Sides of a body of revolution under the pressure: two or three vertices in order, and the place
    /// where it is taken (m). The edges then only show them.
    pub rings: Vec<(Vec<usize>, Vec2)>,
}

/// An edge under pressure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PressedEdge {
    /// Vertices at its ends.
    pub ends: [usize; 2],
    /// Place at the start (m) where the pressure is taken: the middle of a straight edge, or of the
    /// side for the edges of a quadratic one.
    pub middle: Vec2,
    /// Share of the pressure (1): 1, or a weight of a quadratic side, whose chord has a negative one.
    pub share: f64,
}

/// A torque on a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Turning {
    /// Torque (N m) as a function of time.
    pub torque: Varying,
    /// What feels it.
    pub grip: Grip,
}

/// What feels a torque.
#[derive(Clone, Debug, PartialEq)]
pub enum Grip {
    /// The node of an angle.
    Angle(usize),
    /// Vertices with their weighted arms (m), which add up to zero.
    Vertices(Vec<(usize, Vec2)>),
}

impl Strength {
    /// Force per measure at the point `sample` and the time `t` (s).
    pub fn at(&self, sample: &Sample, t: f64) -> Vec2 {
        match self {
            Self::Vector([x, y]) => Vec2::new(x.at(sample.place, t), y.at(sample.place, t)),
            Self::Normal(size) => sample.normal * size.at(sample.place, t),
        }
    }

    /// The numbers that it is made of.
    pub fn parts(&self) -> &[Varying] {
        match self {
            Self::Vector(parts) => parts,
            Self::Normal(size) => std::slice::from_ref(size),
        }
    }
}

impl Spread {
    /// Force (N) at each point at the time `t` (s).
    pub fn forces(&self, t: f64) -> impl Iterator<Item = (&Sample, Vec2)> {
        let samples = self.samples.iter();
        samples.map(move |sample| (sample, self.strength.at(sample, t) * sample.measure))
    }

    /// Vector `g` (N) whose work along the vector between the frame's ends is the work that the
    /// forces at the time `t` (s) do by turning the body; `None` if nothing turns it.
    ///
    /// A point is at `c + alpha d + beta perp(d)` for the vector `d` between the ends, so that
    /// `g = sum alpha f - beta perp(f)`.
    pub fn lever(&self, t: f64) -> Option<(&Frame, Vec2)> {
        let frame = self.frame.as_ref()?;
        let mut pull = Vec2::zeros();
        for (sample, force) in self.forces(t) {
            if let Hold::Arm(arm) = sample.hold {
                let [along, across] = frame.shares(arm);
                pull += force * along - perp(force) * across;
            }
        }
        Some((frame, pull))
    }

    /// Position (m) of a point, for coordinates `q` and positions `x` (m) of vertices.
    pub fn position(&self, sample: &Sample, q: &[Vec2], x: &[Vec2]) -> Vec2 {
        match (&sample.hold, &self.frame) {
            (Hold::Vertices(shares), _) => shares.iter().map(|&(i, share)| x[i] * share).sum(),
            (Hold::Arm(arm), Some(frame)) => {
                let [along, across] = frame.shares(*arm);
                let d = x[frame.ends[1]] - x[frame.ends[0]];
                q[frame.center] + d * along + perp(d) * across
            }
            (Hold::Arm(_), None) => sample.place,
        }
    }
}

impl Frame {
    /// Shares `alpha` and `beta` of an arm at the start (m): `arm = alpha d + beta perp(d)`. Zero
    /// where both ends are one vertex.
    fn shares(&self, arm: Vec2) -> [f64; 2] {
        let square = self.start.norm_squared();
        if square > 0.0 {
            [
                self.start.dot(&arm) / square,
                cross(self.start, arm) / square,
            ]
        } else {
            [0.0; 2]
        }
    }
}

impl Pressing {
    /// Half of pressure times thickness of each edge at the time `t` (s; N/m).
    pub fn halves(&self, t: f64) -> impl Iterator<Item = f64> {
        let edges = self.edges.iter();
        edges.map(move |edge| 0.5 * self.thickness * self.pressure.at(edge.middle, t) * edge.share)
    }

    /// Edges of the outline that are under pressure, without chords of quadratic sides.
    pub fn outline(&self) -> impl Iterator<Item = &PressedEdge> {
        self.edges.iter().filter(|edge| edge.share > 0.0)
    }
}

impl Applied {
    /// Adds `factor` times the forces that do not depend on coordinates at the time `t` (s) to those
    /// on nodes (N; on angles N m), `[nodes]`.
    pub fn add_forces(&self, t: f64, factor: f64, out: &mut [Vec2]) {
        match &self.action {
            Action::Spread(spread) => {
                for (sample, force) in spread.forces(t) {
                    for (node, matrix) in &sample.nodes {
                        out[*node] += matrix * force * factor;
                    }
                }
            }
            Action::Turning(turning) => {
                if let Grip::Angle(node) = turning.grip {
                    out[node].x += turning.torque.at(Vec2::zeros(), t) * factor;
                }
            }
            Action::Pressing(_) => {}
        }
    }

    /// The numbers that vary.
    pub fn varying(&self) -> &[Varying] {
        match &self.action {
            Action::Spread(spread) => spread.strength.parts(),
            Action::Pressing(pressing) => std::slice::from_ref(&pressing.pressure),
            Action::Turning(turning) => std::slice::from_ref(&turning.torque),
        }
    }

    /// Places (m) at which the numbers are taken; the origin for numbers that depend only on time.
    pub fn places(&self) -> Vec<Vec2> {
        match &self.action {
            Action::Spread(spread) => spread.samples.iter().map(|sample| sample.place).collect(),
            Action::Pressing(pressing) => pressing.edges.iter().map(|edge| edge.middle).collect(),
            Action::Turning(_) => vec![Vec2::zeros()],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Rotation2;

    /// Two forces on a body with its centre at the node 0 and the ends of its frame at the vertices 0
    /// and 1, from arms (m) and forces (N).
    fn spread(pairs: [(Vec2, f64); 2]) -> Spread {
        let strength = [3.0, -2.0].map(Varying::Constant);
        let sample = |(arm, measure)| Sample {
            place: arm,
            measure,
            normal: Vec2::zeros(),
            hold: Hold::Arm(arm),
            nodes: vec![(0, Mat2::identity())],
        };
        Spread {
            strength: Strength::Vector(strength),
            samples: pairs.map(sample).to_vec(),
            frame: Some(Frame {
                center: 0,
                ends: [0, 1],
                start: Vec2::new(0.3, 0.1),
            }),
            shown: Shown::Arrow,
        }
    }

    #[test]
    fn a_lever_does_the_work_of_forces_whose_points_turn_with_the_body() {
        let arms = [[0.5, 0.2], [-0.1, 0.7]].map(Vec2::from);
        let spread = spread([(arms[0], 1.0), (arms[1], 4.0)]);
        let (_, pull) = spread.lever(0.0).unwrap();
        let center = Vec2::new(2.0, -1.0);
        for angle in [0.0, 0.8, -2.5] {
            // Vertices of the body, and where its points are, by the angle.
            let ends = |angle: f64| {
                let turn = Rotation2::new(angle);
                [[-0.1, 0.4], [0.2, 0.5]].map(|arm| center + turn * Vec2::from(arm))
            };
            let work = |angle: f64| -> f64 {
                let forces = spread.forces(0.0);
                let x = ends(angle);
                forces
                    .map(|(sample, force)| spread.position(sample, &[center], &x).dot(&force))
                    .sum()
            };
            let of_lever = |angle: f64| {
                let [a, b] = ends(angle);
                pull.dot(&(b - a))
            };
            let turn = Rotation2::new(angle);
            for (sample, arm) in spread.samples.iter().zip(arms) {
                let place = spread.position(sample, &[center], &ends(angle));
                assert!((place - (center + turn * arm)).norm() < 1e-14);
            }
            let gained = work(angle + 0.3) - work(angle);
            assert!((of_lever(angle + 0.3) - of_lever(angle) - gained).abs() < 1e-13);
        }
    }

    #[test]
    fn dead_forces_on_nodes_are_the_sum_of_all_points_times_the_factor() {
        let arms = [[0.5, 0.2], [-0.1, 0.7]].map(Vec2::from);
        let applied = |action| Applied {
            name: "load".to_owned(),
            entry: 0,
            body: 0,
            action,
        };
        let mut out = [Vec2::zeros(), Vec2::new(1.0, 0.0)];
        let forces = applied(Action::Spread(spread([(arms[0], 1.0), (arms[1], 4.0)])));
        forces.add_forces(0.0, 0.5, &mut out);
        let torque = applied(Action::Turning(Turning {
            torque: Varying::Constant(8.0),
            grip: Grip::Angle(1),
        }));
        torque.add_forces(0.0, 0.5, &mut out);
        assert_eq!(out, [Vec2::new(7.5, -5.0), Vec2::new(5.0, 0.0)]);
        assert_eq!(forces.places(), arms);
        assert_eq!(torque.places(), [Vec2::zeros()]);
    }
}
