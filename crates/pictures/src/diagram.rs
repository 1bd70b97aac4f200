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

/// A symbol.
#[derive(Clone, Debug, PartialEq)]
pub enum Symbol {
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
        at: Vec2,
        /// Share of its largest value, from -1 to 1, counter-clockwise where positive.
        share: f64,
        /// Name beside it.
        label: String,
    },
    /// Points that are held or moved: a triangle with hatches; on rollers if one axis is free.
    Support {
        /// The points (m).
        at: Vec<Vec2>,
        /// Direction away from the body (1).
        outward: Vec2,
        /// Axes that are held.
        axes: [bool; 2],
    },
    /// A hinge: a circle at its place (m).
    Hinge(Vec2),
    /// A rod between two hinges (m).
    Rod([Vec2; 2]),
    /// A rope between two points (m), which sags if it is longer than their distance.
    Rope {
        /// The points (m).
        ends: [Vec2; 2],
        /// Length of the rope (m).
        length: f64,
    },
    /// A spring between two points (m).
    Spring([Vec2; 2]),
    /// A cylinder between two points (m): a barrel at the first and a piston rod at the second.
    Cylinder([Vec2; 2]),
    /// A weld: a cross at its place (m).
    Weld(Vec2),
    /// A line along which a point moves: a block on it, or a pin if what it holds may turn.
    Guide {
        /// Point of the line on the body that has it (m).
        origin: Vec2,
        /// Point that moves along it (m).
        at: Vec2,
        /// Direction of the line (1).
        axis: Vec2,
        /// True if the block may turn.
        turns: bool,
    },
    /// Gears: a wheel at each of two centres (m).
    Gear([Vec2; 2]),
    /// A motor: an arrow around its place (m).
    Motor(Vec2),
    /// Limits of an angle: an arc between two stops.
    Stops {
        /// Place of the hinge (m).
        at: Vec2,
        /// Direction from which angles count (1).
        from: Vec2,
        /// Least and largest angle (rad).
        range: [f64; 2],
    },
    /// Glued points (m).
    Glue(Vec<Vec2>),
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
