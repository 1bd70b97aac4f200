//! Joints between bodies, which forces cannot open.
//!
//! A joint names two bodies, or one and an obstacle, and belongs to the scene like contact does. It is
//! closed to rounding at the end of every step. The bodies of a joint pass through each other unless
//! the scene says otherwise, as the parts of a real joint overlap in a plane.
//!
//! A joint to the [`WORLD`] needs no obstacle: its second side never moves, wherever it is.
//!
//! Places are given at the start, in the world. A place on a rigid or affine body may lie outside
//! of it; a deformable body has it in one of its triangles, and one of springs at a vertex.

use super::{GearPair, Motor, RackPair, Selection, Spring, Thrust, Torsion, examples, is_default};
use ipcsim_keys::Keys;
use ipcsim_math::Vec2;
use serde::{Deserialize, Serialize};

/// Name by which joints call what never moves, unless a body or an obstacle has it.
pub const WORLD: &str = "world";

/// A joint between two bodies, or a body and an obstacle or the world. It is hard, unless it is a spring: at the end
/// of every step it is closed to rounding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[key(example = examples::joint())]
pub enum Joint {
    /// A point that both bodies share, about which they turn freely.
    Hinge(Hinge),
    /// Two points, one of each body, that keep their distance.
    Rod(Rod),
    /// Two points, one of each body, that are at most so far apart.
    Rope(Rope),
    /// A spring between two points, with a damper in parallel.
    Spring(Springy),
    /// A hydraulic cylinder or a telescope: two points whose distance a motor, a brake, a spring or
    /// limits act on.
    Cylinder(Cylinder),
    /// Nothing moves: both bodies share a point and turn alike.
    Weld(Weld),
    /// The second body moves along a line of the first and does not turn against it.
    Slider(Guide),
    /// A point of the second body moves along a line of the first; it turns freely.
    Slot(Guide),
    /// An axle of the second body moves along a line of the first on a spring, and turns freely.
    Wheel(Wheel),
    /// Two bodies turn at a ratio, as gears do.
    Gear(GearPair),
    /// The second body turns as it rolls along a line of the first, a pinion on a rack.
    Rack(RackPair),
    /// Vertices of the first body stay where they are on the second, as if glued to it.
    Attach(Attach),
}

/// A hinge: a point that two bodies share.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Hinge {
    /// Names of two bodies, or of one and an obstacle or `world`, which never moves.
    pub bodies: [String; 2],
    /// Position of the hinge at the start (m); it may lie outside of rigid and affine bodies.
    pub at: [f64; 2],
    /// Position of the same point on the second body at the start (m); if absent `at`. Where both are
    /// apart the scene is refused, and `ipcsim check --fix` assembles it: bodies are moved and turned
    /// until all joints close.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second_at: Option<[f64; 2]>,
    /// Name in messages and tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// True if the two bodies collide; if false they may overlap, as the parts of most hinges do.
    #[serde(default)]
    pub collide: bool,
    /// Least and largest angle (degrees) by which the second body may turn against the first, counted
    /// from the start and over turns. The hinge never reaches them; they must lie around 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits_deg: Option<[f64; 2]>,
    /// Coefficient of restitution of its limits: the speed at which they throw back, over that at which
    /// they were hit (1).
    #[serde(default, skip_serializing_if = "is_default")]
    #[key(at_least = 0, at_most = 1)]
    pub limit_restitution: f64,
    /// Motor that turns the second body against the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motor: Option<Motor>,
    /// Largest torque of friction in the hinge (N m), at which it slips; below that it sticks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub brake: Option<f64>,
    /// Spring about the hinge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spring: Option<Torsion>,
    /// Force (N) above which the hinge breaks at the end of a step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub break_force: Option<f64>,
}

/// A rod without mass, which ends at hinges.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Rod {
    /// Names of two bodies, or of one and an obstacle or `world`, which never moves.
    pub bodies: [String; 2],
    /// Positions of the ends at the start (m), in the order of the bodies.
    pub ends: [[f64; 2]; 2],
    /// Name in messages and tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whether the two bodies collide.
    #[serde(default)]
    pub collide: bool,
    /// Force (N) above which the rod breaks at the end of a step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub break_force: Option<f64>,
}

/// A rope without mass: it pulls where it is taut, and hangs loose where its ends are nearer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Rope {
    /// Names of two bodies, or of one and an obstacle or `world`, which never moves.
    pub bodies: [String; 2],
    /// Positions of the ends at the start (m), in the order of the bodies.
    pub ends: [[f64; 2]; 2],
    /// Length of the rope (m), at least the distance of its ends at the start; if absent that
    /// distance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub length: Option<f64>,
    /// Name in messages and tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// True if the two bodies collide, which they do unless the scene says false.
    #[serde(default = "yes")]
    pub collide: bool,
    /// Force (N) above which the rope breaks at the end of a step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub break_force: Option<f64>,
}

/// A spring without mass between two points of two bodies.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Springy {
    /// Names of two bodies, or of one and an obstacle or `world`, which never moves.
    pub bodies: [String; 2],
    /// Positions of the ends at the start (m), in the order of the bodies.
    pub ends: [[f64; 2]; 2],
    /// Force per length (N/m).
    #[key(at_least = 0)]
    pub stiffness: f64,
    /// Length without force (m); if absent the distance of the ends at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(at_least = 0)]
    pub length: Option<f64>,
    /// Force per speed of the ends towards each other (N s/m).
    #[serde(default, skip_serializing_if = "is_default")]
    #[key(at_least = 0)]
    pub damping: f64,
    /// Name in messages and tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// True if the two bodies collide, which they do unless the scene says false.
    #[serde(default = "yes")]
    pub collide: bool,
    /// Force (N) above which the spring breaks at the end of a step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub break_force: Option<f64>,
}

/// A cylinder without mass, which ends at hinges and becomes longer and shorter. All displacements
/// count from its length at the start, positive where it is longer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Cylinder {
    /// Names of two bodies, or of one and an obstacle or `world`, which never moves.
    pub bodies: [String; 2],
    /// Positions of the ends at the start (m), in the order of the bodies.
    pub ends: [[f64; 2]; 2],
    /// Name in messages and tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// True if the two bodies collide, which they do unless the scene says false.
    #[serde(default = "yes")]
    pub collide: bool,
    /// Least and largest displacement (m) from the length at the start. The cylinder never reaches
    /// them; they must lie around 0, and its length stays above 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<[f64; 2]>,
    /// Coefficient of restitution of its limits: the speed at which they throw back, over that at which
    /// they were hit (1).
    #[serde(default, skip_serializing_if = "is_default")]
    #[key(at_least = 0, at_most = 1)]
    pub limit_restitution: f64,
    /// Motor that makes the cylinder longer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motor: Option<Thrust>,
    /// Largest force of friction in the cylinder (N), at which it slips; below that it sticks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub brake: Option<f64>,
    /// Spring between the ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spring: Option<Spring>,
    /// Force (N) above which the cylinder breaks at the end of a step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub break_force: Option<f64>,
}

/// A weld: two bodies that move as one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Weld {
    /// Names of two bodies, or of one and an obstacle or `world`, which never moves.
    pub bodies: [String; 2],
    /// Position of the weld at the start (m), about which its moment counts.
    pub at: [f64; 2],
    /// Position of the same point on the second body at the start (m); if absent `at`. Where both are
    /// apart the scene is refused, and `ipcsim check --fix` assembles it: bodies are moved and turned
    /// until all joints close.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second_at: Option<[f64; 2]>,
    /// Name in messages and tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whether the two bodies collide.
    #[serde(default)]
    pub collide: bool,
    /// Force (N) above which the weld breaks at the end of a step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub break_force: Option<f64>,
    /// Moment about its point (N m) above which the weld breaks at the end of a step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub break_torque: Option<f64>,
}

/// A line of the first body along which a point of the second one moves.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Guide {
    /// Names of two bodies, or of one and an obstacle or `world`, which never moves; the line turns with
    /// the first.
    pub bodies: [String; 2],
    /// Point of the second body at the start (m), through which the line goes.
    pub at: [f64; 2],
    /// Direction of the line at the start (1), of any length above 0.
    pub axis: [f64; 2],
    /// Name in messages and tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whether the two bodies collide.
    #[serde(default)]
    pub collide: bool,
    /// Least and largest displacement (m) along the line from the start. The point never reaches
    /// them; they must lie around 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<[f64; 2]>,
    /// Coefficient of restitution of its limits: the speed at which they throw back, over that at which
    /// they were hit (1).
    #[serde(default, skip_serializing_if = "is_default")]
    #[key(at_least = 0, at_most = 1)]
    pub limit_restitution: f64,
    /// Motor that moves the point along the line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motor: Option<Thrust>,
    /// Largest force of friction along the line (N), at which the point slips; below that it sticks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub brake: Option<f64>,
    /// Spring along the line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spring: Option<Spring>,
    /// Force (N) above which the joint breaks at the end of a step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub break_force: Option<f64>,
}

/// A wheel on its suspension.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Wheel {
    /// Names of the carriage, which may be `world`, and of the wheel.
    pub bodies: [String; 2],
    /// Axle of the wheel at the start (m).
    pub at: [f64; 2],
    /// Direction of the suspension at the start (1), of any length above 0; usually upwards.
    pub axis: [f64; 2],
    /// Spring and damper of the suspension.
    pub spring: Spring,
    /// Name in messages and tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whether the two bodies collide.
    #[serde(default)]
    pub collide: bool,
    /// Least and largest displacement (m) of the axle along the suspension from the start, around
    /// 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<[f64; 2]>,
    /// Coefficient of restitution of its limits: the speed at which they throw back, over that at which
    /// they were hit (1).
    #[serde(default, skip_serializing_if = "is_default")]
    #[key(at_least = 0, at_most = 1)]
    pub limit_restitution: f64,
    /// Motor that turns the wheel against the carriage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motor: Option<Motor>,
    /// Largest torque of friction in the axle (N m), at which it slips; below that it sticks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub brake: Option<f64>,
    /// Force (N) above which the joint breaks at the end of a step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub break_force: Option<f64>,
}

/// Glue between vertices of one body and another body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Attach {
    /// Names of the body whose vertices are glued, and of the body, the obstacle or `world` that holds
    /// them. A deformable body holds them by its triangles, also at a distance.
    pub bodies: [String; 2],
    /// Vertices of the first body.
    pub on: Selection,
    /// Name in messages and tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whether the two bodies collide.
    #[serde(default)]
    pub collide: bool,
    /// Force (N) of all vertices together above which the glue breaks at the end of a step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub break_force: Option<f64>,
}

/// True, a default.
fn yes() -> bool {
    true
}

/// Keys that all kinds of joints have.
#[derive(Clone, Copy, Debug)]
pub struct Common<'a> {
    /// Key of the kind.
    pub kind: &'static str,
    /// Names of the two bodies or obstacles, in the order of the scene.
    pub bodies: &'a [String; 2],
    /// Name of the joint.
    pub name: Option<&'a str>,
    /// True if the bodies collide with each other.
    pub collide: bool,
    /// Force (N) above which it breaks.
    pub break_force: Option<f64>,
    /// Torque (N m) above which it breaks.
    pub break_torque: Option<f64>,
}

/// [`Common`] of a joint that breaks under a force.
macro_rules! common {
    ($kind:literal, $joint:expr) => {
        Common {
            kind: $kind,
            bodies: &$joint.bodies,
            name: $joint.name.as_deref(),
            collide: $joint.collide,
            break_force: $joint.break_force,
            break_torque: None,
        }
    };
}

impl Joint {
    /// A hinge between two bodies, which pass through each other, at a position at the start (m).
    pub fn hinge(first: impl Into<String>, second: impl Into<String>, at: [f64; 2]) -> Self {
        Self::Hinge(Hinge {
            bodies: [first.into(), second.into()],
            at,
            ..Hinge::default()
        })
    }

    /// A rod between points of two bodies (m), which pass through each other.
    pub fn rod(first: impl Into<String>, second: impl Into<String>, ends: [[f64; 2]; 2]) -> Self {
        Self::Rod(Rod {
            bodies: [first.into(), second.into()],
            ends,
            ..Rod::default()
        })
    }

    /// Keys that all kinds have.
    pub fn common(&self) -> Common<'_> {
        match self {
            Self::Hinge(joint) => common!("hinge", joint),
            Self::Rod(joint) => common!("rod", joint),
            Self::Rope(joint) => common!("rope", joint),
            Self::Spring(joint) => common!("spring", joint),
            Self::Cylinder(joint) => common!("cylinder", joint),
            Self::Weld(joint) => Common {
                break_torque: joint.break_torque,
                ..common!("weld", joint)
            },
            Self::Slider(joint) => common!("slider", joint),
            Self::Slot(joint) => common!("slot", joint),
            Self::Wheel(joint) => common!("wheel", joint),
            Self::Attach(joint) => common!("attach", joint),
            Self::Rack(joint) => common!("rack", joint),
            Self::Gear(joint) => Common {
                kind: "gear",
                bodies: &joint.bodies,
                name: joint.name.as_deref(),
                collide: joint.collide,
                break_force: None,
                break_torque: joint.break_torque,
            },
        }
    }

    /// Names of the two bodies or obstacles, in the order of the scene.
    pub fn bodies(&self) -> &[String; 2] {
        self.common().bodies
    }

    /// True if the bodies of the joint collide with each other.
    pub fn collides(&self) -> bool {
        self.common().collide
    }

    /// True if an impulse may stop its bodies: it has limits, or is a rope.
    pub fn has_stops(&self) -> bool {
        match self {
            Self::Hinge(joint) => joint.limits_deg.is_some(),
            Self::Wheel(joint) => joint.limits.is_some(),
            Self::Cylinder(joint) => joint.limits.is_some(),
            Self::Slider(joint) | Self::Slot(joint) => joint.limits.is_some(),
            Self::Rope(_) => true,
            _ => false,
        }
    }

    /// Key of the damping of its servo; `None` if it has none.
    pub fn servo_damper(&self) -> Option<&'static str> {
        let damping = match self {
            Self::Hinge(joint) => joint.motor.as_ref()?.damping,
            Self::Wheel(joint) => joint.motor.as_ref()?.damping,
            Self::Cylinder(joint) => joint.motor.as_ref()?.damping,
            Self::Slider(joint) | Self::Slot(joint) => joint.motor.as_ref()?.damping,
            _ => return None,
        };
        (damping > 0.0).then_some("motor.damping")
    }

    /// Key of its damper; `None` if it has none.
    pub fn damper(&self) -> Option<&'static str> {
        let inside = "spring.damping";
        let (key, damping) = match self {
            Self::Spring(joint) => ("damping", joint.damping),
            Self::Wheel(joint) => (inside, joint.spring.damping),
            Self::Hinge(joint) => (inside, joint.spring?.damping),
            Self::Cylinder(joint) => (inside, joint.spring?.damping),
            Self::Slider(joint) | Self::Slot(joint) => (inside, joint.spring?.damping),
            Self::Rod(_)
            | Self::Rope(_)
            | Self::Weld(_)
            | Self::Gear(_)
            | Self::Rack(_)
            | Self::Attach(_) => return None,
        };
        (damping > 0.0).then_some(key)
    }

    /// Points of both bodies at the start (m) that the joint keeps together, if they are apart.
    pub fn apart(&self) -> Option<[[f64; 2]; 2]> {
        let [first, second] = match self {
            Self::Hinge(hinge) => [hinge.at, hinge.second_at?],
            Self::Weld(weld) => [weld.at, weld.second_at?],
            _ => return None,
        };
        (Vec2::from(first) != Vec2::from(second)).then_some([first, second])
    }

    /// How messages name it: by its own name, or by its kind and its bodies.
    pub fn label(&self) -> String {
        let Common {
            kind, bodies, name, ..
        } = self.common();
        let [first, second] = bodies;
        name.map_or_else(
            || format!("{kind} of \"{first}\" and \"{second}\""),
            |name| format!("{kind} \"{name}\""),
        )
    }
}
