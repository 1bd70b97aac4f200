//! Symbols of engineers for what acts on bodies: loads, supports and joints, as plain data.
//!
//! Symbols have a size of their own, a share of the picture's, so that they are as legible in a
//! picture of a bridge as in one of a bolt.

use ipcsim_math::Vec2;

/// Symbols of one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diagram {
    /// The symbols, painted in this order.
    pub symbols: Vec<Symbol>,
}

/// A symbol, whose points and directions are of the type `P`.
#[derive(Clone, Debug, PartialEq)]
pub enum Symbol<P = Vec2> {
    /// A force: an arrow with a name.
    Force {
        /// The arrow.
        tooth: Tooth,
        /// Name beside it.
        label: String,
    },
    /// A traction or a pressure: a comb of arrows with a name.
    Comb {
        /// The arrows, along the edges.
        teeth: Vec<Tooth>,
        /// Name beside it.
        label: String,
    },
    /// A torque: three quarters of a circle with a head, and a name.
    Turn {
        /// Centre (m).
        at: P,
        /// Share of its largest value, from -1 to 1, counter-clockwise where positive.
        share: f64,
        /// Name beside it.
        label: String,
    },
    /// Points that are held or moved: a triangle with hatches; on rollers if one axis is free.
    Support {
        /// The points (m).
        at: Vec<P>,
        /// Direction away from the body (1).
        outward: Vec2,
        /// Axes that are held.
        axes: [bool; 2],
    },
    /// What a joint holds to the ground: a larger triangle with hatches at each place.
    Ground {
        /// The places (m).
        at: Vec<P>,
        /// Direction away from the body (1).
        outward: Vec2,
    },
    /// A hinge: a circle at its place (m).
    Hinge(P),
    /// A rod between two hinges (m).
    Rod([P; 2]),
    /// A rope between two points (m), which sags if it is longer than their distance.
    Rope {
        /// The points (m).
        ends: [P; 2],
        /// Length of the rope (m).
        length: f64,
    },
    /// A spring between two points (m).
    Spring([P; 2]),
    /// A spring along a line, as of a wheel: between its ends (m), or next to them where they are too
    /// near to each other.
    Strut {
        /// Point of the line on the body that has it, and point that moves along it (m).
        ends: [P; 2],
        /// Direction of the line, of any length.
        axis: P,
    },
    /// A cylinder between two points (m): a barrel at the first and a piston rod at the second.
    Cylinder([P; 2]),
    /// A weld: a cross at its place (m).
    Weld(P),
    /// A line along which a point moves: a block on it, or a pin if what it holds may turn.
    Guide {
        /// Point of the line on the body that has it (m).
        origin: P,
        /// Point that moves along it (m).
        at: P,
        /// Direction of the line, of any length.
        axis: P,
        /// True if the block may turn.
        turns: bool,
        /// True if the line never moves, so that it has hatches.
        is_grounded: bool,
    },
    /// Gears: a wheel at each of two centres (m).
    Gear([P; 2]),
    /// A motor: an arrow around its place (m).
    Motor(P),
    /// Limits of an angle: an arc between two stops.
    Stops {
        /// Place of the hinge (m).
        at: P,
        /// Direction from which angles count, of any length.
        from: P,
        /// Least and largest angle (rad).
        range: [f64; 2],
    },
    /// Glued points (m).
    Glue(Vec<P>),
}

impl<P> Symbol<P> {
    /// The same symbol with other points and directions.
    pub fn map<Q>(&self, mut to: impl FnMut(&P) -> Q) -> Symbol<Q> {
        let mut both = |ends: &[P; 2]| [to(&ends[0]), to(&ends[1])];
        match self {
            Self::Rod(ends) => Symbol::Rod(both(ends)),
            Self::Spring(ends) => Symbol::Spring(both(ends)),
            Self::Cylinder(ends) => Symbol::Cylinder(both(ends)),
            Self::Gear(centres) => Symbol::Gear(both(centres)),
            Self::Rope { ends, length } => Symbol::Rope {
                ends: both(ends),
                length: *length,
            },
            Self::Strut { ends, axis } => Symbol::Strut {
                ends: both(ends),
                axis: to(axis),
            },
            Self::Hinge(at) => Symbol::Hinge(to(at)),
            Self::Weld(at) => Symbol::Weld(to(at)),
            Self::Motor(at) => Symbol::Motor(to(at)),
            Self::Glue(points) => Symbol::Glue(points.iter().map(to).collect()),
            Self::Guide {
                origin,
                at,
                axis,
                turns,
                is_grounded,
            } => Symbol::Guide {
                origin: to(origin),
                at: to(at),
                axis: to(axis),
                turns: *turns,
                is_grounded: *is_grounded,
            },
            Self::Stops { at, from, range } => Symbol::Stops {
                at: to(at),
                from: to(from),
                range: *range,
            },

            Self::Ground { at, outward } => Symbol::Ground {
                at: at.iter().map(to).collect(),
                outward: *outward,
            },
            Self::Support { at, outward, axes } => Symbol::Support {
                at: at.iter().map(to).collect(),
                outward: *outward,
                axes: *axes,
            },
            Self::Turn { at, share, label } => Symbol::Turn {
                at: to(at),
                share: *share,
                label: label.clone(),
            },
            Self::Force { tooth, label } => Symbol::Force {
                tooth: *tooth,
                label: label.clone(),
            },
            Self::Comb { teeth, label } => Symbol::Comb {
                teeth: teeth.clone(),
                label: label.clone(),
            },
        }
    }
}

/// An arrow of a force or of a part of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tooth {
    /// Point of the body (m).
    pub at: Vec2,
    /// Share of the largest value, from 0 to 1, in the direction of the force.
    pub way: Vec2,
    /// True if the force pushes, so that the arrow ends at the point; false if it begins there.
    pub pushes: bool,
}
